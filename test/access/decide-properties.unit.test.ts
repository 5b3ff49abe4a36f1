import {
  CAPABILITIES,
  ROLES,
  type Capability,
  type CapabilityPattern,
  type Role,
} from '../../schemas/policy.ts';
import { covers, roleFor } from '../../src/access/capability.ts';
import { decide, type Policy, type TierPolicy } from '../../src/access/decide.ts';
import type { Grant } from '../../src/access/grant.ts';
import type { Principal } from '../../src/access/principal.ts';
import { governingRoster, type ScopeWithRules, type ScopeRules } from '../../src/access/rules.ts';
import { prunedTree } from '../../src/access/subtree.ts';
import { holder } from '../support/principals.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

// Random policies, tokens and rosters: what narrows must never widen, and rosters are held to a naive reading of the rule.

const ACTORS = ['user:a', 'user:b'];
const SEGMENTS = ['org:1', 'org:10', 'user:a', 'app:x'];
const FAMILIES: CapabilityPattern[] = ['*', 'scope.*', 'scope.read.*', 'scope.write.*', 'forget.*', 'auth.*'];

const capability = fc.constantFrom(...CAPABILITIES);
const pattern: fc.Arbitrary<CapabilityPattern> = fc.oneof(capability, fc.constantFrom(...FAMILIES));
const path = fc
  .array(fc.constantFrom(...SEGMENTS), { minLength: 1, maxLength: 3 })
  .map((segments) => segments.join('/'));
const patterns = fc.array(pattern, { maxLength: 3 });
const allow = fc.oneof(fc.constant<CapabilityPattern[]>(['*']), patterns);
const grant: fc.Arbitrary<Grant> = fc.record({ pattern, path, subtree: fc.boolean() });
const members = fc
  .array(fc.tuple(fc.constantFrom(...ACTORS), fc.constantFrom<Role>(...ROLES)), { maxLength: 2 })
  .map((entries) => new Map(entries));
const rules: fc.Arbitrary<ScopeRules> = fc.record({
  members: fc.option(members),
  allow: fc.constant<CapabilityPattern[]>(['*']),
  deny: fc.array(pattern, { maxLength: 1 }),
});
const place: fc.Arbitrary<ScopeWithRules> = path.chain((text) =>
  fc
    .array(fc.option(rules), { minLength: text.split('/').length, maxLength: text.split('/').length })
    .map((levels) => ({ path: text, levels })),
);
const tier = (name: TierPolicy['tier']): fc.Arbitrary<TierPolicy> =>
  fc.record({ tier: fc.constant(name), allow, deny: patterns });
const policy: fc.Arbitrary<Policy> = fc.record({
  tiers: fc.tuple(tier('deployment'), tier('tenant'), tier('actor')),
  ungoverned: fc.constantFrom<Policy['ungoverned']>('tenant', 'own'),
  deniedToTokens: fc.oneof(fc.constant([]), patterns),
});
const principal: fc.Arbitrary<Principal> = fc
  .record({
    actor: fc.constantFrom(...ACTORS),
    caps: fc.option(patterns),
    grants: fc.option(fc.array(grant, { maxLength: 3 })),
    tier: fc.constantFrom<Principal['tier']>('standard', 'free'),
  })
  .map(({ actor, ...narrowed }) => holder(actor, narrowed));

const asked = fc.record({ principal, capability, place: fc.option(place), policy });
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

const allowed = ({ principal: who, capability: what, place: where, policy: by }: Asked): boolean =>
  decide(who, what, where, by).outcome === 'allowed';

/** What `narrow` makes of a question is allowed only where the question was. */
function neverWidens(narrow: fc.Arbitrary<(question: Asked) => Asked>): void {
  fc.assert(
    fc.property(asked, narrow, (question, make) => allowed(question) || !allowed(make(question))),
    { numRuns: inDepth(600, 3000) },
  );
}

describe('whatever is denied', () => {
  it('adding a deny to a tier never adds a permission', () => {
    neverWidens(
      fc.tuple(fc.nat(2), pattern).map(([index, denied]) => (question) => {
        const tiers = question.policy.tiers.map((one, i) =>
          i === index ? { ...one, deny: [...one.deny, denied] } : one,
        );
        return { ...question, policy: { ...question.policy, tiers } };
      }),
    );
  });

  it('adding a deny to a scope never adds a permission', () => {
    neverWidens(
      fc.tuple(fc.nat(2), pattern).map(([index, denied]) => (question) => {
        if (question.place === null) return question;
        const levels = question.place.levels.map((one, i) =>
          i === index
            ? { members: null, allow: ['*' as const], ...one, deny: [...(one?.deny ?? []), denied] }
            : one,
        );
        return { ...question, place: { ...question.place, levels } };
      }),
    );
  });
});

