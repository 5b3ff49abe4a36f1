import { OPEN_END } from '../../schemas/time.ts';
import { relatesParams, WRITE_RELATES, type RelatesParams } from './relates.ts';
import {
  BEGUN,
  COUNTED,
  countedParam,
  DROPPED,
  droppedParam,
  ENDED,
  endedParam,
  HEAD,
  headOf,
  hasNewVersions,
  NOW,
  PLACED,
  type ReplayedConcept,
} from './replayed.ts';
import { VERSION_PROPS, versionRow } from './version.ts';
import { levelsOf, type Levels } from '../columns.ts';
import type { Transaction } from '../driver.ts';
import { instant, type Instant } from '../instant.ts';
import { statement, type Param, type Params } from '../statement.ts';

interface WriteParams extends Params, RelatesParams {
  open: Instant;
  dropped: readonly Param[];
  ended: readonly Param[];
  deleted: readonly string[];
  counted: readonly Param[];
  heads: readonly Param[];
  about: readonly string[];
  levels: Levels;
  versions: readonly Param[];
}

const write = statement<WriteParams, { done: boolean }>(
  'concept.write',
  'constraints concept_id, concept_version, event_id, entity_key',
  `CALL () {
     UNWIND $dropped AS sent
     WITH ${DROPPED.map('sent')} AS drop
     UNWIND drop.others AS other
     MATCH (c:Concept {id: drop.id}) USING INDEX SEEK c:Concept(id)
     MATCH (o:Concept {id: other}) USING INDEX SEEK o:Concept(id)
     MATCH (c)-[r:RELATES]->(o) WHERE r.recorded_to >= drop.since
     WITH r, r.recorded_from >= drop.since AS begun
     FOREACH (ended IN CASE WHEN begun THEN [] ELSE [r] END | SET ended.recorded_to = $open)
     FOREACH (never IN CASE WHEN begun THEN [r] ELSE [] END | DELETE never)
   }
   CALL () {
     UNWIND $dropped AS sent
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = ${DROPPED.cell('sent', 'id')} AND v.recorded_from >= ${DROPPED.cell('sent', 'since')}
     DETACH DELETE v
   }
   CALL () {
     UNWIND $ended AS end
     MATCH (v:ConceptVersion {concept_id: ${ENDED.cell('end', 'concept_id')}, recorded_from: ${ENDED.cell('end', 'recorded_from')}})
     SET v.recorded_to = ${ENDED.cell('end', 'recorded_to')}
   }
   CALL () {
     UNWIND $deleted AS id
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
     UNWIND $about AS id
     MATCH (c:Concept {id: id})
     MATCH (n:Entity {key: c.scope_ref + ' ' + c.entity_id})
     MERGE (c)-[:ABOUT]->(n)
   }
   ${WRITE_RELATES}
   CALL () {
     UNWIND $versions AS props
     MATCH (c:Concept {id: ${VERSION_PROPS.cell('props', 'concept_id')}})
     CREATE (c)-[:HAS_VERSION]->(v:ConceptVersion)
     SET ${VERSION_PROPS.set('v', 'props')}
     WITH v, props
     MATCH (e:Event {id: ${VERSION_PROPS.cell('props', 'caused_by')}})
     CREATE (v)-[:REVISED_BY]->(e)
   }
   RETURN true AS done`,
);

/** Writes concepts within the transaction that derives them. */
export class ConceptStore {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** Stores concepts in place of what they were from their instants on. */
  write(concepts: readonly ReplayedConcept[]): void {
    if (concepts.length === 0) return;
    const changed = concepts.filter(hasNewVersions);
    const relates = changed.map(({ concept, edges, versions }) =>
      relatesParams(concept.concept_id, edges, versions),
    );
    this.transaction.send(write, {
      ...NOTHING,
      dropped: changed.flatMap(droppedParam),
      ended: changed.flatMap(endedParam),
      deleted: concepts.flatMap(({ concept, last, versions }) =>
        last === null && versions.length === 0 ? [concept.concept_id] : [],
      ),
      counted: concepts.flatMap((one) =>
        one.last === null || hasNewVersions(one) ? [] : [countedParam(one)],
      ),
      heads: changed.flatMap(headOf),
      about: changed.flatMap(({ concept, last }) => (last === null ? [concept.concept_id] : [])),
      levels: levelsOf(changed.flatMap(({ place }) => place ?? [])),
      unrelated: relates.flatMap(({ unrelated }) => unrelated),
      related: relates.flatMap(({ related }) => related),
      versions: changed.flatMap(({ concept, versions }) =>
        versions.map((version, i) => versionRow(concept.concept_id, version, versions[i + 1] ?? null)),
      ),
    });
  }
}

const NOTHING: WriteParams = {
  open: instant(OPEN_END),
  dropped: [],
  ended: [],
  deleted: [],
  counted: [],
  heads: [],
  about: [],
  levels: {},
  unrelated: [],
  related: [],
  versions: [],
};

/** Has the server plan the statements of this file by running them on nothing. */
export async function planConcepts(transaction: Transaction): Promise<void> {
  await transaction.run(write, NOTHING);
}
