import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { claimAfter } from '../../src/derive/claim/fold.ts';
import { EMPTY_CLAIM, addStatement, activeFactsOf } from '../../src/derive/claim/claim.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const saying = fc.record({
  from: fc.integer({ min: 0, max: 12 }),
  length: fc.option(fc.integer({ min: 0, max: 5 }), { freq: 2 }),
  value: fc.constantFrom('a', 'a', 'b', 'c'),
});
const log = fc.array(saying, { maxLength: 30 }).map((sayings) =>
  sayings.map(({ from, length, value }, i): Statement => ({
    id: `fact_${i}`,
    event_id: `evt_${i}`,
    position: i,
    recorded_at: i,
    value,
    kind: 'asserted',
    valid: { from, to: length === null ? OPEN_END : from + length },
    confidence: 1,
  })),
);

it('comes to what a claim becomes statement by statement', () => {
  fc.assert(
    fc.property(log, (statements) => {
      const [all, each] = [claimAfter(statements), statements.reduce(addStatement, EMPTY_CLAIM)];
      expect([...all.factOf].sort()).toEqual([...each.factOf].sort());
      expect(activeFactsOf(all)).toEqual(activeFactsOf(each));
    }),
    { numRuns: inDepth(1000, 5000) },
  );
});

it('takes time that grows with the log, not with its square', () => {
  const length = inDepth(30_000, 100_000);
  const statements = Array.from({ length }, (_, i): Statement => ({
    id: `fact_${i}`,
    event_id: `evt_${i}`,
    position: i,
    recorded_at: i,
    value: `v${i % 7}`,
    kind: 'asserted',
    valid: { from: (i * 7919) % length, to: OPEN_END },
    confidence: 1,
  }));
  // The square of it would take hours, and the test is ended before.
  expect(claimAfter(statements).factOf.size).toBe(length);
});
