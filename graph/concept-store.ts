import { OPEN_END } from '../schemas/time.ts';
import type { ClaimPlace } from '../src/derive/claim-change.ts';
import type { Disturbed } from '../src/derive/concept-support.ts';
import type { ConceptVersion } from '../src/derive/concept.ts';
import { SAYS, saysRow, VERSION_PROPS, versionRow } from './concept-version.ts';
import { Columns, levelsOf, type Levels } from './columns.ts';
import type { Transaction } from './driver.ts';
import { int, statement, type Param, type Params } from './statement.ts';

/** What is known of a concept without its versions, and of one that begins, where; of one that stays where it lies the places are null. */
const HEAD = new Columns(['id', 'says', 'begun', 'placed']);
const NOW = new Columns(['entity_id', ...SAYS, 'recorded_from', 'fact_count', 'cited_count', 'supports']);
const BEGUN = new Columns(['position', 'recorded_at']);
const PLACED = new Columns(['tenant', 'scope', 'scope_ref']);

/** What a concept that says what it said is counted by. */
const COUNTED = new Columns(['id', 'supports']);

/** What is sent of the last version before those that are told: when the next one follows. */
const ENDED = new Columns(['concept_id', 'recorded_from', 'recorded_to']);

interface WriteParams extends Params {
  dropped: readonly Param[];
  ended: readonly Param[];
  gone: readonly string[];
  counted: readonly Param[];
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
     UNWIND $ended AS end
     MATCH (v:ConceptVersion {concept_id: ${ENDED.cell('end', 'concept_id')}, recorded_from: ${ENDED.cell('end', 'recorded_from')}})
     SET v.recorded_to = ${ENDED.cell('end', 'recorded_to')}
   }
   CALL () {
     UNWIND $gone AS id
     MATCH (c:Concept {id: id})
     DETACH DELETE c
   }
   CALL () {
     UNWIND $counted AS sent
     MATCH (c:Concept {id: ${COUNTED.cell('sent', 'id')}})
     SET c.supports = ${COUNTED.cell('sent', 'supports')}
   }
   CALL () {
     UNWIND $heads AS sent
     WITH ${HEAD.map('sent')} AS head
     MERGE (c:Concept {id: head.id})
     SET ${NOW.set('c', 'head.says')}
     FOREACH (begun IN CASE WHEN head.begun IS NULL THEN [] ELSE [head.begun] END |
       SET ${BEGUN.set('c', 'begun')})
     FOREACH (placed IN CASE WHEN head.placed IS NULL THEN [] ELSE [head.placed] END |
       SET c += $levels[${PLACED.cell('placed', 'scope_ref')}], ${PLACED.set('c', 'placed')})
   }
   CALL () {
     UNWIND $versions AS row
     WITH row[0] AS props, row[1] AS cites
     MATCH (c:Concept {id: ${VERSION_PROPS.cell('props', 'concept_id')}})
     CREATE (c)-[:HAS_VERSION]->(v:ConceptVersion)
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
    const anew = told.filter(isToldAnew);
    this.transaction.send(write, {
      dropped: anew.flatMap(({ concept: { concept_id, since }, stored }) =>
        stored === 0 ? [] : [[concept_id, int(since)]],
      ),
      ended: anew.flatMap(endedParam),
      gone: told.flatMap(({ concept, last, versions }) =>
        last === null && versions.length === 0 ? [concept.concept_id] : [],
      ),
      counted: told.flatMap((one) => (one.last === null || isToldAnew(one) ? [] : [countedParam(one)])),
      heads: anew.flatMap(headOf),
      levels: levelsOf(anew.flatMap(({ place }) => place ?? [])),
      versions: anew.flatMap(({ concept, last, versions }) =>
        versions.map((version, i) =>
          versionParam(concept, {
            version,
            previous: versions[i - 1] ?? last,
            next: versions[i + 1] ?? null,
          }),
        ),
      ),
    });
  }
}

/** Whether a concept has other versions than before, from its instant on. */
export function isToldAnew({ versions, stored }: ToldConcept): boolean {
  return versions.length > 0 || stored > 0;
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planConcepts(transaction: Transaction): Promise<void> {
  await transaction.run(write, {
    dropped: [],
    ended: [],
    gone: [],
    counted: [],
    heads: [],
    levels: {},
    versions: [],
  });
}

/** What is known of a concept without its versions: where it lies, where it began, and how it is now. */
function headOf({ concept, place, last, versions, supports }: ToldConcept): Param[] {
  const newest = versions.at(-1) ?? last;
  if (newest === null) return [];
  const [first] = last === null ? versions : [];
  const says = NOW.row({
    entity_id: concept.entity_id,
    ...saysRow(newest),
    recorded_from: int(newest.recorded_from),
    fact_count: int(newest.fact_count),
    cited_count: int(newest.facts.length),
    supports: int(supports),
  });
  return [HEAD.row({ id: concept.concept_id, says, ...begunRow(first, place) })];
}

function begunRow(
  first: ConceptVersion | undefined,
  place: ClaimPlace | null,
): Record<'begun' | 'placed', Param> {
  if (first === undefined) return { begun: null, placed: null };
  const begun = BEGUN.row({ position: int(first.position), recorded_at: int(first.recorded_from) });
  if (place === null) return { begun, placed: null };
  const { tenant, scope, scope_ref } = place;
  return { begun, placed: PLACED.row({ tenant, scope, scope_ref }) };
}

function countedParam({ concept, supports }: ToldConcept): Param {
  return COUNTED.row({ id: concept.concept_id, supports: int(supports) });
}

function endedParam({ concept: { concept_id }, last, versions }: ToldConcept): Param[] {
  if (last === null) return [];
  const recorded_to = int(versions[0]?.recorded_from ?? OPEN_END);
  return [ENDED.row({ concept_id, recorded_from: int(last.recorded_from), recorded_to })];
}

/** An edge goes to each fact from the first of the versions in a row that cite it. */
function versionParam(
  { concept_id }: Disturbed,
  {
    version,
    previous,
    next,
  }: Record<'previous' | 'next', ConceptVersion | null> & { readonly version: ConceptVersion },
): Param {
  const known = new Set(previous?.facts);
  return [versionRow(concept_id, version, next), version.facts.filter((id) => !known.has(id))];
}
