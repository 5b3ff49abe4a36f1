import { SUPERSEDED_BY } from '../fact/row.ts';
import type { NewRow } from './row.ts';

/** A row of a fact as it is stored: a version, or a further interval of one that others interrupted. */
export interface StoredRow extends Pick<
  NewRow,
  | 'fact_id'
  | 'value'
  | 'valid_from'
  | 'valid_to'
  | 'recorded_from'
  | 'recorded_to'
  | 'superseded_by'
  | 'ended_at'
  | 'confidence'
  | 'same_time'
  | 'caused_by'
> {
  /** Whether it is a further interval, of which the value and its times alone are said. */
  readonly resumes: boolean;
}

/** The row `known` as it is read. */
export const STORED_ROW = `known {fact_id: coalesce(known.fact_id, known.resumes), resumes: known.resumes IS NOT NULL, .value, .confidence, .caused_by, valid_from: known.valid_from.epochMillis, valid_to: known.valid_to.epochMillis,
     recorded_from: known.recorded_from.epochMillis, recorded_to: known.recorded_to.epochMillis, ended_at: known.ended_at.epochMillis, superseded_by: ${SUPERSEDED_BY}, same_time: known.same_time IS NOT NULL}`;
