import { levelPaths } from '../../schemas/scope.ts';
import { levelRefs, scopeRef } from '../../src/capture/scope-key.ts';
import {
  inheritedSpansOf,
  rulesAt,
  spansOf,
  vocabulariesRef,
  type DerivationPolicies,
  type LogPosition,
  type PolicyEntries,
  type PolicyEntry,
} from '../../src/derive/policy-log.ts';
import { SHIPPED, Vocabulary } from '../../src/derive/vocabulary.ts';
import type { Definition } from '../../src/derive/vocabulary/definition.ts';
import { TenantVocabulary } from '../../src/derive/vocabulary/tenant.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const TENANT = 'default';
const ref = (path: string): string => scopeRef(TENANT, path);

/** An entry; numbers follow the order in which they are made. */
function entries(
  ...list: (readonly [path: string, after: number, policies: DerivationPolicies, inherits?: string[]])[]
): PolicyEntry[] {
  return list.map(([path, after_offset, policies, inherits = []], i) => ({
    id: `entry_${i}`,
    number: i + 1,
    scope_ref: ref(path),
    after_offset,
    policies,
    inherit_refs: inherits.map(ref),
  }));
}

const at = (scope: string, position: number, recorded_at = 0): LogPosition => ({
  levels: levelRefs(TENANT, scope),
  vocabularies: vocabulariesRef(TENANT),
  ...{ position, recorded_at },
});
const one = (
  policies: readonly PolicyEntry[],
  place: LogPosition,
  vocabularies: PolicyEntries['vocabularies'] = [],
  tenants: PolicyEntries['tenants'] = [],
) => rulesAt([place], { policies, vocabularies, tenants })[0]!;

describe('the rules at a place', () => {
  it('are the defaults where nobody states anything', () => {
    const rules = one([], at('org:a/user:b', 1));
    expect([rules.conflictResolution, rules.consolidation]).toEqual(['latest_wins', 'eager']);
    expect(['is', 'likes', 'owner_of'].map(rules.cardinalityOf)).toEqual(['one', 'many', 'exclusive']);
  });

  it('count for what comes behind them in the log, the last of one place alone', () => {
    const log = entries(
      ['org:a', 5, { cardinality: { is: 'many' } }],
      ['org:a', 9, { cardinality: { is: 'one' } }],
      ['org:a', 9, { cardinality: { is: 'exclusive' } }],
    );
    const found = [5, 6, 9, 10].map((position) => one(log, at('org:a', position)).cardinalityOf('is'));
    expect(found).toEqual(['one', 'many', 'many', 'exclusive']);
  });

  it('are those of the nearest scope that states any, predicate by predicate', () => {
    const log = entries(
      ['org:a', 0, { cardinality: { is: 'many', likes: 'one' }, conflict_resolution: 'keep_both' }],
      ['org:a/team:b', 0, { cardinality: { is: 'exclusive' }, consolidation: 'manual' }],
      ['org:a/team:b/user:other', 0, { cardinality: { is: 'one' } }],
    );
    const rules = one(log, at('org:a/team:b/user:c', 1));
    expect([rules.cardinalityOf('is'), rules.cardinalityOf('likes')]).toEqual(['exclusive', 'one']);
    expect([rules.conflictResolution, rules.consolidation]).toEqual(['keep_both', 'manual']);
  });

  it('are those of scopes that it names before those above it, in their order', () => {
    const log = entries(
      ['ws:x', 0, { cardinality: { p: 'many', q: 'many' } }],
      ['ws:y', 0, { cardinality: { p: 'exclusive', q: 'exclusive', r: 'exclusive' } }],
      ['org:a', 0, { cardinality: { p: 'one', r: 'many', s: 'many' } }],
      ['org:a/user:b', 0, { cardinality: { q: 'one' } }, ['ws:x', 'ws:y', 'ws:none']],
    );
    const rules = one(log, at('org:a/user:b', 1));
    expect(['p', 'q', 'r', 's'].map(rules.cardinalityOf)).toEqual(['many', 'one', 'exclusive', 'many']);
    // What those name in their turn is not followed, nor what a scope above names.
    expect(one(log, at('org:a/user:b/topic:c', 1)).cardinalityOf('r')).toBe('many');
  });

  it('know a predicate by any of its names, its own before the others', () => {
    const log = entries(
      ['org:a', 0, { cardinality: { 'Resides In': 'many' } }],
      ['org:b', 0, { cardinality: { resides_in: 'many', 'Lives-In': 'one', lives_in: 'exclusive' } }],
    );
    expect(one(log, at('org:a', 1)).cardinalityOf('lives_in')).toBe('many');
    expect(one(log, at('org:b', 1)).cardinalityOf('lives_in')).toBe('exclusive');
  });

  it('go by the vocabulary that the deployment had then', () => {
    const later = SHIPPED.overruledBy(
      new Vocabulary({ orbits: { cardinality: 'many', synonyms: ['circles'] } }),
    );
    const vocabularies = [
      { id: 'v1', after_offset: 0, number: 1, vocabulary: SHIPPED },
      { id: 'v2', after_offset: 4, number: 2, vocabulary: later },
    ];
    const [before, after] = [4, 5].map((position) => one([], at('org:a', position), vocabularies));
    expect([before!.canonical('Circles'), before!.cardinalityOf('orbits')]).toEqual(['circles', 'one']);
    expect([after!.canonical('Circles'), after!.cardinalityOf('orbits')]).toEqual(['orbits', 'many']);
    expect(before!.version).not.toBe(after!.version);
  });

  it('go by the vocabularies that the tenant had then, behind what scopes state', () => {
    const said = (id: string, after_offset: number, ...definitions: Definition[]) => ({
      ...{ id, after_offset, number: after_offset + 1, scope_ref: vocabulariesRef(TENANT) },
      vocabulary: new TenantVocabulary([{ name: 'words', levels: levelRefs(TENANT, 'org:a'), definitions }]),
    });
    const orbits = { id: 'o', name: 'orbits', synonyms: ['circles'], cardinality: 'many' } as const;
    const tenants = [said('t1', 4, orbits), said('t2', 6, { ...orbits, to: 1_000 }), said('t3', 8)];
    const log = entries(['org:a/user:b', 0, { cardinality: { circles: 'exclusive' } }]);
    const known = (scope: string, position: number, recorded_at = 0): unknown[] => {
      const rules = one(log, at(scope, position, recorded_at), [], tenants);
      return [rules.canonical('Circles'), rules.cardinalityOf('orbits')];
    };
    expect(known('org:a', 4)).toEqual(['circles', 'one']);
    expect(known('org:a/team:c', 5)).toEqual(['orbits', 'many']);
    expect(known('org:a/user:b', 5)).toEqual(['orbits', 'exclusive']);
    expect(known('org:z', 5)).toEqual(['circles', 'one']);
    expect([known('org:a', 7, 999), known('org:a', 7, 1_000)]).toEqual([
      ['orbits', 'many'],
      ['circles', 'one'],
    ]);
    expect(known('org:a', 9)).toEqual(['circles', 'one']);
    const versions = [at('org:a', 4), at('org:a', 5), at('org:a', 7), at('org:a', 7, 1_000)];
    expect(new Set(versions.map((place) => one([], place, [], tenants).version)).size).toBe(4);
    const elsewhere = { ...at('org:a', 5), vocabularies: vocabulariesRef('acme') };
    expect(one([], elsewhere, [], tenants).canonical('circles')).toBe('circles');
  });

  it('belong to one tenant', () => {
    const log = entries(['org:a', 0, { cardinality: { is: 'many' } }]);
    const place = { ...at('org:a', 1), levels: levelRefs('acme', 'org:a') };
    expect(one(log, place).cardinalityOf('is')).toBe('one');
  });
});

