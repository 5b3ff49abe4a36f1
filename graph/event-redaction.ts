import { LET_BLOBS_GO } from './blob.ts';
import { LOCK_LIFECYCLE } from './counter.ts';
import { storedInstant } from './instant.ts';
import { TAKE_ALL_OUT } from './taken-out.ts';

/**
 * The envelope of a redacted event. It still is one, so that a stage that read the event a moment before finds nothing in it
 * rather than fails.
 */
export const REDACTED_ENVELOPE = '{"redacted":true,"content":{"kind":"text","text":""}}';

/**
 * Takes the shard `$shard`, its intake and the log, so that no capture and no stage comes between until the transaction ends. It goes on with
 * `wal` and `recorded_at`, and what was there before.
 */
export const HOLD_LOG = `MATCH (intake:ShardIntake {number: $shard})
   SET intake.touched = $now
   WITH *
   MATCH (shard:Shard {number: $shard})
   SET shard.touched = $now
   WITH *
   MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH *, CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS recorded_at
   SET wal.recorded_at = recorded_at
   WITH *`;

/**
 * Redacts the `events` of the scope `ref` of a `tenant`, on behalf of an `actor`, behind {@link HOLD_LOG}: a durable entry in the log that excludes
 * them, as a cancel does, so that a stage that has them in memory leaves no trace of them; their keys, extractions, holds, uses of blobs and wishes are removed,
 * their frames name no actor, no modality and nothing that was derived any more (names make ids of entities), and of what they were only id, offset, instant and place are left. Without a reference to its scope an event is in no index of readings.
 * It goes on with `newest_frame`.
 */
export const REDACT_EVENTS = `CALL (events, tenant, actor, wal, recorded_at) {
     WITH events, tenant, actor, wal, recorded_at WHERE size(events) > 0
     MERGE (entry:LogEntry {id: $entry_id})
       ON CREATE SET entry.kind = 'redact', entry.after_offset = wal.value, entry.recorded_at = ${storedInstant('recorded_at')},
         entry.tenant = tenant, entry.actor = actor
     WITH events, entry
     UNWIND events AS e
     CREATE (entry)-[:CANCELS]->(e)
   }
   CALL (events) {
     UNWIND events AS e
     MATCH (e)<-[w:FORGETS]-()
     DELETE w
   }
   CALL (events) {
     UNWIND events AS e
     MATCH (x:Extraction {event_id: e.id})
     DETACH DELETE x
   }
   CALL (events) {
     UNWIND events AS e
     MATCH (n:EnrichmentRetry {event_id: e.id})
     DELETE n
   }
   CALL (events) {
     UNWIND events AS e
     MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(event_id) WHERE f.event_id = e.id
     REMOVE f.actor, f.modality, f.data
   }
   CALL (events) {
     UNWIND events AS e
     MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(event_id) WHERE h.event_id = e.id
     DELETE h
   }
   ${TAKE_ALL_OUT}
   CALL (events) {
     UNWIND events AS e
     ${LET_BLOBS_GO}
   }
   CALL (events) {
     UNWIND events AS e
     MATCH (key:IdempotencyKey {scope_ref: e.scope_ref, key: e.idempotency_key}) WHERE key.event_id = e.id
     DELETE key
   }
   CALL (events) {
     UNWIND events AS e
     MATCH (key:ReleasedKey) USING INDEX SEEK key:ReleasedKey(scope_ref, key) WHERE key.scope_ref = e.scope_ref AND key.key = e.idempotency_key AND key.event_id = e.id
     DELETE key
   }
   ${LOCK_LIFECYCLE}
   WITH *, lifecycle.value + size(events) AS newest_frame
   SET lifecycle.value = newest_frame
   WITH *
   CALL (ref, actor, recorded_at, events, newest_frame) {
     UNWIND range(0, size(events) - 1) AS i
     WITH ref, actor, recorded_at, events[i] AS e, newest_frame - size(events) + 1 + i AS sequence
     CREATE (:LifecycleEvent {sequence: sequence, type: 'forgotten', tenant: e.tenant, scope: e.scope, scope_ref: ref,
       event_id: e.id, wal_offset: e.wal_offset, actor: actor, batch_id: e.batch_id, ts: recorded_at})
     SET e = {id: e.id, tenant: e.tenant, scope: e.scope, shard: e.shard, wal_offset: e.wal_offset, recorded_at: e.recorded_at,
       observed_at: e.recorded_at, caller: '', observed_actor: '', subject: '', modality: 'redacted', content_kind: 'redacted',
       labels: [], envelope: $envelope, bytes: $bytes, redacted_at: recorded_at}
   }`;
