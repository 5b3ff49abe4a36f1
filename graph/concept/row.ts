import { OPEN_END } from '../../schemas/time.ts';
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

/** The episodes in which the first events of what the version `v` cites were by then. */
export const EPISODES = `COLLECT {
     UNWIND v.events AS event
     MATCH (:Event {id: event})<-[in:CONTAINS]-(ep:Episode) WHERE in.recorded_from <= $recorded
     RETURN DISTINCT ep.id
   }`;

/** A concept `c` with its version `v`, and what its entity was called at `$recorded`. */
export const CONCEPT = `c {.id, .tenant, .scope, .scope_ref, .position, .entity_id, ${CONCEPT_CAPTION},
     linked: EXISTS { MATCH (:LinkedEntity {key: c.scope_ref + ' ' + c.entity_id}) }, version: ${VERSION}, recorded_to: v.recorded_to.epochMillis, episodes: ${EPISODES}}`;

/** What {@link CONCEPT} answers. */
export type ConceptRow = Omit<StoredConcept, 'version' | 'recorded_to'> & {
  readonly version: StoredVersion;
  readonly recorded_to: number;
};

/** A concept as it was answered. */
export function conceptOf({ version, recorded_to, ...concept }: ConceptRow): StoredConcept {
  return {
    ...concept,
    version: versionOf(version),
    recorded_to: recorded_to === OPEN_END ? null : recorded_to,
  };
}
