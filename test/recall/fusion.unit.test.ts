import { fuse, type FusedHit, type ListHit, type QueryLists } from '../../src/recall/fusion.ts';
import { CHANNELS, NEWEST, RECENT } from '../../src/recall/recipe.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';
import { scoresOf } from './fusion-oracle.ts';

const RUNS = inDepth(100, 300);

const hits = (...pairs: readonly (readonly [string, number])[]): ListHit[] =>
  pairs.map(([id, score]) => ({ id, score }));
const ids = (fused: readonly FusedHit[]): string[] => fused.map(({ id }) => id);
const scores = (fused: readonly FusedHit[]): number[] => fused.map(({ score }) => score);

const hit = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'ä', 'B', '__proto__'),
  score: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -1e300, max: 1e300, noNaN: true })),
});
const list = fc.array(hit, { maxLength: 6 });
const lists: fc.Arbitrary<QueryLists> = fc.record(
  Object.fromEntries(CHANNELS.map((channel) => [channel, list])),
  { requiredKeys: [] },
);
const queries = fc.array(lists, { minLength: 1, maxLength: 5 });
const named = fc.uniqueArray(fc.constantFrom('a', 'c', 'B', 'nobody'), { maxLength: 2 });

const one = { weight: 1, chosen_on: 'a test' };
const EVEN = { ...RECENT, channels: { bm25: one, vector: one } };

