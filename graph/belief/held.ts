import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import type { BeliefDifference, RevisedBelief } from '../../src/derive/belief/change.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import { Columns } from '../columns.ts';
import { int, real, type Param } from '../statement.ts';

/**
 * Gives each belief of `$unsure` what is held of it: what its open rows say of the instant at which it changed last, or, where they
 * begin later, what they say first. So it depends on the rows alone, whenever it is written.
 */
export const HELD_NOW = `CALL () {
     UNWIND $unsure AS id
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

/** What is sent of what is held of a belief. */
export const HELD = new Columns(
  ['stance', 'confidence', 'lower', 'upper', 'revision', 'valid_from', 'valid_to', 'recorded_from'],
  ['valid_from', 'valid_to', 'recorded_from'],
);

/** The same as {@link HELD_NOW} finds, where the rows that a change found and made tell it; else null. */
export function heldOf({ stored, rows, found_from }: RevisedBelief, { opened }: BeliefDifference): Param {
  const at = rows.reduce((last, { recorded }) => Math.max(last, recorded.from), -Infinity);
  // What is not here of a belief that goes on was recorded before what is opened, and ends in front of what was found.
  const isWhole = stored === null || found_from === FIRST_INSTANT;
  if (!isWhole && (opened.length === 0 || found_from === null || found_from > at)) return null;
  const row = rows.reduce<BeliefRow | null>(
    (first, one) =>
      one.recorded.to === OPEN_END && one.valid.to > at && (first === null || one.valid.to < first.valid.to)
        ? one
        : first,
    null,
  );
  if (row === null) return null;
  const { valid, recorded, opinion, revision } = row;
  const { stance, confidence, lower, upper } = opinion;
  return HELD.row({
    stance,
    confidence: real(confidence),
    lower: real(lower),
    upper: real(upper),
    revision: int(revision),
    valid_from: int(valid.from),
    valid_to: int(valid.to),
    recorded_from: int(recorded.from),
  });
}
