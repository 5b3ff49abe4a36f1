import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import { entityIdOf } from '../../src/derive/entity.ts';
import { keptNames } from '../../src/derive/known-names.ts';
import { STATING_KINDS } from '../../src/derive/statement.ts';
import type { Reader, Transaction } from '../driver.ts';
import type { ExtractionAnswer } from '../extraction.ts';
import { int, statement, type Params } from '../statement.ts';

/** Entities of which it is asked in one statement whether they are there still. */
const ASKED = 1_000;

/** The name of an entity in what an event states; empty where it is given none. */
interface NamedEntity {
  readonly id: string;
  readonly name: string;
}

interface Stated {
  readonly named: readonly NamedEntity[];
  /** Whether something else of the scope has one of the names. */
  readonly shared: boolean;
  /** Of events of which nothing is derived, what models answered about them. */
  readonly answers: readonly string[];
  /** Such events that state something themselves. */
  readonly envelopes: readonly string[];
  /** What the names of such events stood for. */
  readonly resolved: readonly string[];
  /** Number of the first frame about an event that states something; 0 where there is none any more about some of them, null where nothing is stated. */
  readonly frames_from: number | null;
}

// With intake and shard held nothing is derived of the events until the step ends: what is read here is all that they state.
const stated = statement<
  { events: readonly string[]; kinds: readonly string[]; ref: string; shard: Integer; now: Integer },
  Stated
>(
  'forget.stated_entities',
  'constraints shard_intake, shard_number, event_id, extraction_event; indexes statement_event, entity_name_scope, lifecycle_event',
  `MATCH (intake:ShardIntake {number: $shard})
   SET intake.touched = $now
   WITH intake
   MATCH (shard:Shard {number: $shard})
   SET shard.touched = $now
   WITH shard
   WITH COLLECT {
     UNWIND $events AS event
     MATCH (s:Statement) USING INDEX SEEK s:Statement(event_id) WHERE s.event_id = event
     CALL (s) {
       RETURN s.subject_id AS id, CASE WHEN s.subject_name IS NULL THEN [null] ELSE [s.subject_name, s.subject_normal] END AS names
       UNION
       RETURN s.object_id AS id, CASE WHEN s.object_name IS NULL THEN [null] ELSE [s.object_name, s.object_normal] END AS names
       UNION
       MATCH (s)-[named:NAMED]->(n:Entity)
       RETURN n.id AS id, CASE WHEN named.name IS NULL THEN [null] ELSE [named.name, named.normal] END AS names
     }
     UNWIND names AS name
     WITH DISTINCT id, coalesce(name, '') AS name WHERE id IS NOT NULL
     RETURN {id: id, name: name}
   } AS named, COLLECT {
     UNWIND $events AS id
     MATCH (e:Event {id: id}) WHERE NOT EXISTS { MATCH (s:Statement) USING INDEX SEEK s:Statement(event_id) WHERE s.event_id = id }
     RETURN e
   } AS silent
   RETURN named, any(one IN named WHERE EXISTS {
     MATCH (m:EntityName) USING INDEX SEEK m:EntityName(scope_ref, normalised_name, position)
     WHERE m.scope_ref = $ref AND m.normalised_name = one.name AND m.position >= 0 AND m.id <> one.id
   }) AS shared, COLLECT {
     UNWIND silent AS e
     MATCH (x:Extraction {event_id: e.id})
     RETURN x.answer
   } AS answers, [e IN silent WHERE e.content_kind IN $kinds | e.envelope] AS envelopes, [e IN silent WHERE e.resolved IS NOT NULL | e.resolved] AS resolved, head(COLLECT {
     UNWIND $events AS event
     WITH event WHERE EXISTS { MATCH (s:Statement) USING INDEX SEEK s:Statement(event_id) WHERE s.event_id = event }
     OPTIONAL MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(event_id) WHERE f.event_id = event
     WITH event, coalesce(min(f.sequence), 0) AS first
     RETURN min(first)
   }) AS frames_from`,
);

interface KeepParams extends Params {
  plan: string;
  number: Integer;
  ids: readonly string[];
  names: readonly string[];
  shared: boolean;
  frames_from: Integer | null;
}

const keep = statement<KeepParams, { number: number }>(
  'forget.keep_entities',
  'constraint taken_entities',
  `MERGE (t:TakenEntities {plan_id: $plan, number: $number})
   SET t.ids = $ids, t.names = $names, t.shared = $shared, t.frames_from = $frames_from
   RETURN t.number AS number`,
);

/** What one step noted; of the same length, and a name is empty where none was given. */
interface Part {
  readonly number: number;
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly shared: boolean;
  readonly frames_from: number | null;
}

const next = statement<{ plan: string; after: Integer }, Part>(
  'forget.next_entities',
  'constraint taken_entities, walked in order',
  `MATCH (t:TakenEntities) USING INDEX SEEK t:TakenEntities(plan_id, number) WHERE t.plan_id = $plan AND t.number > $after
   WITH t ORDER BY t.plan_id, t.number LIMIT 1
   RETURN t.number AS number, t.ids AS ids, t.names AS names, t.shared AS shared, t.frames_from AS frames_from`,
);

