import { claimSizes, type ClaimSize } from '../../graph/claim/size.ts';
import type { Reader } from '../../graph/driver.ts';

/**
 * Statements of all claims that are replayed in one transaction, at most; the claims of one event may have more. What is written of a
 * statement takes some 45 KB of the database's transaction memory.
 */
export const MAX_STATEMENTS_TOGETHER = 2_000;

/**
 * Those of some events that are taken out, or derived again, in one transaction. Each has all statements of its claims replayed, so a claim
 * counts once, however many of the events are about it: an event that comes behind one that is left for later goes along where its claims do.
 */
export async function replayedTogether<E extends { readonly event_id: string }>(
  reader: Reader,
  events: readonly E[],
): Promise<readonly E[]> {
  const fits = await fitting(reader, events);
  return events.filter(fits);
}

/** The longest head of some events that {@link replayedTogether} takes, for who goes through them in order. */
export async function headReplayedTogether<E extends { readonly event_id: string }>(
  reader: Reader,
  events: readonly E[],
): Promise<readonly E[]> {
  const fits = await fitting(reader, events);
  const end = events.findIndex((event) => !fits(event));
  return end < 0 ? events : events.slice(0, end);
}

async function fitting(
  reader: Reader,
  events: readonly { readonly event_id: string }[],
): Promise<(event: { readonly event_id: string }) => boolean> {
  const ids = events.map(({ event_id }) => event_id);
  return bounded(await claimSizes(reader, ids, MAX_STATEMENTS_TOGETHER), MAX_STATEMENTS_TOGETHER);
}

/** Answers of events, one after the other, whether their claims fit beside those of the ones that it took, the first of which always do. */
export function bounded(
  sizes: readonly ClaimSize[],
  most: number,
): (event: { readonly event_id: string }) => boolean {
  const claimsOf = new Map<string, ClaimSize[]>();
  for (const size of sizes)
    for (const id of size.event_ids) claimsOf.set(id, [...(claimsOf.get(id) ?? []), size]);
  const taken = new Set<string>();
  let statements = 0;
  return ({ event_id }) => {
    const more = (claimsOf.get(event_id) ?? []).filter(({ claim }) => !taken.has(claim));
    const count = more.reduce((sum, one) => sum + one.statements, 0);
    if (count > 0 && taken.size > 0 && statements + count > most) return false;
    for (const { claim } of more) taken.add(claim);
    statements += count;
    return true;
  };
}
