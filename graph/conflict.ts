import type { Integer } from 'neo4j-driver';

import { MAX_CONFLICT_RECORDS } from '../schemas/conflict.ts';
import type { ConflictSource } from '../src/derive/conflict-view.ts';
import { KNOWN_NOW } from '../src/time/as-of.ts';
import type { Reader } from './driver.ts';
import { OBJECT_NAME } from './entity/name.ts';
import { FIRST, instant, type Instant } from './instant.ts';
import { int, statement, type Params } from './statement.ts';

/** A conflict as it is read. */
export interface ReadConflict extends ConflictSource {
  readonly tenant: string;
  /** The place in the log at which it opened. */
  readonly position: number;
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
    readonly has_explicit_valid_from: boolean;
    readonly confidence: number;
    readonly subject_id: string;
    readonly subject_name: string | null;
    /** JSON text of the term. */
    readonly object: string;
  }[];
}

/** A statement `s` on one side, with the fact that it belonged to as known at `$recorded`, and what became of that by then. */
const RECORD = `WITH s LIMIT $records
     MATCH (s)-[:STATED_IN]->(e:Event)
     WITH s, e, coalesce(head(COLLECT {
       MATCH (e)<-[d:DERIVED_FROM]-(f:Statement)
       WHERE f.claim = s.claim AND f.value = s.value AND d.recorded_from <= $recorded AND $recorded < d.recorded_to
       RETURN f.id
     }), s.fact_id) AS fact_id
     RETURN s {.id, .event_id, .position, .subject_id, .predicate, .has_explicit_valid_from, recorded_at: s.recorded_at.epochMillis, .extractor,
       object: s.term, valid_from: s.stated_from.epochMillis, valid_to: s.stated_to.epochMillis, confidence: s.stated_confidence, observed_actor: e.observed_actor,
       ${OBJECT_NAME},
       row: head(COLLECT {
         MATCH (x:FactVersion) USING INDEX SEEK x:FactVersion(fact_id, recorded_from) WHERE x.fact_id = fact_id AND x.recorded_from >= ${FIRST} AND x.recorded_from <= $recorded
         WITH x ORDER BY x.fact_id DESC, x.recorded_from DESC LIMIT 1
         RETURN x {valid_from: x.valid_from.epochMillis, valid_to: coalesce(x.ends_at, x.valid_to).epochMillis, ended_at: x.ended_at.epochMillis}
       })}`;

/** The conflict `c` as known at `$recorded`: until it was ended it was open. */
const CONFLICT = `c {.id, .tenant, .scope, .subject_id, .predicate, .position, detected_at: c.detected_at.epochMillis, .confidence,
     status: CASE WHEN c.resolved_at > $recorded THEN 'open' ELSE c.status END,
     resolved_at: CASE WHEN c.resolved_at > $recorded THEN null ELSE c.resolved_at.epochMillis END,
     resolved_by: CASE WHEN c.resolved_at > $recorded THEN null ELSE c.resolved_by END,
     records: COLLECT { MATCH (c)-[:EVIDENCE]->(s:Statement) WHERE s.value = c.value_a AND coalesce(s.known_at, s.recorded_at) <= $recorded ${RECORD} }
       + COLLECT { MATCH (c)-[:EVIDENCE]->(s:Statement) WHERE s.value = c.value_b AND coalesce(s.known_at, s.recorded_at) <= $recorded ${RECORD} },
     resolution: head(COLLECT { MATCH (d:Statement) WHERE d.event_id = c.resolved_by AND d.kind = 'settled' AND d.recorded_at <= $recorded RETURN d.resolution })}`;

interface PageParams extends Params {
  ref: string;
  before: Integer;
  limit: Integer;
  records: Integer;
  recorded: Instant;
}

const page = statement<PageParams, { conflict: ReadConflict }>(
  'conflict.page',
  'indexes conflict_scope, walked in order, fact_version_fact and statement_event',
  `MATCH (c:Conflict) USING INDEX SEEK c:Conflict(scope_ref, position, id)
   WHERE c.scope_ref = $ref AND c.position <= $before AND c.id > ''
   WITH c ORDER BY c.scope_ref DESC, c.position DESC, c.id DESC LIMIT $limit
   RETURN ${CONFLICT} AS conflict`,
);

const openPage = statement<PageParams, { conflict: ReadConflict }>(
  'conflict.open_page',
  'indexes conflict_open, walked in order, fact_version_fact and statement_event',
  `MATCH (c:Conflict) USING INDEX SEEK c:Conflict(scope_ref, status, position, id)
   WHERE c.scope_ref = $ref AND c.status = 'open' AND c.position <= $before AND c.id > ''
   WITH c ORDER BY c.scope_ref DESC, c.status DESC, c.position DESC, c.id DESC LIMIT $limit
   RETURN ${CONFLICT} AS conflict`,
);

const PAST = `c.detected_at <= $recorded AND (NOT $open OR c.resolved_at IS NULL OR c.resolved_at > $recorded)`;

const pastPage = statement<PageParams & { open: boolean }, { conflict: ReadConflict }>(
  'conflict.past_page',
  'indexes conflict_scope, walked in order, fact_version_fact and statement_event',
  `MATCH (c:Conflict) USING INDEX SEEK c:Conflict(scope_ref, position, id)
   WHERE c.scope_ref = $ref AND c.position <= $before AND c.id > '' AND ${PAST}
   WITH c ORDER BY c.scope_ref DESC, c.position DESC, c.id DESC LIMIT $limit
   RETURN ${CONFLICT} AS conflict`,
);

