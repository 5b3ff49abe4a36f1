import { OPEN_END } from '../schemas/time.ts';
import { levelProps } from './columns.ts';
import type { Transaction } from './driver.ts';
import { FIRST, instant, storedInstant, storedInstantOrNull, type Instant } from './instant.ts';
import { int, intOrNull, real, statement, type Param, type Params } from './statement.ts';

/** A statement as far as conflicts depend on it. Instants are epoch milliseconds. */
export interface StoredEvidence {
  readonly id: string;
  readonly claim: string;
  readonly event_id: string;
  readonly position: number;
  /** Since when it is known to be about its claim. */
  readonly recorded_at: number;
  readonly value: string;
  readonly kind: 'asserted' | 'denied' | 'never' | 'settled';
  readonly valid_from: number;
  readonly valid_to: number;
  readonly has_explicit_valid_from: boolean;
  readonly confidence: number;
  /** Id of the conflict that it settles; null for none. */
  readonly settles: string | null;
  /** JSON text of what was decided; null where nothing was. */
  readonly decision: string | null;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly cardinality: string;
  readonly subject_id: string;
  readonly subject_name: string | null;
  readonly predicate: string;
  /** JSON text of the term. */
  readonly object: string;
}

/** A conflict to be stored, or as it is stored. */
export interface StoredConflict {
  readonly id: string;
  readonly claim: string;
  readonly values: readonly [string, string];
  readonly status: string;
  /** Place in the log of the statement that opened it. */
  readonly position: number;
  readonly detected_at: number;
  readonly resolved_at: number | null;
  readonly resolved_by: string | null;
  /** Ids of the statements on both sides. */
  readonly evidence: readonly string[];
}

/** A conflict that is written, with where it lies and what it is about. */
export interface ConflictRow extends StoredConflict {
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  /** References of every level of the scope, the outermost first. */
  readonly levels: readonly string[];
  readonly cardinality: string;
  readonly subject_id: string;
  readonly predicate: string;
  /** How sure it is that the values are two. */
  readonly confidence: number;
}

/** What a new statement may disagree with: of its claim, whatever speaks of an instant from `from` to `to`. */
export interface EvidenceSpan {
  readonly claim: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

const EVIDENCE = `s {.id, .claim, .event_id, .position, recorded_at: coalesce(s.known_at, s.recorded_at).epochMillis, .value, .kind, .has_explicit_valid_from,
     valid_from: s.stated_from.epochMillis, valid_to: s.stated_to.epochMillis, confidence: s.stated_confidence,
     .settles, .decision, .tenant, .scope, .scope_ref, .cardinality, .subject_id, .subject_name, .predicate, object: s.term}`;
const COUNTS = `s.retracted = false AND s.continuation_of IS NULL AND (s.premises IS NULL OR s.extractor = 'declared') AND s.left_at IS NULL`;
const CONFLICT = `c {.id, .claim, .status, .position, detected_at: c.detected_at.epochMillis, resolved_at: c.resolved_at.epochMillis, .resolved_by, values: [c.value_a, c.value_b],
     evidence: COLLECT { MATCH (c)-[:EVIDENCE]->(s:Statement) RETURN s.id }}`;

const mark = statement<{ timed: readonly string[]; denials: readonly string[] }, { done: boolean }>(
  'conflict.mark_evidence',
  'constraint statement_id',
  `CALL () { UNWIND $timed AS id MATCH (s:Statement {id: id}) SET s:TimedStatement }
   CALL () { UNWIND $denials AS id MATCH (s:Statement {id: id}) SET s:Denial }
   RETURN true AS done`,
);

interface NearParams extends Params {
  spans: readonly Param[];
  claims: readonly string[];
  open_end: Instant;
}

const near = statement<NearParams, { evidence: StoredEvidence[]; conflicts: StoredConflict[] }>(
  'conflict.near',
  'indexes timed_from, timed_to, denial_claim, conflict_claim; constraint statement_id',
  `CALL () {
     UNWIND $spans AS span
     CALL (span) {
       MATCH (s:TimedStatement) USING INDEX SEEK s:TimedStatement(claim, stated_from)
       WHERE s.claim = span.claim AND s.stated_from >= ${storedInstant('span.from')} AND s.stated_from < ${storedInstant('span.to')}
       RETURN s
       UNION
       MATCH (s:TimedStatement) USING INDEX SEEK s:TimedStatement(claim, stated_to)
       WHERE s.claim = span.claim AND s.stated_to > ${storedInstant('span.from')} AND s.stated_to < $open_end AND s.stated_from < ${storedInstant('span.from')}
       RETURN s
     }
     WITH DISTINCT s, span WHERE s.value <> span.value AND ${COUNTS}
     RETURN collect(DISTINCT ${EVIDENCE}) AS timed
   }
   CALL () {
     UNWIND $claims AS claim
     MATCH (s:Denial) USING INDEX SEEK s:Denial(claim, position) WHERE s.claim = claim AND s.position > 0 AND ${COUNTS}
     RETURN collect(${EVIDENCE}) AS denials
   }
   CALL () {
     UNWIND $claims AS claim
     MATCH (c:Conflict) WHERE c.claim = claim
     RETURN collect(${CONFLICT}) AS conflicts
   }
   CALL (conflicts) {
     UNWIND conflicts AS conflict
     UNWIND conflict.evidence AS id
     MATCH (s:Statement {id: id})
     RETURN collect(DISTINCT ${EVIDENCE}) AS known
   }
   RETURN timed + denials + known AS evidence, conflicts`,
);

const whole = statement<{ claims: readonly string[] }, { evidence: StoredEvidence[] }>(
  'conflict.whole',
  'indexes timed_from, denial_claim',
  `CALL () {
     UNWIND $claims AS claim
     MATCH (s:TimedStatement) USING INDEX SEEK s:TimedStatement(claim, stated_from)
     WHERE s.claim = claim AND s.stated_from >= ${FIRST} AND ${COUNTS}
     RETURN collect(${EVIDENCE}) AS timed
   }
   CALL () {
     UNWIND $claims AS claim
     MATCH (s:Denial) USING INDEX SEEK s:Denial(claim, position) WHERE s.claim = claim AND s.position > 0 AND ${COUNTS}
     RETURN collect(${EVIDENCE}) AS denials
   }
   RETURN timed + denials AS evidence`,
);

const ofEvents = statement<{ event_ids: readonly string[] }, { claim: string }>(
  'conflict.claims_of_events',
  'index statement_event',
  `UNWIND $event_ids AS event_id
   MATCH (s:Statement) WHERE s.event_id = event_id AND s.retracted = false AND (s:TimedStatement OR s:Denial)
   RETURN DISTINCT s.claim AS claim`,
);

const write = statement<{ deleted: readonly string[]; rows: readonly Param[] }, { done: boolean }>(
  'conflict.write',
  'constraints conflict_id, statement_id; index conflict_claim',
  `CALL () {
     UNWIND $deleted AS claim
     MATCH (c:Conflict) WHERE c.claim = claim
     DETACH DELETE c
   }
   CALL () {
     UNWIND $rows AS row
     MERGE (c:Conflict {id: row.props.id})
     SET c = row.props, c.detected_at = ${storedInstant('row.props.detected_at')}, c.resolved_at = ${storedInstantOrNull('row.props.resolved_at')}
     SET c += row.levels
     WITH c, row
     UNWIND row.evidence AS id
     MATCH (s:Statement {id: id})
     MERGE (c)-[:EVIDENCE]->(s)
   }
   RETURN true AS done`,
);

/** What is stored of the disputes of claims. */
export interface StoredDisputes {
  /** In no order, each once. */
  readonly evidence: readonly StoredEvidence[];
  /** In no order. */
  readonly conflicts: readonly StoredConflict[];
}

/** Reads and writes conflicts within the transaction that consolidates their claims. */
export class ConflictWriter {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** The claims whose disputes statements of events take part in. */
  async claimsOf(eventIds: readonly string[]): Promise<string[]> {
    if (eventIds.length === 0) return [];
    const rows = await this.transaction.run(ofEvents, { event_ids: eventIds });
    return rows.map(({ claim }) => claim);
  }

