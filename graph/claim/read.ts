import type { Integer } from 'neo4j-driver';

import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import { restsOnAnother, type Reassignment } from '../../src/derive/claim/assignment.ts';
import type { Transaction } from '../driver.ts';
import { STORED_ROW, type StoredRow } from './stored-row.ts';
import { FIRST, instant, storedInstant, type Instant } from '../instant.ts';
import { int, statement, type Param, type Params } from '../statement.ts';
import { STATEMENT, storedStatement, type StatementRow, type StoredStatement } from '../stored-statement.ts';
import { TAKEN_OUT } from '../visible.ts';

/** A claim as it is stored. */
export interface StoredClaim {
  readonly claim: string;
  /** In no order; retracted ones are left out. */
  readonly statements: readonly StoredStatement[];
  readonly rows: readonly StoredRow[];
  /** Present where only the end of it is here, because what is new comes behind everything else in valid time, or in between near its end. */
  readonly appended?: 'behind' | 'between';
}

/** Whether a statement `s` is one that was said, and counts. */
export const COUNTED = 's.retracted = false AND s.continuation_of IS NULL';

interface LoadParams extends Params {
  claims: readonly string[];
  first: Instant;
  open_end: Instant;
}

/** With statements as they are read. */
type Unread<Claim extends StoredClaim> = Omit<Claim, 'statements'> & {
  readonly statements: readonly StatementRow[];
};

const loadClaims = statement<LoadParams, Unread<StoredClaim>>(
  'claim.load',
  'indexes statement_claim_valid, fact_version_claim_known',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from)
     WHERE s.claim = claim AND s.stated_from >= $first AND ${COUNTED} RETURN collect(${STATEMENT}) AS statements
   }
   CALL (claim) {
     MATCH (known:FactVersion) USING INDEX SEEK known:FactVersion(claim, recorded_to) WHERE known.claim = claim AND known.recorded_to = $open_end RETURN collect(${STORED_ROW}) AS rows
   }
   RETURN claim, statements, rows`,
);

/** The end of a claim in valid time; all of it where it is short. */
export interface EndOfClaim extends StoredClaim {
  /** Whether these are all statements, and all rows that are known now. Else the rows are those of the facts of these statements. */
  readonly whole: boolean;
  /** Whether all that is said of the claim are assertions that rest on nothing else. */
  readonly plain: boolean;
  /** Whether something that is not here may hold where the first of these statements begins, by what it says itself. */
  readonly reached: boolean;
}

// What is not to be looked for is left out by UNWIND: a condition would be asked of each row that an index has found.
const endsOfClaims = statement<LoadParams & { most: Integer }, Unread<EndOfClaim>>(
  'claim.ends',
  'indexes statement_claim_valid, statement_claim_end, qualifying_claim, fact_version_claim_known, fact_version_resumes; constraint fact_version_fact',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from) WHERE s.claim = claim AND s.stated_from >= $first
     WITH s ORDER BY s.claim DESC, s.stated_from DESC LIMIT $most
     WITH collect(s) AS found
     RETURN size(found) < $most AS whole, [s IN found WHERE ${COUNTED}] AS counted, last(found).stated_from AS begins, found
   }
   CALL (claim, whole) {
     UNWIND CASE WHEN whole THEN [claim] ELSE [] END AS short
     MATCH (known:FactVersion) USING INDEX SEEK known:FactVersion(claim, recorded_to) WHERE known.claim = short AND known.recorded_to = $open_end
     RETURN collect(${STORED_ROW}) AS all_rows
   }
   CALL (counted, whole) {
     UNWIND CASE WHEN whole THEN [] ELSE counted END AS s
     WITH DISTINCT s.fact_id AS fact_id
     CALL (fact_id) {
       MATCH (known:FactVersion) USING INDEX SEEK known:FactVersion(fact_id, recorded_from)
       WHERE known.fact_id = fact_id AND known.recorded_from >= $first AND known.recorded_to = $open_end
       RETURN known
       UNION ALL
       MATCH (known:FactVersion) USING INDEX SEEK known:FactVersion(resumes, valid_from)
       WHERE known.resumes = fact_id AND known.valid_from >= $first AND known.recorded_to = $open_end
       RETURN known
     }
     RETURN collect(${STORED_ROW}) AS rows_of_facts
   }
   OPTIONAL CALL (claim, whole, begins, found) {
     UNWIND CASE WHEN whole THEN [] ELSE [claim] END AS cut
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_to) WHERE s.claim = cut AND s.stated_to > begins AND s.stated_from <= begins AND NOT s IN found
     RETURN true AS reaching LIMIT 1
   }
   RETURN claim, whole, reaching IS NOT NULL AS reached, [s IN counted | ${STATEMENT}] AS statements, all_rows + rows_of_facts AS rows,
     NOT EXISTS { MATCH (q:RequiresFullReplay) WHERE q.claim = claim } AS plain`,
);

