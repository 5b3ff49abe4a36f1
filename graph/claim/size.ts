import type { Integer } from 'neo4j-driver';

import type { Reader } from '../driver.ts';
import { FIRST } from '../instant.ts';
import { int, statement } from '../statement.ts';

/** A claim that events state something of, and how much is stated of it in all. */
export interface ClaimSize {
  readonly claim: string;
  /** Those of the events that it was asked for. */
  readonly event_ids: readonly string[];
  /** Its statements, later stretches and what was taken out among them; counted no further than was asked for. */
  readonly statements: number;
}

const sizes = statement<{ event_ids: readonly string[]; most: Integer }, ClaimSize>(
  'claim.sizes',
  'indexes statement_event, statement_claim_valid',
  `UNWIND $event_ids AS event_id
   MATCH (s:Statement) USING INDEX SEEK s:Statement(event_id) WHERE s.event_id = event_id
   WITH s.claim AS claim, collect(DISTINCT event_id) AS event_ids
   CALL (claim) {
     MATCH (o:Statement) USING INDEX SEEK o:Statement(claim, stated_from) WHERE o.claim = claim AND o.stated_from >= ${FIRST}
     WITH o LIMIT $most
     RETURN count(o) AS statements
   }
   RETURN claim, event_ids, statements`,
);

/** The claims of events, with their sizes, each counted up to `most`. */
export async function claimSizes(
  reader: Reader,
  eventIds: readonly string[],
  most: number,
): Promise<ClaimSize[]> {
  return eventIds.length === 0 ? [] : reader.read(sizes, { event_ids: eventIds, most: int(most) });
}
