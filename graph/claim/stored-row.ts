import { SUPERSEDED_BY } from '../fact/row.ts';

/** A row of a fact as it is stored: a version, or a further interval of one that others interrupted. */
export interface StoredRow {
  readonly fact_id: string;
  /** Whether it is a further interval, of which the value and its times alone are said. */
  readonly resumes: boolean;
  readonly value: string;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly recorded_from: number;
  readonly recorded_to: number;
  readonly superseded_by: string | null;
  readonly ended_at: number | null;
  readonly confidence: number;
  readonly same_time: boolean;
  readonly caused_by: string;
}

/** The row `known` as it is read. */
export const STORED_ROW = `known {fact_id: coalesce(known.fact_id, known.resumes), resumes: known.resumes IS NOT NULL, .value, .confidence, .caused_by, valid_from: known.valid_from.epochMillis, valid_to: known.valid_to.epochMillis,
     recorded_from: known.recorded_from.epochMillis, recorded_to: known.recorded_to.epochMillis, ended_at: known.ended_at.epochMillis, superseded_by: ${SUPERSEDED_BY}, same_time: known.same_time IS NOT NULL}`;
