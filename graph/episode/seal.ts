import type { Integer } from 'neo4j-driver';

import type { Reader, Transaction } from '../driver.ts';
import { EPISODE_NODE, storedEpisode, type EpisodeNode, type StoredEpisode } from './load.ts';
import type { LeasedShard } from '../shard.ts';
import { HOLD_LEASED_SHARD } from '../shard-step.ts';
import { instant, type Instant } from '../instant.ts';
import { int, statement } from '../statement.ts';

const idleShards = statement<{ numbers: readonly Integer[]; before: Integer }, { number: number }>(
  'episode.idle_shards',
  'index episode_shard (one row for each shard)',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (ep:Episode) USING INDEX SEEK ep:Episode(shard, idle_since) WHERE ep.shard = number AND ep.idle_since < $before
     RETURN ep.shard AS found LIMIT 1
   }
   RETURN number`,
);

// Holding the counter keeps captures off; below the head nothing of the shard may wait for consolidation or for a rebuild, or it might
// be related.
const begin = statement<
  { number: Integer; epoch: Integer; worker: string; now: Integer },
  { after_offset: number; recorded_at: number }
>(
  'episode.seal_begin',
  'constraints shard_number, counter_name; indexes event_shard (one row), rebuild_shard',
  `${HOLD_LEASED_SHARD}
   MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH shard, wal
   WHERE NOT EXISTS { MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset) WHERE e.shard = shard.number AND e.wal_offset > shard.consolidated AND e.wal_offset <= wal.value }
     AND NOT EXISTS { MATCH (r:Rebuild) WHERE r.shard = shard.number }
   WITH wal, CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS recorded_at
   SET wal.recorded_at = recorded_at
   RETURN wal.value AS after_offset, recorded_at`,
);

const idle = statement<
  { number: Integer; before: Integer; limit: Integer },
  { node: EpisodeNode; unsealed: boolean }
>(
  'episode.idle',
  'indexes episode_shard, log_entry_seal; constraint episode_progress',
  `MATCH (ep:Episode) USING INDEX SEEK ep:Episode(shard, idle_since) WHERE ep.shard = $number AND ep.idle_since < $before
   WITH ep ORDER BY ep.shard, ep.idle_since LIMIT $limit
   RETURN ${EPISODE_NODE} AS node, EXISTS {
     MATCH (l:LogEntry) WHERE l.sealed_scope = ep.scope_ref
       AND l.idle_before > COLLECT { MATCH (p:EpisodeProgress {scope_ref: ep.scope_ref}) RETURN coalesce(p.sealed_before, -9223372036854775807) }[0]
   } AS unsealed`,
);

const enter = statement<
  { entries: readonly { readonly id: string; readonly tenant: string; readonly scope_ref: string }[] } & {
    idle_before: Integer;
    after_offset: Integer;
    recorded_at: Instant;
  },
  { id: string }
>(
  'episode.seal_enter',
  'constraint log_entry_id',
  `UNWIND $entries AS entry
   MERGE (l:LogEntry {id: entry.id})
   SET l.kind = 'seal_episodes', l.tenant = entry.tenant, l.sealed_scope = entry.scope_ref, l.idle_before = $idle_before,
     l.after_offset = $after_offset, l.recorded_at = $recorded_at
   RETURN l.id AS id`,
);

/** Where an entry comes to stand in the log. Epoch milliseconds. */
export interface SealPosition {
  readonly after_offset: number;
  readonly recorded_at: number;
}

/** An open episode that is idle, and whether its scope has entries that were not carried out yet, as after a rebuild. */
export interface IdleEpisode extends StoredEpisode {
  readonly unsealed: boolean;
}

/** Those of the shards in which an open episode has had no event recorded since an instant (epoch milliseconds). */
export async function shardsWithIdleEpisodes(
  reader: Reader,
  numbers: readonly number[],
  before: number,
): Promise<number[]> {
  const rows = await reader.read(idleShards, { numbers: numbers.map(int), before: int(before) });
  return rows.map(({ number }) => number);
}

/** Seals episodes of one shard within a transaction. */
export class EpisodeSealer {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** Holds the shard and the end of the log; null when the lease is lost, or when something is still to be consolidated. */
  async begin({ number, epoch }: LeasedShard, worker: string, now: number): Promise<SealPosition | null> {
    const params = { number: int(number), epoch: int(epoch), worker, now: int(now) };
    return (await this.transaction.run(begin, params))[0] ?? null;
  }

  /** Open episodes of the shard with no event recorded since `before`, the longest idle first. */
  async idle({ number }: LeasedShard, before: number, limit: number): Promise<IdleEpisode[]> {
    const params = { number: int(number), before: int(before), limit: int(limit) };
    const rows = await this.transaction.run(idle, params);
    return rows.map(({ node, unsealed }) => ({ ...storedEpisode(node), unsealed }));
  }

  /** Writes one entry for each scope. */
  async enter(
    entries: readonly { readonly id: string; readonly tenant: string; readonly scope_ref: string }[],
    { after_offset, recorded_at }: SealPosition,
    idleBefore: number,
  ): Promise<void> {
    if (entries.length === 0) return;
    await this.transaction.run(enter, {
      entries,
      idle_before: int(idleBefore),
      after_offset: int(after_offset),
      recorded_at: instant(recorded_at),
    });
  }
}
