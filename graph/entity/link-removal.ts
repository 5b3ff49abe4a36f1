import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import type { GoneEntities } from '../forget/taken-entities.ts';
import type { Reader, Transactions } from '../driver.ts';
import { HOLD_LOG } from '../event-redaction.ts';
import { partsByBytes } from '../event-parts.ts';
import { int, statement, type Param, type Params } from '../statement.ts';
import { NOT_ALL_DERIVED } from '../visible.ts';
import { entityKey, EntityLinkReader, linksWithin, type StoredLink } from './link.ts';
import { drawLinksWithin } from './same-as.ts';

/** Entities of which the links are looked up in one statement. */
const ASKED = 100;

/** Events that are looked at in one statement, and ids and names that are looked for in their texts. */
const PAGE = 1_000;
const FORMS = 100;

/** An entity of a scope of which nothing is derived any more. */
interface GoneEntity {
  readonly ref: string;
  readonly id: string;
  readonly now: number;
}

/** Entities that events name of which not all is derived, as far as the log was looked through. */
interface NamedEntities {
  readonly ids: ReadonlySet<string>;
  readonly through: number;
}

/** Where a link leads, and from which entry of the log on. */
interface Redirection extends Params {
  readonly id: string;
  readonly same_as: string;
  readonly from: string;
}

const naming = statement<
  { ref: string; shard: Integer; after: Integer; page: Integer },
  { through: number; rows: number; found: readonly { readonly id: string; readonly bytes: number }[] }