  /** Has statements found by what they say of their validity, and denials as such. */
  async mark(timed: readonly string[], denials: readonly string[]): Promise<void> {
    await this.transaction.run(mark, { timed, denials });
  }

  /** Of claims, whatever new statements may disagree with, all denials, and the conflicts with their evidence. */
  async near(claims: readonly string[], spans: readonly EvidenceSpan[]): Promise<StoredDisputes> {
    if (claims.length === 0) return { evidence: [], conflicts: [] };
    const rows = spans.map(({ claim, value, from, to }) => ({ claim, value, from: int(from), to: int(to) }));
    const [found] = await this.transaction.run(near, { claims, spans: rows, open_end: instant(OPEN_END) });
    return found === undefined
      ? { evidence: [], conflicts: [] }
      : { ...found, evidence: once(found.evidence) };
  }

  /** All evidence of claims. */
  async whole(claims: readonly string[]): Promise<readonly StoredEvidence[]> {
    if (claims.length === 0) return [];
    const [found] = await this.transaction.run(whole, { claims });
    return once(found?.evidence ?? []);
  }

  /** Writes conflicts; those of the claims named go first. */
  async write(deleted: readonly string[], rows: readonly ConflictRow[]): Promise<void> {
    if (deleted.length === 0 && rows.length === 0) return;
    await this.transaction.run(write, { deleted, rows: rows.map(conflictRow) });
  }
}

function once(evidence: readonly StoredEvidence[]): StoredEvidence[] {
  return [...new Map(evidence.map((one) => [one.id, one])).values()];
}

function conflictRow({ levels, evidence, values, ...row }: ConflictRow): Param {
  return {
    evidence,
    levels: levelProps(levels),
    props: {
      ...row,
      value_a: values[0],
      value_b: values[1],
      position: int(row.position),
      detected_at: int(row.detected_at),
      resolved_at: intOrNull(row.resolved_at),
      confidence: real(row.confidence),
    },
  };
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planConflictWrites(transaction: Transaction): Promise<void> {
  const open_end = instant(OPEN_END);
  await transaction.run(ofEvents, { event_ids: [] });
  await transaction.run(mark, { timed: [], denials: [] });
  await transaction.run(near, { claims: [], spans: [], open_end });
  await transaction.run(whole, { claims: [] });
  await transaction.run(write, { deleted: [], rows: [] });
}
