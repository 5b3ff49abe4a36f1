import type { ScopeSelection } from './scope-selection.ts';
import type { Integer } from 'neo4j-driver';

import type { StoredEnvelope } from '../src/capture/event-item.ts';
import { LISTING_INLINE_BYTES } from '../src/limits.ts';
import { appendAuditWithin, type FinishedBatch } from './audit.ts';
import { LET_BLOBS_GO } from './blob.ts';
import { LOCK_LIFECYCLE } from './counter.ts';
import type { Reader, Transactions } from './driver.ts';
import { DERIVES } from './derived.ts';
import { lockHoldsWithin } from './legal-hold/read.ts';
import { LogOffsets } from './log-offset.ts';
import { removePassagesWithin } from './passage/removal.ts';
import { isBare, scopeOf, subtreeWalks, type BareParams } from './record-walk.ts';
import { INDEXED_LEVELS } from './schema.ts';
import { LIFT_RETRY, TAKE_OUT } from './taken-out.ts';
import { STAGES } from './shard.ts';
import { instant, instantOrNull, storedInstant, type Instant } from './instant.ts';
import { int, statement, type Params, type Statement } from './statement.ts';
import { EVENT_AT, TAKEN_OUT } from './visible.ts';

/** An event as it is stored. */
export type StoredEvent = StoredEnvelope;

/** An event of a walk: the envelope of a large one is left out and read by itself when it is wanted. */
export interface ListedEvent extends Omit<StoredEvent, 'envelope'> {
  /** Id of the actor who performed it. */
  readonly observed_actor: string;
  readonly envelope: string | null;
  /** UTF-8 length of the envelope. */
  readonly bytes: number;
}

/** The instants that events are read at, epoch milliseconds. */
export interface EventInstants {
  /** Only what had been observed by then; null for any. */
  readonly valid: number | null;
  /** Only what had been recorded by then, and what was derived from it by then. */
  readonly recorded: number;
}

/** Filters of a listing; null means any. */
export interface EventFilter {
  readonly labels: readonly string[] | null;
  readonly observed_actors: readonly string[] | null;
  readonly modalities: readonly string[] | null;
  /** Epoch milliseconds; events recorded before it do not match. */
  readonly since: number | null;
  readonly at: EventInstants;
}

/** One row of a walk, newest first: an event that matches, or the place of one that does not, or of any. */
export interface ScannedEvent {
  readonly id: string;
  readonly wal_offset: number;
  readonly recorded_at: number;
  /** The path of its scope in a walk over places, else null. */
  readonly scope: string | null;
  readonly event: ListedEvent | null;
}

interface MatchParams extends Params {
  labels: readonly string[] | null;
  observed_actors: readonly string[] | null;
  modalities: readonly string[] | null;
  since: Instant | null;
  valid: Instant | null;
  recorded: Instant;
  inline: Integer;
}

interface ScanParams extends MatchParams, BareParams {
  before: Integer;
  scan: Integer;
}

const ITEM = `e {.id, .tenant, .scope, .caller, .wal_offset, recorded_at: e.recorded_at.epochMillis, observed_at: e.observed_at.epochMillis, .envelope, derives: ${DERIVES}}`;

const LISTED = `e {.id, .tenant, .scope, .caller, .observed_actor, .wal_offset, recorded_at: e.recorded_at.epochMillis, observed_at: e.observed_at.epochMillis, .bytes, derives: ${DERIVES},
     envelope: CASE WHEN e.bytes <= $inline THEN e.envelope END}`;

// Cancelled and replaced events are in no reading; the edge that says so is the only trace on the event.
/** Whether an event `e` is there for readings: neither cancelled nor replaced nor redacted. */
export const VISIBLE = `NOT ${TAKEN_OUT}`;

const MATCHES = `($since IS NULL OR e.recorded_at >= $since)
     AND ($modalities IS NULL OR e.modality IN $modalities)
     AND ($observed_actors IS NULL OR e.observed_actor IN $observed_actors)
     AND ($labels IS NULL OR any(label IN e.labels WHERE label IN $labels))
     AND ${EVENT_AT} AND ${VISIBLE}`;

