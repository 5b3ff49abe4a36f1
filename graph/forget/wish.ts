import type { Integer } from 'neo4j-driver';

import type { Cascade } from '../../schemas/forget.ts';
import type { Wish } from '../../src/forget/wish.ts';
import type { Transaction } from '../driver.ts';
import { storedInstant } from '../instant.ts';
import { int, statement, type Param, type Params } from '../statement.ts';

/** The entry of the log that wishes stand in. */
export interface WishEntry {
  readonly id: string;
  readonly tenant: string;
  /** Actor id of who wants it. */
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** What was asked to go with what was selected. */
  readonly cascade: Cascade;
  /** Id of the row of the audit log that tells of it. */
  readonly audit_id: string;
}

/** What became of wishes. */
export interface WrittenWishes {
  /** When the entry was recorded, epoch milliseconds. */
  readonly recorded_at: number;
  /** Events that are to be consolidated again; 0 where all was on record. */
  readonly queued: number;
}

const shardsOf = statement<{ event_ids: readonly string[] }, { number: number }>(
  'forget.shards',
  'constraint event_id',
  `UNWIND $event_ids AS id
   MATCH (e:Event {id: id})
   RETURN DISTINCT e.shard AS number`,
);

// In the order of all locks. With the shards held it is known what was derived of the events, and nothing is until this ends.
const lock = statement<{ numbers: readonly Integer[]; now: Integer }, { recorded_at: number }>(
  'forget.lock',
  'constraints shard_intake, shard_number, counter_name',
  `CALL () {
     UNWIND $numbers AS number
     MATCH (i:ShardIntake {number: number})
     SET i.touched = $now
     RETURN count(i) AS intakes
   }
   CALL () {
     UNWIND $numbers AS number
     MATCH (s:Shard {number: number})
     SET s.touched = $now
     RETURN count(s) AS shards
   }
   MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal, CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS recorded_at
   SET wal.recorded_at = recorded_at
   RETURN recorded_at`,
);

interface WriteParams extends Params {
  entry: Param;
  wishes: readonly Param[];
  recorded_at: Integer;
}

// What is on record of an event is not written again. An event of which nothing was derived is consolidated by what it finds here when its turn
// comes; one that waits for its scope waits on.
const write = statement<WriteParams, { queued: number }>(
  'forget.write_wishes',
  'constraints counter_name, log_entry_id, event_id, enrichment_hold, retry_id; index statement_event',
  `CALL () {
     UNWIND $wishes AS wish
     MATCH (e:Event {id: wish.event_id}) WHERE e.redacted_at IS NULL
     WITH e, wish, [(e)<-[w:FORGETS]-() WHERE w.layer = wish.layer | w.ids] AS known
     WHERE NOT any(ids IN known WHERE ids IS NULL)
     WITH e, wish, CASE WHEN wish.ids IS NOT NULL THEN [id IN wish.ids WHERE NOT any(ids IN known WHERE id IN ids)] END AS ids
     WHERE wish.ids IS NULL OR size(ids) > 0
     RETURN collect({event: e, layer: wish.layer, ids: ids}) AS missing
   }
   WITH missing WHERE size(missing) > 0
   MATCH (wal:Counter {name: 'wal'})
   MERGE (entry:LogEntry {id: $entry.id})
     ON CREATE SET entry.kind = 'forget', entry.after_offset = wal.value, entry.recorded_at = ${storedInstant('$recorded_at')},
       entry.tenant = $entry.tenant, entry.actor = $entry.actor, entry.cascade = $entry.cascade, entry.audit_id = $entry.audit_id
   WITH entry, missing
   CALL (entry, missing) {
     UNWIND missing AS wish
     WITH entry, wish, wish.event AS e
     MERGE (entry)-[w:FORGETS {layer: wish.layer}]->(e)
       ON CREATE SET w.ids = wish.ids
       ON MATCH SET w.ids = CASE WHEN w.ids IS NULL OR wish.ids IS NULL THEN null ELSE w.ids + [id IN wish.ids WHERE NOT id IN w.ids] END
     RETURN collect(DISTINCT e) AS events, collect(DISTINCT CASE WHEN wish.layer = 'facts' AND wish.ids IS NULL THEN e.id END) AS stating_nothing
   }
   CALL (stating_nothing) {
     UNWIND stating_nothing AS id
     MATCH (n:EnrichmentRetry {event_id: id})
     DELETE n
   }
   CALL (events) {
     UNWIND events AS e
     WITH e WHERE EXISTS { MATCH (s:Statement) WHERE s.event_id = e.id } OR EXISTS { (e)<-[:CONTAINS]-() }
     MERGE (h:StageRetry {id: e.id + '/consolidated'})
       ON CREATE SET h.event_id = e.id, h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.stage = 'consolidated',
         h.state = 'queued', h.reason = 'something of its event was forgotten', h.since = $recorded_at
       ON MATCH SET h.state = CASE h.state WHEN 'failed' THEN 'queued' ELSE h.state END
     RETURN count(h) AS queued
   }
   RETURN queued`,
);

/**
 * Writes wishes to forget down that are not on record yet, for good, and queues the consolidation of events of which something was derived:
 * derivation goes by what is wished of an event from then on. May be repeated, and go on with more wishes under the id of the entry. Holds the intakes and the
 * shards of the events, and the log, in this order: none of what comes behind them may be held before. Events that are redacted, or
 * unknown, are left out; where nothing is to be written there is no entry.
 */
export async function writeWishes(
  transaction: Transaction,
  { now, ...entry }: WishEntry,
  wishes: readonly Wish[],
): Promise<WrittenWishes> {
  const event_ids = [...new Set(wishes.map(({ event_id }) => event_id))];
  const numbers = (await transaction.run(shardsOf, { event_ids })).map(({ number }) => number);
  const ascending = numbers.sort((a, b) => a - b).map(int);
  const [held] = await transaction.run(lock, { numbers: ascending, now: int(now) });
  if (held === undefined) throw new Error('there is no counter of the log: the store is not migrated');
  const { recorded_at } = held;
  const [written] = await transaction.run(write, {
    entry,
    wishes: wishes.map(({ event_id, layer, ids }) => ({ event_id, layer, ids })),
    recorded_at: int(recorded_at),
  });
  return { recorded_at, queued: written?.queued ?? 0 };
}
