/** Whether something was concluded from the event `e`, whatever it states itself. */
const IS_PREMISE = 'EXISTS { MATCH (:Premise {id: e.id})<-[:RESTS_ON]-() }';

/** Queues the consolidation of the event `e` again. */
const QUEUE = `MERGE (h:StageRetry {id: e.id + '/consolidated'})
     SET h.event_id = e.id, h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.stage = 'consolidated',
       h.state = 'queued', h.reason = 'its event was taken out', h.since = recorded_at`;

/**
 * Part of a statement that takes an event `e` out (cancels it) at `recorded_at`: when it states something that was consolidated
 * already, something rests on it, or it is in an episode, consolidation is queued for it again, to take that out too.
 */
export const TAKE_OUT = `CALL (e, recorded_at) {
       WITH e, recorded_at WHERE EXISTS { MATCH (s:Statement) WHERE s.event_id = e.id AND s.retracted = false }
         OR ${IS_PREMISE} OR EXISTS { (e)<-[:CONTAINS]-() }
       ${QUEUE}
     }`;

/**
 * The same for the `events` of one scope that are redacted together: each that states something, or that something rests on, is queued, and of those in
 * episodes one, since the episodes of a scope are replayed from all that is left. What an event stated that was cancelled or replaced before is
 * stored as retracted, and has to go too.
 */
export const TAKE_ALL_OUT = `CALL (events) {
     UNWIND events AS e
     WITH e WHERE EXISTS { (e)<-[:CONTAINS]-() }
     WITH e LIMIT 1
     RETURN collect(e.id) AS contained
   }
   CALL (events, recorded_at, contained) {
     UNWIND events AS e
     WITH e, recorded_at WHERE EXISTS { MATCH (s:Statement) WHERE s.event_id = e.id } OR ${IS_PREMISE} OR e.id IN contained
     ${QUEUE}
   }`;

/**
 * What becomes of a hold `h` of an event that is taken out: nothing is repeated any more but consolidation, so that what the event stated is
 * known as retracted whenever it was taken out.
 */
export const LIFT_RETRY = `SET h.stage = 'consolidated', h.state = 'queued', h.reason = 'its event was taken out' REMOVE h.retry_at, h.deferred_offset`;
