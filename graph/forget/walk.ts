import type { Integer } from 'neo4j-driver';

import type { Reader } from '../driver.ts';
import { LASTING } from '../fact/life.ts';
import { int, statement, type Params, type Statement } from '../statement.ts';
import { walkPages } from './pages.ts';

/** A derived record of a scope, as far as a forgetting asks of it; null for what its layer has not. Instants are epoch milliseconds. */
export interface WalkedRecord {
  readonly id: string;
  readonly position: number;
  readonly subject_id: string | null;
  readonly subject_name: string | null;
  readonly object_id: string | null;
  readonly predicate: string | null;
  readonly begins_at: number | null;
  readonly recorded_at: number | null;
  /** Of beliefs. */
  readonly claim: string | null;
  readonly value: string | null;
}

/** Where records are looked for: in a scope, up to an offset of the log. */
export interface RecordSpan {
  readonly ref: string;
  readonly through: number;
}

interface WalkParams extends Params {
  ref: string;
  after: Integer;
  through: Integer;
  page: Integer;
}

interface ByIdParams extends Params {
  ref: string;
  through: Integer;
  ids: readonly string[];
}

type AboutParams = WalkParams & { entity: string };

const FACT = `RETURN f.id AS id, f.position AS position, f.subject_id AS subject_id, f.subject_name AS subject_name, f.object_id AS object_id,
     f.predicate AS predicate, f.valid_from.epochMillis AS begins_at, f.recorded_at.epochMillis AS recorded_at, null AS claim, null AS value`;
const BELIEF = `RETURN b.id AS id, b.position AS position, b.subject_id AS subject_id, b.subject_name AS subject_name, b.object_id AS object_id,
     b.predicate AS predicate, b.valid_from.epochMillis AS begins_at, b.recorded_at.epochMillis AS recorded_at, b.claim AS claim, b.value AS value`;
const CONCEPT = `RETURN c.id AS id, c.position AS position, c.entity_id AS subject_id, null AS subject_name, null AS object_id,
     null AS predicate, null AS begins_at, c.recorded_at.epochMillis AS recorded_at, null AS claim, null AS value`;
const EPISODE = `RETURN ep.id AS id, ep.position AS position, null AS subject_id, null AS subject_name, null AS object_id,
     null AS predicate, ep.started_at.epochMillis AS begins_at, ep.recorded_from.epochMillis AS recorded_at, null AS claim, null AS value`;

const facts = statement<WalkParams & { life: Integer }, WalkedRecord>(
  'forget.facts',
  'index fact_scope, walked in order',
  `MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, life_class, position)
   WHERE f.scope_ref = $ref AND f.life_class = $life AND f.position > $after AND f.position <= $through
   WITH f ORDER BY f.scope_ref, f.life_class, f.position LIMIT $page
   ${FACT}`,
);

const factsOfSubject = statement<AboutParams & { life: Integer }, WalkedRecord>(
  'forget.facts_of_subject',
  'index fact_subject, walked in order',
  `MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, subject_id, life_class, position)
   WHERE f.scope_ref = $ref AND f.subject_id = $entity AND f.life_class = $life AND f.position > $after AND f.position <= $through
   WITH f ORDER BY f.scope_ref, f.subject_id, f.life_class, f.position LIMIT $page
   ${FACT}`,
);

const factsOfObject = statement<AboutParams, WalkedRecord>(
  'forget.facts_of_object',
  'index fact_object, walked in order',
  `MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, object_id, position)
   WHERE f.scope_ref = $ref AND f.object_id = $entity AND f.position > $after AND f.position <= $through
   WITH f ORDER BY f.scope_ref, f.object_id, f.position LIMIT $page
   ${FACT}`,
);

const factsById = statement<ByIdParams, WalkedRecord>(
  'forget.facts_by_id',
  'constraint statement_id',
  `UNWIND $ids AS id
   MATCH (s:Statement {id: id}) WHERE s.scope_ref = $ref
   MATCH (f:Statement {id: s.fact_id}) WHERE f.position <= $through
   ${FACT}`,
);

const beliefs = statement<WalkParams, WalkedRecord>(
  'forget.beliefs',
  'index belief_place, walked in order',
  `MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, position) WHERE b.scope_ref = $ref AND b.position > $after AND b.position <= $through
   WITH b ORDER BY b.scope_ref, b.position LIMIT $page
   ${BELIEF}`,
);

const beliefsOfSubject = statement<AboutParams, WalkedRecord>(
  'forget.beliefs_of_subject',
  'index belief_subject, walked in order',
  `MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, subject_id, position)
   WHERE b.scope_ref = $ref AND b.subject_id = $entity AND b.position > $after AND b.position <= $through
   WITH b ORDER BY b.scope_ref, b.subject_id, b.position LIMIT $page
   ${BELIEF}`,
);

