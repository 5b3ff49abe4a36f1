import type { Integer } from 'neo4j-driver';

import { shardOf } from '../src/capture/scope-key.ts';
import { isPostponed } from './episode/leaving.ts';
import type { Transaction, Transactions, Writer } from './driver.ts';
import { HOLD_LOG, REDACT_EVENTS, REDACTED_ENVELOPE } from './event-redaction.ts';
import { forgetLinksWithin } from './entity/link.ts';
import { lockHoldsWithin } from './legal-hold/read.ts';
import { removePassagesWithin } from './passage/removal.ts';
import { recordsWithin, type ScopeRecords } from './scope-events.ts';
import { int, statement, type Params } from './statement.ts';
import { lockVocabulariesWithin, removeVocabulariesWithin } from './vocabulary/write.ts';

const newest = statement<{ ref: string }, { offset: number }>(
  'scope.newest_event',
  'index event_scope (one row)',
  `MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > 0
   WITH e ORDER BY e.scope_ref DESC, e.wal_offset DESC LIMIT 1
   RETURN e.wal_offset AS offset`,
);

/** What goes on in a scope that a deletion of its records would meet. */
export interface UnderWay {
  /** Whether it is being derived again. */
  readonly rebuilding: boolean;
  /** Whether something of it is being forgotten or erased. */
  readonly forgetting: boolean;
}

// With the shard held no rebuild and no forget of the scope begins meanwhile.
const underWay = statement<{ ref: string; shard: Integer; row: string }, UnderWay>(
  'scope.under_way',
  'constraints shard_number, rebuild_scope; index forget_plan_scope',
  `MATCH (shard:Shard {number: $shard})
   SET shard.touched = $row
   WITH shard
   RETURN EXISTS { MATCH (r:Rebuild {scope_ref: $ref}) } AS rebuilding,
     EXISTS { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = $ref } AS forgetting`,
);

// A scope with a roster of its own shields what lies below it.
const restsOn = statement<{ tenant: string; below: string; level: Integer }, { path: string }>(
  'scope.rests_on',
  'index scope_path, constraint scope_ref',
  `MATCH (s:Scope) WHERE s.tenant = $tenant AND s.path STARTS WITH $below AND s.members IS NULL
     AND NOT EXISTS {
       UNWIND range($level + 1, size(split(s.path, '/')) - 2) AS i
       MATCH (between:Scope {ref: s['a' + toString(i)]}) WHERE between.members IS NOT NULL
     }
   RETURN s.path AS path LIMIT 1`,
);

const mark = statement<
  { ref: string; through: Integer; actor: string; row: string; entry: string | null },
  { ref: string }
>(
  'scope.mark_deleting',
  'constraint scope_ref',
  `MATCH (s:Scope {ref: $ref})
   SET s.deleting_through = $through, s.deleting_by = $actor, s.deleting_row = $row, s.deleting_entry = $entry
   RETURN s.ref AS ref`,
);

const unmark = statement<{ ref: string }, { ref: string }>(
  'scope.unmark_deleting',
  'constraint scope_ref',
  `MATCH (s:Scope {ref: $ref}) REMOVE s.deleting_through, s.deleting_by, s.deleting_row, s.deleting_entry RETURN s.ref AS ref`,
);

/**
 * Takes the registration away. A scope in which there are events is from now on one that came into being by a write. The node
 * that stays tells every process that the rules are gone.
 */
const remove = statement<{ ref: string; version: Integer; actor: string; now: Integer }, { ref: string }>(
  'scope.remove',
  'constraints scope_ref, removed_scope_ref; index event_scope (one row)',
  `MATCH (s:Scope {ref: $ref})
   MERGE (r:RemovedScope {ref: s.ref})
   SET r.tenant = s.tenant, r.path = s.path, r.access_version = $version, r.changed_by = $actor, r.changed_at = $now
   WITH s, s.ref AS ref, EXISTS { MATCH (e:Event) WHERE e.scope_ref = s.ref AND e.wal_offset > 0 } AS used
   FOREACH (gone IN CASE WHEN used THEN [] ELSE [s] END | DETACH DELETE gone)
   FOREACH (kept IN CASE WHEN used THEN [s] ELSE [] END |
     SET kept.auto_provisioned = true
     REMOVE kept.members, kept.roles, kept.allow, kept.deny, kept.policies, kept.inherit_refs, kept.change_id,
       kept.access_version, kept.changed_by, kept.changed_at, kept.deleting_through, kept.deleting_by,
       kept.deleting_row, kept.deleting_entry)
   RETURN ref`,
);

const unfinished = statement<{ limit: Integer }, { tenant: string; path: string }>(
  'scope.deletions',
  'index scope_deletion',
  `MATCH (s:Scope) WHERE s.deleting_through >= 0
   RETURN s.tenant AS tenant, s.path AS path LIMIT $limit`,
);

