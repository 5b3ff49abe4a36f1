import { POST_FILTER_EVENTS, RECALL_EVENT_BYTES } from '../limits/recall.ts';
import { isExactInIndex } from '../recall/filter.ts';
import type { RecallWindow } from '../recall/window.ts';
import type { Call } from './access.ts';
import type { SomeEvents, EventService } from './event.ts';
import { refusalOf, type PostFilter, type Refused } from './event-post-filter.ts';
import type { Searched } from './recall-search.ts';

/** Such hits that are read at once. */
const POST_FILTER_EVENTS_AT_ONCE = 200;

/** Whether the index brings events that are not asked for because it knows days, or only that something is spoken of. */
export function needsPostFilter({ filter, window }: Pick<PostFilter, 'filter' | 'window'>): boolean {
  return window.refers_during !== null || (filter !== null && !isExactInIndex(filter));
}

/** What was searched, with what of it is not asked for, and how many events could not be looked at for their size. */
export type Looked = Searched & { readonly refused: readonly Refused[]; readonly left_out: number };

/** Looks at hits until as many are found as are wanted, where the index cannot tell which are asked for. */
export class PostFilteredHits {
  private readonly events: Pick<EventService, 'getSome'>;

  constructor(events: Pick<EventService, 'getSome'>) {
    this.events = events;
  }

  /** The best hits that are asked for, with those that are not among them. A round trip for each two hundred, of two thousand at most. */
  async among(call: Call, searched: Searched, asked: PostFilter, wanted: number): Promise<Looked> {
    if (!needsPostFilter(asked)) return { ...searched, refused: [], left_out: 0 };
    const found = new Set<string>();
    const refused: Refused[] = [];
    let unread = 0;
    const looked = searched.hits.slice(0, POST_FILTER_EVENTS);
    let at = 0;
    for (; at < looked.length && found.size < wanted; at += POST_FILTER_EVENTS_AT_ONCE) {
      const ids = looked.slice(at, at + POST_FILTER_EVENTS_AT_ONCE).map(({ id }) => id);
      const { events, left_out } = await this.read(call, ids, asked.window);
      unread += left_out;
      for (const event of events) {
        const reason = refusalOf(event, asked);
        if (reason === null) found.add(event.id);
        else refused.push({ id: event.id, reason });
      }
    }
    const more = searched.cut || looked.length < searched.hits.length;
    return {
      ...searched,
      hits: looked.filter(({ id }) => found.has(id)),
      cut: more && at >= looked.length && found.size < wanted,
      refused,
      left_out: unread,
    };
  }

  private read(call: Call, ids: readonly string[], window: RecallWindow): Promise<SomeEvents> {
    return this.events.getSome(call, ids, window, { bytes: RECALL_EVENT_BYTES });
  }
}
