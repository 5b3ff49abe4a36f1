import type { ScopeSelection } from '../scope-selection.ts';
import type { Integer } from 'neo4j-driver';

import type { StoredFact } from '../../src/derive/fact-item.ts';
import type { Cardinality } from '../../schemas/scope-policy.ts';
import type { Instants } from '../../src/time/bitemporal-range.ts';
import type { Reader } from '../driver.ts';
import { SHOWN } from './read.ts';
import { LIVES, LIVES_ON, livesAt, type LifeParams } from './life.ts';
import { FACT, wantedRow } from './row.ts';
import type { LogOffsets } from '../log-offset.ts';
import { isBare, newestOf, scopeOf, subtreeWalks, type BareParams, type WalkedRow } from '../record-walk.ts';
import { INDEXED_LEVELS } from '../schema.ts';
import { instant, type Instant } from '../instant.ts';
import { int, real, statement, type Params, type Real, type Statement } from '../statement.ts';

/** An entity as it is known in one scope. */
export interface EntityKey extends Params {
  readonly ref: string;
  readonly id: string;
}

/** Which facts a walk is to show. */
export interface FactFilter {
  readonly at: Instants;
  /** Shows every fact that was known, whenever it is true. */
  readonly any_time: boolean;
  /** The spellings of one predicate; null for any. */
  readonly predicates: readonly string[] | null;
  /** 0 to 1; null for any. */
  readonly min_confidence: number | null;
}

/** One row of a walk: a fact that is wanted, or the place of one that is not, or of any. */
export interface WalkedFact extends WalkedRow {
  readonly fact: StoredFact | null;
}

interface ShownParams extends Params {
  valid: Instant;
  recorded: Instant;
  any_time: boolean;
  predicates: readonly string[] | null;
  min_confidence: Real | null;
  inline: Integer;
  supports: Integer;
}

interface WalkParams extends ShownParams, BareParams {
  before: Integer;
  scan: Integer;
}

/** Goes on from the facts `f` of a walk, of which those are not looked at for which `within` is not so. */
const walked = (
  within?: string,
): string => `${wantedRow(`NOT $bare${within === undefined ? '' : ` AND ${within}`}`)}
   RETURN f.position AS position, f.id AS id, ${scopeOf('f', within)}, CASE WHEN x IS NOT NULL THEN ${FACT} END AS fact`;

const scanScopes = statement<WalkParams & LifeParams & { refs: readonly string[] }, WalkedFact>(
  'fact.scan_scopes',
  'indexes fact_scope, walked in order once per scope and class, and fact_version_fact, fact_version_resumes; constraint counter_name',
  `${LIVES}
   UNWIND $refs AS ref
   UNWIND lives AS life
   CALL (ref, life) {
     MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, life_class, position)
     WHERE f.scope_ref = ref AND ${LIVES_ON} AND f.position <= $before
     WITH f ORDER BY f.scope_ref DESC, f.life_class DESC, f.position DESC LIMIT $scan
     RETURN f
   }
   WITH DISTINCT f ORDER BY f.position DESC LIMIT $scan
   ${walked()}`,
);

const ANCESTORS = Array.from({ length: 32 }, (_, i) => `f.a${i}`).join(', ');
const DEEPER = Array.from({ length: 32 - INDEXED_LEVELS }, (_, i) => `f.a${INDEXED_LEVELS + i}`).join(', ');

/** One text per indexed level, since a property name cannot be a parameter; `within` narrows the last one to deeper scopes. */
const scanSubtree: readonly Statement<
  WalkParams & LifeParams & { ref: string; within: string | null },
  WalkedFact
>[] = Array.from({ length: INDEXED_LEVELS }, (_, level) =>
  statement(
    `fact.scan_subtree_a${level}`,
    `indexes fact_a${level}, walked in order once per class, and fact_version_fact, fact_version_resumes; constraint counter_name`,
    `${LIVES}
       UNWIND lives AS life
       CALL (life) {
         MATCH (f:Fact) USING INDEX SEEK f:Fact(a${level}, life_class, position)
         WHERE f.a${level} = $ref AND ${LIVES_ON} AND f.position <= $before
         WITH f ORDER BY f.a${level} DESC, f.life_class DESC, f.position DESC LIMIT $scan
         RETURN f
       }
       WITH DISTINCT f ORDER BY f.position DESC LIMIT $scan
       ${walked(`($within IS NULL OR $within IN [${level === INDEXED_LEVELS - 1 ? DEEPER : ''}])`)}`,
  ),
);

