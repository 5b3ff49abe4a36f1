import type { Integer } from 'neo4j-driver';

import { MAX_SCANNED_ROWS } from '../src/limits.ts';
import type { RecordIds } from '../src/derive/provenance.ts';
import { AHEAD, beliefAt } from './belief/row.ts';
import type { Reader } from './driver.ts';
import type { LinkLimits, StoredLink } from './provenance.ts';
import { instant, type Instant } from './instant.ts';
import { int, statement, type Params } from './statement.ts';

interface ChainParams extends Params {
  facts: readonly string[];
  beliefs: readonly string[];
  tenant: string | null;
  valid: Instant;
  ahead: boolean;
  recorded: Instant;
  most: Integer;
  walk: Integer;
}

type ChainRow = Pick<StoredLink, 'asked' | 'other' | 'belief' | 'tenant' | 'scope' | 'place'>;

const KNOWN_CHAIN = `chain.recorded_from <= $recorded AND $recorded < chain.recorded_to`;
const KNOWN_ROW = `row.recorded_from <= $recorded AND $recorded < row.recorded_to`;
/** The stretch of time `own` for which the belief `b` is held to be true by its row `x`, or was last. */
const OWN_STRETCH = `MATCH (b:Belief {id: asked}) WHERE $tenant IS NULL OR b.tenant = $tenant
     ${beliefAt()}
     ${AHEAD}
     CALL (b, x) {
       MATCH (row:FactVersion) USING INDEX SEEK row:FactVersion(claim, valid_from) WHERE row.claim = b.claim AND row.valid_from = x.holds_from
       WITH row WHERE row.value = b.value AND ${KNOWN_ROW}
       WITH row LIMIT $most
       RETURN row AS own
     }`;

const newer = statement<ChainParams, ChainRow>(
  'supersession.newer',
  'constraints statement_id, belief_id; indexes fact_version_claim_valid and those of belief_revision',
  `CALL () {
     UNWIND $facts AS asked
     MATCH (f:Statement {id: asked}) WHERE $tenant IS NULL OR f.tenant = $tenant
     MATCH (f)-[chain:SUPERSEDED_BY]->(n) WHERE ${KNOWN_CHAIN}
     RETURN asked, coalesce(n.fact_id, n.id) AS other, null AS belief, n.tenant AS of_tenant, n.scope AS scope, n.position AS place
     UNION ALL
     UNWIND $beliefs AS asked
     ${OWN_STRETCH}
     MATCH (own)<-[:HAS_VERSION]-()-[chain:SUPERSEDED_BY]->(n) WHERE ${KNOWN_CHAIN}
     RETURN b.id AS asked, null AS other, n {.scope_ref, .claim, .value} AS belief, n.tenant AS of_tenant, n.scope AS scope, n.position AS place
   }
   RETURN asked, other, belief, of_tenant AS tenant, scope, place`,
);

const older = statement<ChainParams, ChainRow>(
  'supersession.older',
  'constraints statement_id, belief_id; indexes fact_version_claim_valid and those of belief_revision',
  `CALL () {
     UNWIND $facts AS asked
     MATCH (f:Statement {id: asked}) WHERE $tenant IS NULL OR f.tenant = $tenant
     CALL (f) {
       MATCH (f)<-[chain:SUPERSEDED_BY]-(n) WHERE ${KNOWN_CHAIN}
       RETURN n LIMIT $most
     }
     RETURN asked, n.id AS other, null AS belief, n.tenant AS of_tenant, n.scope AS scope, n.position AS place
     UNION ALL
     UNWIND $beliefs AS asked
     ${OWN_STRETCH}
     CALL (own) {
       MATCH (own)<-[:HAS_VERSION]-()<-[chain:SUPERSEDED_BY]-(n) WHERE ${KNOWN_CHAIN}
       MATCH (n)-[:HAS_VERSION]->(row) WHERE row.fact_id IS NOT NULL AND row.recorded_from = chain.recorded_from
       RETURN row LIMIT $most
     }
     RETURN b.id AS asked, null AS other, row {.scope_ref, .claim, .value} AS belief, b.tenant AS of_tenant, b.scope AS scope,
       row.valid_from.epochMillis AS place
   }
   RETURN asked, other, belief, of_tenant AS tenant, scope, place`,
);

/** What the time of a reading is where it names none, beside how far it goes. */
export interface ChainLimits extends LinkLimits {
  readonly now: number;
}

/**
 * Reads what took the place of what; access is decided by the caller. Of a belief it is told for the time for which it is held to be true,
 * or was last, as it is at the valid instant of the reading.
 */
export class SupersessionReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** What records took the place of: one step. */
  older(ids: RecordIds, tenant: string | null, reach: ChainLimits): Promise<StoredLink[]> {
    return this.step(older, ids, tenant, reach);
  }

  /** What took the place of records: one step. */
  newer(ids: RecordIds, tenant: string | null, reach: ChainLimits): Promise<StoredLink[]> {
    return this.step(newer, ids, tenant, reach);
  }

  private async step(
    chain: typeof older,
    { facts, beliefs }: RecordIds,
    tenant: string | null,
    { valid, recorded, most, now }: ChainLimits,
  ): Promise<StoredLink[]> {
    const rows = await this.reader.read(chain, {
      facts,
      beliefs,
      tenant,
      valid: instant(valid ?? now),
      ahead: valid === null,
      recorded: instant(recorded),
      most: int(most),
      walk: int(MAX_SCANNED_ROWS),
    });
    return rows.map((row) => ({ ...row, relation: 'supersedes', weight: null, span: null }));
  }
}
