import type { EventItem } from '../../schemas/event.ts';
import type { FilterNode } from '../../schemas/recall-filter.ts';
import { RECALL_ASKED, RECALL_ASKED_AT_ONCE, RECALL_EVENT_BYTES } from '../limits/recall.ts';
import { isExactInIndex } from '../recall/filter.ts';
import { eventInstants, type RecallWindow } from '../recall/window.ts';
import type { Call } from './access.ts';
import type { EventService } from './event.ts';
import { isAsked } from './recall-layers.ts';
import type { Searched } from './recall-search.ts';

/** What events have to be. */
export interface Asked {
  readonly filter: FilterNode | null;
  readonly window: RecallWindow;
  readonly timezone: string;
}

/** Whether the index brings events that are not asked for because it knows days, or only that something is spoken of. */
export function isToBeLookedAt({ filter, window }: Pick<Asked, 'filter' | 'window'>): boolean {
  return window.refers_during !== null || (filter !== null && !isExactInIndex(filter));
}

/** Looks at hits until as many are found as are wanted, where the index cannot tell which are asked for. */
export class AskedHits {
  private readonly events: Pick<EventService, 'getSome'>;

  constructor(events: Pick<EventService, 'getSome'>) {
    this.events = events;
  }

  /** The best hits that are asked for, with those that are not among them. A round trip for each two hundred, of two thousand at most. */
  async among(
    call: Call,
    searched: Searched,
    asked: Asked,
    wanted: number,
  ): Promise<Searched & { readonly refused: readonly string[] }> {
    if (!isToBeLookedAt(asked)) return { ...searched, refused: [] };
    const found = new Set<string>();
    const refused: string[] = [];
    const looked = searched.hits.slice(0, RECALL_ASKED);
    let at = 0;
    for (; at < looked.length && found.size < wanted; at += RECALL_ASKED_AT_ONCE) {
      const ids = looked.slice(at, at + RECALL_ASKED_AT_ONCE).map(({ id }) => id);
      for (const event of await this.read(call, ids, asked.window))
        if (isAsked(event, asked)) found.add(event.id);
        else refused.push(event.id);
    }
    const more = searched.cut || looked.length < searched.hits.length;
    return {
      ...searched,
      hits: looked.filter(({ id }) => found.has(id)),
      cut: more && at >= looked.length && found.size < wanted,
      refused,
    };
  }

  private read(call: Call, ids: readonly string[], window: RecallWindow): Promise<EventItem[]> {
    return this.events.getSome(call, ids, eventInstants(window), { bytes: RECALL_EVENT_BYTES, deriving: 0 });
  }
}
