import type { EventItem } from '../../schemas/event.ts';
import type { FilterNode } from '../../schemas/recall-filter.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { matchesFilter, type Filterable } from '../recall/filter.ts';
import { refersWithin } from '../recall/refers.ts';
import type { RecallWindow } from '../recall/window.ts';
import { contains, type Interval } from '../time/interval.ts';

/** Whether an event is what filters and stretches ask for: the index may lag behind, and knows only days. */
export function passesFilter(event: EventItem, question: PostFilter): boolean {
  return refusalOf(event, question) === null;
}

/** What events have to be. */
export interface PostFilter {
  readonly filter: FilterNode | null;
  readonly window: RecallWindow;
  readonly timezone: string;
}

/** An event that is not what was asked for, and why. */
export interface Refused {
  readonly id: string;
  readonly reason: Refusal;
}

type Refusal = 'time_range' | 'metadata';

/** What of some events is not asked for. */
export function refusedOf(events: readonly EventItem[], question: PostFilter): Refused[] {
  return events.flatMap((event) => {
    const reason = refusalOf(event, question);
    return reason === null ? [] : [{ id: event.id, reason }];
  });
}

/** Why an event is not what filters and stretches ask for; null where it is. */
export function refusalOf(event: EventItem, { filter, window, timezone }: PostFilter): Refusal | null {
  const { observed_at: observed, recorded_at: recorded, refers_to: spoken } = event.context;
  const within = (at: string, interval: Interval | null): boolean =>
    interval === null || contains(interval, toEpochMs(at));
  if (!within(observed, window.during) || !within(recorded, window.recorded_during)) return 'time_range';
  const { refers_during: refers } = window;
  if (refers !== null && !refersWithin(spoken, event.context.timezone ?? timezone, refers))
    return 'time_range';
  return filter === null || matchesFilter(filter, filterable(event)) ? null : 'metadata';
}

/** What filters look at in an event. */
export function filterable({ context, ...event }: EventItem): Filterable {
  return {
    labels: context.labels,
    observed_actor: [event.observed_actor.id],
    modality: [event.modality],
    intent: context.intent === null ? [] : [context.intent],
    caller: [event.caller],
    subject: [event.subject.id],
    language: event.language === undefined ? [] : [event.language],
    observed_at: toEpochMs(context.observed_at),
    recorded_at: toEpochMs(context.recorded_at),
  };
}
