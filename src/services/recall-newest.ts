import type { EventItem } from '../../schemas/event.ts';
import type { FilterNode } from '../../schemas/recall-filter.ts';
import type { RecallRequest } from '../../schemas/recall.ts';
import type { View } from '../../schemas/scope.ts';
import { toEpochMs, toRfc3339 } from '../../schemas/time.ts';
import { RECALL_NEWEST_PAGE, RECALL_NEWEST_PAGES } from '../limits/recall.ts';
import { fuse } from '../recall/fusion.ts';
import { NEWEST } from '../recall/recipe.ts';
import type { RecallWindow } from '../recall/window.ts';
import type { Call } from './access.ts';
import type { EventOperations } from './operations.ts';
import { isAsked } from './recall-layers.ts';
import type { Searched } from './recall-search.ts';

/** What is asked. */
export interface NewestQuestion {
  readonly call: Call;
  readonly request: RecallRequest;
  readonly view: View;
  readonly window: RecallWindow;
}

/** Finds the newest events where a recall asks for no words. */
export class NewestEvents {
  private readonly events: Pick<EventOperations, 'list'>;

  constructor(events: Pick<EventOperations, 'list'>) {
    this.events = events;
  }

  /** The newest events that a filter wants, as many as are wanted or are found among some thousands. A round trip for each hundred. */
  async find(question: NewestQuestion, filter: FilterNode | null, wanted: number): Promise<Searched> {
    const { call, request, view, window } = question;
    const asked = { window, filter, timezone: request.temporal?.timezone ?? 'UTC' };
    const found: EventItem[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < RECALL_NEWEST_PAGES && found.length < wanted; page += 1) {
      const { items, next_cursor: next } = await this.events.list(call, {
        scope: request.scope,
        view,
        limit: RECALL_NEWEST_PAGE,
        ...(cursor === undefined ? {} : { cursor }),
        ...(window.valid === null ? {} : { as_of_valid: toRfc3339(window.valid) }),
        ...(window.recorded === null ? {} : { as_of_recorded: toRfc3339(window.recorded) }),
      });
      found.push(...items.filter((event) => isAsked(event, asked)));
      if (next === undefined) break;
      cursor = next;
    }
    const recency = found
      .slice(0, wanted)
      .map(({ id, context }) => ({ id, score: toEpochMs(context.observed_at) }));
    const lists = [{ recency }];
    return { hits: fuse(NEWEST, lists), lists, outside: [], signals: ['recency'] };
  }
}