/** What one batch of a deletion did. */
export interface RedactedBatch {
  readonly ids: readonly string[];
  /** Number of the newest frame when the batch was committed. */
  readonly newest_frame: number;
  /** Whether there may be further events to redact. */
  readonly more: boolean;
}

/** How much one batch of a deletion takes: whatever is reached first, one event at least. */
export interface RedactBounds {
  /** Only what stands behind this offset. */
  readonly after: number;
  /** Only what stands up to this offset; default no bound. */
  readonly upTo?: number;
  readonly events: number;
  /** Bytes of envelopes: the server keeps all that a transaction changes in memory until it is committed. */
  readonly bytes: number;
}

interface RedactParams extends Params {
  ref: string;
  shard: Integer;
  entry_id: string;
  envelope: string;
  bytes: Integer;
  now: Integer;
  after: Integer;
  up_to: Integer;
  max_events: Integer;
  max_bytes: Integer;
}

/** {@link REDACT_EVENTS} of the oldest events of a scope that is being deleted. */
const redact = statement<RedactParams, RedactedBatch>(
  'scope.redact',
  'constraints scope_ref, shard_intake, shard_number, counter_name, log_entry_id, extraction_event, enrichment_hold, enrichment_scope, deferral_scope, idempotency_key, retry_id, premise_id, blob_id, blob_body_id; indexes event_scope, lifecycle_event, retry_event, statement_event, released_key_scope, blob_use_blob, blob_use_event',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = $ref AND s.deleting_through >= 0
   WITH s.ref AS ref, s.tenant AS tenant, s.deleting_through AS through, s.deleting_by AS actor
   ${HOLD_LOG}
   CALL (ref, through) {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = ref AND e.wal_offset > $after AND e.wal_offset <= through AND e.wal_offset <= $up_to
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $max_events
     WITH collect(e) AS found
     WITH found, reduce(taken = {events: 0, bytes: 0}, e IN found |
       CASE WHEN taken.events > 0 AND taken.bytes + e.bytes > $max_bytes THEN {events: taken.events, bytes: $max_bytes + 1}
       ELSE {events: taken.events + 1, bytes: taken.bytes + e.bytes} END).events AS taken
     RETURN found[0..taken] AS events, taken < size(found) OR size(found) = $max_events AS more
   }
   CALL (ref) {
     MATCH (p:EnrichmentProgress {scope_ref: ref})
     DELETE p
   }
   CALL (ref) {
     MATCH (d:Deferral {scope_ref: ref})
     DELETE d
   }
   ${REDACT_EVENTS}
   RETURN [e IN events | e.id] AS ids, newest_frame, more`,
);

/** A deletion that is to be carried out. */
export interface Deletion {
  /** Newest offset of the log that it covers. */
  readonly through: number;
  /** Actor id of who wants it. */
  readonly actor: string;
  /** Id of the row of the audit log that tells of its beginning. */
  readonly row: string;
  /** What the row of its end is made from; null when it leaves none. */
  readonly entry: string | null;
}

/** Removes scopes within an open transaction that holds the lock of access. */
export class ScopeRemovals {
  private readonly transaction: Transaction;
  private readonly version: number;

  constructor(transaction: Transaction, version: number) {
    this.transaction = transaction;
    this.version = version;
  }

  /** A scope below another that is governed by its roster, null when there is none. */
  async restsOn(tenant: string, path: string): Promise<string | null> {
    const level = path.split('/').length - 1;
    const rows = await this.transaction.run(restsOn, { tenant, below: `${path}/`, level: int(level) });
    return rows[0]?.path ?? null;
  }

  /** Version of the tenant's legal holds; none is placed or removed until the transaction ends. Comes before {@link underWay}. */
  holdsVersion(tenant: string, now: number): Promise<number> {
    return lockHoldsWithin(this.transaction, tenant, now);
  }

  /** Offset of the newest event of a scope, 0 where it has none. */
  async newest(ref: string): Promise<number> {
    return (await this.transaction.run(newest, { ref }))[0]?.offset ?? 0;
  }

  /** What goes on in a scope; nothing of it begins until the transaction ends. Comes before {@link records}. */
  async underWay(ref: string, row: string): Promise<UnderWay> {
    const [found] = await this.transaction.run(underWay, { ref, shard: int(shardOf(ref)), row });
    if (found === undefined) throw new Error('a shard is not there: the store is not migrated');
    return found;
  }

  /** Whether a scope has events; from here on no capture comes between. */
  records(ref: string, now: number): Promise<ScopeRecords> {
    return recordsWithin(this.transaction, ref, now);
  }

  /** Says that the events of a scope up to an offset are to be redacted, and who wanted it; nothing is written to the scope from then on. */
  async mark(ref: string, deletion: Deletion): Promise<void> {
    await this.transaction.run(mark, { ...deletion, ref, through: int(deletion.through) });
  }

  /** Says that the scope is not deleted after all. */
  async unmark(ref: string): Promise<void> {
    await this.transaction.run(unmark, { ref });
  }

  /** Forgets what was linked in the scope. */
  async forgetLinks(ref: string): Promise<void> {
    await forgetLinksWithin(this.transaction, [ref]);
  }

  /** Takes the lock of the tenant's vocabularies; before whatever locks the log. */
  async lockVocabularies(tenant: string, now: number): Promise<void> {
    await lockVocabulariesWithin(this.transaction, tenant, now);
  }

  /** Removes the vocabularies that hold in a scope which is deleted; {@link lockVocabularies} comes before. */
  async removeVocabularies(
    scope: { readonly tenant: string; readonly path: string },
    by: { readonly actor: string; readonly now: number; readonly entry: string },
  ): Promise<void> {
    await removeVocabulariesWithin(this.transaction, scope.path, { ...by, tenant: scope.tenant });
  }

  /** Takes the registration away, as somebody asks at an instant (epoch milliseconds). */
  async remove(ref: string, { actor, now }: { readonly actor: string; readonly now: number }): Promise<void> {
    await this.transaction.run(remove, { ref, version: int(this.version), actor, now: int(now) });
  }
}

/** An event that a deletion has still to redact. */
export interface DoomedEvent {
  readonly id: string;
  readonly wal_offset: number;
  readonly bytes: number;
}

const doomed = statement<{ ref: string; after: Integer; most: Integer }, DoomedEvent>(
  'scope.doomed_events',
  'constraint scope_ref, index event_scope',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = $ref AND s.deleting_through >= 0
   WITH s.ref AS ref, s.deleting_through AS through
   MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = ref AND e.wal_offset > $after AND e.wal_offset <= through
   WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $most
   RETURN e.id AS id, e.wal_offset AS wal_offset, e.bytes AS bytes`,
);

