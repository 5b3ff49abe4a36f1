import type { Integer } from 'neo4j-driver';

import type { EntityLink } from '../../src/derive/entity-links.ts';
import { levelRefs } from '../../src/capture/scope-key.ts';
import { appendAuditWithin, type FinishedBatch } from '../audit.ts';
import { COUNTED } from '../claim/read.ts';
import type { Reader, Transaction, Transactions } from '../driver.ts';
import { FIRST, storedInstant } from '../instant.ts';
import { int, statement, type Param, type Params } from '../statement.ts';

/** A link that is asked for. */
export interface NewLink {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
  readonly entity: string;
  readonly same_as: string;
  /** Who asks for it. */
  readonly actor: string;
}

/** A link as it is stored, with where it lies. */
export interface StoredLink extends EntityLink {
  readonly tenant: string;
}

const LINK = `l {.id, .tenant, .scope, .scope_ref, .entity, .same_as, .actor, .after_offset, .number, recorded_at: l.recorded_at.epochMillis,
     ended: CASE WHEN l.ended_id IS NULL THEN null ELSE {id: l.ended_id, actor: l.ended_actor, after_offset: l.ended_after_offset,
       number: l.ended_number, recorded_at: l.ended_at.epochMillis} END}`;

/** The links of the groups `g`, of which there is one row each. */
const LINKS_OF_GROUPS = `WITH DISTINCT g
   MATCH (g)<-[:IN_GROUP]-(l:EntityLink)
   RETURN ${LINK} AS link`;

const ofKeys = statement<{ keys: readonly string[] }, { link: StoredLink }>(
  'entity_link.of_entities',
  'constraint linked_entity_key',
  `UNWIND $keys AS key
   MATCH (:LinkedEntity {key: key})-[:IN_GROUP]->(g:LinkGroup)
   ${LINKS_OF_GROUPS}`,
);

interface OfIdsParams extends Params {
  tenant: string;
  ids: readonly string[];
  within: readonly string[] | null;
  most: Integer;
}

const ofIds = statement<OfIdsParams, { link: StoredLink }>(
  'entity_link.of_ids',
  'index linked_entity_id, every place of an id in the tenant',
  `UNWIND $ids AS id
   CALL (id) {
     MATCH (m:LinkedEntity) USING INDEX SEEK m:LinkedEntity(tenant, entity_id) WHERE m.tenant = $tenant AND m.entity_id = id
       AND ($within IS NULL OR any(ref IN $within WHERE ref IN m.levels))
     WITH m LIMIT $most
     RETURN m
   }
   MATCH (m)-[:IN_GROUP]->(g:LinkGroup)
   ${LINKS_OF_GROUPS}`,
);

