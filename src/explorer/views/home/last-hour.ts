import type { RecentData, RecentEvent } from './queries.ts';

const HOUR_MS = 3_600_000;

/** The instant an hour before another one, RFC 3339. */
export function hourBefore(atMs: number): string {
  return new Date(atMs - HOUR_MS).toISOString();
}

/** What of an answer came in during the hour before an instant, newest first, and whether there is more of it than was answered. */
export function lastHour(
  { events }: RecentData,
  atMs: number,
): { readonly events: readonly RecentEvent[]; readonly hasMore: boolean } {
  const { nodes = [], pageInfo } = events ?? {};
  const recent = nodes.filter(({ context }) => Date.parse(context.recordedAt) >= atMs - HOUR_MS);
  return { events: recent, hasMore: recent.length === nodes.length && pageInfo?.hasNextPage === true };
}
