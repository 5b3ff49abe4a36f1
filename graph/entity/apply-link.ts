import type { Integer } from 'neo4j-driver';

import type { Reader, Transaction } from '../driver.ts';
import type { LeasedShard } from '../shard.ts';
import { HOLD_LEASED_SHARD } from '../shard-step.ts';
import { FIRST } from '../instant.ts';
import { int, statement, type Params } from '../statement.ts';

/** An entry of a link, or of one that was taken back, that has still to be applied. */
export interface PendingLink {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly shard: number;
  readonly entity: string;
  /** It changes what events up to this offset state; those behind it were derived by it. */
  readonly after_offset: number;
  /** The place in the log of the last event that was derived again; 0 before the first. */
  readonly cursor: number;
}

const PENDING = `l {.id, .tenant, .scope, .scope_ref, .shard, .entity, .after_offset, .cursor}`;

const pending = statement<{ numbers: readonly Integer[] }, { entry: PendingLink }>(
  'entity_link.pending',
  'index entity_link_pending (walked in order for each shard), constraint rebuild_scope',
  `UNWIND $numbers AS number
   CALL (number) {
     MATCH (l:LinkEntry) USING INDEX SEEK l:LinkEntry(pending_shard, after_offset, number)
     WHERE l.pending_shard = number AND l.after_offset >= 0 AND l.number > 0 AND NOT EXISTS { MATCH (:Rebuild {scope_ref: l.scope_ref}) }
     WITH l ORDER BY l.pending_shard, l.after_offset, l.number LIMIT 1
     RETURN l
   }
   RETURN ${PENDING} AS entry`,
);

// What stands in front of the entry has to be consolidated, and a rebuild of the scope to be over: both go by the links that they find.
const begin = statement<
  { number: Integer; epoch: Integer; worker: string; id: string },
  { entry: PendingLink }
>(
  'entity_link.begin',
  'constraints shard_number, log_entry_id, rebuild_scope; index event_shard (one row)',
  `${HOLD_LEASED_SHARD}
   MATCH (l:LogEntry {id: $id}) USING INDEX SEEK l:LogEntry(id)
   WHERE l.pending_shard = shard.number
     AND NOT EXISTS { MATCH (e:Event) USING INDEX SEEK e:Event(shard, wal_offset) WHERE e.shard = shard.number AND e.wal_offset > shard.consolidated AND e.wal_offset <= l.after_offset }
     AND NOT EXISTS { MATCH (:Rebuild {scope_ref: l.scope_ref}) }
   RETURN ${PENDING} AS entry`,
);

interface NamingParams extends Params {
  ref: string;
  entities: readonly string[];
  group: readonly string[];
  after: Integer;
  to: Integer;
  limit: Integer;
}

const naming = statement<NamingParams, { event_id: string; position: number }>(
  'entity_link.events_naming',
  'constraint entity_key; indexes belief_subject, statement_claim_valid, retracted_subject, retracted_object',
  `CALL () {
     UNWIND $entities AS entity
     MATCH (n:Entity {key: $ref + ' ' + entity})<-[:SUBJECT|OBJECT|NAMED]-(s:Statement)
     WHERE s.position > $after AND s.position <= $to
     RETURN s.event_id AS event_id, s.position AS position
     UNION
     UNWIND $group AS entity
     MATCH (b:Belief) USING INDEX SEEK b:Belief(scope_ref, subject_id, position)
     WHERE b.scope_ref = $ref AND b.subject_id = entity AND b.position >= 0
     WITH DISTINCT b.claim AS claim
     MATCH (s:Statement) USING INDEX SEEK s:Statement(claim, stated_from)
     WHERE s.claim = claim AND s.stated_from >= ${FIRST} AND s.extractor = 'declared' AND s.retracted = false
       AND s.position > $after AND s.position <= $to
     RETURN s.event_id AS event_id, s.position AS position
     UNION
     UNWIND $group AS entity
     MATCH (s:Retracted) USING INDEX SEEK s:Retracted(scope_ref, subject_id, position)
     WHERE s.scope_ref = $ref AND s.subject_id = entity AND s.position > $after AND s.position <= $to
     RETURN s.event_id AS event_id, s.position AS position
     UNION
     UNWIND $group AS entity
     MATCH (s:Retracted) USING INDEX SEEK s:Retracted(scope_ref, object_id, position)
     WHERE s.scope_ref = $ref AND s.object_id = entity AND s.position > $after AND s.position <= $to
     RETURN s.event_id AS event_id, s.position AS position
   }
   WITH DISTINCT event_id, position ORDER BY position LIMIT $limit
   RETURN event_id, position`,
);

const advance = statement<{ id: string; cursor: Integer | null; over: boolean }, { id: string }>(
  'entity_link.advance',
  'constraint log_entry_id',
  `MATCH (l:LogEntry {id: $id})
   SET l.cursor = coalesce($cursor, l.cursor)
   FOREACH (done IN CASE WHEN $over THEN [1] ELSE [] END | REMOVE l.pending_shard)
   RETURN l.id AS id`,
);

/** The first entry of each of the shards that has one to be applied. */
export async function pendingLinks(reader: Reader, numbers: readonly number[]): Promise<PendingLink[]> {
  const rows = await reader.read(pending, { numbers: numbers.map(int) });
  return rows.map(({ entry }) => entry);
}

/** Applies entries of links, within one transaction for each part of it. */
export class LinkApplication {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /**
   * Holds the shard; null when its lease is lost, when something in front of the entry is still to be consolidated, while its scope is
   * rebuilt, and when the entry is applied.
   */
  async begin({ number, epoch }: LeasedShard, worker: string, id: string): Promise<PendingLink | null> {
    const params = { number: int(number), epoch: int(epoch), worker, id };
    return (await this.transaction.run(begin, params))[0]?.entry ?? null;
  }

  /**
   * The next events of the scope, in the order of the log, that the entry may change: those that name one of the entities, and, of
   * those that were taken out, which tell only what each went by, those that name one of the group.
   */
  async eventsNaming(
    { scope_ref: ref, cursor, after_offset }: PendingLink,
    { entities, group }: { readonly entities: readonly string[]; readonly group: readonly string[] },
    limit: number,
  ): Promise<{ event_id: string; position: number }[]> {
    const span = { after: int(cursor), to: int(after_offset), limit: int(limit) };
    return this.transaction.run(naming, { ref, entities, group, ...span });
  }

  /** Says how far it is. */
  async advance(id: string, cursor: number, over: boolean): Promise<void> {
    await this.transaction.run(advance, { id, cursor: int(cursor), over });
  }

  /** Says that the rest of it is left to a rebuild of its scope. */
  async leave(id: string): Promise<void> {
    await this.transaction.run(advance, { id, cursor: null, over: true });
  }
}
