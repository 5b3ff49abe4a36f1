import { ROLES, type Role } from '../../schemas/policy.ts';
import { levelPaths } from '../../schemas/scope.ts';
import { decide, presetPolicy, rulesUnder } from '../../src/access/decide.ts';
import { governingRoster, type ScopeWithRules, type ScopeRules } from '../../src/access/rules.ts';
import { hasOwner, seatedRoster } from '../../src/access/roster.ts';
import { prunedTree } from '../../src/access/subtree.ts';
import { holder } from '../support/principals.ts';
import fc from '../support/property.ts';

const ACTORS = ['user:a', 'user:b', 'user:c'];
const POLICY = { tiers: [presetPolicy('dev_local')], ...rulesUnder('dev_local') };

/** Rosters by path: what a deployment might hold. Names are chosen so that text order and tree order differ. */
type Rosters = ReadonlyMap<string, ReadonlyMap<string, Role>>;

const segment = fc.constantFrom('org:a', 'org:a-b', 'org:ab', 'app:a', 'app:a.b');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
const roster = fc
  .array(fc.tuple(fc.constantFrom(...ACTORS), fc.constantFrom(...ROLES)), { maxLength: 3 })
  .map((entries) => new Map(entries));
const rosters = fc
  .array(fc.tuple(path, roster), { maxLength: 6 })
  .map((entries): Rosters => new Map(entries));

/** The roster of the longest path that is the scope or, segment by segment, above it. */
function oracleRoster(scope: string, all: Rosters): ReadonlyMap<string, Role> | null {
  const segments = scope.split('/');
  for (let depth = segments.length; depth > 0; depth -= 1) {
    const found = all.get(segments.slice(0, depth).join('/'));
    if (found !== undefined) return found;
  }
  return null;
}

function rulesAt(scope: string, all: Rosters): ScopeRules | null {
  const members = all.get(scope);
  return members === undefined ? null : { members, allow: ['*'], deny: [] };
}

function placeAt(scope: string, all: Rosters): ScopeWithRules {
  return { path: scope, levels: levelPaths(scope).map((level) => rulesAt(level, all)) };
}

const reads = (actor: string, place: ScopeWithRules): boolean =>
  decide(holder(actor), 'scope.read', place, POLICY).outcome === 'allowed';

function oracleReads(actor: string, scope: string, all: Rosters): boolean {
  const governing = oracleRoster(scope, all);
  return governing === null || governing.has(actor);
}

describe('rosters', () => {
  it('govern exactly what is below them and has none of its own', () => {
    fc.assert(
      fc.property(path, rosters, (scope, all) => {
        expect(governingRoster(placeAt(scope, all))).toEqual(oracleRoster(scope, all));
      }),
    );
  });

  it('let every role do what it may and nothing more', () => {
    const needs = { 'scope.read': 'reader', 'scope.write': 'writer', 'scope.manage': 'owner' } as const;
    fc.assert(
      fc.property(path, rosters, fc.constantFrom(...ACTORS), (scope, all, actor) => {
        const governing = oracleRoster(scope, all);
        const role = governing?.get(actor);
        for (const [capability, needed] of Object.entries(needs)) {
          const allowed =
            governing === null || (role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed));
          const { outcome } = decide(
            holder(actor),
            capability as keyof typeof needs,
            placeAt(scope, all),
            POLICY,
          );
          expect(outcome).toBe(allowed ? 'allowed' : 'not_a_member');
        }
      }),
    );
  });

  it('prune a tree to what an actor may read, and count each withheld part once', () => {
    fc.assert(
      fc.property(
        path,
        fc.uniqueArray(path),
        rosters,
        fc.constantFrom(...ACTORS),
        (root, others, all, actor) => {
          const below = others.filter((other) => other.startsWith(`${root}/`));
          // A roster is kept on a scope, so that whatever has one is in the tree.
          const kept = [...all.keys()].filter((scope) => scope.startsWith(`${root}/`));
          const tree = [...new Set([...below, ...kept])];
          const found = prunedTree(
            placeAt(root, all),
            tree.map((scope) => ({ path: scope, rules: rulesAt(scope, all) })),
            (place) => reads(actor, place),
          );
          const readable = [root, ...tree].filter((scope) => oracleReads(actor, scope, all));
          expect([...found.readable].sort()).toEqual([...readable].sort());
          const parentOf = (scope: string): string => {
            const above = levelPaths(scope).slice(0, -1);
            return above.findLast((level) => level === root || tree.includes(level)) ?? root;
          };
          const parts = tree.filter(
            (scope) => !oracleReads(actor, scope, all) && oracleReads(actor, parentOf(scope), all),
          );
          expect(found.withheld).toBe(parts.length + (oracleReads(actor, root, all) ? 0 : 1));
        },
      ),
    );
  });

  it('begin with an owner, each actor once, and with the owners from above as owners', () => {
    const named = fc.uniqueArray(
      fc.record({ actor: fc.constantFrom(...ACTORS), role: fc.constantFrom(...ROLES) }),
      {
        selector: ({ actor }) => actor,
      },
    );
    fc.assert(
      fc.property(
        named,
        fc.constantFrom(...ACTORS, 'user:new'),
        fc.option(roster),
        (members, creator, above) => {
          const seated = seatedRoster(members, creator, above);
          expect(hasOwner(seated)).toBe(true);
          expect(new Set(seated.map(({ actor }) => actor)).size).toBe(seated.length);
          const roles = new Map(seated.map(({ actor, role }) => [actor, role]));
          for (const [actor, role] of above ?? [])
            if (role === 'owner') expect(roles.get(actor)).toBe('owner');
          if (!hasOwner(members)) expect(roles.get(creator)).toBe('owner');
          for (const { actor, role } of members)
            expect(ROLES.indexOf(roles.get(actor) ?? 'reader')).toBeGreaterThanOrEqual(ROLES.indexOf(role));
        },
      ),
    );
  });
});