// What a batch writes to first, and nothing of its events.
const probe = statement<{ shard: Integer; now: Integer }, { number: number }>(
  'scope.deletion_probe',
  'constraint shard_intake',
  `MATCH (intake:ShardIntake {number: $shard})
   SET intake.touched = $now
   RETURN intake.number AS number`,
);

const queuedOf = statement<{ ref: string }, { queued: number }>(
  'scope.queued',
  'index retry_scope; constraint episode_progress',
  `MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(scope_ref, state) WHERE h.scope_ref = $ref AND h.state = 'queued'
   WITH count(h) AS retries
   RETURN retries + CASE WHEN ${isPostponed('$ref')} THEN 1 ELSE 0 END AS queued`,
);

/** Redacts the events of scopes that are being deleted. */
export class ScopeRedactor {
  private readonly writer: Writer & Transactions;

  constructor(writer: Writer & Transactions) {
    this.writer = writer;
  }

  /** Scopes whose deletion is not finished, at most so many. */
  unfinished(limit: number): Promise<{ tenant: string; path: string }[]> {
    return this.writer.read(unfinished, { limit: int(limit) });
  }

  /** Offset of the newest event of a scope, 0 where it has none. */
  async newest(ref: string): Promise<number> {
    return (await this.writer.read(newest, { ref }))[0]?.offset ?? 0;
  }

  /** Events of a scope of which consolidation has still to take out what was derived from them. */
  async queued(ref: string): Promise<number> {
    return (await this.writer.read(queuedOf, { ref }))[0]?.queued ?? 0;
  }

  /** The oldest events behind an offset that have still to be redacted, as far as one batch takes them. */
  async doomed(ref: string, { after, events, bytes }: RedactBounds): Promise<DoomedEvent[]> {
    const found = await this.writer.read(doomed, { ref, after: int(after), most: int(events) });
    let sum = 0;
    const end = found.findIndex((event, i) => (sum += event.bytes) > bytes && i > 0);
    return end < 0 ? found : found.slice(0, end);
  }

  /** Writes what has nothing to do with the events of a scope; fails when the database takes nothing. */
  async probe(shard: number, now: number): Promise<void> {
    await this.writer.write(probe, { shard: int(shard), now: int(now) });
  }

  /** Redacts the oldest events within bounds; none when there are none left. Throws `DATABASE_UNAVAILABLE`. */
  async redact(
    scope: { ref: string; shard: number },
    entry: { id: string; now: number },
    bounds: RedactBounds,
  ): Promise<RedactedBatch> {
    return this.writer.transactionRepeatable(async (transaction) => {
      const [batch] = await transaction.run(redact, {
        ref: scope.ref,
        shard: int(scope.shard),
        entry_id: entry.id,
        envelope: REDACTED_ENVELOPE,
        bytes: int(REDACTED_ENVELOPE.length),
        now: int(entry.now),
        after: int(bounds.after),
        up_to: int(bounds.upTo ?? Number.MAX_SAFE_INTEGER),
        max_events: int(bounds.events),
        max_bytes: int(bounds.bytes),
      });
      await removePassagesWithin(transaction, batch?.ids ?? []);
      return batch ?? { ids: [], newest_frame: 0, more: false };
    });
  }
}
