import type { Integer } from 'neo4j-driver';

import type { GoneEntities } from '../forget/taken-entities.ts';
import type { Reader, Transactions } from '../driver.ts';
import { partsByBytes } from '../event-parts.ts';
import { int, statement } from '../statement.ts';
import { entityKey } from './link.ts';

/** Entities of which the links are looked up in one statement, and links that are removed in one. */
const ASKED = 500;

/** Events that are looked at in one statement, and ids and names that are looked for in their texts. */
const PAGE = 1_000;
const FORMS = 100;

interface NamingLink {
  readonly id: string;
  readonly entity: string;
  readonly same_as: string;
}

const naming = statement<{ keys: readonly string[] }, NamingLink>(
  'entity_link.naming',
  'constraint linked_entity_key',
  `UNWIND $keys AS key
   MATCH (m:LinkedEntity {key: key})-[:IN_GROUP]->(g:LinkGroup)<-[:IN_GROUP]-(l:EntityLink)
   WHERE l.entity = m.entity_id OR l.same_as = m.entity_id
   RETURN DISTINCT l.id AS id, l.entity AS entity, l.same_as AS same_as`,
);

const wished = statement<
  { ref: string; after: Integer; page: Integer },
  { through: number; rows: number; found: readonly { readonly id: string; readonly bytes: number }[] }
>(
  'entity_link.wished_events',
  'index event_scope, walked in order',
  `CALL () {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page
     RETURN e
   }
   RETURN max(e.wal_offset) AS through, count(*) AS rows,
     collect(CASE WHEN EXISTS { (e)<-[:FORGETS]-() } THEN e {.id, .bytes} END) AS found`,
);

// One text after the other: none is kept beside the next.
const namedIn = statement<{ ids: readonly string[]; forms: readonly string[] }, { form: string }>(
  'entity_link.named_by_wished',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id})
   WITH toLower(e.envelope + coalesce(e.resolved, '')) AS text
   UNWIND $forms AS form
   WITH form WHERE text CONTAINS form
   RETURN DISTINCT form`,
);

// With the log held no link is entered meanwhile.
const remove = statement<{ ids: readonly string[]; now: Integer }, { removed: number }>(
  'entity_link.remove',
  'constraints counter_name, log_entry_id',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   UNWIND $ids AS id
   MATCH (l:LogEntry {id: id})-[:IN_GROUP]->(g:LinkGroup)
   OPTIONAL MATCH (u:LinkEntry)-[:ENDS]->(l)
   WITH collect(DISTINCT l) AS links, collect(DISTINCT u) AS ends, collect(DISTINCT g) AS groups
   FOREACH (l IN links | DETACH DELETE l)
   FOREACH (u IN ends | DETACH DELETE u)
   WITH groups, size(links) AS removed
   CALL (groups) {
     UNWIND groups AS g
     MATCH (m:LinkedEntity)-[:IN_GROUP]->(g)
     WHERE NOT EXISTS { MATCH (g)<-[:IN_GROUP]-(left:EntityLink) WHERE left.entity = m.entity_id OR left.same_as = m.entity_id }
     DETACH DELETE m
   }
   CALL (groups) {
     UNWIND groups AS g
     WITH g WHERE NOT EXISTS { (g)<-[:IN_GROUP]-() }
     DETACH DELETE g
   }
   RETURN removed`,
);

/**
 * Removes the links of entities of a scope that nothing states anything of any more, those that were taken back too; but none of what an
 * event names that is there still, and of which something was forgotten. Short transactions; may be repeated. Throws `DATABASE_UNAVAILABLE`.
 */
export async function removeLinksOf(
  database: Reader & Transactions,
  ref: string,
  { ids, names }: GoneEntities,
  now: number,
): Promise<void> {
  const gone = [...ids].map((id) => entityKey(ref, id));
  const found = new Map<string, NamingLink>();
  for (let at = 0; at < gone.length; at += ASKED)
    for (const link of await database.read(naming, { keys: gone.slice(at, at + ASKED) }))
      found.set(link.id, link);
  if (found.size === 0) return;
  const ends = new Set([...found.values()].flatMap(({ entity, same_as }) => [entity, same_as]));
  const kept = await namedByWished(database, ref, ends, names);
  const links = [...found.values()].filter(({ entity, same_as }) => !kept.has(entity) && !kept.has(same_as));
  for (let from = 0; from < links.length; from += ASKED) {
    const some = links.slice(from, from + ASKED).map(({ id }) => id);
    await database.transactionRepeatable((open) => open.run(remove, { ids: some, now: int(now) }));
  }
}

/** Those of the entities whose id or name stands in an event of the scope of which something was forgotten. */
async function namedByWished(
  reader: Reader,
  ref: string,
  entities: ReadonlySet<string>,
  names: GoneEntities['names'],
): Promise<Set<string>> {
  const of = new Map<string, Set<string>>();
  for (const id of entities)
    for (const form of [id, ...(names.get(id) ?? [])].map((text) => text.toLowerCase()))
      of.set(form, (of.get(form) ?? new Set()).add(id));
  const named = new Set<string>();
  for (let after = 0; ;) {
    const [page] = await reader.read(wished, { ref, after: int(after), page: int(PAGE) });
    for (const ids of partsByBytes(page?.found ?? [])) {
      const forms = [...of.keys()];
      for (let at = 0; at < forms.length; at += FORMS)
        for (const { form } of await reader.read(namedIn, { ids, forms: forms.slice(at, at + FORMS) })) {
          for (const id of of.get(form) ?? []) named.add(id);
          of.delete(form);
        }
    }
    if (page === undefined || page.rows < PAGE) return named;
    after = page.through;
  }
}
