import { MAX_CONFLICT_RECORDS } from '../schemas/conflict.ts';
import type { Reader } from './driver.ts';
import { int, statement, type Params } from './statement.ts';

/** A statement on one side of a conflict as it is stored, with what became of its fact. Instants are epoch milliseconds. */
export interface StoredRecord {
  readonly id: string;
  readonly event_id: string;
  readonly position: number;
  readonly subject_id: string;
  readonly predicate: string;
  /** JSON text of the term. */
  readonly object: string;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly says_from: boolean;
  readonly recorded_at: number;
  readonly extractor: string;
  readonly confidence: number;
  readonly observed_actor: string;
  /** The newest row of its fact; null when it belongs to none. */
  readonly row: {
    readonly valid_from: number;
    readonly valid_to: number;
    readonly ended_at: number | null;
  } | null;
}

/** A conflict as it is read. */
export interface ReadConflict {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly subject_id: string;
  readonly predicate: string;
  readonly status: string;
  readonly position: number;
  readonly detected_at: number;
  readonly resolved_at: number | null;
  readonly resolved_by: string | null;
  readonly confidence: number;
  readonly records: readonly StoredRecord[];
  /** JSON text of how somebody settled it; null where nobody did. */
  readonly resolution: string | null;
}

/** A conflict with all of its evidence, as far as settling it depends on that. */
export interface ConflictEvidence {
  readonly tenant: string;
  readonly scope: string;
  readonly status: string;
  readonly cardinality: string;
  readonly subject_id: string;
  readonly predicate: string;
  /** In no order. */
  readonly evidence: readonly {
    readonly id: string;
    readonly event_id: string;
    readonly position: number;
    readonly recorded_at: number;
    readonly value: string;
    readonly valid_from: number;
    readonly valid_to: number;
    readonly says_from: boolean;
    readonly confidence: number;
    readonly subject_id: string;
    readonly subject_name: string | null;
    /** JSON text of the term. */
    readonly object: string;
  }[];
}

const RECORD = `WITH s LIMIT $records
     MATCH (s)-[:STATED_IN]->(e:Event)
     RETURN s {.id, .event_id, .position, .subject_id, .predicate, .object, .valid_from, .valid_to, .says_from, .recorded_at,
       .extractor, .confidence, observed_actor: e.observed_actor,
       row: head(COLLECT {
         MATCH (x:Extent) USING INDEX SEEK x:Extent(fact_id, recorded_from) WHERE x.fact_id = s.fact_id AND x.recorded_from >= 0
         WITH x ORDER BY x.fact_id DESC, x.recorded_from DESC LIMIT 1
         RETURN x {.valid_from, .valid_to, .ended_at}
       })}`;

const CONFLICT = `c {.id, .tenant, .scope, .subject_id, .predicate, .status, .position, .detected_at, .resolved_at, .resolved_by, .confidence,
     records: COLLECT { MATCH (c)-[:EVIDENCE]->(s:Statement) WHERE s.value = c.value_a ${RECORD} }
       + COLLECT { MATCH (c)-[:EVIDENCE]->(s:Statement) WHERE s.value = c.value_b ${RECORD} },
     resolution: head(COLLECT { MATCH (d:Statement) WHERE d.event_id = c.resolved_by AND d.kind = 'settled' RETURN d.resolution })}`;

interface PageParams extends Params {
  ref: string;
  before: bigint;
  limit: bigint;
  records: bigint;
}

const page = statement<PageParams, { conflict: ReadConflict }>(
  'conflict.page',
  'indexes conflict_scope, walked in order, extent_fact and statement_event',
  `MATCH (c:Conflict) USING INDEX SEEK c:Conflict(scope_ref, position, id)
   WHERE c.scope_ref = $ref AND c.position <= $before AND c.id > ''
   WITH c ORDER BY c.scope_ref DESC, c.position DESC, c.id DESC LIMIT $limit
   RETURN ${CONFLICT} AS conflict`,
);