const pastTotal = statement<{ ref: string; open: boolean; recorded: Instant }, { total: number }>(
  'conflict.past_total',
  'index conflict_scope',
  `RETURN COUNT { MATCH (c:Conflict) WHERE c.scope_ref = $ref AND c.position > 0 AND c.id > '' AND ${PAST} } AS total`,
);

const total = statement<{ ref: string; open: boolean }, { total: number }>(
  'conflict.total',
  'indexes conflict_scope and conflict_open',
  `RETURN CASE WHEN $open
     THEN COUNT { MATCH (c:Conflict) WHERE c.scope_ref = $ref AND c.status = 'open' AND c.position > 0 AND c.id > '' }
     ELSE COUNT { MATCH (c:Conflict) WHERE c.scope_ref = $ref AND c.position > 0 AND c.id > '' } END AS total`,
);

const byId = statement<
  { id: string; tenant: string | null; records: Integer; recorded: Instant },
  { conflict: ReadConflict }
>(
  'conflict.by_id',
  'constraint conflict_id, indexes fact_version_fact and statement_event',
  `MATCH (c:Conflict {id: $id}) WHERE ($tenant IS NULL OR c.tenant = $tenant) AND c.detected_at <= $recorded
   RETURN ${CONFLICT} AS conflict`,
);

const ofClaims = statement<
  { claims: readonly string[]; limit: Integer; records: Integer; recorded: Instant },
  { conflict: ReadConflict }
>(
  'conflict.of_claims',
  'indexes conflict_claim, fact_version_fact and statement_event',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (c:Conflict) WHERE c.claim = claim
     RETURN c LIMIT $limit
   }
   WITH c LIMIT $limit
   RETURN ${CONFLICT} AS conflict`,
);

const withEvidence = statement<{ id: string; tenant: string; most: Integer }, { conflict: ConflictEvidence }>(
  'conflict.with_evidence',
  'constraint conflict_id',
  `MATCH (c:Conflict {id: $id}) WHERE c.tenant = $tenant
   RETURN c {.tenant, .scope, .status, .cardinality, .subject_id, .predicate,
     evidence: COLLECT { MATCH (c)-[:EVIDENCE]->(s:Statement) WITH s LIMIT $most
       RETURN s {.id, .event_id, .position, recorded_at: s.recorded_at.epochMillis, .value, .has_explicit_valid_from, .subject_id, .subject_name,
         valid_from: s.stated_from.epochMillis, valid_to: s.stated_to.epochMillis, confidence: s.stated_confidence, object: s.term} }} AS conflict`,
);

/** Which conflicts of a scope are read, and as known when. */
export interface ConflictWalk {
  readonly open: boolean;
  readonly before: number;
  readonly limit: number;
  /** Epoch milliseconds; null for what is known now. */
  readonly recorded: number | null;
}

/** Reads conflicts; every tenant and scope that it is handed was authorised before. */
export class ConflictReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * At most `limit` conflicts of a scope that were opened at or before a place in the log, those first that were opened last; as known at an
   * instant, or (null) now.
   */
  async page(ref: string, { open, before, limit, recorded }: ConflictWalk): Promise<ReadConflict[]> {
    const params = { ref, before: int(before), limit: int(limit), ...reach(recorded ?? KNOWN_NOW) };
    const rows =
      recorded === null
        ? await this.reader.read(open ? openPage : page, params)
        : await this.reader.read(pastPage, { ...params, open });
    return rows.map(({ conflict }) => conflict);
  }

  /** How many conflicts a scope has, or how many open ones; as known at an instant, or (null) now. */
  async total(ref: string, open: boolean, recorded: number | null): Promise<number> {
    const rows =
      recorded === null
        ? await this.reader.read(total, { ref, open })
        : await this.reader.read(pastTotal, { ref, open, recorded: instant(recorded) });
    return rows[0]?.total ?? 0;
  }

  /** At most `limit` conflicts of some claims, those first that were opened last. */
  async ofClaims(claims: readonly string[], limit: number): Promise<ReadConflict[]> {
    if (claims.length === 0) return [];
    const params = { claims, limit: int(limit), ...reach(KNOWN_NOW) };
    const rows = await this.reader.read(ofClaims, params);
    return rows
      .map(({ conflict }) => conflict)
      .sort((a, b) => b.position - a.position || (a.id < b.id ? 1 : -1));
  }

  /** A conflict of a tenant with at most so many of the statements on both sides; null when there is none. */
  async withEvidence(id: string, tenant: string, most: number): Promise<ConflictEvidence | null> {
    return (await this.reader.read(withEvidence, { id, tenant, most: int(most) }))[0]?.conflict ?? null;
  }

  /** One conflict as known at an instant, of one tenant or (null) of any; null when there is none. */
  async byId(id: string, tenant: string | null, recorded = KNOWN_NOW): Promise<ReadConflict | null> {
    const rows = await this.reader.read(byId, { id, tenant, ...reach(recorded) });
    return rows[0]?.conflict ?? null;
  }
}

/** As known when, and of how many statements of each side. */
function reach(recorded: number): { records: Integer; recorded: Instant } {
  return { records: int(MAX_CONFLICT_RECORDS), recorded: instant(recorded) };
}
