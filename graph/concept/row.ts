import { OPEN_END } from '../../schemas/time.ts';
import { conceptEdges } from '../../src/derive/concept/content.ts';
import { CONCEPT_BOUNDS } from '../../src/derive/concept/evolve.ts';
import type { SupportRow } from '../../src/derive/concept/support.ts';
import type { StoredConcept } from '../../src/derive/concept/item.ts';
import { CONCEPT_CAPTION } from '../entity/name.ts';
import { VERSION, versionOf, type StoredVersion } from './version.ts';

/** The version `v` of the concept `c` that is visible at `$recorded`, or null. */
export const CONCEPT_AT = `OPTIONAL CALL (c) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = c.id AND v.recorded_from <= $recorded
     WITH v ORDER BY v.concept_id DESC, v.recorded_from DESC LIMIT 1
     RETURN v
   }`;

/**
 * The supports `x` of the concept `c` by the facts that its version `v` cites, as they were known when it came to be. A concept may have a
 * hundred thousand, a fact has a few: they are found from the side of the fact.
 */
export const CITED = `UNWIND v.facts AS cites
     MATCH (f:Statement {id: cites}) USING INDEX SEEK f:Statement(id)
     MATCH (f)<-[x:SUPPORTED_BY]-() WHERE x.concept_id = c.id AND x.recorded_from <= v.recorded_from AND v.recorded_from < x.recorded_to`;

/**
 * Has what the version `v` of the concept `c` cites at hand for {@link CONCEPT}: of each fact its first events, the belief in it and what it
 * says of another concept.
 */
export const WITH_CITED = `CALL (c, v) {
     ${CITED}
     RETURN collect([x.events, x.fact_id, x.belief_id, x.other_id, x.relation]) AS cited
   }`;

/** The episodes in which the first events of what is `cited` were by then. */
const EPISODES = `COLLECT {
     UNWIND cited AS one
     UNWIND one[0] AS event
     WITH DISTINCT event
     MATCH (:Event {id: event})<-[in:CONTAINS]-(ep:Episode) WHERE in.recorded_from <= $recorded
     RETURN DISTINCT ep.id
   }`;

/** A concept `c` with its version `v`, what that is {@link WITH_CITED | cited}, and what its entity was called at `$recorded`. */
export const CONCEPT = `c {.id, .tenant, .scope, .scope_ref, .position, .entity_id, ${CONCEPT_CAPTION},
     linked: EXISTS { MATCH (:LinkedEntity {key: c.scope_ref + ' ' + c.entity_id}) }, version: ${VERSION}, facts: v.facts, cited: [one IN cited | one[1..]], recorded_to: v.recorded_to.epochMillis, episodes: ${EPISODES}}`;

/** What is read of a support by a fact that a version cites. */
type CitedFact = readonly [
  fact_id: string,
  belief_id: string,
  other_id: SupportRow['other_id'],
  relation: SupportRow['relation'],
];

/** What {@link CONCEPT} answers. */
export type ConceptRow = Omit<StoredConcept, 'version' | 'beliefs' | 'edges' | 'recorded_to'> & {
  readonly version: StoredVersion;
  /** What is cited, in no order. */
  readonly cited: readonly CitedFact[];
  readonly recorded_to: number;
};

/** A concept as it was answered. */
export function conceptOf({ version, cited, recorded_to, ...concept }: ConceptRow): StoredConcept {
  const found = new Map(cited.map(([fact, ...said]) => [fact, said]));
  const inOrder = concept.facts.flatMap((fact) => {
    const [belief_id, other_id = null, relation = null] = found.get(fact) ?? [];
    return belief_id === undefined ? [] : [{ belief_id, other_id, relation }];
  });
  return {
    ...concept,
    version: versionOf(version),
    beliefs: [...new Set(inOrder.map(({ belief_id }) => belief_id))],
    edges: conceptEdges(inOrder, CONCEPT_BOUNDS.edges),
    recorded_to: recorded_to === OPEN_END ? null : recorded_to,
  };
}
