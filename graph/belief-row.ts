import { VISIBLE_EXTENT } from './visible.ts';

/** The row `x` of the belief `b` that is visible at `$valid` and `$recorded`, or null. */
export const BELIEF_AT = `OPTIONAL CALL (b) {
     WITH b WHERE $valid <= $recorded
     MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, valid_from)
     WHERE x.belief_id = b.id AND x.valid_from <= $valid
     WITH x ORDER BY x.belief_id DESC, x.valid_from DESC LIMIT $walk
     WITH x WHERE ${VISIBLE_EXTENT}
     WITH x LIMIT 1
     RETURN x
     UNION
     WITH b WHERE $valid > $recorded
     MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, recorded_from)
     WHERE x.belief_id = b.id AND x.recorded_from <= $recorded
     WITH x ORDER BY x.belief_id DESC, x.recorded_from DESC LIMIT $walk
     WITH x WHERE ${VISIBLE_EXTENT}
     WITH x LIMIT 1
     RETURN x
   }`;

/** What a row `x` says. */
export const OPINION = `x {.valid_from, .valid_to, .recorded_from, .recorded_to, .stance, .confidence, .lower, .upper, .holds_from,
     .holds_to, .evidence, .revised_at, .caused_by, .revision}`;

/** The belief `b` with its row `x` and the number and instant of its last revision known at `$recorded`. */
export const BELIEF = `b {.id, .tenant, .scope, .position, .subject_id, .subject_name, .predicate, .object_id,
     object: CASE WHEN size(b.object) <= $inline THEN b.object END, bytes: size(b.object) + size(x.evidence), row: ${OPINION},
     last: head(COLLECT {
       MATCH (made:BeliefRevision) USING INDEX SEEK made:BeliefRevision(belief_id, revised_at)
       WHERE made.belief_id = b.id AND made.revised_at <= $recorded
       WITH made ORDER BY made.belief_id DESC, made.revised_at DESC LIMIT 1
       RETURN made {.revision, .revised_at} })}`;
