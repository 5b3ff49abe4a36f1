import type { NewStatement } from './new-statement.ts';

import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import {
  ENTITY_ROW,
  RESUMPTION_ROW,
  resumptionRow,
  STATEMENT_PROPS,
  STATEMENT_ROW,
  statementRow,
  VERSION_PROPS,
  VERSION_ROW,
  versionRow,
  type ClaimWrites,
} from './row.ts';
import { Columns, levelsOf, type Levels } from '../columns.ts';
import { CONCLUDE } from '../conclusion-edge.ts';
import type { Transaction } from '../driver.ts';
import { KEEP_LEFT_NAMES, KEEP_NAME } from '../entity/name.ts';
import { LIFE_CLASS } from '../fact/life.ts';
import { FIRST, instant, storedInstant, type Instant } from '../instant.ts';
import { int, statement, type Param, type Params } from '../statement.ts';

interface WriteParams extends Params {
  statements: readonly Param[];
  levels: Levels;
  belonging: readonly Param[];
  rows: readonly Param[];
  removed: readonly Param[];
  resumptions: readonly Param[];
  dropped: readonly Param[];
  supports: readonly Param[];
  ended: readonly Param[];
  open_end: Instant;
}

/** For a statement `s` that begins no fact, or none any more: nothing of what a fact says as it is known now. */
const NO_FACT =
  's.life_class = null, s.valid_from = null, s.valid_to = null, s.confidence = null, s.recorded_from = null, s.recorded_to = null';

const SUPPORT_ROW = new Columns(
  ['fact_id', 'event_id', 'recorded_from', 'recorded_to'],
  ['recorded_from', 'recorded_to'],
);

