import { FIRST_INSTANT, OPEN_END } from '../schemas/time.ts';
import type { Decision, Statement } from '../src/derive/claim.ts';
import { DECLARED } from '../src/derive/declared-belief.ts';
import type { Moved } from '../src/derive/residence.ts';
import { movedRow } from './claim-move.ts';
import type { Transaction } from './driver.ts';
import { int, intOrNull, present, real, statement, type Param, type Params } from './statement.ts';

/** An entity that a statement names. */
export interface NamedEntity {
  readonly id: string;
  /** As the statement names it; null where it gives no name. */
  readonly name: string | null;
  /** The name, else the id, as names are compared. */
  readonly normalised_name: string;
  /** What kind of thing it is, `other` where nobody says. */
  readonly type: string;
}

/** A statement to be stored. Instants are epoch milliseconds. */
export interface NewStatement {
  readonly id: string;
  readonly event_id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  /** References of every level of the scope, the outermost first. */
  readonly levels: readonly string[];
  readonly shard: number;
  readonly claim: string;
  readonly cardinality: string;
  readonly position: number;
  readonly recorded_at: number;
  readonly kind: 'asserted' | 'denied' | 'never' | 'settled';
  readonly value: string;
  readonly valid_from: number;
  readonly valid_to: number;
  /** Whether it says itself since when it holds. */
  readonly says_from: boolean;
  readonly confidence: number;
  readonly extractor: string;
  /** Where in the text of its event the words stand that it rests on, in characters; null where that is not known. */
  readonly span: { readonly start: number; readonly end: number } | null;
  readonly subject: NamedEntity;
  readonly predicate: string;
  /** JSON text of the term. */
  readonly object: string;
  /** The entity that the object is; null for a literal. */
  readonly object_entity: NamedEntity | null;
  /** Ids of what it was concluded from. */
  readonly premises: readonly string[];
  /** The statement of which this is a later stretch: a conclusion that holds, falls and holds again. */
  readonly stretch_of: string | null;
  /** True for the statement of an event that was taken out: its id still tells what it stood for. */
  readonly withdrawn: boolean;
  /** What picks where it contradicts what was stated before; left out: the latest. */
  readonly policy?: NonNullable<Statement['policy']>;
  /** The last layer that it counts in; left out: all. */
  readonly reaches?: NonNullable<Statement['reaches']>;
  /** Id of the conflict that it settles; left out where it settles none. */
  readonly settles?: string;
  /** What somebody decided about a conflict, and in which words; left out where nobody did. */
  readonly decision?: Decision;
  /** JSON text. */
  readonly resolution?: string;
  /** The entities that its event named, where these go by others; left out where all go by themselves. */
  readonly aliases?: readonly NamedEntity[];
  /** What links made of it; left out where it stays in its claim. */
  readonly moved?: Moved;
}

/** A row of a fact to be stored, in place of one of the same fact and beginning. */
export interface NewRow {
  readonly fact_id: string;
  readonly claim: string;
  readonly value: string;
  readonly tenant: string;
  readonly scope_ref: string;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly recorded_from: number;
  readonly recorded_to: number;
  readonly superseded_by: string | null;
  readonly ended_at: number | null;
  readonly caused_by: string;
}

/** What one consolidation changes of claims. */
export interface ClaimWrites {
  readonly statements: readonly NewStatement[];
  /** Which fact statements belong to, where that is new. */
  readonly belonging: readonly { readonly id: string; readonly fact_id: string }[];
  readonly rows: readonly NewRow[];
  /** Rows that were known for no time. */
  readonly lost: readonly { readonly fact_id: string; readonly recorded_from: number }[];
  readonly supports: readonly {
    readonly fact_id: string;
    readonly event_id: string;
    readonly recorded_from: number;
    readonly recorded_to: number;
  }[];
  /** Supports that went over to another fact. */
  readonly ended: readonly { readonly fact_id: string; readonly event_id: string; readonly at: number }[];
}

interface WriteParams extends Params {
  statements: readonly Param[];
  belonging: readonly Param[];
  rows: readonly Param[];
  lost: readonly Param[];
  supports: readonly Param[];
  ended: readonly Param[];
  open_end: bigint;
}