const gone = statement<{ ref: string; ids: readonly string[] }, { id: string }>(
  'forget.gone_entities',
  'constraint entity_key',
  `UNWIND $ids AS id
   WITH id WHERE NOT EXISTS { MATCH (e:Entity) USING INDEX SEEK e:Entity(key) WHERE e.key = $ref + ' ' + id }
   RETURN id`,
);

const drop = statement<{ plan: string }, { dropped: number }>(
  'forget.drop_entities',
  'constraint taken_entities',
  `MATCH (t:TakenEntities) USING INDEX SEEK t:TakenEntities(plan_id, number) WHERE t.plan_id = $plan AND t.number >= 0
   DELETE t
   RETURN count(*) AS dropped`,
);

/** Entities that a forget left without anything that states something of them. */
export interface GoneEntities {
  readonly ids: ReadonlySet<string>;
  /** The names that the events of the forget gave them, by id. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Their ids and names, without those that are ids of entities which are there still. */
  readonly forms: ReadonlySet<string>;
  /** Whether something else of the scope may have had one of the names. */
  readonly shared: boolean;
  /** Number of the first frame that may name a fact that went with the events; null where they stated nothing. */
  readonly frames_from: number | null;
}

/**
 * Notes, within the transaction of a step and before anything else of it, which entities the events of the step name: when all is taken
 * out, what only names those that are gone goes too. Takes intake and shard of the scope.
 */
export async function noteEntitiesWithin(
  transaction: Transaction,
  step: {
    readonly plan_id: string;
    readonly scope_ref: string;
    readonly number: number;
    readonly now: number;
  },
  events: readonly string[],
): Promise<void> {
  if (events.length === 0) return;
  const { plan_id: plan, scope_ref: ref, number, now } = step;
  const [found] = await transaction.run(stated, {
    events,
    kinds: [...STATING_KINDS, 'conflict_resolution'],
    ref,
    shard: int(shardOf(ref)),
    now: int(now),
  });
  if (found === undefined) throw new Error('a shard is not there: the store is not migrated');
  const named = [
    ...found.named,
    ...found.answers.flatMap(extractedFrom),
    ...found.envelopes.flatMap((text) => termsIn((JSON.parse(text) as { content: unknown }).content)),
    ...found.resolved.flatMap((text) => [...keptNames(text)].map(([name, id]) => ({ id, name }))),
  ];
  // What enrichment knows of a name is the id that is made from it.
  const made = named.flatMap(({ name }) => (name === '' ? [] : [{ id: entityIdOf(name), name: '' }]));
  const all = [...named, ...made];
  if (all.length === 0) return;
  const ids = all.map(({ id }) => id);
  const names = all.map(({ name }) => name);
  const shared = found.shared || found.resolved.length > 0;
  const frames_from = found.frames_from === null ? null : int(found.frames_from);
  await transaction.run(keep, { plan, number: int(number), ids, names, shared, frames_from });
}

/** The entities that the steps of a plan took from events, as far as nothing is stated of them any more. */
export async function goneEntities(
  reader: Reader,
  { id: plan, scope_ref: ref }: { readonly id: string; readonly scope_ref: string },
): Promise<GoneEntities> {
  const names = new Map<string, Set<string>>();
  let shared = false;
  let frames_from: number | null = null;
  for (let after: number | null = -1; after !== null;) {
    const [part]: Part[] = await reader.read(next, { plan, after: int(after) });
    part?.ids.forEach((id, i) => {
      const own = names.get(id) ?? new Set();
      const name = part.names[i] ?? '';
      names.set(id, name === '' ? own : own.add(name));
    });
    shared ||= part?.shared === true;
    const first = part?.frames_from ?? null;
    if (first !== null) frames_from = Math.min(first, frames_from ?? first);
    after = part?.number ?? null;
  }
  const ids = await goneAmong(reader, ref, [...names.keys()]);
  const forms = await goneAmong(reader, ref, [
    ...new Set([...ids].flatMap((id) => [id, ...(names.get(id) ?? [])])),
  ]);
  return { ids, names, forms, shared, frames_from };
}

/** Those of some ids that no entity of a scope has. */
async function goneAmong(reader: Reader, ref: string, all: readonly string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let at = 0; at < all.length; at += ASKED)
    for (const { id } of await reader.read(gone, { ref, ids: all.slice(at, at + ASKED) })) ids.add(id);
  return ids;
}

/** Removes what was noted of a plan, within the transaction that ends it. */
export async function dropEntitiesWithin(transaction: Transaction, plan: string): Promise<void> {
  await transaction.run(drop, { plan });
}

/** The entities that a stored answer of a model names, of which nothing was derived yet. */
function extractedFrom(answer: string): NamedEntity[] {
  const { statements } = JSON.parse(answer) as ExtractionAnswer;
  return statements.flatMap(({ triple: { subject, object } }) =>
    [subject, object].flatMap((term) =>
      term.type === 'entity' ? [{ id: term.id, name: term.name ?? '' }] : [],
    ),
  );
}

/** What terms in a JSON value name: whatever has an id or a name, and what is said to be a subject or an object. */
function termsIn(value: unknown): NamedEntity[] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, name, subject, object } = value as Readonly<Record<string, unknown>>;
  const own = [id, name, subject, object].flatMap((text) => (typeof text === 'string' ? [text] : []));
  return [...own.map((text) => ({ id: text, name: text })), ...Object.values(value).flatMap(termsIn)];
}
