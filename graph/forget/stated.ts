import type { Reassignment } from '../../src/derive/claim/assignment.ts';
import type { KeyedIds } from '../../src/derive/keyed-ids.ts';
import { statementId } from '../../src/derive/statement.ts';
import type { FootprintPremise, FootprintStatement } from '../../src/forget/footprint.ts';
import type { Reader } from '../driver.ts';
import { PREMISES_OF_CLAIM } from '../claim/read.ts';
import { FIRST } from '../instant.ts';
import { statement } from '../statement.ts';
import { readPages } from './pages.ts';
import { FOR_BELIEFS, FOR_CONCEPTS } from './rests.ts';

interface StatedRow {
  readonly id: string;
  readonly continuation_of: string | null;
  readonly event_id: string;
  readonly scope_ref: string;
  readonly claim: string;
  readonly value: string;
  readonly fact: string | null;
  readonly believed: boolean;
  /** Ids of entities, and what it names them as. */
  readonly named: readonly (readonly [id: string, role: 'subject' | 'object'])[];
  readonly premises: readonly string[];
  readonly declared: boolean;
  /** JSON text of what links made of it; null where they made nothing. */
  readonly moved: string | null;
}

const ofClaims = statement<{ claims: readonly string[] }, StatedRow>(
  'forget.statements_of_claims',
  'index statement_claim_valid, all of each claim',
  `UNWIND $claims AS claim
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from)
     WHERE s.claim = claim AND s.stated_from >= ${FIRST} AND s.retracted = false
     RETURN s
   }
   RETURN s.id AS id, s.continuation_of AS continuation_of, s.event_id AS event_id, s.scope_ref AS scope_ref, s.claim AS claim, s.value AS value,
     s.fact_id AS fact, s.continuation_of IS NULL AND ${FOR_BELIEFS} AS believed, coalesce(s.premises, []) AS premises,
     s.extractor = 'declared' AS declared, s.moved AS moved,
     COLLECT { MATCH (s)-[role:SUBJECT|OBJECT]->(n:Entity) WHERE ${FOR_CONCEPTS} RETURN [n.id, toLower(type(role))] } AS named`,
);

const claimsOfRecords = statement<{ ids: readonly string[] }, { claim: string }>(
  'forget.claims_of_records',
  'constraints statement_id, belief_id',
  `UNWIND $ids AS id
   CALL (id) {
     MATCH (s:Statement {id: id}) RETURN s.claim AS claim
     UNION
     MATCH (b:Belief {id: id}) RETURN b.claim AS claim
   }
   RETURN DISTINCT claim`,
);

const claimsOfConcepts = statement<{ ids: readonly string[] }, { claim: string }>(
  'forget.claims_of_concepts',
  'constraints concept_id, entity_key',
  `UNWIND $ids AS id
   MATCH (c:Concept {id: id})
   MATCH (:Entity {key: c.scope_ref + ' ' + c.entity_id})<-[role:SUBJECT|OBJECT]-(s:Statement) WHERE ${FOR_CONCEPTS}
   RETURN DISTINCT s.claim AS claim`,
);

const claimsRestingOn = statement<{ claims: readonly string[]; tenant: string }, { claim: string }>(
  'forget.claims_resting_on',
  'indexes premise_claim, premise_home_claim',
  `UNWIND $claims AS claim
   ${PREMISES_OF_CLAIM}
   MATCH (p)<-[:RESTS_ON]-(s:Statement) WHERE s.tenant = $tenant AND s.retracted = false
   RETURN DISTINCT s.claim AS claim`,
);

const claimsConcludedFrom = statement<{ ids: readonly string[]; tenant: string }, { claim: string }>(
  'forget.claims_concluded_from',
  'constraint premise_id',
  `UNWIND $ids AS id
   MATCH (:Premise {id: id})<-[:RESTS_ON]-(s:Statement) WHERE s.tenant = $tenant AND s.retracted = false
   RETURN DISTINCT s.claim AS claim`,
);

interface PremiseRow {
  readonly id: string;
  readonly event: boolean;
  readonly belief: boolean;
  readonly claim: string | null;
  readonly value: string | null;
  readonly moved: string | null;
}

const premises = statement<{ ids: readonly string[] }, PremiseRow>(
  'forget.premises',
  'constraints event_id, statement_id, belief_id',
  `UNWIND $ids AS id
   OPTIONAL MATCH (e:Event {id: id}) WHERE e.redacted_at IS NULL
   OPTIONAL MATCH (s:Statement {id: id})
   OPTIONAL MATCH (b:Belief {id: id})
   RETURN id, e IS NOT NULL AS event, b IS NOT NULL AS belief, coalesce(s.claim, b.claim) AS claim, coalesce(s.value, b.value) AS value,
     s.moved AS moved`,
);