const beliefsOfObject = statement<AboutParams, WalkedRecord>(
  'forget.beliefs_of_object',
  'index belief_object, walked in order',
  `MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, object_id, position)
   WHERE b.scope_ref = $ref AND b.object_id = $entity AND b.position > $after AND b.position <= $through
   WITH b ORDER BY b.scope_ref, b.object_id, b.position LIMIT $page
   ${BELIEF}`,
);

const beliefsById = statement<ByIdParams, WalkedRecord>(
  'forget.beliefs_by_id',
  'constraint belief_id',
  `UNWIND $ids AS id
   MATCH (b:Belief {id: id}) WHERE b.scope_ref = $ref AND b.position <= $through
   ${BELIEF}`,
);

const concepts = statement<WalkParams, WalkedRecord>(
  'forget.concepts',
  'index concept_place, walked in order',
  `MATCH (c:Concept) USING INDEX SEEK c:Concept(scope_ref, position) WHERE c.scope_ref = $ref AND c.position > $after AND c.position <= $through
   WITH c ORDER BY c.scope_ref, c.position LIMIT $page
   ${CONCEPT}`,
);

const conceptsById = statement<ByIdParams, WalkedRecord>(
  'forget.concepts_by_id',
  'constraint concept_id',
  `UNWIND $ids AS id
   MATCH (c:Concept {id: id}) WHERE c.scope_ref = $ref AND c.position <= $through
   ${CONCEPT}`,
);

const episodes = statement<WalkParams, WalkedRecord>(
  'forget.episodes',
  'index episode_place, walked in order',
  `MATCH (ep:Episode) USING INDEX SEEK ep:Episode(scope_ref, position) WHERE ep.scope_ref = $ref AND ep.position > $after AND ep.position <= $through
   WITH ep ORDER BY ep.scope_ref, ep.position LIMIT $page
   ${EPISODE}`,
);

const episodesById = statement<ByIdParams, WalkedRecord>(
  'forget.episodes_by_id',
  'constraint episode_id',
  `UNWIND $ids AS id
   MATCH (ep:Episode {id: id}) WHERE ep.scope_ref = $ref AND ep.position <= $through
   ${EPISODE}`,
);

const BY_ID = { facts: factsById, beliefs: beliefsById, understanding: conceptsById, episodes: episodesById };
const WHOLE = { beliefs, understanding: concepts, episodes };
const LIVES = Array.from({ length: LASTING + 1 }, (_, life) => ({ life: int(life) }));

/** A layer of derived records. */
export type DerivedLayer = keyof typeof BY_ID;

/** Walks the derived records of a scope in bounded pages, up to an offset of the log; in no order. */
export class RecordWalk {
  private readonly reader: Reader;
  private readonly span: RecordSpan;

  constructor(reader: Reader, span: RecordSpan) {
    this.reader = reader;
    this.span = span;
  }

  /** All records of a layer. */
  async all(layer: DerivedLayer): Promise<WalkedRecord[]> {
    if (layer !== 'facts') return this.walk(WHOLE[layer], {});
    const found: WalkedRecord[][] = [];
    for (const life of LIVES) found.push(await this.walk(facts, life));
    return found.flat();
  }

  /** The facts, or beliefs, that have one of the entities as their subject; with `objects`, or as their object. */
  async about(
    layer: 'facts' | 'beliefs',
    entities: Iterable<string>,
    objects: boolean,
  ): Promise<WalkedRecord[]> {
    const found: WalkedRecord[][] = [];
    for (const entity of entities) {
      if (layer === 'beliefs') found.push(await this.walk(beliefsOfSubject, { entity }));
      else for (const life of LIVES) found.push(await this.walk(factsOfSubject, { ...life, entity }));
      const ofObject = layer === 'facts' ? factsOfObject : beliefsOfObject;
      if (objects) found.push(await this.walk(ofObject, { entity }));
    }
    return onceEach(found.flat());
  }

  /** Those of the ids that are records of a layer here; the id of a statement that joined a fact is one of the fact. One statement. */
  async byId(layer: DerivedLayer, ids: readonly string[]): Promise<WalkedRecord[]> {
    const { ref, through } = this.span;
    return onceEach(await this.reader.read(BY_ID[layer], { ref, through: int(through), ids }));
  }

  private walk<P extends Params>(
    text: Statement<WalkParams & P, WalkedRecord>,
    params: P,
  ): Promise<WalkedRecord[]> {
    const { ref, through } = this.span;
    const span = { ref, through: int(through) };
    return walkPages((after, rows) =>
      this.reader.read(text, { ...params, ...span, after: int(after), page: int(rows) }),
    );
  }
}

function onceEach(records: readonly WalkedRecord[]): WalkedRecord[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}
