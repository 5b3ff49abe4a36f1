import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import type { Transaction } from '../driver.ts';
import { HOLD_LOG, REDACT_EVENTS, REDACTED_ENVELOPE } from '../event-redaction.ts';
import { removePassagesWithin } from '../passage/removal.ts';
import { int, statement, type Params } from '../statement.ts';

interface RedactParams extends Params {
  ids: readonly string[];
  ref: string;
  tenant: string;
  actor: string;
  shard: Integer;
  entry_id: string;
  envelope: string;
  bytes: Integer;
  now: Integer;
}

const redact = statement<RedactParams, { ids: string[]; keys: string[]; newest_frame: number }>(
  'forget.redact_events',
  'constraints event_id, shard_intake, shard_number, counter_name, log_entry_id, extraction_event, enrichment_hold, idempotency_key, retry_id, premise_id, blob_id, blob_body_id; indexes lifecycle_event, retry_event, statement_event, released_key_scope, blob_use_blob, blob_use_event',
  `WITH $ref AS ref, $tenant AS tenant, $actor AS actor
   ${HOLD_LOG}
   CALL (ref) {
     UNWIND $ids AS id
     MATCH (e:Event {id: id}) WHERE e.scope_ref = ref
     RETURN collect(e) AS events, collect(e.idempotency_key) AS keys
   }
   ${REDACT_EVENTS}
   RETURN [e IN events | e.id] AS ids, keys, newest_frame`,
);

/** Events of one scope that are redacted, and who wants that. */
export interface NamedRedaction {
  readonly ids: readonly string[];
  readonly place: { readonly tenant: string; readonly scope_ref: string };
  readonly actor: string;
  /** Id of the entry in the log. */
  readonly entry: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What a redaction came to. */
export interface Redaction {
  /** Events that it redacted. */
  readonly ids: readonly string[];
  /** Idempotency keys that these had. */
  readonly keys: readonly string[];
  /** Number of the newest frame; 0 for none. */
  readonly newestFrame: number;
}

/** Redacts named events within a transaction; those that are redacted already stay as they are. */
export async function redactWithin(
  transaction: Transaction,
  { ids, place, actor, entry, now }: NamedRedaction,
): Promise<Redaction> {
  if (ids.length === 0) return { ids, keys: [], newestFrame: 0 };
  const [done] = await transaction.run(redact, {
    ids,
    ref: place.scope_ref,
    tenant: place.tenant,
    actor,
    shard: int(shardOf(place.scope_ref)),
    entry_id: entry,
    envelope: REDACTED_ENVELOPE,
    bytes: int(REDACTED_ENVELOPE.length),
    now: int(now),
  });
  const redacted = done?.ids ?? [];
  await removePassagesWithin(transaction, redacted);
  const newestFrame = redacted.length === 0 ? 0 : (done?.newest_frame ?? 0);
  return { ids: redacted, keys: done?.keys ?? [], newestFrame };
}