>(
  'entity_link.naming_events',
  'constraint shard_number; index event_scope, walked in order; index retry_event',
  `MATCH (shard:Shard {number: $shard})
   CALL () {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page
     RETURN e
   }
   RETURN max(e.wal_offset) AS through, count(*) AS rows,
     collect(CASE WHEN ${NOT_ALL_DERIVED} THEN e {.id, .bytes} END) AS found`,
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

/** Whether a link of the group `g`, or the end of one, is still to be applied. */
const PENDING = `EXISTS {
     MATCH (g)<-[:IN_GROUP]-(l:EntityLink)
     WHERE l.pending_shard IS NOT NULL OR EXISTS { MATCH (l)<-[:ENDS]-(u:LinkEntry) WHERE u.pending_shard IS NOT NULL }
   }`;

// With shard and log held no link is entered, applied or gone by meanwhile, nothing is captured, and nothing is derived of the entity. What is
// derived goes by the links in front of those that are still to be applied.
const hold = statement<{ key: string; shard: Integer; now: Integer }, { pending: boolean }>(
  'entity_link.hold_gone',
  'constraints shard_intake, shard_number, counter_name, linked_entity_key, entity_key',
  `${HOLD_LOG}
   MATCH (m:LinkedEntity {key: $key})-[:IN_GROUP]->(g:LinkGroup)
   WHERE NOT EXISTS { MATCH (:Entity {key: $key}) }
   RETURN ${PENDING} AS pending`,
);

const pending = statement<{ keys: readonly string[] }, { pending: boolean }>(
  'entity_link.pending_of',
  'constraint linked_entity_key',
  `UNWIND $keys AS key
   MATCH (m:LinkedEntity {key: key})-[:IN_GROUP]->(g:LinkGroup)
   WITH DISTINCT g
   RETURN count(CASE WHEN ${PENDING} THEN 1 END) > 0 AS pending`,
);

const redirect = statement<{ rows: readonly Param[] }, { redirected: number }>(
  'entity_link.redirect',
  'constraint log_entry_id',
  `UNWIND $rows AS row
   MATCH (l:LogEntry {id: row.id})
   MATCH (from:LogEntry {id: row.from})
   SET l.same_as = row.same_as, l.after_offset = from.after_offset, l.number = from.number, l.recorded_at = from.recorded_at
   RETURN count(*) AS redirected`,
);

const remove = statement<{ ids: readonly string[]; key: string }, { removed: number }>(
  'entity_link.remove',
  'constraints log_entry_id, linked_entity_key',
  `MATCH (:LinkedEntity {key: $key})-[:IN_GROUP]->(g:LinkGroup)
   CALL () {
     UNWIND $ids AS id
     MATCH (l:LogEntry {id: id})
     OPTIONAL MATCH (u:LinkEntry)-[:ENDS]->(l)
     WITH collect(DISTINCT l) AS links, collect(DISTINCT u) AS ends
     FOREACH (l IN links | DETACH DELETE l)
     FOREACH (u IN ends | DETACH DELETE u)
     RETURN size(links) AS removed
   }
   CALL (g) {
     MATCH (m:LinkedEntity)-[:IN_GROUP]->(g)
     WHERE NOT EXISTS { MATCH (g)<-[:IN_GROUP]-(left:EntityLink) WHERE left.entity = m.entity_id OR left.same_as = m.entity_id }
     DETACH DELETE m
   }
   CALL (g) {
     WITH g WHERE NOT EXISTS { (g)<-[:IN_GROUP]-() }
     DETACH DELETE g
   }
   RETURN removed`,
);

/** Whether no link of the entities is still to be applied, nor its end. One round trip for many. */
export async function areLinksApplied(reader: Reader, ref: string, ids: Iterable<string>): Promise<boolean> {
  const keys = [...ids].map((id) => entityKey(ref, id));
  for (let at = 0; at < keys.length; at += ASKED) {
    const [found] = await reader.read(pending, { keys: keys.slice(at, at + ASKED) });
    if (found?.pending === true) return false;
  }
  return true;
}

/**
 * Removes the links of entities of a scope of which nothing is derived any more, those that were taken back too; but none by which an event
 * that is there still would be derived, or was: one of which something was forgotten, that was taken back, or that is yet to be consolidated.
 * What went by such an entity goes by what that one went by. False where links are still to be applied first, and some are left. Short
 * transactions, `goesOn` is called between them; may be repeated. Throws `DATABASE_UNAVAILABLE`.
 */
export async function removeLinksOf(
  database: Reader & Transactions,
  ref: string,
  { ids, names }: GoneEntities,
  { now, goesOn }: { readonly now: number; readonly goesOn: () => void },
): Promise<boolean> {
  const keys = [...ids].map((id) => entityKey(ref, id));
  const found = new Map<string, StoredLink>();
  for (let at = 0; at < keys.length; at += ASKED)
    for (const link of await new EntityLinkReader(database).ofKeys(keys.slice(at, at + ASKED)))
      found.set(link.id, link);
  const links = [...found.values()];
  const linked = new Set(links.flatMap(({ entity, same_as }) => [entity, same_as]));
  if (linked.size === 0) return true;
  const forms = formsOf(linked, names);
  const named = await namedBehind(database, ref, forms, 0);
  let settled = true;
  for (const id of linked) {
    goesOn();
    if (ids.has(id) && !(await removed(database, { ref, id, now }, forms, named))) settled = false;
  }
  return settled;
}

/** Removes the links of one entity; false where some of its group are still to be applied. */
function removed(
  database: Transactions,
  { ref, id, now }: GoneEntity,
  forms: ReadonlyMap<string, readonly string[]>,
  named: NamedEntities,
): Promise<boolean> {
  const key = entityKey(ref, id);
  return database.transactionRepeatable(async (transaction) => {
    const [held] = await transaction.run(hold, { key, shard: int(shardOf(ref)), now: int(now) });
    if (held?.pending !== false) return held === undefined;
    const reader: Reader = { read: (asked, params) => transaction.run(asked, params) };
    const since = await namedBehind(reader, ref, forms, named.through);
    const links = await linksWithin(transaction, [key]);
    const kept = keptLinks(links, new Set([...named.ids, ...since.ids]));
    const own = links.filter((one) => (one.entity === id || one.same_as === id) && !kept.has(one.id));
    const rows = own.flatMap((link) => redirection(link, id, links));
    const redirected = rows.map((row) => row.id);
    if (rows.length > 0) await transaction.run(redirect, { rows });
    const gone = own.flatMap((link) => (redirected.includes(link.id) ? [] : [link.id]));
    await transaction.run(remove, { key, ids: gone });
    drawLinksWithin(transaction, redirected);
    return true;
  });
}

/**
 * What a link becomes that leads to an entity which is gone: one to what that went by when the link ended, or goes by, from where both stood
 * on. Before, nothing was stated by it: it would have been stated of the entity that is gone.
 */
function redirection(link: StoredLink, gone: string, links: readonly StoredLink[]): Redirection[] {
  if (link.same_as !== gone) return [];
  const next = links.find(
    (one) => one.entity === gone && one.number < endOf(link) && endOf(one) >= endOf(link),
  );
  if (next === undefined) return [];
  return [{ id: link.id, same_as: next.same_as, from: next.number > link.number ? next.id : link.id }];
}

function endOf({ ended }: StoredLink): number {
  return ended?.number ?? Number.POSITIVE_INFINITY;
}

/** The links that entities which are named go by, or ever went, and those that lead to one. */
function keptLinks(links: readonly StoredLink[], named: ReadonlySet<string>): Set<string> {
  const going = new Set(named);
  for (let size = -1; size < going.size;) {
    size = going.size;
    for (const { entity, same_as } of links) if (going.has(entity)) going.add(same_as);
  }
  const kept = links.filter(({ entity, same_as }) => going.has(entity) || named.has(same_as));
  return new Set(kept.map(({ id }) => id));
}

/** What names entities, in lower case, with the ids of those that it names. */
function formsOf(entities: Iterable<string>, names: GoneEntities['names']): Map<string, string[]> {
  const of = new Map<string, string[]>();
  for (const id of entities)
    for (const form of new Set([id, ...(names.get(id) ?? [])].map((text) => text.toLowerCase())))
      of.set(form, [...(of.get(form) ?? []), id]);
  return of;
}

/** Those of the entities that an event of the scope behind an offset names of which not all is derived. */
async function namedBehind(
  reader: Reader,
  ref: string,
  of: ReadonlyMap<string, readonly string[]>,
  offset: number,
): Promise<NamedEntities> {
  const left = new Map(of);
  const ids = new Set<string>();
  for (let after = offset; ;) {
    const [page] = await reader.read(naming, {
      ref,
      shard: int(shardOf(ref)),
      after: int(after),
      page: int(PAGE),
    });
    for (const events of partsByBytes(page?.found ?? [])) {
      const forms = [...left.keys()];
      for (let at = 0; at < forms.length; at += FORMS)
        for (const { form } of await reader.read(namedIn, {
          ids: events,
          forms: forms.slice(at, at + FORMS),
        })) {
          for (const id of left.get(form) ?? []) ids.add(id);
          left.delete(form);
        }
    }
    if (page === undefined || page.rows === 0) return { ids, through: after };
    after = page.through;
    if (page.rows < PAGE) return { ids, through: after };
  }
}
