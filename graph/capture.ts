import type { Integer } from 'neo4j-driver';

import type { ContentHash } from '../src/capture/content-hash.ts';
import type { EventRecord } from '../src/capture/event-record.ts';
import { auditParam, type CaptureAudit } from './capture-audit.ts';
import { ContentsNotHashed, type CapturedGroup, type CaptureResult } from './capture-result.ts';
import { LOCK_AUDIT, LOCK_LIFECYCLE } from './counter.ts';
import { Columns, levelProps, type Levels } from './columns.ts';
import type { Transaction, Writer } from './driver.ts';
import { removePassagesWithin } from './passage/removal.ts';
import { LOCK_PASSAGES } from './passage/window.ts';
import { OPEN, storedInstant } from './instant.ts';
import { int, intOrNull, statement, type Param, type Params } from './statement.ts';
import { LIFT_RETRY } from './taken-out.ts';

export {
  ContentsNotHashed,
  isRefused,
  type CapturedGroup,
  type CaptureOutcome,
  type CaptureResult,
} from './capture-result.ts';

/** Bytes of a capture for which its statement gets one millisecond more: one second for each megabyte. */
const DATABASE_EXTRA_MS_BYTES = 1000;

interface CaptureRow {
  readonly decided: (Omit<CaptureResult, 'wal_offset' | 'recorded_at' | 'suppression_id'> & {
    suppression_id: string | null;
    wal_offset: number | null;
    recorded_at: number | null;
  })[];
  readonly base: number;
  readonly recorded_at: number;
  readonly newest_frame: number;
  readonly newest_audit: number;
}

/** What the decision needs of a record; its envelope stays outside, since whatever the statement collects is paid for again. */
const RECORD = new Columns([
  'place',
  'id',
  'scope_ref',
  'key',
  'body_hash',
  'hint_hash',
  'replace',
  'content_hash',
]);

/** Properties of an event, beside those that the statement adds. */
const EVENT_PROPS = new Columns(
  [
    'id',
    'tenant',
    'scope',
    'scope_ref',
    'shard',
    'caller',
    'observed_actor',
    'subject',
    'modality',
    'content_kind',
    'labels',
    'observed_at',
    'idempotency_key',
    'batch_id',
    'envelope',
    'bytes',
    'text',
  ],
  [],
  ['observed_at'],
);

interface CaptureParams extends Params {
  rows: Param[];
  events: Param[];
  levels: Levels;
  scopes: Param[];
  uses: Param[];
  audit: Param[];
  /** Whether rows have the hashes of their contents. */
  hashed: boolean;
  now: Integer;
}

/**
 * One group in one statement. The counter `wal` is locked by writing another property before it is read (a
 * self-assignment would read before the lock); then keys are decided, offsets taken, events, keys and `captured` frames written.
 * A record whose event id is already there is the repeat of a group whose answer was lost: it keeps its offset.
 * A scope is marked as being deleted under the lock of the counter too, so that whatever is written to it comes before the mark.
 * Where the store suppresses contents, nothing is done for a group that comes without the hashes of its own: then there is no row.
 * Whoever replaces an event takes the lock of its scope's passages before that is said, as a stage does that writes them.
 * A blob that new events refer to is used by them where it still exists; one that only replaced events used goes with them.
 * The rows of the audit log come as one text for each tenant and last of all, and say what is expected to become of each capture;
 * only of repeats and conflicts it is put beside them.
 */
