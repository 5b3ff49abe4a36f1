import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import type { GoneEntities } from '../forget/taken-entities.ts';
import type { Reader, Transactions } from '../driver.ts';
import { HOLD_LOG } from '../event-redaction.ts';
import { int, statement, type Param, type Params } from '../statement.ts';
import { formsOf, keptLinks, linkedBy, namedAmong, type NameForms } from './kept-links.ts';
import { entityKey, EntityLinkReader, linksWithin, type StoredLink } from './link.ts';
import { drawLinksWithin } from './same-as.ts';

/** Entities of which the links are looked up in one statement. */
const ASKED = 100;

/** An entity of a scope of which nothing is derived any more. */
interface GoneEntity {
  readonly ref: string;
  readonly id: string;
  readonly now: number;
}

/** Where a link leads, and from which entry of the log on. */
interface Redirection extends Params {
  readonly id: string;
  readonly same_as: string;
  readonly from: string;
}

/** Whether a link of the group `g`, or the end of one, is still to be applied. */
const PENDING = `EXISTS {
     MATCH (g)<-[:IN_GROUP]-(l:EntityLink)
     WHERE l.pending_shard IS NOT NULL OR EXISTS { MATCH (l)<-[:ENDS]-(u:LinkEntry) WHERE u.pending_shard IS NOT NULL }
   }`;

// With shard and log held no link is entered, applied or gone by meanwhile, nothing is captured, and nothing is derived of the entity. What is
// derived goes by the links in front of those that are still to be applied.
const hold = statement<{ key: string; shard: Integer; now: Integer }, { pending: boolean; head: number }>(
  'entity_link.hold_gone',
  'constraints shard_intake, shard_number, counter_name, linked_entity_key, entity_key',
  `${HOLD_LOG}
   MATCH (m:LinkedEntity {key: $key})-[:IN_GROUP]->(g:LinkGroup)
   WHERE NOT EXISTS { MATCH (:Entity {key: $key}) }
   RETURN ${PENDING} AS pending, wal.value AS head`,
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

/** How far the log is looked through for what names entities, and what is done between transactions. */
export interface RemovalReach {
  /** Events up to this offset that are yet to be consolidated are waited for; of those behind it each keeps what it names. */
  readonly through: number;
  readonly now: number;
  readonly goesOn: () => void;
}

/**
 * Removes the links of entities of a scope of which nothing is derived any more, those that were taken back too; but none by which an event
 * that is there still would be derived, or was: one of which something was forgotten, that was taken back, that is held, or that came
 * meanwhile. What went by such an entity goes by what that one went by. False where links are still to be applied first, or events to be
 * consolidated, and some are left. Short transactions, `goesOn` is called between them; may be repeated. Throws `DATABASE_UNAVAILABLE`.
 */
export async function removeLinksOf(
  database: Reader & Transactions,
  ref: string,
  { ids, names }: Pick<GoneEntities, 'ids' | 'names'>,
  { through, now, goesOn }: RemovalReach,
): Promise<boolean> {
  const links = await linksOf(database, ref, ids);
  const linked = linkedBy(links);
  if (linked.size === 0) return true;
  const forms = formsOf(linked, names);
  const found = await namedAmong(database, ref, forms, { after: 0, through });
  const seen = { forms, through, ids: new Set(found.ids), waiting: found.waiting };
  let settled = true;
  for (const id of linked)
    while (ids.has(id)) {
      goesOn();
      const outcome = await removed(database, { ref, id, now }, seen);
      if (outcome === 'removed') break;
      if (outcome === 'waits') {
        settled = false;
        break;
      }
      // So many were captured meanwhile that they are not looked at while nothing else can be.
      const late = await namedAmong(database, ref, forms, { after: seen.through, through: outcome });
      for (const named of [...late.ids, ...late.waiting]) seen.ids.add(named);
      seen.through = outcome;
    }
  return settled;
}

/** The links of the groups that entities of a scope are in. */
export async function linksOf(reader: Reader, ref: string, ids: Iterable<string>): Promise<StoredLink[]> {
  const keys = [...ids].map((id) => entityKey(ref, id));
  const found = new Map<string, StoredLink>();
  for (let at = 0; at < keys.length; at += ASKED)
    for (const link of await new EntityLinkReader(reader).ofKeys(keys.slice(at, at + ASKED)))
      found.set(link.id, link);
  return [...found.values()];
}

/** What was found by then that names entities. */
interface Seen {
  readonly forms: NameForms;
  readonly through: number;
  readonly ids: ReadonlySet<string>;
  readonly waiting: ReadonlySet<string>;
}

/**
 * Removes the links of one entity. Waits where some of its group are still to be applied, or what names them to be consolidated. A number is
 * the offset through which the log has to be looked through before.
 */
function removed(
  database: Transactions,
  { ref, id, now }: GoneEntity,
  { forms, through, ids, waiting }: Seen,
): Promise<'removed' | 'waits' | number> {
  const key = entityKey(ref, id);
  return database.transactionRepeatable(async (transaction) => {
    const [held] = await transaction.run(hold, { key, shard: int(shardOf(ref)), now: int(now) });
    if (held === undefined) return 'removed';
    if (held.pending) return 'waits';
    const reader: Reader = { read: (asked, params) => transaction.run(asked, params) };
    const late = await namedAmong(reader, ref, forms, { after: through, through: held.head, pages: 1 });
    if (late.more) return held.head;
    const links = await linksWithin(transaction, [key]);
    const named = [...ids, ...late.ids, ...late.waiting];
    const kept = keptLinks(links, named);
    const later = keptLinks(links, [...named, ...waiting]);
    const all = links.filter((one) => one.entity === id || one.same_as === id);
    const own = all.filter((one) => !kept.has(one.id));
    if (own.some((one) => later.has(one.id))) return 'waits';
    const rows = own.flatMap((link) => redirection(link, id, links));
    const redirected = rows.map((row) => row.id);
    if (rows.length > 0) await transaction.run(redirect, { rows });
    const gone = own.flatMap((link) => (redirected.includes(link.id) ? [] : [link.id]));
    await transaction.run(remove, { key, ids: gone });
    drawLinksWithin(transaction, redirected);
    return 'removed';
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