describe('fusion', () => {
  it('sums normalised scores by weight, over the lists that found something', () => {
    const fused = fuse(RECENT, [
      { bm25: hits(['a', 12], ['b', 7], ['c', 2]), vector: hits(['b', 0.9], ['d', 0.4]), fact: [] },
    ]);
    expect(ids(fused)).toEqual(['b', 'a', 'c', 'd']);
    // bm25 weighs 1, vector 0.5; the weakest hit of a list has a part of 0.05.
    const expected = [(0.525 + 0.5) / 1.5, 1 / 1.5, 0.05 / 1.5, (0.5 * 0.05) / 1.5];
    for (const [i, score] of scores(fused).entries()) expect(score).toBeCloseTo(expected[i]!, 12);
    expect(fused[0]).toMatchObject({
      matched_by: ['keyword', 'vector'],
      queries: [
        {
          index: 0,
          rank: 0,
          channels: { bm25: { rank: 1, score: 7 }, vector: { rank: 0, score: 0.9, part: 1 } },
        },
      ],
    });
  });

  it('is not fooled by ranks: what is far ahead in one list stays ahead', () => {
    const lists = {
      bm25: hits(['a', 100], ['b', 11], ['c', 10]),
      vector: hits(['b', 10], ['c', 9.9], ['a', 9]),
    };
    expect(ids(fuse(EVEN, [lists]))).toEqual(['b', 'a', 'c']);
    const far = {
      bm25: hits(['a', 100], ['b', 11], ['c', 10]),
      vector: hits(['b', 10], ['a', 9.9], ['c', 1]),
    };
    expect(ids(fuse(EVEN, [far]))[0]).toBe('a');
  });

  it('takes a list of one, or of equals, as hits of which none is better', () => {
    expect(scores(fuse(RECENT, [{ bm25: hits(['a', -3]) }]))).toEqual([1]);
    expect(fuse(RECENT, [{ bm25: hits(['b', 0], ['a', 0]) }])).toMatchObject([
      { id: 'a', score: 1 },
      { id: 'b', score: 1 },
    ]);
  });

  it('can tell apart scores that lie further apart than a number can say', () => {
    const far = hits(['a', Number.MAX_VALUE], ['b', 0], ['c', -Number.MAX_VALUE]);
    expect(scores(fuse(RECENT, [{ bm25: far }]))).toEqual([1, 0.525, 0.05]);
  });

  it('keeps the better score of a record that a list has twice', () => {
    const twice = fuse(RECENT, [{ bm25: hits(['a', 1], ['b', 2], ['a', 3], ['c', 0]) }]);
    expect(twice).toEqual(fuse(RECENT, [{ bm25: hits(['a', 3], ['b', 2], ['c', 0]) }]));
  });

  it('lists signals in one order, each once', () => {
    const one = hits(['a', 1]);
    const all = { recency: one, fact: one, window_vector: one, vector: one, bm25: one };
    expect(fuse(RECENT, [all])[0]?.matched_by).toEqual(['keyword', 'vector', 'graph', 'recency']);
    expect(fuse(NEWEST, [{ recency: one }])[0]).toMatchObject({ score: 1, matched_by: ['recency'] });
  });

  it('puts what a named speaker said before what is as good otherwise', () => {
    const lists = [{ bm25: hits(['a', 5], ['b', 5], ['c', 1]) }];
    expect(ids(fuse(RECENT, lists, new Set(['b'])))).toEqual(['b', 'a', 'c']);
    expect(scores(fuse(RECENT, lists, new Set(['b'])))).toEqual([1, 1 / 1.5, 0.05 / 1.5]);
    expect(fuse(RECENT, lists, new Set(['x']))).toEqual(fuse(RECENT, lists));
  });

  it('counts agreement of formulations, and the query twice as much as a variant', () => {
    const fused = fuse(RECENT, [
      { bm25: hits(['a', 5], ['b', 4], ['z', 0]) },
      { bm25: hits(['b', 9], ['junk', 8.9], ['z', 0]) },
      { bm25: [] },
    ]);
    expect(ids(fused)).toEqual(['b', 'a', 'junk', 'z']);
    expect(fused[0]?.queries.map(({ index, rank }) => [index, rank])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(fused[1]?.score).toBeCloseTo(1 / 1.5, 12);
  });

  it('finds by a variant alone what the query does not find', () => {
    expect(fuse(RECENT, [{}, { bm25: hits(['a', 1]) }])).toMatchObject([
      { id: 'a', score: 1, queries: [{ index: 1 }] },
    ]);
    expect(fuse(RECENT, [])).toEqual([]);
    expect(fuse(RECENT, [{ bm25: [] }])).toEqual([]);
  });

  it('refuses what cannot be fused', () => {
    expect(() => fuse(RECENT, [{ bm25: hits(['a', NaN]) }])).toThrow(RangeError);
    expect(() => fuse(RECENT, [{ bm25: hits(['a', Infinity]) }])).toThrow('not finite');
    expect(() => fuse(NEWEST, [{ bm25: hits(['a', 1]) }])).toThrow('no channel bm25');
    expect(() => fuse(RECENT, [{}, {}, {}, {}, {}, {}])).toThrow('more than 5');
  });
});

describe('any fusion', () => {
  it('gives each record the score that the definition gives it, in a total order', () => {
    fc.assert(
      fc.property(queries, named, (all, speakers) => {
        const fused = fuse(RECENT, all, new Set(speakers));
        const expected = scoresOf(RECENT, all, new Set(speakers));
        expect([...ids(fused)].sort()).toEqual([...expected.keys()].sort());
        for (const { id, score } of fused) {
          expect(score).toBeCloseTo(expected.get(id)!, 9);
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
        }
        for (const [i, after] of fused.slice(1).entries()) {
          const before = fused[i]!;
          expect(before.score > after.score || (before.score === after.score && before.id < after.id)).toBe(
            true,
          );
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('does not depend on the order of lists and hits', () => {
    fc.assert(
      fc.property(queries, named, (all, speakers) => {
        const turned = all.map((one) =>
          Object.fromEntries(
            Object.entries(one)
              .reverse()
              .map(([channel, found]) => [channel, [...found].reverse()]),
          ),
        );
        expect(fuse(RECENT, turned, new Set(speakers.reverse()))).toEqual(
          fuse(RECENT, all, new Set(speakers)),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('loses nothing to a hit that is added elsewhere', () => {
    fc.assert(
      fc.property(queries, hit, fc.nat(4), fc.constantFrom(...CHANNELS), (all, more, at, channel) => {
        const before = ids(fuse(RECENT, all));
        const i = at % all.length;
        const added = all.with(i, { ...all[i], [channel]: [...(all[i]![channel] ?? []), more] });
        const after = ids(fuse(RECENT, added));
        expect(new Set(after)).toEqual(new Set([...before, more.id]));
      }),
      { numRuns: RUNS },
    );
  });

  it('says of a hit where each list has it', () => {
    fc.assert(
      fc.property(lists, (one) => {
        const fused = fuse(RECENT, [one]);
        for (const channel of CHANNELS) {
          const found = one[channel] ?? [];
          const places = fused.flatMap(({ id, queries: [query] }) => {
            const place = query!.channels[channel];
            return place === undefined ? [] : [{ id, ...place }];
          });
          expect(new Set(places.map(({ id }) => id))).toEqual(new Set(found.map(({ id }) => id)));
          places.sort((a, b) => a.rank - b.rank);
          expect(places.map(({ rank }) => rank)).toEqual([...places.keys()]);
          for (const [i, { score, part }] of places.entries()) {
            expect(score).toBeLessThanOrEqual(places[i - 1]?.score ?? Infinity);
            expect(part).toBeLessThanOrEqual(places[i - 1]?.part ?? 1);
          }
        }
        expect(fused.map(({ queries: [query] }) => query!.rank)).toEqual([...fused.keys()]);
      }),
      { numRuns: RUNS },
    );
  });
});
