import type { EventItem } from '../../schemas/event.ts';
import type { FactItem } from '../../schemas/fact.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { STATING_KINDS } from '../derive/statement.ts';

/** An event that was found, and until when what it states held, where that is over. */
interface RankedStatement {
  readonly item: EventItem;
  readonly score: number;
  readonly ended?: string;
}

/** Those of some events that are structured statements. */
export function statements(events: readonly EventItem[]): EventItem[] {
  return events.filter(({ content }) => STATING_KINDS.has(content.kind));
}

/** Whether a fact holds at a valid instant, epoch milliseconds. */
export function holdsAt({ valid_from: from, valid_to: to }: FactItem, at: number): boolean {
  return toEpochMs(from) <= at && at < (to === null ? OPEN_END + 1 : toEpochMs(to));
}

/** Until when what events state held, RFC 3339 by the id of the event: of those that state nothing which holds at an instant or later. */
export function endsOf(facts: readonly FactItem[], at: number): Map<string, string> {
  const ends = new Map<string, string | null>();
  for (const { supports, valid_to: to } of facts)
    for (const id of supports) {
      const known = ends.get(id);
      if (to === null || toEpochMs(to) > at) ends.set(id, null);
      else if (known === undefined || (known !== null && toEpochMs(known) < toEpochMs(to))) ends.set(id, to);
    }
  return new Map([...ends].flatMap(([id, to]) => (to === null ? [] : [[id, to] as const])));
}

/**
 * Events with the end of what they state, where all that a structured one states is over. Unless that is asked for they come behind the
 * others, and fit no better than the last of these.
 */
export function withEnds<Ranked extends RankedStatement>(
  ranked: readonly Ranked[],
  ends: ReadonlyMap<string, string>,
  isAskedFor: boolean,
): Ranked[] {
  const marked = ranked.map((one): Ranked => {
    const ended = STATING_KINDS.has(one.item.content.kind) ? ends.get(one.item.id) : undefined;
    return ended === undefined ? one : { ...one, ended };
  });
  if (isAskedFor) return marked;
  const holding = marked.filter(({ ended }) => ended === undefined);
  const least = Math.min(...holding.map(({ score }) => score));
  const over = marked.filter(({ ended }) => ended !== undefined);
  return [...holding, ...over.map((one) => ({ ...one, score: Math.min(one.score, least) }))];
}
