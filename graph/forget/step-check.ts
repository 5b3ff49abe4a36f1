import { StrataError } from '../../src/errors.ts';
import type { Transaction } from '../driver.ts';
import { FRAME_SAYS_MORE, listOf, note } from '../erasure/finding.ts';
import { REDACTED_ENVELOPE } from '../event-redaction.ts';
import { STORE_SCHEMA } from '../schema.ts';
import { statement, type Params } from '../statement.ts';

/** What consolidation finds by the id of an event behind a step, and takes out then. */
const FOR_CONSOLIDATION: readonly string[] = ['Statement'];

/** As far as nodes that are found by the id of an event may stay: frames that say no more than that it was forgotten, and what asks for consolidation. */
const STAYING: Readonly<Record<string, string>> = {
  LifecycleEvent: `AND ${FRAME_SAYS_MORE}`,
  StageRetry: `AND n.stage <> 'consolidated'`,
};

/** Counts the nodes of a label that are found by the id of an event, as far as they say more than they may. */
const countByEvent = (label = '', more = ''): string => `UNWIND $ids AS id
   MATCH (n:${label}) USING INDEX SEEK n:${label}(event_id) WHERE n.event_id = id ${more}
   RETURN ':${label}(event_id)' AS place, count(n) AS count`;

/** Counts the nodes of a label that hold a key for one of the events. */
const countByKey = (label = ''): string => `UNWIND $keys AS key
   MATCH (n:${label}) USING INDEX SEEK n:${label}(scope_ref, key) WHERE n.scope_ref = $ref AND n.key = key AND n.event_id IN $ids
   RETURN ':${label}(key)' AS place, count(n) AS count`;

/** What of an event that was redacted says more than that. */
const SAYS_MORE = `coalesce(e.envelope <> $envelope, true) OR e.caller <> '' OR e.observed_actor <> '' OR e.subject <> '' OR size(e.labels) > 0
     OR any(key IN keys(e) WHERE NOT key IN ['id', 'tenant', 'scope', 'shard', 'wal_offset', 'recorded_at', 'observed_at', 'caller', 'observed_actor',
       'subject', 'modality', 'content_kind', 'labels', 'envelope', 'bytes', 'redacted_at'])`;

interface LeftParams extends Params {
  ids: readonly string[];
  passed: readonly string[];
  keys: readonly string[];
  blobs: readonly string[];
  ref: string;
  tenant: string;
  envelope: string;
}

// Beside events and blobs it knows the places from the schema of the store: a label that is added is looked at as well.
const left = statement<LeftParams, { place: string; count: number }>(
  'forget.left_by_step',
  'constraints event_id, blob_id; index blob_use_blob; every index and constraint that begins with event_id, or is of scope_ref and key',
  [
    `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.redacted_at IS NULL OR ${SAYS_MORE}
   RETURN ':Event(id)' AS place, count(e) AS count`,
    `UNWIND $passed AS id
   MATCH (e:Event {id: id}) WHERE e.redacted_at IS NULL
   RETURN ':Event(redacted_at)' AS place, count(e) AS count`,
    `UNWIND $ids AS id
   MATCH (e:Event {id: id})<-[w:FORGETS]-()
   RETURN '-[:FORGETS]->(:Event)' AS place, count(w) AS count`,
    `UNWIND $blobs AS id
   MATCH (b:Blob {id: id}) WHERE b.tenant = $tenant AND NOT EXISTS { MATCH (u:BlobUse) USING INDEX SEEK u:BlobUse(blob_id) WHERE u.blob_id = b.id }
   RETURN ':Blob(id)' AS place, count(b) AS count`,
    ...labelsBy('event_id')
      .filter((label) => !FOR_CONSOLIDATION.includes(label))
      .map((label) => countByEvent(label, STAYING[label])),
    ...labelsBy('scope_ref', 'key').map((label) => countByKey(label)),
  ].join('\n   UNION ALL\n   '),
);

/** Labels whose nodes the schema finds by properties, in the order of the schema. */
function labelsBy(...sought: readonly string[]): string[] {
  const found = STORE_SCHEMA.flatMap(({ kind, label, properties }) =>
    (kind === 'unique' || kind === 'range') && sought.every((property, i) => properties[i] === property)
      ? [label]
      : [],
  );
  return [...new Set(found)];
}

/** What a step redacts. */
export interface CheckedStep {
  readonly tenant: string;
  readonly scope_ref: string;
  /** Whether it erases: then the blobs of its events go as well. */
  readonly erases: boolean;
  /** Events that were to be redacted. */
  readonly events: readonly string[];
  /** Those of them that it redacted; the others were before. */
  readonly redacted: readonly string[];
  /** Idempotency keys that these had. */
  readonly keys: readonly string[];
  /** Blobs that their envelopes named; of an erasure. */
  readonly blobs: readonly string[];
}

/**
 * Looks for what a step has left of the events that it redacts, within its transaction and behind all else that it does. It goes by the schema of
 * the store, and by nothing of the code that deletes. Where it finds anything it throws `FORGET_BACKEND_FAILED`, or `ERASURE_BACKEND_FAILED`, so that
 * nothing of the step is done.
 */
export async function checkStepWithin(
  transaction: Transaction,
  { tenant, scope_ref, erases, events, redacted, keys, blobs }: CheckedStep,
): Promise<void> {
  if (events.length === 0) return;
  const done = new Set(redacted);
  const rows = await transaction.run(left, {
    ids: redacted,
    passed: events.filter((id) => !done.has(id)),
    keys,
    blobs,
    ref: scope_ref,
    tenant,
    envelope: REDACTED_ENVELOPE,
  });
  refuseLeft(rows, erases ? 'ERASURE_BACKEND_FAILED' : 'FORGET_BACKEND_FAILED');
}

/** Throws an error of the code that names the places where something was counted, if there are any. */
export function refuseLeft(
  rows: readonly { readonly place: string; readonly count: number }[],
  code: 'FORGET_BACKEND_FAILED' | 'ERASURE_BACKEND_FAILED',
): void {
  const findings = new Map<string, number>();
  for (const row of rows) note(findings, row.place, [row]);
  if (findings.size === 0) return;
  const places = listOf(findings).map(({ place, count }) => `${place} (${count})`);
  throw new StrataError(code, `nothing was done, because something would be left in ${places.join(', ')}`);
}
