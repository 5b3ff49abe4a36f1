import { VISIBLE_EXTENT } from './visible.ts';

/** A fact as it was known at one recorded instant. */
export interface StoredFact {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  /** Place in the log of the statement that began it. */
  readonly position: number;
  /** Epoch milliseconds, when that was recorded. */
  readonly recorded_at: number;
  readonly subject_id: string;
  readonly subject_name: string | null;
  readonly predicate: string;
  /** JSON text of the object as a term; null where it is large and has to be read by itself. */
  readonly object: string | null;
  /** Characters of that text. */
  readonly bytes: number;
  readonly object_id: string | null;
  readonly confidence: number;
  readonly extractor: string | null;
  readonly premises: readonly string[] | null;
  /** Epoch milliseconds. */
  readonly valid_from: number;
  /** Epoch milliseconds, `OPEN_END` for no end. */
  readonly valid_to: number;
  readonly superseded_by: string | null;
  /** Epoch milliseconds, when it stopped being the newest value; null while it is. */
  readonly ended_at: number | null;
  /** The events that support it, each with its place in the log, in no particular order; one more than are shown, at most. */
  readonly supports: readonly (readonly [number, string])[];
}

/** The fact `f` with what its row `x` says of it, and what supported it at `$recorded`. */
export const FACT = `f {.id, .tenant, .scope, .position, .recorded_at, .subject_id, .subject_name, .predicate, .object_id, .confidence,
     .extractor, .premises, object: CASE WHEN size(f.object) <= $inline THEN f.object END, bytes: size(f.object),
     valid_from: x.valid_from, valid_to: x.valid_to, superseded_by: x.superseded_by, ended_at: x.ended_at,
     supports: COLLECT { MATCH (f)-[d:DERIVED_FROM]->(e:Event) WHERE d.recorded_from <= $recorded AND $recorded < d.recorded_to
       RETURN [e.wal_offset, e.id] LIMIT $supports }}`;

/** The newest row of a fact that was known at `$recorded`: rows of a fact follow one another in recorded time. */
export const LAST_KNOWN = `MATCH (x:Extent) USING INDEX SEEK x:Extent(fact_id, recorded_from) WHERE x.fact_id = f.id AND x.recorded_from <= $recorded
     WITH x ORDER BY x.fact_id DESC, x.recorded_from DESC LIMIT 1`;

/**
 * The row `x` of the fact `f` when the fact is wanted, else null: of the predicate and confidence asked for, and visible or
 * (`$any_time`) at least known.
 */
export const WANTED_ROW = `OPTIONAL CALL (f) {
     WITH f WHERE ($predicate IS NULL OR f.predicate = $predicate) AND ($min_confidence IS NULL OR f.confidence >= $min_confidence)
     ${LAST_KNOWN}
     WITH x WHERE $recorded < x.recorded_to AND ($any_time OR (${VISIBLE_EXTENT}))
     RETURN x
   }`;