describe('narrowing a token', () => {
  const narrowed = (change: (who: Principal) => Partial<Principal>) => (question: Asked) => ({
    ...question,
    principal: { ...question.principal, ...change(question.principal) },
  });

  it('to capabilities, or to fewer of them, never widens it', () => {
    neverWidens(
      fc
        .tuple(fc.nat(3), patterns)
        .map(([left, caps]) =>
          narrowed((who) => ({ caps: who.caps === null ? caps : who.caps.filter((_, i) => i !== left) })),
        ),
    );
  });

  it('to scopes, or to fewer of them, never widens it where membership is asked of everybody or of nobody', () => {
    const question = asked.map((one) => ({
      ...one,
      policy: { ...one.policy, ungoverned: 'tenant' as const },
    }));
    fc.assert(
      fc.property(question, fc.nat(3), fc.array(grant, { maxLength: 2 }), (one, left, entries) => {
        const grants = one.principal.grants?.filter((_, i) => i !== left) ?? entries;
        return allowed(one) || !allowed({ ...one, principal: { ...one.principal, grants } });
      }),
      { numRuns: inDepth(600, 3000) },
    );
  });

  it('to fewer entries never widens it under any policy', () => {
    neverWidens(
      fc.nat(3).map((left) =>
        narrowed((who) => ({
          grants: who.grants === null ? null : who.grants.filter((_, i) => i !== left),
        })),
      ),
    );
  });
});

describe("a parent's roster", () => {
  /** Walks up from the scope until somebody has a roster. */
  function naiveRoster({ levels }: ScopeWithRules): ReadonlyMap<string, Role> | null {
    for (let level = levels.length - 1; level >= 0; level -= 1) {
      const own = levels[level]?.members ?? null;
      if (own !== null) return own;
    }
    return null;
  }

  it('governs exactly the descendants without their own', () => {
    fc.assert(
      fc.property(place, (where) => {
        expect(governingRoster(where)).toBe(naiveRoster(where));
      }),
    );
  });

  it('lets a member do what his role is for, and nobody else anything that needs a role', () => {
    fc.assert(
      fc.property(asked, (question) => {
        const { principal: who, capability: what, place: where } = question;
        const roster = where === null ? null : naiveRoster(where);
        const needed = roleFor(what);
        if (roster === null || needed === null || !allowed(question)) return;
        // Its own actor governs a personal scope whatever its roster says.
        if (/^scope\.(create|manage)$/.test(what) && where?.path.split('/')[0] === who.actor) return;
        expect(ROLES.indexOf(roster.get(who.actor) ?? 'reader')).toBeGreaterThanOrEqual(
          ROLES.indexOf(needed),
        );
        expect(roster.has(who.actor)).toBe(true);
      }),
      { numRuns: inDepth(600, 3000) },
    );
  });
});

describe('a roster cut down to the caller', () => {
  const cutTo = (actor: string, where: ScopeWithRules | null): ScopeWithRules | null =>
    where && {
      ...where,
      levels: where.levels.map(
        (one) =>
          one && {
            ...one,
            members: one.members && new Map([...one.members].filter(([member]) => member === actor)),
          },
      ),
    };

  it('says of the caller what the whole roster says', () => {
    fc.assert(
      fc.property(asked, ({ principal: who, capability: what, place: where, policy: by }) => {
        expect(decide(who, what, cutTo(who.actor, where), by)).toEqual(decide(who, what, where, by));
      }),
      { numRuns: inDepth(600, 3000) },
    );
  });
});

describe('a tree without what may not be read', () => {
  const open: Policy = {
    tiers: [{ tier: 'deployment', allow: ['*'], deny: [] }],
    ungoverned: 'tenant',
    deniedToTokens: [],
  };
  const tree = fc.uniqueArray(fc.tuple(path, fc.option(rules)), {
    selector: ([text]) => text,
    maxLength: 12,
  });

  it('holds the scopes that may be read one by one', () => {
    fc.assert(
      fc.property(fc.option(rules), tree, fc.constantFrom(...ACTORS), (own, below, actor) => {
        const known = new Map(below.map(([text, said]) => [`ws:r/${text}`, said]));
        known.set('ws:r', own);
        const placeOf = (text: string): ScopeWithRules => {
          const segments = text.split('/');
          return {
            path: text,
            levels: segments.map((_, i) => known.get(segments.slice(0, i + 1).join('/')) ?? null),
          };
        };
        const mayRead = (where: ScopeWithRules): boolean =>
          decide(holder(actor), 'scope.read' satisfies Capability, where, open).outcome === 'allowed';
        const paths = [...known.keys()];
        const scopes = paths
          .filter((text) => text !== 'ws:r')
          .map((text) => ({ path: text, rules: known.get(text) ?? null }));
        const { readable, withheld } = prunedTree(placeOf('ws:r'), scopes, mayRead);
        const expected = paths.filter((text) => mayRead(placeOf(text)));
        expect([...readable].sort()).toEqual([...expected].sort());
        expect(withheld === 0).toBe(expected.length === paths.length);
      }),
      { numRuns: inDepth(200, 1000) },
    );
  });
});

describe('capability patterns', () => {
  it('cover a capability by a family only when it lies in it', () => {
    for (const name of CAPABILITIES) {
      expect(covers('*', name)).toBe(true);
      expect(covers('scope.*', name)).toBe(name.startsWith('scope.'));
    }
  });
});