/** What is answered of the events `e` of a walk, of which those are not looked at for which `within` is not so. */
const row = (
  within = 'true',
): string => `RETURN e.id AS id, e.wal_offset AS wal_offset, e.recorded_at.epochMillis AS recorded_at, ${scopeOf('e', within)},
     CASE WHEN NOT $bare AND ${within} AND ${MATCHES} THEN ${LISTED} END AS event`;

const scanScopes = statement<ScanParams & { refs: readonly string[] }, ScannedEvent>(
  'event.scan_scopes',
  'index event_scope, walked in order once per scope',
  `UNWIND $refs AS ref
   CALL (ref) {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = ref AND e.wal_offset < $before
     WITH e ORDER BY e.scope_ref DESC, e.wal_offset DESC LIMIT $scan
     RETURN e
   }
   WITH e ORDER BY e.wal_offset DESC LIMIT $scan
   ${row()}`,
);

const scanScope = statement<ScanParams & { ref: string }, ScannedEvent>(
  'event.scan_scope',
  'index event_scope, walked in order',
  `MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset < $before
   WITH e ORDER BY e.scope_ref DESC, e.wal_offset DESC LIMIT $scan
   ${row()}`,
);

const DEEPER = Array.from({ length: 32 - INDEXED_LEVELS }, (_, i) => `e.a${INDEXED_LEVELS + i}`).join(', ');

/**
 * One text per indexed level, since a property name cannot be a parameter; `within` narrows the last one to deeper scopes.
 * The index is named because the planner, while a level has hardly any rows, would rather read all of it.
 */
const scanSubtree: readonly Statement<ScanParams & { ref: string; within: string | null }, ScannedEvent>[] =
  Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    statement(
      `event.scan_subtree_a${level}`,
      `index event_a${level}, walked in order`,
      `MATCH (e:Event) USING INDEX SEEK e:Event(a${level}, wal_offset) WHERE e.a${level} = $ref AND e.wal_offset < $before
       WITH e ORDER BY e.a${level} DESC, e.wal_offset DESC LIMIT $scan
       ${row(`($within IS NULL OR $within IN [${level === INDEXED_LEVELS - 1 ? DEEPER : ''}])`)}`,
    ),
  );

const walkedByIds = statement<MatchParams & { ids: readonly string[] }, { event: ListedEvent }>(
  'event.walked',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE ${MATCHES}
   RETURN ${LISTED} AS event`,
);

interface AtParams extends Params {
  valid: Instant | null;
  recorded: Instant;
}

const byId = statement<
  AtParams & { id: string; tenant: string | null },
  { event: StoredEvent; visible: boolean }
>(
  'event.by_id',
  'constraint event_id',
  `MATCH (e:Event {id: $id}) WHERE ($tenant IS NULL OR e.tenant = $tenant) AND e.redacted_at IS NULL
   RETURN ${ITEM} AS event, ${VISIBLE} AND ${EVENT_AT} AS visible`,
);

const byIds = statement<
  AtParams & { ids: readonly string[]; tenant: string | null; inline: Integer; derived: boolean },
  ListedEvent
>(
  'event.by_ids',
  'constraints event_id, premise_id; index fact_version_fact',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE ($tenant IS NULL OR e.tenant = $tenant) AND ${EVENT_AT} AND ${VISIBLE}
   RETURN id, e.tenant AS tenant, e.scope AS scope, e.caller AS caller, e.observed_actor AS observed_actor, e.wal_offset AS wal_offset, e.recorded_at.epochMillis AS recorded_at,
     e.observed_at.epochMillis AS observed_at, e.bytes AS bytes, CASE WHEN $derived THEN ${DERIVES} ELSE [] END AS derives,
     CASE WHEN e.bytes <= $inline THEN e.envelope END AS envelope`,
);

const envelopes = statement<{ ids: readonly string[] }, { id: string; envelope: string }>(
  'event.envelopes',
  'constraint event_id',
  `UNWIND $ids AS id MATCH (e:Event {id: id}) RETURN e.id AS id, e.envelope AS envelope`,
);

const cancelEvent = statement<
  { id: string; tenant: string; now: Integer; entry_id: string; actor: string },
  {
    event_id: string;
    already: boolean;
    content_kind: string;
    queued: boolean;
    extracted: boolean;
    indexed: boolean;
    consolidated: boolean;
  }
