import type { StoredConcept } from '../src/derive/concept-item.ts';
import { CONCEPT_CAPTION } from './entity-name.ts';
import { VERSION, versionOf, type StoredVersion } from './concept-version.ts';

/** The version `v` of the concept `c` that is visible at `$recorded`, or null. */
export const CONCEPT_AT = `OPTIONAL CALL (c) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = c.id AND v.recorded_from <= $recorded
     WITH v ORDER BY v.concept_id DESC, v.recorded_from DESC LIMIT 1
     RETURN v
   }`;

/** When the version `v` of the concept `c` was followed by another one; null for the last. */
export const ENDED_AT = `COLLECT {
     MATCH (n:ConceptVersion) USING INDEX SEEK n:ConceptVersion(concept_id, recorded_from)
     WHERE n.concept_id = c.id AND n.recorded_from > v.recorded_from
     WITH n ORDER BY n.concept_id, n.recorded_from LIMIT 1
     RETURN n.recorded_from
   }[0]`;

/** The episodes in which the first events of what the version `v` cites were by then. */
export const EPISODES = `COLLECT {
     UNWIND v.events AS event
     MATCH (:Event {id: event})<-[in:CONTAINS]-(ep:Episode) WHERE in.recorded_from <= $recorded
     RETURN DISTINCT ep.id
   }`;

/** A concept `c` with its version `v`, and what its entity was called at `$recorded`. */
export const CONCEPT = `c {.id, .tenant, .scope, .scope_ref, .position, .entity_id, ${CONCEPT_CAPTION},
     linked: EXISTS { MATCH (:LinkedEntity {key: c.scope_ref + ' ' + c.entity_id}) }, version: ${VERSION}, recorded_to: ${ENDED_AT}, episodes: ${EPISODES}}`;

/** What {@link CONCEPT} answers. */
export type ConceptRow = Omit<StoredConcept, 'version'> & { readonly version: StoredVersion };

/** A concept as it was answered. */
export function conceptOf({ version, ...concept }: ConceptRow): StoredConcept {
  return { ...concept, version: versionOf(version) };
}