// An entity goes by the name and the type that the earliest statement gives it, whichever comes to be written first; of two that one
// event gives, by the one that comes first in the order of letters.
const write = statement<WriteParams, { done: boolean }>(
  'claim.write',
  'constraints event_id, statement_id, entity_key, extent_fact, premise_id',
  `CALL () {
     UNWIND $statements AS row
     MATCH (e:Event {id: row.event_id})
     MERGE (s:Statement {id: row.props.id})
     CREATE (s)-[:STATED_IN]->(e)
     SET s = row.props
     SET s += row.levels
     FOREACH (fact IN CASE WHEN row.begins THEN [s] ELSE [] END | SET fact:Fact)
     FOREACH (qualifying IN CASE WHEN row.qualifies THEN [s] ELSE [] END | SET qualifying:Qualifying)
     FOREACH (kept IN CASE WHEN s.policy = 'keep_both' AND NOT s.withdrawn THEN [s] ELSE [] END | SET kept:KeptStatement)
     FOREACH (gone IN CASE WHEN s.withdrawn THEN [s] ELSE [] END | SET gone:Withdrawn)
     WITH s, row
     CALL (s, row) {
       UNWIND row.entities AS named
       MERGE (n:Entity {key: s.scope_ref + ' ' + named.id})
         ON CREATE SET n += row.levels, n.id = named.id, n.tenant = s.tenant, n.scope = s.scope, n.scope_ref = s.scope_ref,
           n.name = coalesce(named.name, named.id), n.normalised_name = named.normalised_name, n.type = 'other',
           n.position = s.position, n.named_at = CASE WHEN named.name IS NULL THEN null ELSE s.position END
       FOREACH (subject IN CASE WHEN named.role = 'subject' THEN [s] ELSE [] END | CREATE (subject)-[:SUBJECT]->(n))
       FOREACH (object IN CASE WHEN named.role = 'object' THEN [s] ELSE [] END | CREATE (object)-[:OBJECT]->(n))
       FOREACH (alias IN CASE WHEN named.role = 'alias' THEN [s] ELSE [] END |
         CREATE (alias)-[:NAMED {name: named.name, normal: named.normalised_name, type: named.type}]->(n))
       FOREACH (earlier IN CASE WHEN n.position > s.position THEN [n] ELSE [] END | SET earlier.position = s.position)
       FOREACH (typed IN CASE WHEN named.type <> 'other' AND (n.typed_at IS NULL OR n.typed_at > s.position
           OR (n.typed_at = s.position AND n.type > named.type)) THEN [n] ELSE [] END |
         SET typed.type = named.type, typed.typed_at = s.position)
       WITH n, s, named WHERE named.name IS NOT NULL AND (n.named_at IS NULL OR n.named_at > s.position
         OR (n.named_at = s.position AND n.name > named.name))
       SET n.name = named.name, n.normalised_name = named.normalised_name, n.named_at = s.position
     }
     CALL (s, row) {
       UNWIND row.premises AS id
       MERGE (p:Premise {id: id}) ON CREATE SET p.claim = ''
       CREATE (s)-[:RESTS_ON]->(p)
     }
     CALL (s) { MATCH (p:Premise {id: s.id}) SET p.claim = s.claim }
   }
   CALL () {
     UNWIND $belonging AS row
     MATCH (s:Statement {id: row.id})
     SET s.fact_id = row.fact_id
     WITH s, row.fact_id = row.id AND s.extractor <> 'declared' AS begins
     FOREACH (fact IN CASE WHEN begins THEN [1] ELSE [] END | SET s:Fact)
     FOREACH (none IN CASE WHEN begins THEN [] ELSE [1] END | REMOVE s:Fact)
   }
   CALL () {
     UNWIND $lost AS row
     MATCH (x:Extent {fact_id: row.fact_id, recorded_from: row.recorded_from})
     DETACH DELETE x
   }
   CALL () {
     UNWIND $rows AS row
     MERGE (x:Extent {fact_id: row.fact_id, recorded_from: row.recorded_from})
     SET x = row
     WITH x WHERE NOT EXISTS { (x)<-[:EXTENT]-() }
     MATCH (f:Statement {id: x.fact_id})
     CREATE (f)-[:EXTENT]->(x)
   }
   CALL () {
     UNWIND $ended AS row
     MATCH (f:Statement {id: row.fact_id})-[d:DERIVED_FROM]->(e:Event) WHERE e.id = row.event_id AND d.recorded_to = $open_end
     SET d.recorded_to = row.at
     FOREACH (never IN CASE WHEN d.recorded_from = d.recorded_to THEN [d] ELSE [] END | DELETE never)
   }
   CALL () {
     UNWIND $supports AS row
     MATCH (f:Statement {id: row.fact_id})
     MATCH (e:Event {id: row.event_id})
     CREATE (f)-[:DERIVED_FROM {recorded_from: row.recorded_from, recorded_to: row.recorded_to}]->(e)
   }
   RETURN true AS done`,
);

