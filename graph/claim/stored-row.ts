import { fromProperties } from '../columns.ts';
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
export const STORED_ROW = fromProperties(
  'known',
  (
    of,
  ) => `${of} {fact_id: coalesce(${of}.fact_id, ${of}.resumes), resumes: ${of}.resumes IS NOT NULL, .value, .confidence, .caused_by,
     valid_from: ${of}.valid_from.epochMillis, valid_to: ${of}.valid_to.epochMillis, recorded_from: ${of}.recorded_from.epochMillis,
     recorded_to: ${of}.recorded_to.epochMillis, ended_at: ${of}.ended_at.epochMillis, same_time: ${of}.same_time IS NOT NULL,
     superseded_by: ${SUPERSEDED_BY}}`,
);
