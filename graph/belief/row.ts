import { opinionBytes, type StoredBeliefItem } from '../../src/derive/belief/item.ts';
import { REVISION, revisionOf, type StoredRevision } from './revision.ts';
import { BELIEF_NAMES } from '../entity/name.ts';
import { VISIBLE_EXTENT } from '../visible.ts';

/**
 * The row `x` of the belief `b` that is visible at `$valid` and `$recorded`, or null. Nothing is looked for where `only` is not so: UNWIND
 * leaves it out, while a condition would be asked of each row that an index has found.
 */
export const beliefAt = (only = 'true'): string => `OPTIONAL CALL (b) {
     UNWIND CASE WHEN ${only} AND $valid <= $recorded THEN [b.id] ELSE [] END AS sought
     CALL (sought) {
       MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, valid_from)
       WHERE x.belief_id = sought AND x.valid_from <= $valid
       WITH x ORDER BY x.belief_id DESC, x.valid_from DESC LIMIT $walk
       WITH x WHERE ${VISIBLE_EXTENT}
       WITH x LIMIT 1
       RETURN x
     }
     RETURN x
     UNION
     UNWIND CASE WHEN ${only} AND $valid > $recorded THEN [b.id] ELSE [] END AS sought
     CALL (sought) {
       MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, recorded_from, valid_from)
       WHERE x.belief_id = sought AND x.recorded_from <= $recorded AND x.valid_from IS NOT NULL
       WITH x ORDER BY x.belief_id DESC, x.recorded_from DESC LIMIT $walk
       WITH x WHERE ${VISIBLE_EXTENT}
       WITH x LIMIT 1
       RETURN x
     }
     RETURN x
   }`;

/**
 * Goes on behind {@link beliefAt}: with `$ahead` the row of a belief that is about later times only is the first of those. Beliefs without a
 * row are dropped; what else was at hand is.
 */
export const AHEAD = `WITH b, x AS here
   OPTIONAL CALL (b, here) {
     UNWIND CASE WHEN here IS NULL AND $ahead THEN [b.id] ELSE [] END AS sought
     CALL (sought) {
       MATCH (y:BeliefRevision) USING INDEX SEEK y:BeliefRevision(belief_id, valid_from)
       WHERE y.belief_id = sought AND y.valid_from > $valid
       WITH y ORDER BY y.belief_id, y.valid_from LIMIT $walk
       WITH y WHERE y.recorded_from <= $recorded AND $recorded < y.recorded_to
       WITH y LIMIT 1
       RETURN y
     }
     RETURN y AS later
   }
   WITH b, coalesce(here, later) AS x WHERE x IS NOT NULL`;

/** The belief `b` with what its entities were called, its row `x` and the number and instant of its last revision known at `$recorded`. */
export const BELIEF = `b {.id, .tenant, .scope, .position, .subject_id, .predicate, .object_id, .cardinality_assumed,
     ${BELIEF_NAMES},
     object: CASE WHEN size(b.object) <= $inline THEN b.object END, bytes: size(b.object), row: ${REVISION},
     last: head(COLLECT {
       MATCH (made:BeliefRevision) USING INDEX SEEK made:BeliefRevision(belief_id, revised_at)
       WHERE made.belief_id = b.id AND made.revised_at <= $recorded
       WITH made ORDER BY made.belief_id DESC, made.revised_at DESC LIMIT 1
       RETURN made {.revision, revised_at: made.revised_at.epochMillis} })}`;

/** What {@link BELIEF} answers. */
export type BeliefAnswer = Omit<StoredBeliefItem, 'row'> & { readonly row: StoredRevision };

/** A belief as it was answered. */
export function beliefOf({ row: stored, bytes, ...belief }: BeliefAnswer): StoredBeliefItem {
  const row = revisionOf(stored);
  return { ...belief, bytes: bytes + opinionBytes(row), row };
}
