import type { GraphNode } from '../../schemas/graph.ts';
import { toEpochMs, toRfc3339 } from '../../schemas/time.ts';
import { graphTimes } from '../../src/derive/graph-times.ts';
import fc from '../support/property.ts';

function fact(from: number, to: number | null): GraphNode {
  return {
    id: 'fact_1',
    type: 'fact',
    scope: 'user:priya',
    summary: 'Priya lives in Lisbon',
    valid_from: toRfc3339(from),
    valid_to: to === null ? null : toRfc3339(to),
    recorded_from: toRfc3339(5),
    more: 0,
  };
}

test('each instant is told with how many nodes and edges begin or end then', () => {
  const edge = { from: 'fact_1', to: 'fact_2', type: 'SUPERSEDED_BY', valid_at: toRfc3339(20) } as const;
  const { valid, recorded } = graphTimes([
    { nodes: [fact(10, 20)], edges: [edge] },
    { nodes: [fact(20, null)], edges: [] },
  ]);
  expect(valid).toEqual({
    t_min: toRfc3339(10),
    t_max: toRfc3339(20),
    changes: [
      { at: toRfc3339(10), count: 1 },
      { at: toRfc3339(20), count: 3 },
    ],
  });
  expect(recorded.changes).toEqual([{ at: toRfc3339(5), count: 2 }]);
});

test('where nothing has a time there is none', () => {
  const none = { t_min: null, t_max: null, changes: [] };
  expect(graphTimes([])).toEqual({ valid: none, recorded: none });
});

test('of more than 1,000 instants stretches of one length say how much changes in them', () => {
  const instants = fc.uniqueArray(fc.integer({ min: 0, max: 4_000_000_000_000 }), {
    minLength: 1_001,
    maxLength: 1_200,
  });
  fc.assert(
    fc.property(instants, (all) => {
      const { valid } = graphTimes([{ nodes: all.map((at) => fact(at, null)), edges: [] }]);
      const width = valid.bucket_ms!;
      expect(valid.changes.length).toBeLessThanOrEqual(1_000);
      expect(valid.t_min).toBe(toRfc3339(Math.min(...all)));
      expect(valid.t_max).toBe(toRfc3339(Math.max(...all)));
      for (const { at, count } of valid.changes) {
        const from = toEpochMs(at);
        expect(all.filter((one) => one >= from && one < from + width)).toHaveLength(count);
      }
      expect(valid.changes.reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
    }),
    { numRuns: 20 },
  );
});