const PATHS = ['a:a', 'a:a/b:b', 'a:a/b:b/c:c', 'a:a/b:x', 'd:d'];
const PREDICATES = ['p', 'q'];
const entry = fc.record({
  path: fc.constantFrom(...PATHS),
  step: fc.integer({ min: 0, max: 2 }),
  cardinality: fc.dictionary(fc.constantFrom(...PREDICATES), fc.constantFrom('one', 'many', 'exclusive'), {
    maxKeys: 2,
  }),
  inherits: fc.uniqueArray(fc.constantFrom(...PATHS), { maxLength: 2 }),
});
const places = fc.array(
  fc.record({ scope: fc.constantFrom(...PATHS), position: fc.integer({ min: 1, max: 12 }) }),
  { minLength: 1, maxLength: 6 },
);

describe('rules of random logs', () => {
  it('are what a replay of the log up to the place says, read by the stretches that are asked for', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), places, (drawn, asked) => {
        let after = 0;
        const all = entries(
          ...drawn.map(({ path, step, cardinality, inherits }) => {
            after += step;
            return [path, after, { cardinality }, inherits] as const;
          }),
        );
        const wanted = asked.map(({ scope, position }) => at(scope, position));
        const first = readBy(all, spansOf(wanted));
        const second = readBy(
          all,
          inheritedSpansOf(wanted, { policies: first, vocabularies: [], tenants: [] }),
        );
        const rules = rulesAt(wanted, { policies: [...first, ...second], vocabularies: [], tenants: [] });
        for (const [i, { scope, position }] of asked.entries())
          for (const predicate of PREDICATES)
            expect(rules[i]!.cardinalityOf(predicate)).toBe(replayed(all, scope, position, predicate));
      }),
      { numRuns: inDepth(400, 2_000) },
    );
  });
});

/** What the store answers for stretches: the entry that counts at the beginning of each, and those within. */
function readBy(all: readonly PolicyEntry[], spans: ReturnType<typeof spansOf>): PolicyEntry[] {
  return spans.flatMap(({ scope_ref, from, to }) => {
    const own = all.filter((each) => each.scope_ref === scope_ref);
    const before = own.filter(({ after_offset }) => after_offset < from).slice(-1);
    return [...before, ...own.filter(({ after_offset }) => after_offset >= from && after_offset < to)];
  });
}

/** Each scope's last statement up to the place, then own, named, and levels from the nearest to the root. */
function replayed(all: readonly PolicyEntry[], scope: string, position: number, predicate: string): string {
  const states = new Map<string, PolicyEntry>();
  for (const each of all) if (each.after_offset < position) states.set(each.scope_ref, each);
  const own = states.get(ref(scope));
  const order = [ref(scope), ...(own?.inherit_refs ?? []), ...levelPaths(scope).reverse().map(ref)];
  for (const each of order) {
    const found = states.get(each)?.policies.cardinality?.[predicate];
    if (found !== undefined) return found;
  }
  return 'one';
}
