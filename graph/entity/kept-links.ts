import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import type { Reader } from '../driver.ts';
import { eventParts } from '../event-parts.ts';
import { int, statement } from '../statement.ts';
import { TAKEN_OUT } from '../visible.ts';
import type { StoredLink } from './link.ts';

/** Events that are looked at in one statement, and ids and names that are looked for in their texts. */
const NAMING_PAGE = 1_000;
const FORMS = 100;

/**
 * Whether not all that an event `e` says is derived, for longer than its consolidation takes: something of it was forgotten, it was cancelled
 * or replaced, it is held, or enrichment has still to ask about it.
 */
const UNDERIVED = `(EXISTS { (e)<-[:FORGETS]-() } OR ${TAKEN_OUT} OR EXISTS { MATCH (h:StageRetry) WHERE h.event_id = e.id }
       OR EXISTS { MATCH (:EnrichmentRetry {event_id: e.id}) } OR e.wal_offset > unasked)`;

interface NamingEvent {
  readonly id: string;
  readonly bytes: number;
  /** Whether it is yet to be consolidated, and nothing else is the matter. */
  readonly waits: boolean;
}

const naming = statement<
  { ref: string; shard: Integer; after: Integer; through: Integer; page: Integer },
  { through: number; rows: number; found: readonly NamingEvent[] }
>(
  'entity_link.naming_events',
  'constraints shard_number, enrichment_scope, enrichment_hold; index event_scope, walked in order; index retry_event',
  `MATCH (shard:Shard {number: $shard})
   OPTIONAL MATCH (p:EnrichmentProgress {scope_ref: $ref})
   WITH shard, CASE WHEN p.open_shard IS NULL THEN $through ELSE p.after END AS unasked
   CALL () {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after AND e.wal_offset <= $through
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page
     RETURN e
   }
   RETURN max(e.wal_offset) AS through, count(*) AS rows,
     collect(CASE WHEN ${UNDERIVED} THEN e {.id, .bytes, waits: false} WHEN e.wal_offset > shard.consolidated THEN e {.id, .bytes, waits: true} END) AS found`,
);

// One text after the other: none is kept beside the next.
const namedIn = statement<{ ids: readonly string[]; forms: readonly string[] }, { form: string }>(
  'entity_link.named_in',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id})
   WITH toLower(e.envelope + coalesce(e.resolved, '')) AS text
   UNWIND $forms AS form
   WITH form WHERE text CONTAINS form
   RETURN DISTINCT form`,
);

/** The entities that links are of. */
export function linkedBy(links: readonly StoredLink[]): Set<string> {
  return new Set(links.flatMap(({ entity, same_as }) => [entity, same_as]));
}

/** What names entities, in lower case, with the ids of those that it names. */
export type NameForms = ReadonlyMap<string, readonly string[]>;

/** The forms of entities: their ids, and the names that they were given. */
export function formsOf(
  entities: Iterable<string>,
  names: ReadonlyMap<string, ReadonlySet<string>>,
): NameForms {
  const of = new Map<string, string[]>();
  for (const id of entities)
    for (const form of new Set([id, ...(names.get(id) ?? [])].map((text) => text.toLowerCase())))
      of.set(form, [...(of.get(form) ?? []), id]);
  return of;
}

/** Entities that events name of which not all is derived. */
export interface NamedEntities {
  readonly ids: ReadonlySet<string>;
  /** Those that are named by events alone which are yet to be consolidated. */
  readonly waiting: ReadonlySet<string>;
  /** Whether there may be more events than were looked at. */
  readonly more: boolean;
}

/** Where events are looked for that name entities. */
export interface NamingReach {
  /** They lie behind this offset of the log, and at or before the other. */
  readonly after: number;
  readonly through: number;
  /** Pages at most; left out for all. */
  readonly pages?: number;
}

/** Those of the entities that events of a scope name of which not all is derived: by what stands in their texts. */
export async function namedAmong(
  reader: Reader,
  ref: string,
  of: NameForms,
  { after: first, through, pages = Number.POSITIVE_INFINITY }: NamingReach,
): Promise<NamedEntities> {
  const found = { kept: new Set<string>(), waiting: new Set<string>() };
  let after = first;
  for (let looked = 0; looked < pages; looked += 1) {
    const params = { ref, shard: int(shardOf(ref)), after: int(after), through: int(through) };
    const [page] = await reader.read(naming, { ...params, page: int(NAMING_PAGE) });
    for (const [ids, waits] of [
      [found.kept, false],
      [found.waiting, true],
    ] as const)
      await addNamed(reader, ids, of, page?.found.filter((event) => event.waits === waits) ?? []);
    if (page === undefined || page.rows < NAMING_PAGE) return answerOf(found, false);
    after = page.through;
  }
  return answerOf(found, true);
}

async function addNamed(
  reader: Reader,
  ids: Set<string>,
  of: NameForms,
  events: readonly NamingEvent[],
): Promise<void> {
  for (const part of eventParts(events)) {
    const forms = [...of].flatMap(([form, named]) => (named.every((id) => ids.has(id)) ? [] : [form]));
    for (let at = 0; at < forms.length; at += FORMS)
      for (const { form } of await reader.read(namedIn, { ids: part, forms: forms.slice(at, at + FORMS) }))
        for (const id of of.get(form) ?? []) ids.add(id);
  }
}

function answerOf(
  { kept, waiting }: { readonly kept: ReadonlySet<string>; readonly waiting: ReadonlySet<string> },
  more: boolean,
): NamedEntities {
  return { ids: kept, waiting: new Set([...waiting].filter((id) => !kept.has(id))), more };
}

/** Of links those that entities which are named go by, or ever went, and those that lead to one: by their ids. */
export function keptLinks(links: readonly StoredLink[], named: Iterable<string>): Set<string> {
  const own = new Set(named);
  const going = new Set(own);
  for (let size = -1; size < going.size;) {
    size = going.size;
    for (const { entity, same_as } of links) if (going.has(entity)) going.add(same_as);
  }
  const kept = links.filter(({ entity, same_as }) => going.has(entity) || own.has(same_as));
  return new Set(kept.map(({ id }) => id));
}
