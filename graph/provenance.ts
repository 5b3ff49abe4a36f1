import type { Integer } from 'neo4j-driver';

import { OPEN_END } from '../schemas/time.ts';
import { MAX_SCANNED_ROWS } from '../src/limits.ts';
import type { RecordIds } from '../src/derive/provenance.ts';
import { CITED, CONCEPT_AT } from './concept/row.ts';
import type { Reader } from './driver.ts';
import { VISIBLE } from './event.ts';
import { instant, instantOrNull, type Instant } from './instant.ts';
import { int, statement, type Params } from './statement.ts';

/** What one record has to do with another, as the store has it; of which the caller may read neither is decided elsewhere. */
export interface StoredLink {
  /** The record that was asked about. */
  readonly asked: string;
  /** Id of the other; null where it is the belief of a claim and a value. */
  readonly other: string | null;
  readonly belief: { readonly scope_ref: string; readonly claim: string; readonly value: string } | null;
  /** Where the other one lies. */
  readonly tenant: string;
  readonly scope: string;
  readonly relation: LinkRelation;
  /** As evidence of a belief; null elsewhere. */
  readonly weight: number | null;
  /** Where in the text of the event the words stand; null where that is not known. */
  readonly span: readonly [number, number] | null;
  /** Orders the links of one relation. */
  readonly place: number;
}

/** What a record may have to do with another. */
export type LinkRelation =
  | 'supported_by'
  | 'supersedes_against'
  | 'denied_by'
  | 'extracted_from'
  | 'concluded_from'
  | 'contains'
  | 'supersedes';

/** When, and how many of each relation of a record. */
export interface LinkLimits {
  /** Of beliefs what is held at this instant, of episodes what had been observed by then; null for any. */
  readonly valid: number | null;
  readonly recorded: number;
  /** Links of one relation of a record at most; of conclusions, which may lie in other scopes, more. */
  readonly most: number;
}

interface LinkParams extends Params, RecordIds {
  tenant: string | null;
  valid: Instant | null;
  recorded: Instant;
  until: Instant;
  most: Integer;
  walk: Integer;
}

const STATED = `d.recorded_from <= $recorded AND $recorded < d.recorded_to`;
const HELD = `x.recorded_from <= $recorded AND $recorded < x.recorded_to AND ($valid IS NULL OR (x.valid_from <= $valid AND $valid < x.valid_to))`;
/** Where the words stand on which the fact `f` rests in the event `e`; null where nobody said it in words. */
const SPAN = `CALL (e, f) {
         MATCH (e)<-[:STATED_IN]-(said:Statement) WHERE said.fact_id = f.id AND said.span_start IS NOT NULL
         RETURN min([said.span_start, said.span_end]) AS span
       }`;
/** Whether the fact `n` was concluded, and may be seen; what a declaration names as its reasons supports the belief in it. */
const CONCLUDED = `n.extractor <> 'declared' AND ($tenant IS NULL OR n.tenant = $tenant)`;
/** Where the other record `n` lies. */
const OF = `n.tenant AS of_tenant, n.scope AS scope`;
/** Of what is no evidence and no quote. */
const PLAIN = `null AS weight, null AS span`;
/** Whether the edge `x` to the fact `f` is that of a concept, and stands at `$recorded`. A label, or the id of the concept, would be gone through where there are few. */
const SUPPORTS = `x.fact_id = f.id AND x.recorded_from <= $recorded AND $recorded < x.recorded_to`;
/** The link to the concept `c`, where its version `v` of then cites the fact `fact` that supports it. */
const CITING = `WITH c, collect(DISTINCT fact) AS facts
       ${CONCEPT_AT}
       WITH c AS n, v, facts WHERE any(fact IN facts WHERE fact IN v.facts)
       RETURN n.id AS other, ${OF}, 'supported_by' AS relation, ${PLAIN}, n.position AS place`;
const LINK = `asked, other, of_tenant, scope, relation, weight, span, place`;
const ANSWER = `asked, other, of_tenant AS tenant, scope, relation, weight, span, place`;

