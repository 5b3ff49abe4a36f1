import type { Integer } from 'neo4j-driver';

import type { GoneEntities } from '../forget/taken-entities.ts';
import type { Reader, Transactions } from '../driver.ts';
import { int, statement } from '../statement.ts';
import { entityKey } from './link.ts';

/** Entities of which the links are looked up in one statement, and links that are removed in one. */
const ASKED = 500;

/** Events that are looked at in one statement. */
const PAGE = 1_000;

const naming = statement<{ keys: readonly string[] }, { id: string; entity: string; same_as: string }>(
  'entity_link.naming',
  'constraint linked_entity_key',
  `UNWIND $keys AS key
   MATCH (m:LinkedEntity {key: key})-[:IN_GROUP]->(g:LinkGroup)<-[:IN_GROUP]-(l:EntityLink)
   WHERE l.entity = m.entity_id OR l.same_as = m.entity_id
   RETURN DISTINCT l.id AS id, l.entity AS entity, l.same_as AS same_as`,
);

// What is wished of an event goes by the ids that its statements had by the links: it has to find them again.
const wished = statement<
  { ref: string; forms: readonly string[]; after: Integer; page: Integer },
  { through: number; rows: number; named: readonly string[] }
>(
  'entity_link.named_by_wished',
  'index event_scope, walked in order',
  `CALL () {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page
     RETURN e
   }
   WITH max(e.wal_offset) AS through, count(*) AS rows,
     collect(CASE WHEN EXISTS { (e)<-[:FORGETS]-() } THEN toLower(e.envelope + coalesce(e.resolved, '')) END) AS texts
   RETURN through, rows, [form IN $forms WHERE any(text IN texts WHERE text CONTAINS form)] AS named`,
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
  const gone = [...ids];
  for (let at = 0; at < gone.length; at += ASKED) {
    const keys = gone.slice(at, at + ASKED).map((id) => entityKey(ref, id));
    const found = await database.read(naming, { keys });
    if (found.length === 0) continue;
    const ends = [...new Set(found.flatMap(({ entity, same_as }) => [entity, same_as]))];
    const kept = await namedByWished(database, ref, (id) => names.get(id) ?? [], ends);
    const links = found.filter(({ entity, same_as }) => !kept.has(entity) && !kept.has(same_as));
    for (let from = 0; from < links.length; from += ASKED) {
      const some = links.slice(from, from + ASKED).map(({ id }) => id);
      await database.transactionRepeatable((open) => open.run(remove, { ids: some, now: int(now) }));
    }
  }
}

/** Those of the entities whose id or name stands in an event of the scope of which something was forgotten. */
async function namedByWished(
  reader: Reader,
  ref: string,
  namesOf: (id: string) => Iterable<string>,
  entities: readonly string[],
): Promise<Set<string>> {
  const of = entities.map((id) => ({ id, forms: [id, ...namesOf(id)].map((form) => form.toLowerCase()) }));
  const forms = [...new Set(of.flatMap((one) => one.forms))];
  const named = new Set<string>();
  for (let after = 0; ;) {
    const [found] = await reader.read(wished, { ref, forms, after: int(after), page: int(PAGE) });
    for (const form of found?.named ?? []) named.add(form);
    if (found === undefined || found.rows < PAGE) break;
    after = found.through;
  }
  return new Set(of.filter((one) => one.forms.some((form) => named.has(form))).map(({ id }) => id));
}
