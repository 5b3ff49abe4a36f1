import type { ClaimSize } from '../../graph/claim/size.ts';
import { bounded } from '../../src/pipeline/replay-size.ts';
import fc from '../support/property.ts';

const MOST = 20;

/** Events, which of six claims each states something of, and how much is stated of each claim. */
const HISTORIES = fc.record({
  events: fc.array(fc.uniqueArray(fc.nat(5), { maxLength: 3 }), { maxLength: 12 }),
  statements: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 6, maxLength: 6 }),
});

function sizesOf(events: readonly (readonly number[])[], statements: readonly number[]): ClaimSize[] {
  return statements.flatMap((count, claim) => {
    const event_ids = events.flatMap((claims, i) => (claims.includes(claim) ? [String(i)] : []));
    return event_ids.length === 0 ? [] : [{ claim: String(claim), event_ids, statements: count }];
  });
}

it('takes events as long as their claims have few statements together, and at least one', () => {
  fc.assert(
    fc.property(HISTORIES, ({ events, statements }) => {
      const fits = bounded(sizesOf(events, statements), MOST);
      const claims = new Set<number>();
      const total = (of: ReadonlySet<number>): number =>
        [...of].reduce((sum, claim) => sum + (statements[claim] ?? 0), 0);
      for (const [i, own] of events.entries()) {
        const both = new Set([...claims, ...own]);
        const expected = claims.size === 0 || total(both) <= MOST || both.size === claims.size;
        expect(fits({ event_id: String(i) })).toBe(expected);
        if (expected) for (const claim of own) claims.add(claim);
      }
    }),
  );
});
