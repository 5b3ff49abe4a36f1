/**
 * Part of a statement that takes an event `e` out (cancels or redacts it) at `recorded_at`: when it states something that was
 * consolidated already, or is in an episode, consolidation is queued for it again, to take that out too.
 */
export const TAKE_STATEMENTS_OUT = `CALL (e, recorded_at) {
       WITH e, recorded_at WHERE EXISTS { MATCH (s:Statement) WHERE s.event_id = e.id AND s.withdrawn = false } OR EXISTS { (e)<-[:CONTAINS]-() }
       MERGE (h:Hold {id: e.id + '/consolidated'})
       SET h.event_id = e.id, h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.stage = 'consolidated',
         h.state = 'queued', h.reason = 'its event was taken out', h.since = recorded_at
     }`;
