import type { Integer } from 'neo4j-driver';

import type { StoredConcept } from '../../src/derive/concept/item.ts';
import { MAX_SCANNED_ROWS } from '../../src/limits.ts';
import { CONCEPT, CONCEPT_AT, conceptOf, WITH_CITED, type ConceptRow } from './row.ts';
import type { Reader } from '../driver.ts';
import { instant, nearestInstant, type Instant } from '../instant.ts';
import { int, statement } from '../statement.ts';

const byIds = statement<
  { ids: readonly string[]; tenant: string | null; recorded: Instant },
  { concept: ConceptRow }
>(
  'concept.by_ids',
  'constraints concept_id, concept_version, statement_id, event_id',
  `UNWIND $ids AS id
   MATCH (c:Concept {id: id}) WHERE $tenant IS NULL OR c.tenant = $tenant
   ${CONCEPT_AT}
   WITH c, v WHERE v IS NOT NULL
   ${WITH_CITED}
   RETURN ${CONCEPT} AS concept`,
);

const versions = statement<
  { id: string; after: Instant; recorded: Instant; scan: Integer },
  { concept: ConceptRow }
>(
  'concept.versions',
  'constraints concept_id, concept_version (walked in order), statement_id, event_id',
  `MATCH (c:Concept {id: $id})
   CALL (c) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = c.id AND v.recorded_from >= $after AND v.recorded_from <= $recorded
     WITH v ORDER BY v.concept_id, v.recorded_from LIMIT $scan
     RETURN v
   }
   ${WITH_CITED}
   RETURN ${CONCEPT} AS concept`,
);

/** How well a scope is understood, in numbers. */
export interface ScopeCoverage {
  readonly concepts: number;
  readonly partial: number;
  readonly supports: number;
  readonly cited: number;
}

const coverage = statement<{ scope_ref: string; most: Integer }, ScopeCoverage>(
  'concept.coverage',
  'index concept_place, a bounded number of rows',
  `MATCH (c:Concept) USING INDEX SEEK c:Concept(scope_ref, position) WHERE c.scope_ref = $scope_ref AND c.position >= 0
   WITH c ORDER BY c.scope_ref DESC, c.position DESC LIMIT $most
   RETURN count(c) AS concepts, sum(CASE WHEN c.partial THEN 1 ELSE 0 END) AS partial, sum(c.fact_count) AS supports,
     sum(c.cited_count) AS cited`,
);

/** Reads concepts; every tenant and scope is authorised before or after by the caller. */
export class ConceptReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Concepts by id as they were understood at a recorded instant, epoch milliseconds. One round trip. */
  async byIds(
    ids: readonly string[],
    tenant: string | null,
    recorded: number,
  ): Promise<Map<string, StoredConcept>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(byIds, { ids, tenant, recorded: instant(recorded) });
    return new Map(rows.map(({ concept }) => [concept.id, conceptOf(concept)]));
  }

  /** At most `scan` versions of a concept from an instant on and by another one, oldest first. */
  async versions(
    id: string,
    { after, recorded, scan }: { readonly after: number; readonly recorded: number; readonly scan: number },
  ): Promise<StoredConcept[]> {
    const params = { id, after: nearestInstant(after), recorded: instant(recorded), scan: int(scan) };
    return (await this.reader.read(versions, params)).map(({ concept }) => conceptOf(concept));
  }

  /** How well a scope is understood, as far as its newest concepts tell; one more than that is counted to tell that there are more. */
  async coverage(scopeRef: string): Promise<ScopeCoverage> {
    const rows = await this.reader.read(coverage, { scope_ref: scopeRef, most: int(MAX_SCANNED_ROWS) });
    return rows[0] ?? { concepts: 0, partial: 0, supports: 0, cited: 0 };
  }
}
