import type { ClaimPlace } from '../src/derive/claim-change.ts';
import type { Disturbed } from '../src/derive/concept-support.ts';
import { isPartial, type ConceptVersion } from '../src/derive/concept.ts';
import { VERSION_PROPS, versionRow } from './concept-version.ts';
import { Columns, levelsOf, type Levels } from './columns.ts';
import type { Transaction } from './driver.ts';
import { int, intOrNull, statement, type Param, type Params } from './statement.ts';

const HEAD = new Columns([
  'id',
  'entity_id',
  'version',
  'partial',
  'fact_count',
  'cited_count',
  'supports',
  // Null where they stay.
  'position',
  'recorded_at',
  'tenant',
  'scope',
  'scope_ref',
]);

interface WriteParams extends Params {
  dropped: readonly Param[];
  gone: readonly string[];
  heads: readonly Param[];
  levels: Levels;
  versions: readonly Param[];
}

const write = statement<WriteParams, { done: boolean }>(
  'concept.write',
  'constraints concept_id, concept_version, statement_id',
  `CALL () {
     UNWIND $dropped AS drop
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = drop[0] AND v.recorded_from >= drop[1]
     DETACH DELETE v
   }
   CALL () {
     UNWIND $gone AS id
     MATCH (c:Concept {id: id})
     DETACH DELETE c
   }
   CALL () {
     UNWIND $heads AS sent
     WITH ${HEAD.map('sent')} AS head
     MERGE (c:Concept {id: head.id})
     SET c.entity_id = head.entity_id, c.version = head.version, c.partial = head.partial, c.fact_count = head.fact_count,
       c.cited_count = head.cited_count, c.supports = head.supports
     FOREACH (first IN CASE WHEN head.position IS NULL THEN [] ELSE [c] END |
       SET first.position = head.position, first.recorded_at = head.recorded_at)
     FOREACH (placed IN CASE WHEN head.scope_ref IS NULL THEN [] ELSE [c] END |
       SET placed += $levels[head.scope_ref], placed.tenant = head.tenant, placed.scope = head.scope, placed.scope_ref = head.scope_ref)
   }
   CALL () {
     UNWIND $versions AS row
     WITH row[0] AS props, row[1] AS cites
     MATCH (c:Concept {id: ${VERSION_PROPS.cell('props', 'concept_id')}})
     CREATE (c)-[:VERSION]->(v:ConceptVersion)
     SET ${VERSION_PROPS.set('v', 'props')}
     WITH v, cites
     UNWIND cites AS id
     MATCH (f:Statement {id: id})
     CREATE (v)-[:SUPPORTED_BY]->(f)
   }
   RETURN true AS done`,
);

/** A concept as it was told from an instant on. */
export interface ToldConcept {
  readonly concept: Disturbed;
  /** Where it lies; null where nothing says so any more, and then it is there already or gone. */
  readonly place: ClaimPlace | null;
  readonly last: ConceptVersion | null;
  /** Its versions from the instant on. */
  readonly versions: readonly ConceptVersion[];
  /** How many supports it has now. */
  readonly supports: number;
  /** How many versions from the instant on these replace. */
  readonly stored: number;
}

/** Writes concepts within the transaction that derives them. */
export class ConceptStore {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** Stores concepts in place of what they were from their instants on. */
  write(told: readonly ToldConcept[]): void {
    if (told.length === 0) return;
    this.transaction.send(write, {
      dropped: told.map(({ concept }) => [concept.concept_id, int(concept.since)]),
      gone: told.flatMap(({ concept, last, versions }) =>
        last === null && versions.length === 0 ? [concept.concept_id] : [],
      ),
      heads: told.flatMap(headOf),
      levels: levelsOf(told.flatMap(({ place }) => place ?? [])),
      versions: told.flatMap(({ concept, last, versions }) =>
        versions.map((version, i) => versionParam(concept, version, versions[i - 1] ?? last)),
      ),
    });
  }
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planConcepts(transaction: Transaction): Promise<void> {
  await transaction.run(write, { dropped: [], gone: [], heads: [], levels: {}, versions: [] });
}

/** What is known of a concept without its versions: where it lies, where it began, and how it is now. */
function headOf({ concept, place, last, versions, supports }: ToldConcept): Param[] {
  const newest = versions.at(-1) ?? last;
  if (newest === null) return [];
  const [first] = last === null ? versions : [];
  const begun = first === undefined ? null : place;
  return [
    HEAD.row({
      id: concept.concept_id,
      entity_id: concept.entity_id,
      version: int(newest.number),
      partial: isPartial(newest),
      fact_count: int(newest.fact_count),
      cited_count: int(newest.facts.length),
      supports: int(supports),
      position: intOrNull(first?.position ?? null),
      recorded_at: intOrNull(first?.recorded_from ?? null),
      tenant: begun?.tenant ?? null,
      scope: begun?.scope ?? null,
      scope_ref: begun?.scope_ref ?? null,
    }),
  ];
}

/** An edge goes to each fact from the first of the versions in a row that cite it. */
function versionParam(
  { concept_id }: Disturbed,
  version: ConceptVersion,
  previous: ConceptVersion | null,
): Param {
  const known = new Set(previous?.facts);
  return [versionRow(concept_id, version), version.facts.filter((id) => !known.has(id))];
}