>(
  'event.cancel',
  'constraints event_id, shard_intake, shard_number, counter_name, idempotency_key, retry_id, premise_id, blob_id, blob_body_id; indexes retry_event, statement_event, blob_use_blob, blob_use_event',
  `MATCH (e:Event {id: $id}) WHERE e.tenant = $tenant AND e.redacted_at IS NULL
   MATCH (i:ShardIntake) USING INDEX SEEK i:ShardIntake(number) WHERE i.number = e.shard
   SET i.touched = $now
   WITH e, i
   MATCH (s:Shard) USING INDEX SEEK s:Shard(number) WHERE s.number = e.shard
   SET s.touched = $now
   WITH e, s, i
   MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH e, s, i, wal, NOT ${VISIBLE} AS already
   CALL (e, wal, already) {
     WITH e, wal WHERE NOT already
     WITH e, wal, CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS recorded_at
     SET wal.recorded_at = recorded_at
     CREATE (:LogEntry {id: $entry_id, kind: 'cancel', after_offset: wal.value, recorded_at: ${storedInstant('recorded_at')},
       tenant: e.tenant, event_id: e.id, actor: $actor})-[:CANCELS]->(e)
     WITH e, recorded_at
     CALL (e) {
       MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(event_id) WHERE h.event_id = e.id ${LIFT_RETRY}
     }
     ${TAKE_OUT}
     CALL (e) {
       ${LET_BLOBS_GO}
     }
     CALL (e) {
       MATCH (key:IdempotencyKey {scope_ref: e.scope_ref, key: e.idempotency_key}) WHERE key.event_id = e.id
       REMOVE key:IdempotencyKey SET key:ReleasedKey
     }
     ${LOCK_LIFECYCLE}
     WITH *, lifecycle.value + 1 AS newest_frame
     SET lifecycle.value = newest_frame
     CREATE (:LifecycleEvent {sequence: newest_frame, type: 'cancelled', tenant: e.tenant, scope: e.scope, scope_ref: e.scope_ref,
       event_id: e.id, wal_offset: e.wal_offset, actor: $actor, modality: e.modality, ts: recorded_at})
   }
   RETURN e.id AS event_id, already, e.content_kind AS content_kind,
     EXISTS { MATCH (h:StageRetry) WHERE h.event_id = e.id AND h.state = 'queued' } AS queued,
     i.extracted >= e.wal_offset AS extracted, i.indexed >= e.wal_offset AS indexed, s.consolidated >= e.wal_offset AS consolidated`,
);

/** Reads events; every tenant and scope that it is handed was authorised before. */
export class EventReader {
  private readonly reader: Reader;
  private readonly log: LogOffsets;

  constructor(reader: Reader, log: LogOffsets = new LogOffsets(reader)) {
    this.reader = reader;
    this.log = log;
  }

  /**
   * Walks a selection from `before` (exclusive) towards older events and reads at most `scan` rows of it, newest first.
   * Fewer rows than `scan` means that the end was reached. Of what may partly not be read it brings places alone.
   */
  async scan(
    selection: ScopeSelection,
    filter: EventFilter,
    before: number,
    scan: number,
  ): Promise<ScannedEvent[]> {
    const common = {
      before: int(await this.log.bound(before, filter.at.recorded)),
      scan: int(scan),
      ...matchParams(filter),
      ...isBare(selection),
    };
    const walks: Promise<ScannedEvent[]>[] = [];
    const [first] = selection.scopes;
    if (first !== undefined && selection.scopes.length === 1)
      walks.push(this.reader.read(scanScope, { ...common, ref: first }));
    if (selection.scopes.length > 1)
      walks.push(this.reader.read(scanScopes, { ...common, refs: selection.scopes }));
    walks.push(...subtreeWalks(this.reader, scanSubtree, common, selection.subtrees));
    const rows = (await Promise.all(walks)).flat();
    if (walks.length > 1) rows.sort((a, b) => b.wal_offset - a.wal_offset);
    return rows.slice(0, scan);
  }