// An entity is of the type that the earliest statement gives it, and goes by the name that was learned last, whichever comes to be
// written first; a name is spelt as the earliest statement spells it. Of two that one event gives, the first in the order of letters counts.
const write = statement<WriteParams, { done: boolean }>(
  'claim.write',
  'constraints event_id, statement_id, belief_id, entity_key, entity_name_key, fact_version_fact, premise_id; indexes entity_name_order, fact_version_resumes',
  `CALL () {
     UNWIND $statements AS sent
     WITH ${STATEMENT_ROW.map('sent')} AS row
     WITH row, row.props AS props
     MATCH (e:Event {id: row.event_id})
     MERGE (s:Statement {id: ${STATEMENT_PROPS.cell('props', 'id')}})
     CREATE (s)-[:STATED_IN]->(e)
     SET ${STATEMENT_PROPS.set('s', 'props')}
     SET s += $levels[s.scope_ref]
     FOREACH (fact IN CASE WHEN row.begins THEN [s] ELSE [] END | SET fact:Fact)
     FOREACH (qualifying IN CASE WHEN row.requires_full_replay THEN [s] ELSE [] END | SET qualifying:RequiresFullReplay)
     FOREACH (kept IN CASE WHEN s.policy = 'keep_both' AND NOT s.retracted THEN [s] ELSE [] END | SET kept:MultiValueStatement)
     FOREACH (gone IN CASE WHEN s.retracted THEN [s] ELSE [] END | SET gone:Retracted)
     WITH s, row
     CALL (s, row) {
       UNWIND row.entities AS sent
       WITH s, row, ${ENTITY_ROW.map('sent')} AS named
       MERGE (n:Entity {key: s.scope_ref + ' ' + named.id})
         ON CREATE SET n += $levels[s.scope_ref], n.id = named.id, n.tenant = s.tenant, n.scope = s.scope, n.scope_ref = s.scope_ref,
           n.name = coalesce(named.name, named.id), n.type = 'other', n.position = s.position
       FOREACH (subject IN CASE WHEN named.role = 'subject' THEN [s] ELSE [] END | CREATE (subject)-[:SUBJECT]->(n))
       FOREACH (object IN CASE WHEN named.role = 'object' THEN [s] ELSE [] END | CREATE (object)-[:OBJECT]->(n))
       FOREACH (alias IN CASE WHEN named.role = 'alias' THEN [s] ELSE [] END |
         CREATE (alias)-[:NAMED {name: named.name, normal: named.normalised_name, type: named.type}]->(n))
       FOREACH (earlier IN CASE WHEN n.position > s.position THEN [n] ELSE [] END | SET earlier.position = s.position)
       FOREACH (typed IN CASE WHEN named.type <> 'other' AND (n.typed_at IS NULL OR n.typed_at > s.position
           OR (n.typed_at = s.position AND n.type > named.type)) THEN [n] ELSE [] END |
         SET typed.type = named.type, typed.typed_at = s.position)
       WITH n, s, named
       ${KEEP_NAME}
     }
     CALL (s, row) {
       UNWIND row.premises AS id
       MERGE (p:Premise {id: id}) ON CREATE SET p.claim = ''
       CREATE (s)-[:RESTS_ON]->(p)
       WITH s, id
       CALL (id) {
         MATCH (n:Statement {id: id}) RETURN n
         UNION MATCH (n:Belief {id: id}) RETURN n
         UNION MATCH (n:Event {id: id}) RETURN n
       }
       WITH s AS conclusion, n AS premise
       ${CONCLUDE}
     }
     CALL (s) {
       MATCH (p:Premise {id: s.id})
       SET p.claim = s.claim
       WITH s, p
       MATCH (p)<-[:RESTS_ON]-(conclusion:Statement)
       WITH conclusion, s AS premise
       ${CONCLUDE}
     }
   }
   CALL () {
     UNWIND $belonging AS row
     MATCH (s:Statement {id: row.id})
     SET s.fact_id = row.fact_id
     WITH s, row.fact_id = row.id AS begins
     FOREACH (fact IN CASE WHEN begins THEN [1] ELSE [] END | SET s:Fact)
     FOREACH (none IN CASE WHEN begins THEN [] ELSE [1] END | REMOVE s:Fact SET ${NO_FACT})
   }
   CALL () {
     UNWIND $removed AS row
     MATCH (x:FactVersion {fact_id: row.fact_id, recorded_from: ${storedInstant('row.recorded_from')}})
     CALL (x) { MATCH (x)<-[:HAS_VERSION]-(f)-[r:SUPERSEDED_BY]->() WHERE r.recorded_from = x.recorded_from DELETE r }
     DETACH DELETE x
   }
   CALL () {
     UNWIND $rows AS sent
     WITH ${VERSION_ROW.map('sent')} AS row
     WITH row, row.props AS props
     MERGE (x:FactVersion {fact_id: ${VERSION_PROPS.cell('props', 'fact_id')}, recorded_from: ${VERSION_PROPS.cell('props', 'recorded_from')}})
     SET ${VERSION_PROPS.set('x', 'props')}
     WITH x, row
     MATCH (f:Statement {id: x.fact_id})
     CALL (f, x, row) {
       MATCH (f)-[r:SUPERSEDED_BY]->(other) WHERE r.recorded_from = x.recorded_from AND other.id <> coalesce(row.superseded_by, '')
       DELETE r
     }
     CALL (f, x, row) {
       MATCH (successor:Statement {id: row.superseded_by})
       MERGE (f)-[r:SUPERSEDED_BY {recorded_from: x.recorded_from}]->(successor)
       SET r.recorded_to = x.recorded_to, r.valid_at = coalesce(x.ends_at, x.valid_to)
     }
     WITH f, x, row.over_at AS over_at, NOT EXISTS { (x)<-[:HAS_VERSION]-() } AS unknown
     FOREACH (version IN CASE WHEN unknown THEN [x] ELSE [] END | CREATE (f)-[:HAS_VERSION]->(version))
     WITH f, over_at, x WHERE x.recorded_to = $open_end
     SET f.life_class = ${LIFE_CLASS}, f.valid_from = x.valid_from, f.valid_to = coalesce(x.ends_at, x.valid_to), f.confidence = x.confidence,
       f.recorded_from = f.recorded_at, f.recorded_to = coalesce(x.ended_at, $open_end)
   }
   CALL () {
     UNWIND $dropped AS row
     MATCH (x:FactVersion {resumes: row.resumes, valid_from: ${storedInstant('row.valid_from')}, recorded_from: ${storedInstant('row.recorded_from')}})
     DETACH DELETE x
   }
   CALL () {
     UNWIND $resumptions AS sent
     WITH ${RESUMPTION_ROW.map('sent')} AS row
     MERGE (x:FactVersion {resumes: row.resumes, valid_from: row.valid_from, recorded_from: row.recorded_from})
     SET x.claim = row.claim, x.value = row.value, x.tenant = row.tenant, x.scope_ref = row.scope_ref, x.valid_to = row.valid_to,
       x.recorded_to = row.recorded_to
     WITH x
     MATCH (f:Statement {id: x.resumes})
     SET x.subject_id = f.subject_id
     WITH f, x WHERE NOT EXISTS { (x)<-[:HAS_VERSION]-() }
     CREATE (f)-[:HAS_VERSION]->(x)
   }
   CALL () {
     UNWIND $ended AS row
     MATCH (f:Statement {id: row.fact_id})-[d:DERIVED_FROM]->(e:Event) WHERE e.id = row.event_id AND d.recorded_to = $open_end
     SET d.recorded_to = ${storedInstant('row.at')}
     FOREACH (never IN CASE WHEN d.recorded_from = d.recorded_to THEN [d] ELSE [] END | DELETE never)
   }
   CALL () {
     UNWIND $supports AS sent
     WITH ${SUPPORT_ROW.map('sent')} AS row
     MATCH (f:Statement {id: row.fact_id})
     MATCH (e:Event {id: row.event_id})
     CREATE (f)-[:DERIVED_FROM {recorded_from: row.recorded_from, recorded_to: row.recorded_to}]->(e)
   }
   RETURN true AS done`,
);

// A stretch that comes again stays, for what cites it may not change.
const clear = statement<
  { claims: readonly string[]; continuations: readonly string[]; first: Instant },
  { claim: string }