const openPage = statement<PageParams, { conflict: ReadConflict }>(
  'conflict.open_page',
  'indexes conflict_open, walked in order, extent_fact and statement_event',
  `MATCH (c:Conflict) USING INDEX SEEK c:Conflict(scope_ref, status, position, id)
   WHERE c.scope_ref = $ref AND c.status = 'open' AND c.position <= $before AND c.id > ''
   WITH c ORDER BY c.scope_ref DESC, c.status DESC, c.position DESC, c.id DESC LIMIT $limit
   RETURN ${CONFLICT} AS conflict`,
);

const total = statement<{ ref: string; open: boolean }, { total: number }>(
  'conflict.total',
  'indexes conflict_scope and conflict_open',
  `RETURN CASE WHEN $open
     THEN COUNT { MATCH (c:Conflict) WHERE c.scope_ref = $ref AND c.status = 'open' AND c.position > 0 AND c.id > '' }
     ELSE COUNT { MATCH (c:Conflict) WHERE c.scope_ref = $ref AND c.position > 0 AND c.id > '' } END AS total`,
);

const byId = statement<{ id: string; tenant: string | null; records: bigint }, { conflict: ReadConflict }>(
  'conflict.by_id',
  'constraint conflict_id, indexes extent_fact and statement_event',
  `MATCH (c:Conflict {id: $id}) WHERE $tenant IS NULL OR c.tenant = $tenant
   RETURN ${CONFLICT} AS conflict`,
);

const ofClaims = statement<
  { claims: readonly string[]; limit: bigint; records: bigint },
  { conflict: ReadConflict }
>(
  'conflict.of_claims',
  'indexes conflict_claim, extent_fact and statement_event',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (c:Conflict) WHERE c.claim = claim
     RETURN c LIMIT $limit
   }
   WITH c LIMIT $limit
   RETURN ${CONFLICT} AS conflict`,
);

const withEvidence = statement<{ id: string; tenant: string; most: bigint }, { conflict: ConflictEvidence }>(
  'conflict.with_evidence',
  'constraint conflict_id',
  `MATCH (c:Conflict {id: $id}) WHERE c.tenant = $tenant
   RETURN c {.tenant, .scope, .status, .cardinality, .subject_id, .predicate,
     evidence: COLLECT { MATCH (c)-[:EVIDENCE]->(s:Statement) WITH s LIMIT $most
       RETURN s {.id, .event_id, .position, .recorded_at, .value, .valid_from, .valid_to, .says_from, .confidence, .subject_id,
         .subject_name, .object} }} AS conflict`,
);

/** Reads conflicts; every tenant and scope that it is handed was authorised before. */
export class ConflictReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** At most `limit` conflicts of a scope that were opened at or before a place in the log, those first that were opened last. */
  async page(
    ref: string,
    { open, before, limit }: { readonly open: boolean; readonly before: number; readonly limit: number },
  ): Promise<ReadConflict[]> {
    const params = { ref, before: int(before), limit: int(limit), records: int(MAX_CONFLICT_RECORDS) };
    const rows = await this.reader.read(open ? openPage : page, params);
    return rows.map(({ conflict }) => conflict);
  }

  /** How many conflicts a scope has, or how many open ones. */
  async total(ref: string, open: boolean): Promise<number> {
    return (await this.reader.read(total, { ref, open }))[0]?.total ?? 0;
  }

  /** At most `limit` conflicts of some claims, those first that were opened last. */
  async ofClaims(claims: readonly string[], limit: number): Promise<ReadConflict[]> {
    if (claims.length === 0) return [];
    const params = { claims, limit: int(limit), records: int(MAX_CONFLICT_RECORDS) };
    const rows = await this.reader.read(ofClaims, params);
    return rows
      .map(({ conflict }) => conflict)
      .sort((a, b) => b.position - a.position || (a.id < b.id ? 1 : -1));
  }

  /** A conflict of a tenant with at most so many of the statements on both sides; null when there is none. */
  async withEvidence(id: string, tenant: string, most: number): Promise<ConflictEvidence | null> {
    return (await this.reader.read(withEvidence, { id, tenant, most: int(most) }))[0]?.conflict ?? null;
  }

  /** One conflict, of one tenant or (null) of any; null when there is none. */
  async byId(id: string, tenant: string | null): Promise<ReadConflict | null> {
    const rows = await this.reader.read(byId, { id, tenant, records: int(MAX_CONFLICT_RECORDS) });
    return rows[0]?.conflict ?? null;
  }
}
