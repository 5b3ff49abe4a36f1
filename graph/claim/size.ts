import type { Integer } from 'neo4j-driver';

import type { Reader } from '../driver.ts';
import { FIRST } from '../instant.ts';
import { int, statement } from '../statement.ts';

/** An event and a claim that it states something of. */
export interface ClaimOfEvent {
  readonly event_id: string;
  readonly claim: string;
}

const claims = statement<{ event_ids: readonly string[] }, ClaimOfEvent>(
  'claim.of_some_events',
  'index statement_event',
  `UNWIND $event_ids AS event_id
   MATCH (s:Statement) USING INDEX SEEK s:Statement(event_id) WHERE s.event_id = event_id
   RETURN DISTINCT event_id, s.claim AS claim`,
);

const sizes = statement<{ claims: readonly string[]; most: Integer }, { claim: string; statements: number }>(
  'claim.sizes',
  'index statement_claim_valid',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from) WHERE s.claim = claim AND s.stated_from >= ${FIRST}
     WITH s LIMIT $most
     RETURN count(s) AS statements
   }
   RETURN claim, statements`,
);

/** Reads how much is stated of claims, outside of the transactions that change them. */
export class ClaimSizeReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The claims that events state something of, in no order. */
  async ofEvents(eventIds: readonly string[]): Promise<readonly ClaimOfEvent[]> {
    return eventIds.length === 0 ? [] : this.reader.read(claims, { event_ids: eventIds });
  }

  /** How many statements claims have, later stretches and what was taken out among them, each counted up to `most`. */
  async sizes(ofClaims: readonly string[], most: number): Promise<ReadonlyMap<string, number>> {
    if (ofClaims.length === 0) return new Map();
    const rows = await this.reader.read(sizes, { claims: ofClaims, most: int(most) });
    return new Map(rows.map(({ claim, statements }) => [claim, statements]));
  }
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planClaimSizes(reader: Reader): Promise<void> {
  await reader.read(claims, { event_ids: [] });
  await reader.read(sizes, { claims: [], most: int(1) });
}