>(
  'claim.clear',
  'indexes statement_claim_valid, fact_version_claim_known',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (x:FactVersion) USING INDEX SEEK x:FactVersion(claim, recorded_to) WHERE x.claim = claim AND x.recorded_to >= ${FIRST}
     DETACH DELETE x
   }
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from) WHERE s.claim = claim AND s.stated_from >= $first AND s.continuation_of IS NOT NULL
     OPTIONAL MATCH (s)-[edge]->()
     DELETE edge
     WITH DISTINCT s
     REMOVE s:Fact:RequiresFullReplay:MultiValueStatement
     SET ${NO_FACT}
     FOREACH (gone IN CASE WHEN s.id IN $continuations THEN [] ELSE [s] END | DETACH DELETE gone)
   }
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from) WHERE s.claim = claim AND s.stated_from >= $first AND s.continuation_of IS NULL
     OPTIONAL MATCH (s)-[d:DERIVED_FROM|SUPERSEDED_BY]->()
     DELETE d
     WITH DISTINCT s
     REMOVE s:Fact
     SET s.fact_id = null, ${NO_FACT}
   }
   RETURN claim`,
);

const withdraw = statement<{ ids: readonly string[]; erased: boolean }, { ids: number }>(
  'claim.withdraw',
  'constraint statement_id, index entity_name_order',
  `UNWIND $ids AS id
   MATCH (s:Statement {id: id})
   SET s.retracted = true, s.fact_id = null, ${NO_FACT}, s:Retracted
   REMOVE s:Fact:TimedStatement:Denial:RequiresFullReplay:MultiValueStatement
   WITH s
   CALL (s) { MATCH (s)-[edge:RESTS_ON|CONCLUDED_FROM]->() DELETE edge }
   CALL (s) {
     MATCH (s)-[edge:SUBJECT|OBJECT|NAMED]->(n:Entity)
     DELETE edge
     WITH DISTINCT n, s
     CALL (n, s) {
       WITH n, s WHERE n.position = s.position OR n.typed_at = s.position OR EXISTS { (n)-[:KNOWN_AS]->(m) WHERE m.position = s.position }
       OPTIONAL MATCH (n)<-[role:SUBJECT|OBJECT|NAMED]-(other:Statement)
       WITH n, other, CASE type(role) WHEN 'SUBJECT' THEN other.subject_name WHEN 'OBJECT' THEN other.object_name ELSE role.name END AS name,
         CASE type(role) WHEN 'SUBJECT' THEN other.subject_normal WHEN 'OBJECT' THEN other.object_normal ELSE role.normal END AS normal,
         CASE type(role) WHEN 'SUBJECT' THEN other.subject_type WHEN 'OBJECT' THEN other.object_type ELSE role.type END AS type
       WITH n, name IS NOT NULL AS given, normal, min([other.position, coalesce(name, ''), other.recorded_at]) AS first,
         min(CASE WHEN type = 'other' THEN null ELSE [other.position, type] END) AS typed
       WITH n, min(first[0]) AS position, min(typed) AS typed, collect({given: given, normal: normal, first: first}) AS names
       SET n.position = position, n.type = coalesce(typed[1], 'other'), n.typed_at = typed[0]
       WITH n, names
       ${KEEP_LEFT_NAMES}
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
      levels: levelsOf(writes.statements),
      belonging: writes.belonging.flatMap(({ id, fact_id }) => (fresh.has(id) ? [] : [{ id, fact_id }])),
      rows: writes.rows.map(versionRow),
      resumptions: writes.resumptions.map(resumptionRow),
      dropped: writes.dropped.map(({ resumes, valid_from, recorded_from }) => ({
        resumes,
        valid_from: int(valid_from),
        recorded_from: int(recorded_from),
      })),
      removed: writes.removed.map(({ fact_id, recorded_from }) => ({
        fact_id,
        recorded_from: int(recorded_from),
      })),
      supports: writes.supports.map((row) =>
        SUPPORT_ROW.row({
          ...row,
          recorded_from: int(row.recorded_from),
          recorded_to: int(row.recorded_to),
        }),
      ),
      ended: writes.ended.map(({ fact_id, event_id, at }) => ({ fact_id, event_id, at: int(at) })),
      open_end: instant(OPEN_END),
    });
  }

  /** Takes what was derived about claims away; their statements stay, and of later stretches of conclusions those that are written next. */
  clear(claims: readonly string[], next: readonly NewStatement[]): void {
    if (claims.length === 0) return;
    const continuations = next.flatMap(({ id, continuation_of }) => (continuation_of === null ? [] : [id]));
    this.transaction.send(clear, { claims, continuations, first: instant(FIRST_INSTANT) });
  }

  /** Takes statements out; those that are erased go, the others keep telling what their id stood for. */
  withdraw(ids: readonly string[], erased: boolean): void {
    if (ids.length > 0) this.transaction.send(withdraw, { ids, erased });
  }
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planClaimWrites(transaction: Transaction): Promise<void> {
  new ClaimWriter(transaction).write({
    statements: [],
    belonging: [],
    rows: [],
    removed: [],
    resumptions: [],
    dropped: [],
    supports: [],
    ended: [],
  });
  await transaction.run(clear, { claims: [], continuations: [], first: instant(FIRST_INSTANT) });
  await transaction.run(withdraw, { ids: [], erased: false });
}
