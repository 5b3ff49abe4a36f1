import { FACT_NAMES } from '../entity/name.ts';
import { VISIBLE_EXTENT } from '../visible.ts';

/** Id of the fact that, by the row `x` of a fact, took its place; null for none. */
export const SUPERSEDED_BY = `[(x)<-[:HAS_VERSION]-()-[chain:SUPERSEDED_BY]->(successor) WHERE chain.recorded_from = x.recorded_from | successor.id][0]`;

/** The fact `f` with what its row `x` says of it, what its entities were called and what supported it at `$recorded`. */
export const FACT = `f {.id, .tenant, .scope, .position, recorded_at: f.recorded_at.epochMillis, .subject_id, .predicate, .object_id,
     .extractor, premises: CASE f.extractor WHEN 'declared' THEN null ELSE f.premises END, cardinality_assumed: f.assumed_predicate IS NOT NULL,
     ${FACT_NAMES},
     object: CASE WHEN size(f.term) <= $inline THEN f.term END, bytes: size(f.term),
     valid_from: x.valid_from.epochMillis, valid_to: x.valid_to.epochMillis, superseded_by: ${SUPERSEDED_BY}, ended_at: x.ended_at.epochMillis, confidence: x.confidence,
     supports: COLLECT { MATCH (f)-[d:DERIVED_FROM]->(e:Event) WHERE d.recorded_from <= $recorded AND $recorded < d.recorded_to
       RETURN [e.wal_offset, e.id] LIMIT $supports }}`;

/** The newest row of a fact that was known at `$recorded`: rows of a fact follow one another in recorded time. */
export const LAST_KNOWN = `MATCH (x:FactVersion) USING INDEX SEEK x:FactVersion(fact_id, recorded_from) WHERE x.fact_id = f.id AND x.recorded_from <= $recorded
     WITH x ORDER BY x.fact_id DESC, x.recorded_from DESC LIMIT 1`;

/**
 * The row `x` of the fact `f` when the fact is wanted, else null: of the predicate and confidence asked for, and visible or
 * (`$any_time`) at least known. Nothing is looked for where `only` is not so.
 */
export const wantedRow = (only = 'true'): string => `OPTIONAL CALL (f) {
     WITH f WHERE ${only} AND ($predicates IS NULL OR f.predicate IN $predicates)
     ${LAST_KNOWN}
     WITH x WHERE $recorded < x.recorded_to AND ($min_confidence IS NULL OR x.confidence >= $min_confidence) AND ($any_time OR (${VISIBLE_EXTENT}))
     RETURN x
   }`;