// A stretch that comes again stays, for what cites it may not change.
const clear = statement<
  { claims: readonly string[]; stretches: readonly string[]; first: bigint },
  { claim: string }
>(
  'claim.clear',
  'indexes statement_claim_valid, extent_claim_known',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (x:Extent) USING INDEX SEEK x:Extent(claim, recorded_to) WHERE x.claim = claim AND x.recorded_to > 0
     DETACH DELETE x
   }
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, valid_from) WHERE s.claim = claim AND s.valid_from >= $first AND s.stretch_of IS NOT NULL
     OPTIONAL MATCH (s)-[edge]->()
     DELETE edge
     WITH DISTINCT s
     REMOVE s:Fact:Qualifying:KeptStatement
     FOREACH (gone IN CASE WHEN s.id IN $stretches THEN [] ELSE [s] END | DETACH DELETE gone)
   }
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, valid_from) WHERE s.claim = claim AND s.valid_from >= $first AND s.stretch_of IS NULL
     OPTIONAL MATCH (s)-[d:DERIVED_FROM]->()
     DELETE d
     WITH DISTINCT s
     REMOVE s:Fact
     SET s.fact_id = null
   }
   RETURN claim`,
);

const withdraw = statement<{ ids: readonly string[]; erased: boolean }, { ids: number }>(
  'claim.withdraw',
  'constraint statement_id',
  `UNWIND $ids AS id
   MATCH (s:Statement {id: id})
   SET s.withdrawn = true, s.fact_id = null, s:Withdrawn
   REMOVE s:Fact:TimedStatement:Denial:Qualifying:KeptStatement
   WITH s
   CALL (s) { MATCH (s)-[edge:RESTS_ON]->() DELETE edge }
   CALL (s) {
     MATCH (s)-[edge:SUBJECT|OBJECT|NAMED]->(n:Entity)
     DELETE edge
     WITH DISTINCT n, s
     CALL (n, s) {
       WITH n, s WHERE n.named_at IS NULL OR n.named_at = s.position OR n.position = s.position OR n.typed_at = s.position
       OPTIONAL MATCH (n)<-[role:SUBJECT|OBJECT|NAMED]-(other:Statement)
       WITH n, other, CASE type(role) WHEN 'SUBJECT' THEN other.subject_name WHEN 'OBJECT' THEN other.object_name ELSE role.name END AS name,
         CASE type(role) WHEN 'SUBJECT' THEN other.subject_normal WHEN 'OBJECT' THEN other.object_normal ELSE role.normal END AS normal,
         CASE type(role) WHEN 'SUBJECT' THEN other.subject_type WHEN 'OBJECT' THEN other.object_type ELSE role.type END AS type
       WITH n, min(other.position) AS position, min(normal) AS normal,
         min(CASE WHEN name IS NULL THEN null ELSE [other.position, name, normal] END) AS named,
         min(CASE WHEN type = 'other' THEN null ELSE [other.position, type] END) AS typed
       SET n.position = position, n.named_at = named[0], n.name = coalesce(named[1], n.id),
         n.normalised_name = coalesce(named[2], normal, n.normalised_name), n.type = coalesce(typed[1], 'other'), n.typed_at = typed[0]
     }
     WITH n WHERE NOT EXISTS { (n)<-[:SUBJECT|OBJECT|NAMED]-() }
     DETACH DELETE n
   }
   FOREACH (gone IN CASE WHEN $erased THEN [s] ELSE [] END | DETACH DELETE gone)
   RETURN count(*) AS ids`,
);

/** Writes claims within the transaction that read them. */
export class ClaimWriter {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** Writes what has changed. */
  write(writes: ClaimWrites): void {
    const fresh = new Set(writes.statements.map(({ id }) => id));
    const factOf = new Map(writes.belonging.map(({ id, fact_id }) => [id, fact_id]));
    this.transaction.send(write, {
      statements: writes.statements.map((row) => statementRow(row, factOf.get(row.id) ?? null)),
      belonging: writes.belonging.flatMap(({ id, fact_id }) => (fresh.has(id) ? [] : [{ id, fact_id }])),
      rows: writes.rows.map(extentRow),
      lost: writes.lost.map(({ fact_id, recorded_from }) => ({ fact_id, recorded_from: int(recorded_from) })),
      supports: writes.supports.map(({ fact_id, event_id, recorded_from, recorded_to }) => ({
        fact_id,
        event_id,
        recorded_from: int(recorded_from),
        recorded_to: int(recorded_to),
      })),
      ended: writes.ended.map(({ fact_id, event_id, at }) => ({ fact_id, event_id, at: int(at) })),
      open_end: int(OPEN_END),
    });
  }

  /** Takes what was derived about claims away; their statements stay, and of later stretches of conclusions those that are written next. */
  clear(claims: readonly string[], next: readonly NewStatement[]): void {
    if (claims.length === 0) return;
    const stretches = next.flatMap(({ id, stretch_of }) => (stretch_of === null ? [] : [id]));
    this.transaction.send(clear, { claims, stretches, first: int(FIRST_INSTANT) });
  }

  /** Takes statements out; those that are erased go, the others keep telling what their id stood for. */
  withdraw(ids: readonly string[], erased: boolean): void {
    if (ids.length > 0) this.transaction.send(withdraw, { ids, erased });
  }
}

function statementRow(row: NewStatement, factId: string | null): Param {
  const { levels, subject, object_entity, premises } = row;
  return {
    event_id: row.event_id,
    levels: Object.fromEntries(levels.map((level, i) => [`a${i}`, level])),
    premises: row.withdrawn ? [] : premises,
    qualifies: qualifies(row),
    begins: factId === row.id && row.extractor !== DECLARED,
    // What nobody states as a fact makes nothing known.
    entities: row.withdrawn || row.extractor === DECLARED || row.kind === 'settled' ? [] : entityRows(row),
    props: present({
      id: row.id,
      fact_id: factId,
      event_id: row.event_id,
      tenant: row.tenant,
      scope: row.scope,
      scope_ref: row.scope_ref,
      shard: int(row.shard),
      claim: row.claim,
      cardinality: row.cardinality,
      position: int(row.position),
      recorded_at: int(row.recorded_at),
      kind: row.kind,
      value: row.value,
      valid_from: int(row.valid_from),
      valid_to: int(row.valid_to),
      says_from: row.says_from,
      confidence: real(row.confidence),
      extractor: row.extractor,
      span_start: intOrNull(row.span?.start ?? null),
      span_end: intOrNull(row.span?.end ?? null),
      subject_id: subject.id,
      subject_name: subject.name,
      subject_normal: subject.normalised_name,
      subject_type: subject.type,
      predicate: row.predicate,
      object: row.object,
      object_id: object_entity?.id ?? null,
      object_name: object_entity?.name ?? null,
      object_normal: object_entity?.normalised_name ?? null,
      object_type: object_entity?.type ?? null,
      premises: premises.length === 0 ? null : premises,
      stretch_of: row.stretch_of,
      withdrawn: row.withdrawn,
      policy: row.policy ?? null,
      reaches: row.reaches ?? null,
      settles: row.settles ?? null,
      decision: row.decision === undefined ? null : JSON.stringify(row.decision),
      resolution: row.resolution ?? null,
      ...movedRow(row.moved),
    }),
  };
}

/**
 * Whether it does more to a claim than to assert a value, or is about it for some time only: a claim that has such a statement is not
 * gone on with from its end.
 */
export function qualifies({
  withdrawn,
  kind,
  premises,
  extractor,
  policy,
  reaches,
  moved,
}: NewStatement): boolean {
  const unusual = policy ?? reaches ?? moved;
  const isPlain = kind === 'asserted' && premises.length === 0 && unusual === undefined;
  return !withdrawn && (!isPlain || extractor === DECLARED);
}

function entityRows({ subject, object_entity, aliases = [] }: NewStatement): Param[] {
  const row = (role: string, { id, name, normalised_name, type }: NamedEntity): Param => ({
    role,
    id,
    name,
    normalised_name,
    type,
  });
  return [
    row('subject', subject),
    ...(object_entity === null ? [] : [row('object', object_entity)]),
    ...aliases.map((alias) => row('alias', alias)),
  ];
}

function extentRow(row: NewRow): Param {
  return present({
    fact_id: row.fact_id,
    claim: row.claim,
    value: row.value,
    tenant: row.tenant,
    scope_ref: row.scope_ref,
    valid_from: int(row.valid_from),
    valid_to: int(row.valid_to),
    recorded_from: int(row.recorded_from),
    recorded_to: int(row.recorded_to),
    superseded_by: row.superseded_by,
    ended_at: intOrNull(row.ended_at),
    caused_by: row.caused_by,
  });
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planClaimWrites(transaction: Transaction): Promise<void> {
  new ClaimWriter(transaction).write({
    statements: [],
    belonging: [],
    rows: [],
    lost: [],
    supports: [],
    ended: [],
  });
  await transaction.run(clear, { claims: [], stretches: [], first: int(FIRST_INSTANT) });
  await transaction.run(withdraw, { ids: [], erased: false });
}
