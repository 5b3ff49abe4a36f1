import type { Integer } from 'neo4j-driver';

import { SHARD_COUNT } from '../src/capture/scope-key.ts';
import type { Reader } from './driver.ts';
import { VISIBLE } from './event.ts';
import { OUTSIDE, turnParams, type RecallSearch, type TurnParams } from './recall.ts';
import { subtreeWalks, type SubtreeParams } from './record-walk.ts';
import { INDEXED_LEVELS } from './schema.ts';
import { int, statement, type Params, type Statement } from './statement.ts';

/** Newest events of a selection, of those that the index may not know yet, that a search by words looks through: behind a backlog no more. */
const UNINDEXED_ROWS = 500;

/** Bytes of an envelope that is read with its row; larger ones are read by themselves. */
const UNINDEXED_INLINE_BYTES = 4 * 1024;

/** An event that a search may not find by the index yet. */
export interface UnindexedEvent {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly caller: string;
  readonly wal_offset: number;
  readonly observed_actor: string;
  /** Epoch milliseconds, as is when it was recorded. */
  readonly observed_at: number;
  readonly recorded_at: number;
  /** UTF-8 length of the envelope. */
  readonly bytes: number;
  /** JSON text; null of a large one, which is read by itself. */
  readonly envelope: string | null;
}

interface UnindexedParams extends Params, Omit<TurnParams, 'query' | 'limit' | 'scopes' | 'subtrees'> {
  after: Integer;
  rows: Integer;
  inline: Integer;
  refreshed: Integer;
}

/** What of the rows counts: what lies inside, unless its passage has been in the index for so long that it is found there. */
const ROW = `WITH e WHERE e.tenant = $tenant AND ${VISIBLE} AND NOT (${OUTSIDE}) AND NOT EXISTS {
     MATCH (p:Passage {event_id: e.id}) WHERE p.indexed_at <= timestamp() - $refreshed
   }
   RETURN e.id AS id, e.tenant AS tenant, e.scope AS scope, e.caller AS caller, e.wal_offset AS wal_offset,
     e.observed_actor AS observed_actor, e.observed_at.epochMillis AS observed_at, e.recorded_at.epochMillis AS recorded_at, e.bytes AS bytes,
     CASE WHEN e.bytes <= $inline THEN e.envelope END AS envelope`;

const inScopes = statement<UnindexedParams & { scopes: readonly string[] }, UnindexedEvent>(
  'recall.unindexed_scopes',
  'index event_scope, walked in order once per scope; constraint passage_event',
  `UNWIND $scopes AS ref
   CALL (ref) {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = ref AND e.wal_offset > $after
     WITH e ORDER BY e.scope_ref DESC, e.wal_offset DESC LIMIT $rows
     RETURN e
   }
   WITH e ORDER BY e.wal_offset DESC LIMIT $rows
   ${ROW}`,
);

const DEEPER = Array.from({ length: 32 - INDEXED_LEVELS }, (_, i) => `e.a${INDEXED_LEVELS + i}`).join(', ');

const inSubtree: readonly Statement<UnindexedParams & SubtreeParams, UnindexedEvent>[] = Array.from(
  { length: INDEXED_LEVELS },
  (_, level) =>
    statement(
      `recall.unindexed_subtree_a${level}`,
      `index event_a${level}, walked in order; constraint passage_event`,
      `MATCH (e:Event) USING INDEX SEEK e:Event(a${level}, wal_offset) WHERE e.a${level} = $ref AND e.wal_offset > $after
       WITH e ORDER BY e.a${level} DESC, e.wal_offset DESC LIMIT $rows
       WITH e WHERE $within IS NULL OR $within IN [${level === INDEXED_LEVELS - 1 ? DEEPER : ''}]
       ${ROW}`,
    ),
);

const firstUnindexed = statement<{ shards: Integer; head: Integer }, { first: number | null }>(
  'passage.first_unindexed',
  'constraint shard_intake; index event_shard, one row for each of 64 shards',
  `UNWIND range(0, $shards - 1) AS number
   MATCH (i:ShardIntake {number: number})
   CALL (i) {
     MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset)
     WHERE e.shard = i.number AND e.wal_offset > i.indexed AND e.wal_offset <= $head
     WITH e ORDER BY e.shard, e.wal_offset LIMIT 1
     RETURN e.wal_offset AS offset
   }
   RETURN min(offset) AS first`,
);

/** Reads what the index does not know yet; every scope that it is handed was authorised before. */
export class UnindexedReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * The newest events beyond an offset that a search may not find by the index, inside of the instants and stretches that it asks for; in
   * no order. Filters are left to the caller. At most {@link UNINDEXED_ROWS} are looked at. One round trip, two beside one another where
   * scopes are read for themselves and with what lies below.
   */
  async beyond(
    after: number,
    search: RecallSearch,
    options: { readonly refreshedMs: number },
  ): Promise<UnindexedEvent[]> {
    const { scopes, subtrees } = search.selection;
    const {
      query: _query,
      limit: _limit,
      scopes: _scopes,
      subtrees: _refs,
      ...narrowed
    } = turnParams(search, '', 0);
    const params = {
      ...narrowed,
      after: int(after),
      rows: int(UNINDEXED_ROWS),
      inline: int(UNINDEXED_INLINE_BYTES),
      refreshed: int(options.refreshedMs),
    } as UnindexedParams;
    const found = await Promise.all([
      ...(scopes.length === 0 ? [] : [this.reader.read(inScopes, { ...params, scopes })]),
      ...subtreeWalks(this.reader, inSubtree, params, subtrees),
    ]);
    return found.flat();
  }

  /** The first offset up to a settled head whose event was not indexed yet; null when all were. */
  async first(head: number): Promise<number | null> {
    const [row] = await this.reader.read(firstUnindexed, { shards: int(SHARD_COUNT), head: int(head) });
    return row?.first ?? null;
  }
}