const lock = statement<{ ref: string; now: Integer }, { known: boolean; deleting: boolean }>(
  'entity_link.lock',
  'constraints counter_name, scope_ref',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   OPTIONAL MATCH (s:Scope {ref: $ref})
   RETURN s IS NOT NULL AS known, coalesce(s.deleting_through, -1) >= 0 AS deleting`,
);

const NEXT_PLACE = `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   SET wal.entity_links = coalesce(wal.entity_links, 0) + 1
   WITH wal, CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS at
   SET wal.recorded_at = at
   WITH wal.value AS after_offset, wal.entity_links AS number, ${storedInstant('at')} AS recorded_at`;

interface EnterParams extends Params {
  entry: Param;
  members: readonly Param[];
  levels: readonly string[];
  now: Integer;
}

// Whatever the two were linked with before is one group from now on: the links of a group are read together.
const enter = statement<EnterParams, { link: StoredLink }>(
  'entity_link.enter',
  'constraints counter_name, log_entry_id, linked_entity_key, link_group_id',
  `${NEXT_PLACE}
   CREATE (l:LogEntry:EntityLink:LinkEntry {kind: 'link', after_offset: after_offset, number: number, recorded_at: recorded_at})
   SET l += $entry, l.pending_shard = $entry.shard, l.cursor = 0
   CREATE (g:LinkGroup {id: l.id})
   CREATE (l)-[:IN_GROUP]->(g)
   WITH l, g
   CALL (l, g) {
     UNWIND $members AS member
     MERGE (m:LinkedEntity {key: member.key})
       ON CREATE SET m.tenant = l.tenant, m.scope = l.scope, m.scope_ref = l.scope_ref, m.entity_id = member.id, m.levels = $levels
     WITH m, g
     OPTIONAL MATCH (m)-[:IN_GROUP]->(old:LinkGroup)
     WITH collect(m) AS members, collect(DISTINCT old) AS olds, g
     FOREACH (m IN members | MERGE (m)-[:IN_GROUP]->(g))
     WITH olds, g
     UNWIND olds AS old
     MATCH (old)<-[:IN_GROUP]-(x)
     MERGE (x)-[:IN_GROUP]->(g)
     WITH DISTINCT old
     DETACH DELETE old
   }
   RETURN ${LINK} AS link`,
);

const end = statement<{ id: string; entry: Param; now: Integer }, { link: StoredLink }>(
  'entity_link.end',
  'constraints counter_name, log_entry_id',
  `${NEXT_PLACE}
   MATCH (l:LogEntry {id: $id}) WHERE l.ended_id IS NULL
   CREATE (u:LogEntry:LinkEntry {kind: 'unlink', after_offset: after_offset, number: number, recorded_at: recorded_at, link_id: l.id,
     tenant: l.tenant, scope: l.scope, scope_ref: l.scope_ref, shard: l.shard, entity: l.entity, pending_shard: l.shard, cursor: 0})
   SET u += $entry
   CREATE (u)-[:ENDS]->(l)
   SET l.ended_id = u.id, l.ended_actor = u.actor, l.ended_after_offset = after_offset, l.ended_number = number, l.ended_at = recorded_at
   RETURN ${LINK} AS link`,
);

const byId = statement<{ id: string }, { link: StoredLink }>(
  'entity_link.by_id',
  'constraint log_entry_id',
  `MATCH (l:LogEntry {id: $id}) WHERE l:EntityLink RETURN ${LINK} AS link`,
);

const applied = statement<{ id: string }, { pending: boolean }>(
  'entity_link.applied',
  'constraints log_entry_id, rebuild_scope',
  `MATCH (l:LogEntry {id: $id})
   RETURN l.pending_shard IS NOT NULL OR EXISTS { MATCH (:Rebuild {scope_ref: l.scope_ref}) } AS pending`,
);

/** How long the longest claim is in which an entity stands with a predicate. */
export interface ClaimLength {
  readonly entity: string;
  readonly predicate: string;
  /** Whether the claim stays the same one when the entity goes by another: then it says both, what was said before and what is said now. */
  readonly stays: boolean;
  /** Statements, without those that a link brought in; of a claim that stays, with what is said once more. Counted as far as was asked for. */
  readonly statements: number;
}

interface LengthsParams extends Params {
  ref: string;
  entities: readonly string[];
  most: Integer;
}

const claimLengths = statement<LengthsParams, ClaimLength>(
  'entity_link.claim_lengths',
  'constraint entity_key; index statement_claim_valid, so many rows of each claim at most',
  `UNWIND $entities AS entity
   MATCH (:Entity {key: $ref + ' ' + entity})<-[role:SUBJECT|OBJECT]-(s:Statement) WHERE ${COUNTED}
   WITH entity, s.predicate AS predicate, s.claim AS claim,
     s.cardinality = CASE type(role) WHEN 'OBJECT' THEN 'one' ELSE 'exclusive' END AS stays, count(*) AS named
   CALL (claim) {
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from)
     WHERE s.claim = claim AND s.stated_from >= ${FIRST} AND ${COUNTED} AND NOT EXISTS { (s)-[:NAMED]->(:Entity) }
     WITH s LIMIT $most
     RETURN count(s) AS own
   }
   RETURN entity, predicate, stays, max(CASE WHEN stays THEN own + named ELSE own END) AS statements`,
);

/** The key of an entity of a scope, by which entities and what was linked are found. */
export function entityKey(scopeRef: string, entity: string): string {
  return `${scopeRef} ${entity}`;
}

/** Reads links of entities; every scope is authorised by the caller. */
export class EntityLinkReader {
  private readonly reader: Pick<Reader, 'read'>;

  constructor(reader: Pick<Reader, 'read'>) {
    this.reader = reader;
  }

  /** All links, also those that were taken back, of the groups that entities of scopes are in. One round trip. */
  async ofKeys(keys: readonly string[]): Promise<StoredLink[]> {
    if (keys.length === 0) return [];
    return (await this.reader.read(ofKeys, { keys })).map(({ link }) => link);
  }

  /** The same of entities in the scopes of a tenant at or below some, null for all, `most` scopes for each. One round trip. */
  async ofIds(
    tenant: string,
    ids: readonly string[],
    { within, most }: { readonly within: readonly string[] | null; readonly most: number },
  ): Promise<StoredLink[]> {
    if (ids.length === 0) return [];
    const rows = await this.reader.read(ofIds, { tenant, ids, within, most: int(most) });
    return rows.map(({ link }) => link);
  }

  /** One link; null where there is none. */
  async byId(id: string): Promise<StoredLink | null> {
    return (await this.reader.read(byId, { id }))[0]?.link ?? null;
  }

  /** The longest claims in which entities of a scope stand, by predicate, counted up to `most`. One round trip. */
  async claimLengths(ref: string, entities: readonly string[], most: number): Promise<ClaimLength[]> {
    return this.reader.read(claimLengths, { ref, entities, most: int(most) });
  }

  /** Whether nothing of an entry is left to be applied, nor its scope to be rebuilt. */
  async isApplied(id: string): Promise<boolean> {
    return (await this.reader.read(applied, { id }))[0]?.pending !== true;
  }
}

/** The links of entities, read within the transaction that goes by them. */
export async function linksWithin(transaction: Transaction, keys: readonly string[]): Promise<StoredLink[]> {
  if (keys.length === 0) return [];
  return (await transaction.run(ofKeys, { keys })).map(({ link }) => link);
}

/** What a change of links came to, with the newest number of the audit log in its transaction; 0 where it added nothing. */
export interface LinkChange<T> {
  readonly outcome: T;
  readonly newestAudit: number;
}

/** Writes links into the log, each with the row of the audit log that tells of it. */
export class EntityLinkStore {
  private readonly database: Transactions;

  constructor(database: Transactions) {
    this.database = database;
  }

  /**
   * Writes a link unless `decide`, which is given the links of both entities as they are under the lock of the log, answers something
   * else. Null for a scope into which nobody has written, `deleting` for one that is being deleted.
   */
  link<T>(
    link: NewLink,
    decide: (links: readonly StoredLink[]) => T | null,
    { now, rows }: { readonly now: number; readonly rows: readonly FinishedBatch[] },
  ): Promise<LinkChange<StoredLink | T | 'deleting' | null>> {
    const { id, tenant, scope, scope_ref, shard, entity, same_as, actor } = link;
    const members = [entity, same_as].map((one) => ({ key: entityKey(scope_ref, one), id: one }));
    return this.database.transactionRepeatable(async (transaction) => {
      const [held] = await transaction.run(lock, { ref: scope_ref, now: int(now) });
      if (held?.known !== true) return { outcome: null, newestAudit: 0 };
      if (held.deleting) return { outcome: 'deleting', newestAudit: 0 };
      const links = await linksWithin(
        transaction,
        members.map(({ key }) => key),
      );
      // A try whose answer was lost has written it.
      const written = links.find((one) => one.id === id);
      const other = written ?? decide(links);
      if (other !== null) return { outcome: other, newestAudit: 0 };
      const entry = { id, tenant, scope, scope_ref, shard: int(shard), entity, same_as, actor };
      const [row] = await transaction.run(enter, {
        entry,
        members,
        levels: levelRefs(tenant, scope),
        now: int(now),
      });
      if (row === undefined) throw new Error('there is no counter of the log: the store is not migrated');
      return { outcome: row.link, newestAudit: await appendAuditWithin(transaction, rows, now) };
    });
  }

  /** Takes a link back; one that was taken back before stays as it is. Null where there is no such link. */
  unlink(
    { id, ref }: { readonly id: string; readonly ref: string },
    entry: { readonly id: string; readonly actor: string },
    { now, rows }: { readonly now: number; readonly rows: readonly FinishedBatch[] },
  ): Promise<LinkChange<StoredLink | null>> {
    return this.database.transactionRepeatable(async (transaction) => {
      await transaction.run(lock, { ref, now: int(now) });
      const [ended] = await transaction.run(end, { id, entry: { ...entry }, now: int(now) });
      if (ended !== undefined)
        return { outcome: ended.link, newestAudit: await appendAuditWithin(transaction, rows, now) };
      const [known] = await transaction.run(byId, { id });
      return { outcome: known?.link ?? null, newestAudit: 0 };
    });
  }
}

const forget = statement<{ refs: readonly string[] }, { groups: number }>(
  'entity_link.forget',
  'index linked_entity_scope, constraint entity_key',
  `UNWIND $refs AS ref
   MATCH (m:LinkedEntity) WHERE m.scope_ref = ref
   CALL (m) { MATCH (:Entity {key: m.key})-[same:SAME_AS]->() DELETE same }
   MATCH (m)-[:IN_GROUP]->(g:LinkGroup)
   WITH DISTINCT g
   MATCH (g)<-[:IN_GROUP]-(x)
   OPTIONAL MATCH (u:LinkEntry)-[:ENDS]->(x)
   DETACH DELETE u, x, g
   RETURN count(DISTINCT g) AS groups`,
);

/** Forgets what was linked in scopes, as what is known there is forgotten. */
export async function forgetLinksWithin(transaction: Transaction, refs: readonly string[]): Promise<void> {
  if (refs.length > 0) await transaction.run(forget, { refs });
}

/** Has the server plan the statements that consolidation asks by running them on nothing. */
export async function planEntityLinks(transaction: Transaction): Promise<void> {
  await transaction.run(ofKeys, { keys: [] });
}
