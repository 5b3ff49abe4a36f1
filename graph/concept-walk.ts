import type { Integer } from 'neo4j-driver';

import type { StoredConcept } from '../src/derive/concept-item.ts';
import { CONCEPT, CONCEPT_AT, conceptOf, type ConceptRow } from './concept-row.ts';
import type { Reader } from './driver.ts';
import type { ScopeSelection } from './event.ts';
import type { LogPlaces } from './log-place.ts';
import { newestOf, subtreeWalks } from './record-walk.ts';
import { INDEXED_LEVELS } from './schema.ts';
import { int, statement, type Params, type Statement } from './statement.ts';

/** One row of a walk: a concept that was understood, or the place of one that was not yet. */
export interface WalkedConcept {
  readonly position: number;
  readonly id: string;
  readonly concept: StoredConcept | null;
}

/** The same as it is answered. */
type WalkRow = Omit<WalkedConcept, 'concept'> & { readonly concept: ConceptRow | null };

interface WalkParams extends Params {
  before: Integer;
  scan: Integer;
  recorded: Integer;
}

const WALKED = `${CONCEPT_AT}
   RETURN c.position AS position, c.id AS id, CASE WHEN v IS NOT NULL THEN ${CONCEPT} END AS concept`;

const scanScopes = statement<WalkParams & { refs: readonly string[] }, WalkRow>(
  'concept.scan_scopes',
  'index concept_place, walked in order once per scope; constraints concept_version, event_id',
  `UNWIND $refs AS ref
   CALL (ref) {
     MATCH (c:Concept) USING INDEX SEEK c:Concept(scope_ref, position) WHERE c.scope_ref = ref AND c.position <= $before
     WITH c ORDER BY c.scope_ref DESC, c.position DESC LIMIT $scan
     RETURN c
   }
   WITH c ORDER BY c.position DESC LIMIT $scan
   ${WALKED}`,
);

const ANCESTORS =
  'c.a0, c.a1, c.a2, c.a3, c.a4, c.a5, c.a6, c.a7, c.a8, c.a9, c.a10, c.a11, c.a12, c.a13, c.a14, c.a15, c.a16, c.a17, c.a18, c.a19, c.a20, c.a21, c.a22, c.a23, c.a24, c.a25, c.a26, c.a27, c.a28, c.a29, c.a30, c.a31';

/** One text per indexed level, since a property name cannot be a parameter; `within` narrows the last one to deeper scopes. */
const scanSubtree: readonly Statement<WalkParams & { ref: string; within: string | null }, WalkRow>[] =
  Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    statement(
      `concept.scan_subtree_a${level}`,
      `index concept_a${level}, walked in order; constraints concept_version, event_id`,
      `MATCH (c:Concept) USING INDEX SEEK c:Concept(a${level}, position) WHERE c.a${level} = $ref AND c.position <= $before
       WITH c ORDER BY c.a${level} DESC, c.position DESC LIMIT $scan
       ${CONCEPT_AT}
       RETURN c.position AS position, c.id AS id,
         CASE WHEN v IS NOT NULL AND ($within IS NULL OR $within IN [${ANCESTORS}]) THEN ${CONCEPT} END AS concept`,
    ),
  );

const scanTopics = statement<WalkParams & { ids: readonly string[] }, WalkRow>(
  'concept.scan_topics',
  'constraints concept_id, concept_version, event_id',
  `UNWIND $ids AS id
   CALL (id) {
     MATCH (c:Concept {id: id}) WHERE c.position <= $before
     RETURN c LIMIT 1
   }
   WITH c ORDER BY c.position DESC LIMIT $scan
   ${WALKED}`,
);

const scanSubtreeTopics = statement<
  WalkParams & { tenant: string; entities: readonly string[]; within: string },
  WalkRow
>(
  'concept.scan_subtree_topics',
  'index concept_tenant_entity, walked in order once per entity; constraints concept_version, event_id',
  `UNWIND $entities AS entity
   CALL (entity) {
     MATCH (c:Concept) USING INDEX SEEK c:Concept(tenant, entity_id, position)
     WHERE c.tenant = $tenant AND c.entity_id = entity AND c.position <= $before
     WITH c ORDER BY c.tenant DESC, c.entity_id DESC, c.position DESC LIMIT $scan
     RETURN c
   }
   WITH c ORDER BY c.position DESC LIMIT $scan
   ${CONCEPT_AT}
   RETURN c.position AS position, c.id AS id,
     CASE WHEN v IS NOT NULL AND $within IN [${ANCESTORS}] THEN ${CONCEPT} END AS concept`,
);

/** The concepts of some entities: their ids in the scopes that are read for themselves, and the entities in what is read with all below. */
export interface WalkedTopics {
  readonly ids: readonly string[];
  readonly entities: readonly string[];
  readonly tenant: string;
}

/** Walks concepts from a position (inclusive) towards older ones; every scope that it is handed was authorised before. */
export class ConceptWalker {
  private readonly reader: Reader;
  private readonly log: LogPlaces;

  constructor(reader: Reader, log: LogPlaces) {
    this.reader = reader;
    this.log = log;
  }

  /** At most `scan` rows of a selection, newest first; with `topics`, of these alone. Fewer mean the end. */
  async scan(
    { selection, topics }: { readonly selection: ScopeSelection; readonly topics: WalkedTopics | null },
    recorded: number,
    before: number,
    scan: number,
  ): Promise<WalkedConcept[]> {
    const from = await this.log.bound(before, recorded);
    const params = { recorded: int(recorded), before: int(from), scan: int(scan) };
    const walks =
      topics === null ? this.walksOf(selection, params) : this.walksAbout(selection, topics, params);
    const rows = newestOf(await Promise.all(walks), scan);
    return rows.map(({ concept, ...row }) => ({
      ...row,
      concept: concept === null ? null : conceptOf(concept),
    }));
  }

  private walksOf({ scopes, subtrees }: ScopeSelection, params: WalkParams): Promise<WalkRow[]>[] {
    const walks = scopes.length === 0 ? [] : [this.reader.read(scanScopes, { ...params, refs: scopes })];
    walks.push(...subtreeWalks(this.reader, scanSubtree, params, subtrees));
    return walks;
  }

  private walksAbout(
    { subtrees }: ScopeSelection,
    { ids, entities, tenant }: WalkedTopics,
    params: WalkParams,
  ): Promise<WalkRow[]>[] {
    const walks = ids.length === 0 ? [] : [this.reader.read(scanTopics, { ...params, ids })];
    for (const { ref } of entities.length === 0 ? [] : subtrees)
      walks.push(this.reader.read(scanSubtreeTopics, { ...params, tenant, entities, within: ref }));
    return walks;
  }
}