/** The newest facts `f` about the entity `place` of the class `life`, walked by index fact_subject. */
export const ABOUT_PLACE = `CALL (place, life) {
     MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, subject_id, life_class, position)
     WHERE f.scope_ref = place.ref AND f.subject_id = place.id AND ${LIVES_ON} AND f.position <= $before
     WITH f ORDER BY f.scope_ref DESC, f.subject_id DESC, f.life_class DESC, f.position DESC LIMIT $scan
     RETURN f
   }`;

const scanSubjects = statement<WalkParams & LifeParams & { places: readonly EntityKey[] }, WalkedFact>(
  'fact.scan_subjects',
  'indexes fact_subject, walked in order once per scope, subject and class, and fact_version_fact, fact_version_resumes; constraint counter_name',
  `${LIVES}
   UNWIND $places AS place
   UNWIND lives AS life
   ${ABOUT_PLACE}
   WITH DISTINCT f ORDER BY f.position DESC LIMIT $scan
   ${walked()}`,
);

const scanObjects = statement<WalkParams & { places: readonly EntityKey[] }, WalkedFact>(
  'fact.scan_objects',
  'indexes fact_object, walked in order once per scope and object, and fact_version_fact, fact_version_resumes',
  `UNWIND $places AS place
   CALL (place) {
     MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, object_id, position)
     WHERE f.scope_ref = place.ref AND f.object_id = place.id AND f.position <= $before
     WITH f ORDER BY f.scope_ref DESC, f.object_id DESC, f.position DESC LIMIT $scan
     RETURN f
   }
   WITH f ORDER BY f.position DESC LIMIT $scan
   ${walked()}`,
);

const scanTopics = statement<
  WalkParams & { places: readonly EntityKey[]; cardinalities: readonly Cardinality[] },
  WalkedFact
>(
  'fact.scan_topics',
  'indexes fact_topic, walked in order once per scope, subject, spelling and cardinality, and fact_version_fact, fact_version_resumes',
  `UNWIND $places AS place
   UNWIND $predicates AS predicate
   UNWIND $cardinalities AS cardinality
   CALL (place, predicate, cardinality) {
     MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, subject_id, predicate, cardinality, position)
     WHERE f.scope_ref = place.ref AND f.subject_id = place.id AND f.predicate = predicate AND f.cardinality = cardinality
       AND f.position <= $before
     WITH f ORDER BY f.scope_ref DESC, f.subject_id DESC, f.predicate DESC, f.cardinality DESC, f.position DESC LIMIT $scan
     RETURN f
   }
   WITH f ORDER BY f.position DESC LIMIT $scan
   ${walked()}`,
);

const scanSubtreeSubjects = statement<
  WalkParams & LifeParams & { tenant: string; ids: readonly string[]; within: string },
  WalkedFact
>(
  'fact.scan_subtree_subjects',
  'indexes fact_entity, walked in order once per subject and class, and fact_version_fact, fact_version_resumes; constraint counter_name',
  `${LIVES}
   UNWIND $ids AS id
   UNWIND lives AS life
   CALL (id, life) {
     MATCH (f:Fact) USING INDEX SEEK f:Fact(tenant, subject_id, life_class, position)
     WHERE f.tenant = $tenant AND f.subject_id = id AND ${LIVES_ON} AND f.position <= $before
     WITH f ORDER BY f.tenant DESC, f.subject_id DESC, f.life_class DESC, f.position DESC LIMIT $scan
     RETURN f
   }
   WITH DISTINCT f ORDER BY f.position DESC LIMIT $scan
   ${walked(`$within IN [${ANCESTORS}]`)}`,
);