  /** Those events of a walk over places that match, by id. */
  async walked(ids: readonly string[], filter: EventFilter): Promise<Map<string, ListedEvent>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(walkedByIds, { ids, ...matchParams(filter) });
    return new Map(rows.map(({ event }) => [event.id, event]));
  }

  /**
   * The event of an id, of one tenant or (null) of any; cancelled and replaced ones, and those that were not there at the instants, are
   * reported as not visible, redacted ones not at all.
   */
  async byId(
    id: string,
    tenant: string | null,
    at: EventInstants,
  ): Promise<{ event: StoredEvent; visible: boolean } | null> {
    return (await this.reader.read(byId, { id, tenant, ...paramsOf(at) }))[0] ?? null;
  }

  /**
   * The events among the ids that are visible at the instants, of one tenant or (null) of any, in no particular order; unless `derived`
   * without what derives from them.
   */
  async byIds(
    ids: readonly string[],
    tenant: string | null,
    at: EventInstants,
    derived = true,
  ): Promise<ListedEvent[]> {
    if (ids.length === 0) return [];
    const inline = int(LISTING_INLINE_BYTES);
    return this.reader.read(byIds, { ids, tenant, inline, derived, ...paramsOf(at) });
  }

  /** The envelopes of events, by id; the caller bounds how many bytes that is. */
  async envelopes(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(envelopes, { ids });
    return new Map(rows.map(({ id, envelope }) => [id, envelope]));
  }
}

function matchParams({ at, since, labels, modalities, observed_actors }: EventFilter): MatchParams {
  const inline = int(LISTING_INLINE_BYTES);
  return { labels, observed_actors, modalities, since: instantOrNull(since), ...paramsOf(at), inline };
}

function paramsOf({ valid, recorded }: EventInstants): AtParams {
  return { valid: instantOrNull(valid), recorded: instant(recorded) };
}

/** What a cancel found and did. */
export interface Cancellation {
  readonly event_id: string;
  /** True when the event was cancelled or replaced before: nothing was done. */
  readonly already: boolean;
  /** The stages beyond capture that the event had passed; one that passed it over without an effect does not count. */
  readonly completed: string[];
  /** The stages that will not happen any more. */
  readonly open: string[];
  /** Consolidation was asked to take out what was derived from it. */
  readonly queued: boolean;
  /** Number of the newest batch of the audit log that was added; 0 when none was. */
  readonly newestAudit: number;
}

/** An event that is to be cancelled. */
export interface CancelledEvent {
  readonly id: string;
  readonly tenant: string;
  /** Version of the tenant's legal holds by which it is held by none. */
  readonly holdsVersion: number;
}

/** Writes what happens to an event after its capture; the event itself is never changed. */
export class EventWriter {
  private readonly database: Transactions;

  constructor(database: Transactions) {
    this.database = database;
  }

  /**
   * Cancels an event: a durable entry in the log, its key released, its passages gone, one frame; and adds rows of the audit
   * log. Null when it is unknown, `holds changed` when legal holds have another version by now; then nothing is written.
   */
  async cancel(
    event: CancelledEvent,
    entry: { id: string; actor: string; now: number },
    batches: readonly FinishedBatch[],
  ): Promise<Cancellation | 'holds changed' | null> {
    const done = await this.database.transactionRepeatable(async (transaction) => {
      const version = await lockHoldsWithin(transaction, event.tenant, entry.now);
      if (version !== event.holdsVersion) return null;
      const [found] = await transaction.run(cancelEvent, {
        id: event.id,
        tenant: event.tenant,
        entry_id: entry.id,
        actor: entry.actor,
        now: int(entry.now),
      });
      if (found?.already === false) await removePassagesWithin(transaction, [found.event_id]);
      const batch = found === undefined ? [] : batches;
      return { row: found, newestAudit: await appendAuditWithin(transaction, batch, entry.now) };
    });
    if (done === null) return 'holds changed';
    const { row, newestAudit } = done;
    if (row === undefined) return null;
    const passedOver = row.content_kind !== 'triple';
    return {
      event_id: row.event_id,
      already: row.already,
      completed: STAGES.filter((stage) => row[stage] && !(stage === 'extracted' && passedOver)),
      open: STAGES.filter((stage) => !row[stage]),
      queued: row.queued,
      newestAudit,
    };
  }
}
