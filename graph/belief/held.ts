/**
 * Gives each belief of `$revised` what is held of it: what its open rows say of the instant at which it changed last, or, where they
 * begin later, what they say first. So it depends on the rows alone, whenever it is written.
 */
export const HELD_NOW = `CALL () {
     UNWIND $revised AS id
     MATCH (b:Belief {id: id})
     CALL (b) {
       MATCH (last:BeliefRevision) USING INDEX SEEK last:BeliefRevision(belief_id, recorded_from, valid_from)
       WHERE last.belief_id = b.id AND last.recorded_from <= $open_end AND last.valid_from IS NOT NULL
       WITH last ORDER BY last.belief_id DESC, last.recorded_from DESC LIMIT 1
       RETURN last.recorded_from AS at
     }
     CALL (b, at) {
       MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, recorded_to, valid_to)
       WHERE x.belief_id = b.id AND x.recorded_to = $open_end AND x.valid_to > at
       WITH x ORDER BY x.belief_id, x.recorded_to, x.valid_to LIMIT 1
       RETURN x
     }
     SET b.stance = x.stance, b.confidence = x.confidence, b.lower = x.lower, b.upper = x.upper, b.revision = x.revision,
       b.valid_from = x.valid_from, b.valid_to = x.valid_to, b.recorded_from = x.recorded_from
   }`;