/** The scope that is not elsewhere. */
export interface StatedPlace {
  readonly tenant: string;
  readonly ref: string;
}

/** Statements of claims, and what links made of them. */
export interface StatedClaims {
  readonly statements: FootprintStatement[];
  /** Claims that links moved something of these to or away from. */
  readonly moved: string[];
  /** Ids that are ids of one thing said. */
  readonly same: string[][];
}

/** Reads what events state of claims, and what was concluded from it; in bounded pages of claims and ids, each claim as a whole. */
export class StatedReader {
  private readonly reader: Reader;
  private readonly ids: KeyedIds;
  private readonly place: StatedPlace;

  constructor(reader: Reader, ids: KeyedIds, place: StatedPlace) {
    this.reader = reader;
    this.ids = ids;
    this.place = place;
  }

  /** The statements of claims that are counted, with later stretches of conclusions. What links made of them is still apart. */
  async ofClaims(claims: Iterable<string>): Promise<StatedClaims> {
    const rows = await readPages(claims, (page) => this.reader.read(ofClaims, { claims: page }));
    const moves = rows.flatMap(({ moved, event_id }) =>
      moved === null ? [] : [{ event_id, to: assignmentsOf(moved) }],
    );
    return {
      statements: rows.map((row) => this.statementOf(row)),
      moved: [...new Set(moves.flatMap(({ to }) => to.map(({ claim }) => claim)))],
      same: moves.map(({ event_id, to }) =>
        to.map(({ claim, value }) => statementId(claim, value, event_id)),
      ),
    };
  }

  /** The claims of facts and beliefs. */
  claimsOfRecords(ids: Iterable<string>): Promise<string[]> {
    return claimsBy(ids, (page) => this.reader.read(claimsOfRecords, { ids: page }));
  }

  /** The claims about the entities of concepts. */
  claimsOfConcepts(ids: Iterable<string>): Promise<string[]> {
    return claimsBy(ids, (page) => this.reader.read(claimsOfConcepts, { ids: page }));
  }

  /** The claims of the tenant that rest on claims: of conclusions from them, and of declarations with a reason among them. */
  claimsRestingOn(claims: Iterable<string>): Promise<string[]> {
    const { tenant } = this.place;
    return claimsBy(claims, (page) => this.reader.read(claimsRestingOn, { claims: page, tenant }));
  }

  /** The same of what is named by its id, as events are. */
  claimsConcludedFrom(ids: Iterable<string>): Promise<string[]> {
    const { tenant } = this.place;
    return claimsBy(ids, (page) => this.reader.read(claimsConcludedFrom, { ids: page, tenant }));
  }

  /** What names of premises stand for; those that stand for nothing are left out. */
  async premises(ids: Iterable<string>): Promise<ReadonlyMap<string, FootprintPremise>> {
    const rows = await readPages(ids, (page) => this.reader.read(premises, { ids: page }));
    return new Map(
      rows.flatMap((row) => {
        const premise = premiseOf(row);
        return premise === null ? [] : [[row.id, premise] as const];
      }),
    );
  }

  private statementOf(row: StatedRow): FootprintStatement {
    const { id, continuation_of, event_id, scope_ref, claim, value, fact, believed, declared, named } = row;
    return {
      id,
      said: continuation_of ?? id,
      event_id,
      claim,
      value,
      fact,
      belief: believed ? this.ids.belief(scope_ref, claim, value) : null,
      concepts: named.map(([entity, role]) => ({ id: this.ids.concept(scope_ref, entity), role })),
      premises: declared ? [] : row.premises,
      grounds: declared ? row.premises : [],
      continues: continuation_of !== null,
      elsewhere: scope_ref !== this.place.ref,
    };
  }
}

/** What all have in common that links made of one thing said. */
function assignmentsOf(moved: string): Reassignment['assignments'] {
  return (JSON.parse(moved) as Reassignment).assignments;
}

/** A name stands for the claim that links have moved what has it to. */
function premiseOf({ event, belief, claim, value, moved }: PremiseRow): FootprintPremise | null {
  if (event) return { type: 'event' };
  if (claim === null || value === null) return null;
  const now = moved === null ? undefined : assignmentsOf(moved).at(-1);
  const said = now ?? { claim, value };
  return { type: belief ? 'belief' : 'fact', claim: said.claim, value: said.value };
}

async function claimsBy(
  ids: Iterable<string>,
  read: (page: readonly string[]) => Promise<readonly { readonly claim: string }[]>,
): Promise<string[]> {
  const rows = await readPages(ids, read);
  return [...new Set(rows.map(({ claim }) => claim))];
}