const captureGroup = statement<CaptureParams, CaptureRow>(
  'capture.group',
  'constraints counter_name, event_id, idempotency_key, scope_ref, blob_id, blob_body_id, audit_batch_id, passage_scope, suppressed_content, suppression_id; indexes scope_deletion, blob_use_blob, blob_use_event',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal WHERE $hashed OR wal.suppressing IS NULL
   CALL () {
     MATCH (s:Scope) USING INDEX SEEK s:Scope(deleting_through) WHERE s.deleting_through >= 0
     RETURN collect(s.ref) AS deleting
   }
   CALL (deleting) {
     UNWIND $rows AS sent
     WITH deleting, ${RECORD.map('sent')} AS row
     OPTIONAL MATCH (stored:Event {id: row.id})
     OPTIONAL MATCH (held:IdempotencyKey {scope_ref: row.scope_ref, key: row.key})
     WITH row, stored, held, head(COLLECT {
       MATCH (c:SuppressedContent) USING INDEX SEEK c:SuppressedContent(scope_ref, hash, suppression_id)
       WHERE c.scope_ref = row.scope_ref AND c.hash = row.content_hash AND c.suppression_id > ''
       MATCH (s:Suppression {id: c.suppression_id})
       RETURN s.id LIMIT 1
     }) AS suppression_id
     WITH row, stored, held, suppression_id,
       CASE
         WHEN stored IS NOT NULL THEN 'captured'
         WHEN row.scope_ref IN deleting THEN 'deleting'
         WHEN held.body_hash = row.body_hash THEN 'replayed'
         WHEN suppression_id IS NOT NULL THEN 'suppressed'
         WHEN held IS NULL THEN 'captured'
         WHEN row.replace THEN 'replaced'
         ELSE 'conflict'
       END AS outcome
     OPTIONAL MATCH (first:Event {id: CASE WHEN stored IS NOT NULL THEN stored.id WHEN outcome = 'replayed' THEN held.event_id END})
     OPTIONAL MATCH (first)<-[:SUPERSEDED_BY]-(earlier:Event)
     RETURN collect({
       row: row, held: held, outcome: outcome, suppression_id: CASE outcome WHEN 'suppressed' THEN suppression_id END, fresh: stored IS NULL AND outcome IN ['captured', 'replaced'],
       event_id: CASE WHEN outcome IN ['replayed', 'conflict'] THEN held.event_id ELSE row.id END,
       wal_offset: CASE WHEN stored IS NOT NULL THEN stored.wal_offset ELSE held.wal_offset END,
       recorded_at: CASE WHEN stored IS NOT NULL THEN stored.recorded_at.epochMillis ELSE held.recorded_at END,
       hints_differ: outcome = 'replayed' AND held.hint_hash <> row.hint_hash,
       replaces: CASE WHEN outcome = 'replaced' THEN held.event_id ELSE earlier.id END
     }) AS decided
   }
   WITH wal, decided, [d IN decided WHERE d.fresh] AS fresh, wal.value AS base,
     CASE WHEN wal.recorded_at > $now THEN wal.recorded_at ELSE $now END AS recorded_at
   SET wal.value = base + size(fresh), wal.recorded_at = recorded_at
   WITH decided, fresh, base, recorded_at, size([d IN decided WHERE d.outcome = 'suppressed']) AS refused
   CALL (decided, refused) {
     UNWIND CASE refused WHEN 0 THEN [] ELSE [d IN decided WHERE d.outcome = 'suppressed' | d.suppression_id] END AS id
     MATCH (s:Suppression {id: id})
     SET s.refused = s.refused + 1
   }
   CALL (recorded_at, fresh, refused) {
     UNWIND CASE WHEN refused = 0 THEN $scopes ELSE [s IN $scopes WHERE any(d IN fresh WHERE d.row.scope_ref = s.ref)] END AS scope
     MERGE (s:Scope {ref: scope.ref})
       ON CREATE SET s += scope, s.auto_provisioned = true, s.created_at = recorded_at
   }
   CALL (fresh) {
     WITH [d IN fresh WHERE d.outcome = 'replaced' | d.row.scope_ref] AS refs
     UNWIND CASE WHEN size(refs) = 0 THEN [] ELSE $scopes END AS scope
     WITH scope.ref AS ref WHERE scope.ref IN refs
     ${LOCK_PASSAGES}
   }
   CALL (fresh, base, recorded_at) {
     UNWIND range(0, size(fresh) - 1) AS i
     WITH fresh[i] AS d, base + 1 + i AS wal_offset, recorded_at
     WITH d, wal_offset, recorded_at, $events[d.row.place] AS sent
     CREATE (e:Event)
     SET ${EVENT_PROPS.set('e', 'sent')}
     SET e += $levels[d.row.scope_ref], e.wal_offset = wal_offset, e.recorded_at = ${storedInstant('recorded_at')},
       e.observed_at = coalesce(e.observed_at, ${storedInstant('recorded_at')})
     FOREACH (key IN CASE WHEN d.row.key IS NULL OR d.held IS NOT NULL THEN [] ELSE [d.row.key] END |
       CREATE (:IdempotencyKey {tenant: e.tenant, scope_ref: e.scope_ref, key: key, event_id: e.id, wal_offset: wal_offset,
         recorded_at: recorded_at, body_hash: d.row.body_hash, hint_hash: d.row.hint_hash}))
     WITH e, d, wal_offset, recorded_at
     CALL (e, d, wal_offset, recorded_at) {
       WITH e, d, wal_offset, recorded_at WHERE d.outcome = 'replaced'
       MATCH (held:IdempotencyKey {scope_ref: e.scope_ref, key: d.row.key})
       MATCH (earlier:Event {id: d.replaces})
       SET held.event_id = e.id, held.wal_offset = wal_offset, held.recorded_at = recorded_at,
         held.body_hash = d.row.body_hash, held.hint_hash = d.row.hint_hash
       CREATE (earlier)-[:SUPERSEDED_BY {valid_at: e.recorded_at, recorded_from: e.recorded_at, recorded_to: ${OPEN}}]->(e)
       WITH earlier
       MATCH (h:StageRetry) WHERE h.event_id = earlier.id
       ${LIFT_RETRY}
     }
     RETURN collect(e) AS created
   }
   CALL (base) {
     UNWIND $uses AS use
     MATCH (e:Event {id: use.event_id}) WHERE e.wal_offset > base
     MATCH (b:Blob {id: use.blob_id}) WHERE b.tenant = e.tenant
     CREATE (:BlobUse {blob_id: b.id, event_id: e.id, tenant: e.tenant, scope: e.scope, scope_ref: e.scope_ref, wal_offset: e.wal_offset})
   }
   CALL (decided) {
     UNWIND [d IN decided WHERE d.fresh AND d.outcome = 'replaced' | d.replaces] AS replaced
     MATCH (u:BlobUse {event_id: replaced})
     WITH collect(u) AS uses, collect(DISTINCT u.blob_id) AS ids
     FOREACH (u IN uses | DELETE u)
     WITH ids
     UNWIND ids AS id
     MATCH (b:Blob {id: id}) WHERE NOT b.held AND NOT EXISTS { MATCH (:BlobUse {blob_id: id}) }
     MATCH (body:BlobBody {id: b.body_id})
     SET body.remove_at = $now
     DELETE b
   }
   ${LOCK_LIFECYCLE}
   WITH *, lifecycle.value + size(created) AS newest_frame
   SET lifecycle.value = newest_frame
   WITH decided, base, recorded_at, created, newest_frame
   CALL (created, newest_frame, recorded_at) {
     UNWIND range(0, size(created) - 1) AS i
     WITH created[i] AS e, newest_frame - size(created) + 1 + i AS sequence, recorded_at
     CREATE (:LifecycleEvent {sequence: sequence, type: 'captured', tenant: e.tenant, scope: e.scope, scope_ref: e.scope_ref,
       event_id: e.id, wal_offset: e.wal_offset, actor: e.caller, modality: e.modality, batch_id: e.batch_id, ts: recorded_at})
   }
   CALL (decided, recorded_at) {
     WITH decided, recorded_at WHERE size($audit) > 0
     ${LOCK_AUDIT}
     WITH *, audit.value + size($audit) AS newest
     SET audit.value = newest
     WITH recorded_at, newest,
       [d IN decided WHERE d.outcome IN ['replayed', 'conflict', 'deleting', 'suppressed'] |
         d {.outcome, .event_id, place: d.row.place, name: toString(d.row.place)}] AS told
     CALL (told, recorded_at, newest) {
       UNWIND range(0, size($audit) - 1) AS i
       WITH told, recorded_at, $audit[i] AS batch, newest - size($audit) + 1 + i AS sequence
       OPTIONAL MATCH (known:AuditBatch {id: batch.id})
       WITH told, recorded_at, batch, sequence, known WHERE known IS NULL
       CREATE (:AuditBatch {id: batch.id, tenant: batch.tenant, rows: batch.rows, count: batch.count, sequence: sequence,
         unsealed: sequence, ts: recorded_at,
         told: CASE WHEN batch.bulk
           THEN CASE WHEN any(d IN told WHERE d.outcome IN ['conflict', 'deleting', 'suppressed']) THEN ['0 207 '] ELSE [] END
           ELSE [d IN told WHERE batch.row_of IS NULL OR batch.row_of[d.name] IS NOT NULL |
             toString(coalesce(batch.row_of[d.name], d.place)) + CASE WHEN d.outcome IN ['conflict', 'deleting', 'suppressed'] THEN ' 409 '
               ELSE ' ' + toString(batch.status) + ' ' + d.event_id END] END})
     }
     RETURN max(newest) AS newest_audit
   }
   RETURN [d IN decided | d {.event_id, .outcome, .hints_differ, .replaces, .suppression_id,
     wal_offset: CASE WHEN d.fresh THEN null ELSE coalesce(d.wal_offset, 0) END,
     recorded_at: CASE WHEN d.fresh THEN null ELSE d.recorded_at END}] AS decided, base, recorded_at, newest_frame,
     coalesce(newest_audit, 0) AS newest_audit`,
);

/** What goes with a group. */
export interface GroupExtras {
  readonly audit?: readonly CaptureAudit[];
  /** Hashes contents; left out where the store is taken to suppress none. */
  readonly hash?: ContentHash | undefined;
}

/** Everything that the writer needs to know of one record of a group. */
export interface CaptureInput {
  readonly record: EventRecord;
  /** The bulk that the event came in with, else null. */
  readonly batch_id: string | null;
}

/**
 * Writes one group whose keys are all different, in a transaction of its own (one round trip, more where a record may replace an event).
 * May be repeated with the same records: event ids are recognised. Errors are the driver's own, and {@link ContentsNotHashed}.
 */
export async function captureGroupAlone(
  writer: Writer,
  group: readonly CaptureInput[],
  now: number,
  extras: GroupExtras = {},
): Promise<CapturedGroup> {
  const sent = parameters(group, now, extras);
  if (!group.some(({ record }) => record.replace))
    return captured(await writer.write(captureGroup, sent, extraTime(group)), sent);
  return writer.transaction((transaction) => write(transaction, sent), extraTime(group));
}

/**
 * The same within an open transaction, for a batch that has to be written as several groups or not at all. Rows of the audit log
 * are added to the transaction by whoever knows what became of all of them.
 */
export async function captureGroupWithin(
  transaction: Transaction,
  group: readonly CaptureInput[],
  now: number,
  hash?: ContentHash,
): Promise<CapturedGroup> {
  return write(transaction, parameters(group, now, { hash }));
}

/** Writes a group, and takes out what was searchable of the events that it replaces. */
async function write(transaction: Transaction, sent: CaptureParams): Promise<CapturedGroup> {
  const group = captured(await transaction.run(captureGroup, sent), sent);
  const replaced = group.results.flatMap(({ outcome, replaces }) =>
    outcome === 'replaced' && replaces !== null ? [replaces] : [],
  );
  await removePassagesWithin(transaction, replaced);
  return group;
}

/** Has the server plan the statement, which takes it seconds the first time, by writing a group of nothing. */
export async function planCapture(writer: Writer): Promise<void> {
  await captureGroupAlone(writer, [], 0, { hash: () => '' });
}

/** Milliseconds beyond the usual deadline for the bytes of a group: a bulk of the greatest size takes a while on a slow disk. */
export function extraTime(group: readonly CaptureInput[]): number {
  const bytes = group.reduce((sum, { record }) => sum + record.bytes, 0);
  return Math.ceil(bytes / DATABASE_EXTRA_MS_BYTES);
}

function parameters(
  group: readonly CaptureInput[],
  now: number,
  { audit = [], hash }: GroupExtras,
): CaptureParams {
  const scopes = new Map<string, Param>();
  const levels: Record<string, Levels[string]> = {};
  for (const { record } of group) {
    if (scopes.has(record.scope_ref)) continue;
    levels[record.scope_ref] = levelProps(record.levels);
    scopes.set(record.scope_ref, scopeProperties(record));
  }
  const sorted = [...scopes.keys()].sort().map((ref) => scopes.get(ref) as Param);
  return {
    rows: group.map(({ record }, place) => row(record, place, hash)),
    events: group.map(eventProperties),
    levels,
    scopes: sorted,
    uses: group.flatMap(({ record }) => record.blobs.map((blob_id) => ({ event_id: record.id, blob_id }))),
    audit: audit.map(auditParam),
    hashed: hash !== undefined,
    now: int(now),
  };
}

function row(record: EventRecord, place: number, hash: ContentHash | undefined): Param {
  return RECORD.row({
    place: int(place),
    id: record.id,
    scope_ref: record.scope_ref,
    key: record.idempotency_key,
    body_hash: record.body_hash,
    hint_hash: record.hint_hash,
    replace: record.replace,
    content_hash: hash?.(record.envelope) ?? null,
  });
}

function eventProperties({ record, batch_id }: CaptureInput): Param {
  return EVENT_PROPS.row({
    id: record.id,
    tenant: record.tenant,
    scope: record.scope,
    scope_ref: record.scope_ref,
    shard: int(record.shard),
    caller: record.caller,
    observed_actor: record.observed_actor,
    subject: record.subject,
    modality: record.modality,
    content_kind: record.content_kind,
    labels: record.labels,
    observed_at: intOrNull(record.observed_at),
    idempotency_key: record.idempotency_key,
    batch_id,
    envelope: record.envelope,
    bytes: int(record.bytes),
    text: record.text,
  });
}

function scopeProperties(record: EventRecord): Param {
  return {
    ref: record.scope_ref,
    tenant: record.tenant,
    path: record.scope,
    created_by: record.caller,
    ...levelProps(record.levels),
  };
}

function captured(rows: CaptureRow[], { hashed }: CaptureParams): CapturedGroup {
  const answer = rows[0];
  if (!answer && !hashed) throw new ContentsNotHashed();
  if (!answer) throw new Error('the capture statement found no counter: the store is not migrated');
  let next = answer.base;
  const results = answer.decided.map((decided) => ({
    outcome: decided.outcome,
    event_id: decided.event_id,
    wal_offset: decided.wal_offset ?? (next += 1),
    recorded_at: decided.recorded_at ?? answer.recorded_at,
    hints_differ: decided.hints_differ,
    replaces: decided.replaces,
    ...(decided.suppression_id === null ? {} : { suppression_id: decided.suppression_id }),
  }));
  return { results, newestFrame: answer.newest_frame, newestAudit: answer.newest_audit };
}