/** The end of a claim that is to be gone on with: from where in valid time on it was read, and when what is new of it was recorded first. */
export interface WindowOfClaim {
  readonly claim: string;
  readonly first: number;
  readonly since: number;
}

const retroactivelyRevised = statement<{ windows: readonly Param[] }, { claim: string }>(
  'claim.retroactively_revised',
  'index belief_revision_claim',
  `UNWIND $windows AS window
   CALL (window) {
     MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(claim, recorded_from)
     WHERE x.claim = window.claim AND x.recorded_from >= ${storedInstant('window.since')} AND x.valid_from < ${storedInstant('window.first')}
     RETURN x.claim AS claim LIMIT 1
   }
   RETURN claim`,
);

const statementsById = statement<{ ids: readonly string[] }, { claim: string; statement: StatementRow }>(
  'claim.statements_by_id',
  'constraint statement_id',
  `UNWIND $ids AS id MATCH (s:Statement {id: id}) RETURN s.claim AS claim, ${STATEMENT} AS statement`,
);

const rowsOfClaims = statement<{ claims: readonly string[] }, { claim: string; rows: StoredRow[] }>(
  'claim.rows',
  'index fact_version_claim_known',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (known:FactVersion) USING INDEX SEEK known:FactVersion(claim, recorded_to) WHERE known.claim = claim AND known.recorded_to >= ${FIRST}
     WITH known WHERE known.same_time IS NULL
     RETURN collect(${STORED_ROW}) AS rows
   }
   RETURN claim, rows`,
);

/** What a name of a premise stands for: a claim with a value, an event, or nothing. */
export interface FoundPremise {
  readonly id: string;
  readonly claim: string | null;
  readonly value: string | null;
  /** Shard of its scope; null where nothing was found. */
  readonly shard: number | null;
  /** True for an event that is there and was not taken out. */
  readonly event: boolean;
  /** JSON text of what links made of what it stands for; null where they made nothing. */
  readonly moved: string | null;
}

interface PremiseParams extends Params {
  ids: readonly string[];
  tenants: readonly string[];
  first: Instant;
}

interface PremiseRow extends FoundPremise {
  /** What links made of the first statement of a belief's claim and value that moved away; null where none did. */
  readonly sent: string | null;
  /** Since when another statement says the same that never moves; null where none does. */
  readonly stays_from: number | null;
}

// A belief is sent after a statement that was about its claim from the beginning and moved away by a link; not after one that a link
// only brought there, nor where another that stays had said the same by then.
const findPremises = statement<PremiseParams, PremiseRow>(
  'claim.premises',
  'constraints statement_id, event_id, belief_id; indexes qualifying_claim, statement_claim_valid',
  `UNWIND $ids AS id
   OPTIONAL MATCH (s:Statement {id: id}) WHERE s.tenant IN $tenants
   OPTIONAL MATCH (b:Belief {id: id}) WHERE b.tenant IN $tenants
   OPTIONAL MATCH (e:Event {id: id}) WHERE e.tenant IN $tenants AND e.redacted_at IS NULL AND NOT ${TAKEN_OUT}
   OPTIONAL CALL (b) {
     MATCH (q:RequiresFullReplay) WHERE q.claim = b.claim AND q.value = b.value AND q.moved IS NOT NULL AND q.known_at = q.recorded_at
     WITH min([q.position, q.id, q.moved]) AS earliest
     WITH earliest WHERE earliest IS NOT NULL
     OPTIONAL MATCH (u:Statement) USING INDEX SEEK u:Statement(claim, stated_from)
     WHERE u.claim = b.claim AND u.stated_from >= $first AND u.value = b.value AND u.moved IS NULL AND u.retracted = false
     RETURN earliest[2] AS sent, min(u.recorded_at.epochMillis) AS stays_from
   }
   RETURN id, coalesce(s.claim, b.claim) AS claim, coalesce(s.value, b.value) AS value,
     coalesce(s.shard, b.shard, e.shard) AS shard, e IS NOT NULL AS event, s.moved AS moved, sent, stays_from`,
);

const statementsOfEvents = statement<
  { event_ids: readonly string[]; erased: readonly string[] },
  StatementOfEvent
>(
  'claim.of_events',
  'index statement_event',
  `UNWIND $event_ids AS event_id
   MATCH (s:Statement) WHERE s.event_id = event_id AND (s.retracted = false OR event_id IN $erased)
   RETURN s.id AS id, s.claim AS claim, s.event_id AS event_id, s.continuation_of AS continuation_of, s.kind AS kind`,
);

/** What may become different of a stored statement. */
export type ChangingParts = Pick<StoredStatement, 'moved' | 'max_layer' | 'not_about'>;

const statementsThere = statement<{ ids: readonly string[] }, ChangingParts & { id: string }>(
  'claim.there',
  'constraint statement_id',
  `UNWIND $ids AS id MATCH (s:Statement {id: id}) RETURN s.id AS id, s.moved AS moved, s.max_layer AS max_layer, s.not_about AS not_about`,
);

/** Which claim a statement of an event is about. */
export interface StatementOfEvent {
  readonly id: string;
  readonly event_id: string;
  readonly claim: string;
  /** The statement of which it is a later stretch, which nobody stated; null for what was stated. */
  readonly continuation_of: string | null;
  readonly kind: StoredStatement['kind'];
}

/** A claim that rests on another one, and where it lies. */
export interface Dependent {
  readonly claim: string;
  readonly shard: number;
}

/** Yields the premises `p` which stand for the claim in `claim`, or did at some time as links have it. */
export const PREMISES_OF_CLAIM = `CALL (claim) {
     MATCH (p:Premise) WHERE p.claim = claim
     RETURN p
     UNION
     MATCH (h:PremiseHome) WHERE h.claim = claim
     MATCH (h)-[:OF]->(p:Premise)
     RETURN p
   }`;

/**
 * Whether a statement `s` counts, and what it rests on is told apart from its own claim (`claim` is that of the premise): a reason that a
 * declaration names changes only how sure it is, and is none where it is a value of the same claim.
 */
export const RESTS_ON_OTHERS = `s.retracted = false AND NOT (s.extractor = 'declared' AND s.claim = claim)`;

interface DependentParams extends Params {
  claims: readonly string[];
  fresh: readonly { readonly id: string; readonly claim: string }[];
}

interface DependentRow extends Dependent {
  /** Of a declaration that links moved with its reason: the claim of the reason, and what they made of both (JSON texts); else null. */
  readonly together: readonly [claim: string, moved: string, reason: string] | null;
}

const dependents = statement<DependentParams, DependentRow>(
  'claim.dependents',
  'indexes premise_claim, premise_home_claim; constraints premise_id, statement_id',
  `CALL () {
     UNWIND $claims AS claim
     ${PREMISES_OF_CLAIM}
     RETURN p, claim
     UNION
     UNWIND $fresh AS one
     MATCH (p:Premise {id: one.id})
     RETURN p, one.claim AS claim
   }
   MATCH (p)<-[:RESTS_ON]-(s:Statement) WHERE ${RESTS_ON_OTHERS}
   OPTIONAL MATCH (t:Statement {id: p.id}) WHERE s.extractor = 'declared' AND s.moved IS NOT NULL AND t.moved IS NOT NULL
   RETURN DISTINCT s.claim AS claim, s.shard AS shard, CASE WHEN t IS NULL THEN null ELSE [claim, s.moved, t.moved] END AS together`,
);

const lockShards = statement<{ numbers: readonly Integer[]; worker: string }, { number: number }>(
  'claim.lock_shards',
  'constraint shard_number',
  `UNWIND $numbers AS number MATCH (shard:Shard {number: number}) SET shard.touched = $worker RETURN shard.number AS number`,
);

const BOUNDS = { first: instant(FIRST_INSTANT), open_end: instant(OPEN_END) };

/** Reads claims within the transaction that changes them. */
export class ClaimReader {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** Claims with their statements and the rows that are known now; one that nothing was said about has neither. */
  async load(claims: readonly string[]): Promise<StoredClaim[]> {
    if (claims.length === 0) return [];
    return (await this.transaction.run(loadClaims, { claims, ...BOUNDS })).map(withStatements);
  }

  /** The ends of claims: of each, at most so many of its statements, the last in valid time. */
  async ends(claims: readonly string[], most: number): Promise<EndOfClaim[]> {
    if (claims.length === 0) return [];
    const rows = await this.transaction.run(endsOfClaims, { claims, ...BOUNDS, most: int(most) });
    return rows.map(withStatements);
  }

  /** The claims of which something in front of their window was believed anew at the instant of what is new, or later. */
  async retroactivelyRevised(windows: readonly WindowOfClaim[]): Promise<ReadonlySet<string>> {
    if (windows.length === 0) return new Set();
    const rows = windows.map(({ claim, first, since }) => ({ claim, first: int(first), since: int(since) }));
    return new Set(
      (await this.transaction.run(retroactivelyRevised, { windows: rows })).map(({ claim }) => claim),
    );
  }

  /** Statements by id, also of events that were taken out; those that are not there are left out. */
  async statements(ids: readonly string[]): Promise<(StoredStatement & { readonly claim: string })[]> {
    if (ids.length === 0) return [];
    const rows = await this.transaction.run(statementsById, { ids });
    return rows.map(({ claim, statement: text }) => ({ ...storedStatement(text), claim }));
  }

  /**
   * The rows of the facts of claims, what was known before included, but for those that say only how sure a fact is: whatever is said of
   * its time goes on until the next row.
   */
  async rows(claims: readonly string[]): Promise<ReadonlyMap<string, readonly StoredRow[]>> {
    if (claims.length === 0) return new Map();
    const found = await this.transaction.run(rowsOfClaims, { claims });
    return new Map(found.map(({ claim, rows }) => [claim, rows]));
  }

  /** What names of premises stand for, in the tenants of those who name them. */
  async premises(ids: readonly string[], tenants: readonly string[]): Promise<FoundPremise[]> {
    if (ids.length === 0) return [];
    const rows = await this.transaction.run(findPremises, { ids, tenants, first: BOUNDS.first });
    return rows.map(({ sent, stays_from, moved, ...premise }) => ({
      ...premise,
      moved: moved ?? (sent !== null && isLeft(sent, stays_from) ? sent : null),
    }));
  }

  /** The statements of events that are still counted; of those in `erased` the retracted ones too. */
  ofEvents(eventIds: readonly string[], erased: readonly string[] = []): Promise<StatementOfEvent[]> {
    return eventIds.length === 0
      ? Promise.resolve([])
      : this.transaction.run(statementsOfEvents, { event_ids: eventIds, erased });
  }

  /** Those of the ids that are stored statements, retracted ones among them, with what links made of each and how far it counts. */
  async there(ids: readonly string[]): Promise<ReadonlyMap<string, ChangingParts>> {
    if (ids.length === 0) return new Map();
    const rows = await this.transaction.run(statementsThere, { ids });
    return new Map(rows.map(({ id, ...parts }) => [id, parts]));
  }

  /**
   * The claims that rest directly on any of these (ids of events among them), and those that named statements by their ids before
   * these were there: `fresh` are written next.
   */
  async dependents(
    claims: readonly string[],
    fresh: readonly { readonly id: string; readonly claim: string }[] = [],
  ): Promise<Dependent[]> {
    if (claims.length === 0) return [];
    const params = { claims, fresh: fresh.map(({ id, claim }) => ({ id, claim })) };
    const found = (await this.transaction.run(dependents, params)).filter(
      ({ together }) => together === null || isApart(together),
    );
    return [...new Map(found.map(({ claim, shard }) => [claim, { claim, shard }])).values()];
  }

  /** Holds shards until the transaction ends, so that nobody changes a claim of theirs meanwhile. */
  async lock(numbers: readonly number[], worker: string): Promise<void> {
    const ascending = [...numbers].sort((a, b) => a - b).map(int);
    if (ascending.length > 0) await this.transaction.run(lockShards, { numbers: ascending, worker });
  }
}

function withStatements<Claim extends { readonly statements: readonly StatementRow[] }>(claim: Claim) {
  return { ...claim, statements: claim.statements.map(storedStatement) };
}

/** Whether a declaration and its reason are not where the other is at the same time; see {@link restsOnAnother}. */
function isApart([claim, moved, reason]: NonNullable<DependentRow['together']>): boolean {
  return restsOnAnother(JSON.parse(moved) as Reassignment, JSON.parse(reason) as Reassignment, claim);
}

/** Whether nothing that stays said the same when a statement first left its claim; what was said after that changes nothing of the past. */
function isLeft(moved: string, staysFrom: number | null): boolean {
  const { assignments } = JSON.parse(moved) as Reassignment;
  return staysFrom === null || staysFrom > (assignments[1]?.at ?? Infinity);
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planClaimReads(transaction: Transaction): Promise<void> {
  await transaction.run(loadClaims, { claims: [], ...BOUNDS });
  await transaction.run(endsOfClaims, { claims: [], ...BOUNDS, most: int(1) });
  await transaction.run(retroactivelyRevised, { windows: [] });
  await transaction.run(statementsById, { ids: [] });
  await transaction.run(rowsOfClaims, { claims: [] });
  await transaction.run(findPremises, { ids: [], tenants: [], first: BOUNDS.first });
  await transaction.run(statementsOfEvents, { event_ids: [], erased: [] });
  await transaction.run(statementsThere, { ids: [] });
  await transaction.run(dependents, { claims: [], fresh: [] });
  await transaction.run(lockShards, { numbers: [], worker: '' });
}
