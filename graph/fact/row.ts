import { FACT_NAMES } from '../entity/name.ts';
import { OPEN } from '../instant.ts';
import { VISIBLE_EXTENT } from '../visible.ts';

/** Id of the fact that, by the version `known` of a fact, took its place; null for none. */
export const SUPERSEDED_BY = `CASE WHEN known.valid_to < ${OPEN} THEN [(known)<-[:HAS_VERSION]-()-[chain:SUPERSEDED_BY]->(successor) WHERE chain.recorded_from = known.recorded_from | successor.id][0] END`;

/** The fact `f` with what its version `known` says of it, when it is true by `x`, what its entities were called and what supported it at `$recorded`. */
export const FACT = `f {.id, .tenant, .scope, .position, recorded_at: f.recorded_at.epochMillis, .subject_id, .predicate, .object_id,
     .extractor, premises: CASE f.extractor WHEN 'declared' THEN null ELSE f.premises END, cardinality_assumed: f.assumed_predicate IS NOT NULL,
     ${FACT_NAMES},
     object: CASE WHEN size(f.term) <= $inline THEN f.term END, bytes: size(f.term),
     valid_from: x.valid_from.epochMillis, valid_to: x.valid_to.epochMillis, superseded_by: ${SUPERSEDED_BY}, ended_at: known.ended_at.epochMillis, confidence: known.confidence,
     supports: COLLECT { MATCH (f)-[d:DERIVED_FROM]->(e:Event) WHERE d.recorded_from <= $recorded AND $recorded < d.recorded_to
       RETURN [e.wal_offset, e.id] LIMIT $supports }}`;

/** The newest version `known` of a fact `f` as of `$recorded`, which says the first interval: versions of a fact follow one another in recorded time. */
export const LAST_KNOWN = `MATCH (known:FactVersion) USING INDEX SEEK known:FactVersion(fact_id, recorded_from) WHERE known.fact_id = f.id AND known.recorded_from <= $recorded
     WITH known ORDER BY known.fact_id DESC, known.recorded_from DESC LIMIT 1`;

/**
 * What says the interval of the fact `f` that had begun last at `$valid`: the version `known` itself, or of a fact that others
 * interrupted one that resumes it. To stand in a call of `f`.
 */
export const INTERVAL = `OPTIONAL CALL (f, known) {
       WITH f, known WHERE known.ends_at IS NOT NULL
       MATCH (y:FactVersion) USING INDEX SEEK y:FactVersion(resumes, valid_from) WHERE y.resumes = f.id AND y.valid_from <= $valid
         AND y.recorded_from <= $recorded AND $recorded < y.recorded_to
       WITH y ORDER BY y.resumes DESC, y.valid_from DESC LIMIT 1
       RETURN y
     }
     WITH f, known, coalesce(y, known) AS x`;

/**
 * The version `known` of the fact `f` with its interval `x` when the fact is wanted, else null: of the predicate and confidence asked for,
 * and visible or (`$any_time`) at least known. Nothing is looked for where `only` is not so.
 */
export const wantedRow = (only = 'true'): string => `OPTIONAL CALL (f) {
     UNWIND CASE WHEN ${only} AND ($predicates IS NULL OR f.predicate IN $predicates) THEN [f.id] ELSE [] END AS wanted
     CALL (f) {
       ${LAST_KNOWN}
       RETURN known
     }
     WITH f, known WHERE $recorded < known.recorded_to AND ($min_confidence IS NULL OR known.confidence >= $min_confidence)
     ${INTERVAL}
     WITH known, x WHERE $any_time OR (${VISIBLE_EXTENT})
     RETURN known, x
   }`;
