import type { Reader } from '../../graph/driver.ts';
import { ReplaySize } from '../../src/pipeline/replay-size.ts';
import fc from '../support/property.ts';

const MOST = 20;

/** Events, which of six claims each states something of, and how much is stated of each claim. */
const HISTORIES = fc.record({
  events: fc.array(fc.uniqueArray(fc.nat(5), { maxLength: 3 }), { maxLength: 12 }),
  statements: fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 6, maxLength: 6 }),
});

/** Answers what is asked of events and claims, as the store does; counts no further than it is asked to. */
function readerOf(events: readonly (readonly number[])[], statements: readonly number[]): Reader {
  const answers: Record<string, (params: any) => unknown[]> = {
    'claim.of_some_events': ({ event_ids }: { event_ids: string[] }) =>
      event_ids.flatMap((event_id) =>
        (events[Number(event_id)] ?? []).map((claim) => ({ event_id, claim: String(claim) })),
      ),
    'claim.sizes': ({ claims, most }: { claims: string[]; most: bigint }) =>
      claims.map((claim) => ({ claim, statements: Math.min(statements[Number(claim)] ?? 0, Number(most)) })),
  };
  return { read: ({ name }, params) => Promise.resolve(answers[name]?.(params) as never) };
}

/** Which of the events go together, worked out one after the other. */
function expected(events: readonly (readonly number[])[], statements: readonly number[]): number[] {
  const total = (of: Iterable<number>): number =>
    [...of].reduce((sum, claim) => sum + (statements[claim] ?? 0), 0);
  const claims = new Set<number>();
  let isFull = false;
  return events.flatMap((own, i) => {
    const both = new Set([...claims, ...own]);
    if (both.size > claims.size && claims.size > 0 && total(both) > MOST) isFull = true;
    if (both.size > claims.size && isFull) return [];
    for (const claim of own) claims.add(claim);
    return [i];
  });
}

it('takes events as long as their claims have few statements together, and at least one', async () => {
  await fc.assert(
    fc.asyncProperty(HISTORIES, async ({ events, statements }) => {
      const size = new ReplaySize(readerOf(events, statements), MOST);
      const ids = events.map((_, i) => ({ event_id: String(i) }));
      const numbers = (those: readonly { event_id: string }[]): number[] =>
        those.map(({ event_id }) => Number(event_id));
      const taken = expected(events, statements);
      expect(numbers(await size.together(ids))).toEqual(taken);
      const head = taken.filter((event, i) => event === i);
      expect(numbers(await size.head(ids))).toEqual(head);
    }),
  );
});
