import { readableTurns, type Search } from './recall-turns.ts';
import type { UnindexedTurn } from './unindexed-turn.ts';
import type { EventReader } from '../../graph/event.ts';
import type { UnindexedEvent, UnindexedReader } from '../../graph/recall-unindexed.ts';
import type { Envelope } from '../../schemas/envelope.ts';
import { toEventItem } from '../capture/event-item.ts';
import { scopeRef } from '../capture/scope-key.ts';
import { turnPassageOf } from '../pipeline/turn-passage.ts';
import { matchesFilter } from '../recall/filter.ts';
import { othersTurn } from '../wakeup.ts';
import { filterable } from './event-post-filter.ts';
import type { IndexedHead } from './indexed-head.ts';

/** Bytes of the envelopes of such events that one search takes apart, the newest first and one at least. */
const UNINDEXED_BYTES = 2 * 1024 * 1024;

/** Bytes that are taken apart before others have their turn: some milliseconds. */
const UNINDEXED_TURN_BYTES = 64 * 1024;

/** How long what was indexed may stay away from searches, milliseconds, twenty times what it takes: what is older is left to the index, which ranks it better. */
const UNINDEXED_REFRESHED_MS = 10_000;

/** Finds what was acknowledged and is not in the index yet, so that a recall sees it at once. */
export class UnindexedTurns {
  private readonly reader: Pick<UnindexedReader, 'beyond'>;
  private readonly events: Pick<EventReader, 'envelopes'>;
  private readonly head: Pick<IndexedHead, 'through' | 'look' | 'lookNowAndThen'>;

  constructor(parts: {
    readonly reader: Pick<UnindexedReader, 'beyond'>;
    readonly events: Pick<EventReader, 'envelopes'>;
    readonly head: Pick<IndexedHead, 'through' | 'look' | 'lookNowAndThen'>;
  }) {
    this.reader = parts.reader;
    this.events = parts.events;
    this.head = parts.head;
  }

  /**
   * The turns of a search that the index may not know: what the caller may read of the newest events, inside of all that narrows the
   * search. One round trip, one more where some are large. They have no score yet.
   */
  async of(search: Search): Promise<UnindexedTurn[]> {
    const rows = await this.reader.beyond(this.head.through, search, { refreshedMs: UNINDEXED_REFRESHED_MS });
    if (rows.length === 0) this.head.lookNowAndThen();
    else this.head.look();
    if (rows.length === 0) return [];
    const turns = await this.worded(await this.whole(rows), search);
    const { kept } = await readableTurns(search.selection, turns);
    const readable = new Set(kept.map(({ id }) => id));
    return turns.filter(({ id }) => readable.has(id));
  }

  /** The newest rows with their envelopes, as many as may be taken apart. */
  private async whole(rows: readonly UnindexedEvent[]): Promise<readonly WholeEvent[]> {
    const newest = [...rows].sort((a, b) => b.wal_offset - a.wal_offset);
    let bytes = 0;
    const some = newest.filter((row, i) => {
      bytes += row.bytes;
      return i === 0 || bytes <= UNINDEXED_BYTES;
    });
    const large = await this.events.envelopes(
      some.filter(({ envelope }) => envelope === null).map(({ id }) => id),
    );
    return some.flatMap((row) => {
      const envelope = row.envelope ?? large.get(row.id);
      return envelope === undefined ? [] : [{ ...row, envelope }];
    });
  }

  private async worded(events: readonly WholeEvent[], search: Search): Promise<UnindexedTurn[]> {
    const turns: UnindexedTurn[] = [];
    let bytes = 0;
    for (const event of events) {
      turns.push(...turnOf(event, search));
      bytes += event.bytes;
      if (bytes < UNINDEXED_TURN_BYTES) continue;
      bytes = 0;
      await othersTurn();
    }
    return turns;
  }
}

type WholeEvent = UnindexedEvent & { readonly envelope: string };

/** What the index will say of an event, where a search is not narrowed to others. */
function turnOf(event: WholeEvent, { filter, refers }: Search): UnindexedTurn[] {
  const item = toEventItem(event);
  if (filter !== null && !matchesFilter(filter, filterable(item))) return [];
  if (refers && item.context.refers_to === undefined) return [];
  const envelope = JSON.parse(event.envelope) as Envelope;
  const passage = turnPassageOf({ ...event, scope_ref: scopeRef(event.tenant, event.scope) }, envelope);
  if (passage === null) return [];
  const { id, scope, observed_actor, observed_at } = event;
  const { thread, said_tokens } = passage;
  const words = new Set(passage.text.split(' '));
  const place = { thread, segment: null, outside: false };
  return [{ id, scope, observed_actor, observed_at, ...place, said_tokens, score: 0, words }];
}