const down = statement<LinkParams, Omit<StoredLink, 'belief'>>(
  'provenance.down',
  'constraints statement_id, belief_id, episode_id, event_id, concept_id; constraints belief_revision_row and concept_version and index contains_place, walked in order',
  `CALL () {
     UNWIND $facts AS asked
     MATCH (f:Statement {id: asked}) WHERE $tenant IS NULL OR f.tenant = $tenant
     CALL (f) {
       MATCH (f)-[d:DERIVED_FROM]->(e:Event) WHERE ${STATED} AND ${VISIBLE}
       WITH f, e LIMIT $walk
       WITH f, e ORDER BY e.wal_offset LIMIT $most
       ${SPAN}
       WITH e AS n, span
       RETURN n.id AS other, ${OF}, 'extracted_from' AS relation, null AS weight, span, n.wal_offset AS place
       UNION ALL
       UNWIND CASE f.extractor WHEN 'declared' THEN [] ELSE coalesce(f.premises, []) END AS named
       OPTIONAL MATCH (e:Event {id: named}) WHERE ${VISIBLE}
       OPTIONAL MATCH (stated:Statement {id: named}) WHERE stated.fact_id IS NOT NULL
       OPTIONAL MATCH (b:Belief {id: named})
       WITH stated, coalesce(e, stated, b) AS n
       WHERE n IS NOT NULL AND ($tenant IS NULL OR n.tenant = $tenant)
       RETURN coalesce(stated.fact_id, n.id) AS other, ${OF}, 'concluded_from' AS relation, ${PLAIN}, 0 AS place
     }
     RETURN ${LINK}
     UNION ALL
     UNWIND $beliefs AS asked
     MATCH (b:Belief {id: asked}) WHERE $tenant IS NULL OR b.tenant = $tenant
     CALL (b) {
       MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, recorded_from, valid_from)
       WHERE x.belief_id = b.id AND x.recorded_from <= $recorded AND x.valid_from IS NOT NULL
       WITH x ORDER BY x.belief_id DESC, x.recorded_from DESC LIMIT $walk
       WITH x WHERE ${HELD}
       MATCH (x)-[s:WEIGHED]->(n)
       WITH n, s LIMIT $walk
       RETURN n.id AS other, ${OF},
         CASE WHEN s.polarity = 'supports' THEN 'supported_by' WHEN n:Event THEN 'denied_by' ELSE 'supersedes_against' END AS relation,
         s.weight AS weight, null AS span, coalesce(n.position, n.wal_offset) AS place
     }
     RETURN ${LINK}
     UNION ALL
     UNWIND $episodes AS asked
     MATCH (ep:Episode {id: asked}) WHERE $tenant IS NULL OR ep.tenant = $tenant
     CALL (ep) {
       MATCH ()-[c:CONTAINS]->(e:Event) USING INDEX SEEK c:CONTAINS(episode_id, observed_at, position)
       WHERE c.episode_id = ep.id AND c.observed_at <= $until AND c.position >= 0 AND c.recorded_from <= $recorded AND ${VISIBLE}
       WITH c, e ORDER BY c.episode_id, c.observed_at, c.position LIMIT $most
       WITH c, e AS n
       RETURN n.id AS other, ${OF}, 'contains' AS relation, ${PLAIN}, c.observed_at.epochMillis AS place
     }
     RETURN ${LINK}
     UNION ALL
     UNWIND $concepts AS asked
     MATCH (c:Concept {id: asked}) WHERE $tenant IS NULL OR c.tenant = $tenant
     ${CONCEPT_AT}
     CALL (c, v) {
       UNWIND v.facts AS named
       MATCH (n:Statement {id: named})
       RETURN n.id AS other, ${OF}, 'supported_by' AS relation, ${PLAIN}, n.position AS place
       UNION ALL
       ${CITED}
       WITH DISTINCT x.belief_id AS named
       MATCH (n:Belief {id: named})
       RETURN n.id AS other, ${OF}, 'supported_by' AS relation, ${PLAIN}, n.position AS place
     }
     RETURN ${LINK}
   }
   RETURN ${ANSWER}`,
);

