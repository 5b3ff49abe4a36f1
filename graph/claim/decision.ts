import type { Integer } from 'neo4j-driver';

import type { Transaction } from '../driver.ts';
import { FIRST } from '../instant.ts';
import { int, statement, type Params } from '../statement.ts';

interface QueueParams extends Params {
  claims: readonly string[];
  handled: readonly string[];
  now: Integer;
}

// Those that were taken out are told again too: what they say follows from what they name. A forget that is under way in the scope waits for them.
const queue = statement<QueueParams, { queued: number }>(
  'claim.queue_decisions',
  'indexes statement_claim_valid, forget_plan_scope; constraints event_id, retry_id',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from)
     WHERE s.claim = claim AND s.stated_from >= ${FIRST} AND s.kind = 'settled' AND NOT s.event_id IN $handled
     RETURN s.event_id AS event_id
   }
   WITH DISTINCT event_id
   MATCH (e:Event {id: event_id}) WHERE e.redacted_at IS NULL
   MERGE (h:StageRetry {id: e.id + '/consolidated'})
     ON CREATE SET h.event_id = e.id, h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.stage = 'consolidated',
       h.state = 'queued', h.reason = 'what it decided between is gone', h.since = $now
     ON MATCH SET h.state = CASE h.state WHEN 'failed' THEN 'queued' ELSE h.state END
   SET h.decides = true,
     h.forget = coalesce(head(COLLECT { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = h.scope_ref RETURN p.id }), h.forget)
   RETURN count(h) AS queued`,
);

/**
 * Queues the consolidation of the events that settled conflicts of claims of which statements are gone: what they state follows from those
 * that they name. `handled` are events that are derived in this transaction.
 */
export function queueDecisions(
  transaction: Transaction,
  { claims, handled }: { readonly claims: readonly string[]; readonly handled: readonly string[] },
  now: number,
): void {
  if (claims.length > 0) transaction.send(queue, { claims, handled, now: int(now) });
}

/** Has the server plan the statement of this file by running it on nothing. */
export async function planDecisions(transaction: Transaction): Promise<void> {
  await transaction.run(queue, { claims: [], handled: [], now: int(0) });
}
