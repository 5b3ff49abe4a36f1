import type { ScopeSelection } from '../scope-selection.ts';
import type { Integer } from 'neo4j-driver';

import type { Reader } from '../driver.ts';
import type { LogOffsets } from '../log-offset.ts';
import { newestOf, subtreeWalks, type WalkedRow } from '../record-walk.ts';
import { INDEXED_LEVELS } from '../schema.ts';
import { int, statement, type Params, type Statement } from '../statement.ts';

interface WalkParams extends Params {
  before: Integer;
  scan: Integer;
}

const PLACE = 'RETURN c.position AS position, c.id AS id, c.scope AS scope';

const scanScopes = statement<WalkParams & { refs: readonly string[] }, WalkedRow>(
  'concept.scan_scopes',
  'index concept_place, walked in order once per scope',
  `UNWIND $refs AS ref
   CALL (ref) {
     MATCH (c:Concept) USING INDEX SEEK c:Concept(scope_ref, position) WHERE c.scope_ref = ref AND c.position <= $before
     WITH c ORDER BY c.scope_ref DESC, c.position DESC LIMIT $scan
     RETURN c
   }
   WITH c ORDER BY c.position DESC LIMIT $scan
   ${PLACE}`,
);

const ANCESTORS =
  'c.a0, c.a1, c.a2, c.a3, c.a4, c.a5, c.a6, c.a7, c.a8, c.a9, c.a10, c.a11, c.a12, c.a13, c.a14, c.a15, c.a16, c.a17, c.a18, c.a19, c.a20, c.a21, c.a22, c.a23, c.a24, c.a25, c.a26, c.a27, c.a28, c.a29, c.a30, c.a31';

/** One text per indexed level, since a property name cannot be a parameter; `within` narrows the last one to deeper scopes. */
const scanSubtree: readonly Statement<WalkParams & { ref: string; within: string | null }, WalkedRow>[] =
  Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    statement(
      `concept.scan_subtree_a${level}`,
      `index concept_a${level}, walked in order`,
      `MATCH (c:Concept) USING INDEX SEEK c:Concept(a${level}, position) WHERE c.a${level} = $ref AND c.position <= $before
       WITH c ORDER BY c.a${level} DESC, c.position DESC LIMIT $scan
       RETURN c.position AS position, c.id AS id, CASE WHEN $within IS NULL OR $within IN [${ANCESTORS}] THEN c.scope END AS scope`,
    ),
  );

const scanTopics = statement<WalkParams & { ids: readonly string[] }, WalkedRow>(
  'concept.scan_topics',
  'constraint concept_id',
  `UNWIND $ids AS id
   CALL (id) {
     MATCH (c:Concept {id: id}) WHERE c.position <= $before
     RETURN c LIMIT 1
   }
   WITH c ORDER BY c.position DESC LIMIT $scan
   ${PLACE}`,
);

const scanSubtreeTopics = statement<
  WalkParams & { tenant: string; entities: readonly string[]; within: string },
  WalkedRow
>(
  'concept.scan_subtree_topics',
  'index concept_tenant_entity, walked in order once per entity',
  `UNWIND $entities AS entity
   CALL (entity) {
     MATCH (c:Concept) USING INDEX SEEK c:Concept(tenant, entity_id, position)
     WHERE c.tenant = $tenant AND c.entity_id = entity AND c.position <= $before
     WITH c ORDER BY c.tenant DESC, c.entity_id DESC, c.position DESC LIMIT $scan
     RETURN c
   }
   WITH c ORDER BY c.position DESC LIMIT $scan
   RETURN c.position AS position, c.id AS id, CASE WHEN $within IN [${ANCESTORS}] THEN c.scope END AS scope`,
);

/** The concepts of some entities: their ids in the scopes that are read for themselves, and the entities in what is read with all below. */
export interface WalkedTopics {
  readonly ids: readonly string[];
  readonly entities: readonly string[];
  readonly tenant: string;
}

/** Walks over where concepts lie, from a position (inclusive) towards older ones, and reads nothing of what they say. */
export class ConceptWalker {
  private readonly reader: Reader;
  private readonly log: LogOffsets;

  constructor(reader: Reader, log: LogOffsets) {
    this.reader = reader;
    this.log = log;
  }

  /** At most `scan` rows of a selection, newest first; with `topics`, of these alone. Fewer mean the end. */
  async scan(
    { selection, topics }: { readonly selection: ScopeSelection; readonly topics: WalkedTopics | null },
    recorded: number,
    before: number,
    scan: number,
  ): Promise<WalkedRow[]> {
    const from = await this.log.bound(before, recorded);
    const params = { before: int(from), scan: int(scan) };
    const walks =
      topics === null ? this.walksOf(selection, params) : this.walksAbout(selection, topics, params);
    return newestOf(await Promise.all(walks), scan);
  }

  private walksOf({ scopes, subtrees }: ScopeSelection, params: WalkParams): Promise<WalkedRow[]>[] {
    const walks = scopes.length === 0 ? [] : [this.reader.read(scanScopes, { ...params, refs: scopes })];
    walks.push(...subtreeWalks(this.reader, scanSubtree, params, subtrees));
    return walks;
  }

  private walksAbout(
    { subtrees }: ScopeSelection,
    { ids, entities, tenant }: WalkedTopics,
    params: WalkParams,
  ): Promise<WalkedRow[]>[] {
    const walks = ids.length === 0 ? [] : [this.reader.read(scanTopics, { ...params, ids })];
    for (const { ref } of entities.length === 0 ? [] : subtrees)
      walks.push(this.reader.read(scanSubtreeTopics, { ...params, tenant, entities, within: ref }));
    return walks;
  }
}