const up = statement<LinkParams, Omit<StoredLink, 'belief'>>(
  'provenance.up',
  'constraints event_id, statement_id, belief_id, premise_id, concept_version; indexes premise_claim and support_claim, walked in order',
  `CALL () {
     UNWIND $events AS asked
     MATCH (e:Event {id: asked}) WHERE ($tenant IS NULL OR e.tenant = $tenant) AND ${VISIBLE}
     CALL (e) {
       MATCH (e)<-[d:DERIVED_FROM]-(f:Fact) WHERE ${STATED}
       WITH e, f LIMIT $walk
       ${SPAN}
       WITH f AS n, span
       RETURN n.id AS other, ${OF}, 'extracted_from' AS relation, null AS weight, span, n.position AS place
       UNION ALL
       MATCH (e)<-[c:CONTAINS]-(n:Episode) WHERE c.recorded_from <= $recorded AND c.observed_at <= $until
       RETURN n.id AS other, ${OF}, 'contains' AS relation, ${PLAIN}, n.position AS place
       UNION ALL
       MATCH (e)<-[s:WEIGHED]-(x:BeliefRevision) WHERE ${HELD}
       WITH s, x LIMIT $walk
       MATCH (n:Belief {id: x.belief_id})
       RETURN n.id AS other, ${OF}, CASE s.polarity WHEN 'supports' THEN 'supported_by' ELSE 'denied_by' END AS relation, s.weight AS weight, null AS span, n.position AS place
       UNION ALL
       MATCH (p:Premise {id: e.id})<-[:RESTS_ON]-(n:Fact) WHERE ${CONCLUDED}
       WITH n LIMIT $walk
       RETURN n.id AS other, ${OF}, 'concluded_from' AS relation, ${PLAIN}, n.position AS place
     }
     RETURN ${LINK}
     UNION ALL
     UNWIND $facts AS asked
     MATCH (f:Statement {id: asked}) WHERE $tenant IS NULL OR f.tenant = $tenant
     CALL (f) {
       MATCH (f)<-[s:WEIGHED]-(x:BeliefRevision) WHERE ${HELD}
       WITH s, x LIMIT $walk
       MATCH (n:Belief {id: x.belief_id})
       RETURN n.id AS other, ${OF}, CASE s.polarity WHEN 'supports' THEN 'supported_by' ELSE 'supersedes_against' END AS relation,
         s.weight AS weight, null AS span, n.position AS place
       UNION ALL
       MATCH (p:Premise) WHERE p.claim = f.claim
       WITH f, p LIMIT $walk
       MATCH (stated:Statement {id: p.id}) WHERE stated.fact_id = f.id
       MATCH (p)<-[:RESTS_ON]-(n:Fact) WHERE ${CONCLUDED}
       WITH n LIMIT $walk
       RETURN n.id AS other, ${OF}, 'concluded_from' AS relation, ${PLAIN}, n.position AS place
       UNION ALL
       MATCH (f)<-[x:SUPPORTED_BY]-(c) WHERE ${SUPPORTS}
       WITH f.id AS fact, c LIMIT $walk
       ${CITING}
     }
     RETURN ${LINK}
     UNION ALL
     UNWIND $beliefs AS asked
     MATCH (b:Belief {id: asked}) WHERE $tenant IS NULL OR b.tenant = $tenant
     CALL (b) {
       MATCH (p:Premise {id: b.id})<-[:RESTS_ON]-(n:Fact) WHERE ${CONCLUDED}
       WITH n LIMIT $walk
       RETURN n.id AS other, ${OF}, 'concluded_from' AS relation, ${PLAIN}, n.position AS place
       UNION ALL
       MATCH (c)-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(claim, recorded_to) WHERE x.claim = b.claim AND x.recorded_to > $recorded
       WITH b, x, c ORDER BY x.claim, x.recorded_to LIMIT $walk
       WITH b, x, c WHERE x.belief_id = b.id AND x.recorded_from <= $recorded
       WITH x.fact_id AS fact, c
       ${CITING}
     }
     RETURN ${LINK}
   }
   RETURN ${ANSWER}`,
);

/** Reads what records rest on, and what rests on them; access is decided by the caller. */
export class ProvenanceReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** What records rest on: one step. */
  async down(ids: RecordIds, tenant: string | null, reach: LinkLimits): Promise<StoredLink[]> {
    const rows = await this.reader.read(down, paramsOf(ids, tenant, reach));
    return rows.map((row) => ({ ...row, belief: null }));
  }

  /** What rests on records: one step. */
  async up(ids: RecordIds, tenant: string | null, reach: LinkLimits): Promise<StoredLink[]> {
    const rows = await this.reader.read(up, paramsOf(ids, tenant, reach));
    return rows.map((row) => ({ ...row, belief: null }));
  }
}

function paramsOf(ids: RecordIds, tenant: string | null, { valid, recorded, most }: LinkLimits): LinkParams {
  return {
    ...ids,
    tenant,
    valid: instantOrNull(valid),
    recorded: instant(recorded),
    until: instant(valid ?? OPEN_END),
    most: int(most),
    walk: int(MAX_SCANNED_ROWS),
  };
}