const ofIds = statement<ShownParams & { ids: readonly string[] }, { fact: StoredFact }>(
  'fact.walked',
  'constraint statement_id; indexes fact_version_fact, fact_version_resumes',
  `UNWIND $ids AS id
   MATCH (f:Statement {id: id})
   ${wantedRow()}
   WITH f, known, x WHERE x IS NOT NULL
   RETURN ${FACT} AS fact`,
);

/** Walks facts from a position (inclusive) towards older ones; every scope that it is handed was authorised before. */
export class FactWalker {
  private readonly reader: Reader;
  private readonly log: LogOffsets;

  constructor(reader: Reader, log: LogOffsets) {
    this.reader = reader;
    this.log = log;
  }

  /** At most `scan` rows of a selection, newest first; places alone of one that may partly not be read. Fewer mean that the end was reached. */
  async scan(
    selection: ScopeSelection,
    filter: FactFilter,
    before: number,
    scan: number,
  ): Promise<WalkedFact[]> {
    const { scopes, subtrees } = selection;
    const params = { ...(await this.paramsOf(filter, before, scan)), ...isBare(selection) };
    const walks = scopes.length === 0 ? [] : [this.reader.read(scanScopes, { ...params, refs: scopes })];
    walks.push(...subtreeWalks(this.reader, scanSubtree, params, subtrees));
    return newestOf(await Promise.all(walks), scan);
  }

  /** The same of the facts about some subjects. With a predicate, of the cardinalities given only. */
  async scanSubjects(
    about: { readonly selection: ScopeSelection; readonly tenant: string; readonly ids: readonly string[] },
    filter: FactFilter,
    cardinalities: readonly Cardinality[],
    { before, scan }: { readonly before: number; readonly scan: number },
  ): Promise<WalkedFact[]> {
    const { selection, tenant, ids } = about;
    const params = { ...(await this.paramsOf(filter, before, scan)), ...isBare(selection) };
    const places = placesOf(selection, ids);
    const walks: Promise<WalkedFact[]>[] = [];
    if (places.length > 0 && filter.predicates === null)
      walks.push(this.reader.read(scanSubjects, { ...params, places }));
    if (places.length > 0 && filter.predicates !== null && cardinalities.length > 0)
      walks.push(this.reader.read(scanTopics, { ...params, places, cardinalities }));
    for (const { ref } of ids.length === 0 ? [] : selection.subtrees)
      walks.push(this.reader.read(scanSubtreeSubjects, { ...params, tenant, ids, within: ref }));
    return newestOf(await Promise.all(walks), scan);
  }

  /** The same of the facts that name an entity in some scopes, as their subject or as their object. */
  async scanEdges(
    places: readonly EntityKey[],
    filter: FactFilter,
    before: number,
    scan: number,
  ): Promise<WalkedFact[]> {
    const params = { ...(await this.paramsOf(filter, before, scan)), places };
    const walks = [this.reader.read(scanSubjects, params), this.reader.read(scanObjects, params)];
    return newestOf(await Promise.all(walks), scan);
  }

  /** Those facts of a walk over places that are wanted, by id. */
  async walked(ids: readonly string[], filter: FactFilter): Promise<Map<string, StoredFact>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(ofIds, { ...shownBy(filter), ids });
    return new Map(rows.map(({ fact }) => [fact.id, fact]));
  }

  private async paramsOf(filter: FactFilter, before: number, scan: number): Promise<WalkParams & LifeParams> {
    const { at, any_time } = filter;
    const bound = await this.log.bound(before, at.recorded);
    return {
      ...shownBy(filter),
      ...(await livesAt(this.log, at, any_time)),
      before: int(bound),
      scan: int(scan),
      bare: false,
    };
  }
}

function shownBy({ at, any_time, predicates, min_confidence }: FactFilter): ShownParams {
  return {
    ...SHOWN,
    valid: instant(at.valid),
    recorded: instant(at.recorded),
    any_time,
    predicates,
    min_confidence: min_confidence === null ? null : real(min_confidence),
  };
}

/** What each of the entities is known as in each of the scopes that are read for themselves. */
export function placesOf({ scopes }: ScopeSelection, ids: readonly string[]): EntityKey[] {
  return scopes.flatMap((ref) => ids.map((id) => ({ ref, id })));
}
