import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import type { Envelope } from '../../schemas/envelope.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { blobReferences } from './blob-refs.ts';
import { caption } from './caption.ts';
import { levelRefs, scopeRef, shardOf } from './scope-key.ts';

/** Everything that is written of one capture. */
export interface EventRecord {
  /** `evt_…` */
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  /** Reference of the scope; the last of `levels`. */
  readonly scope_ref: string;
  /** References of every level of the scope, root first. */
  readonly levels: readonly string[];
  /** 0..63, from the reference. */
  readonly shard: number;
  /** Actor id of the principal. */
  readonly caller: string;
  /** Its id; the caller when the envelope names none. */
  readonly observed_actor: string;
  /** Its id; the caller when the envelope names none. */
  readonly subject: string;
  readonly modality: string;
  readonly content_kind: string;
  readonly labels: readonly string[];
  /** Epoch milliseconds; null stands for the time of capture. */
  readonly observed_at: number | null;
  readonly idempotency_key: string | null;
  /** SHA-256 (hex) of the canonical body that a repeat is compared by. */
  readonly body_hash: string;
  /** SHA-256 (hex) of the hints, which may differ on a repeat. */
  readonly hint_hash: string;
  /** Whether the event takes the key over when another body holds it. */
  readonly replace: boolean;
  /** JSON text of the normalised envelope without `idempotency_key` and `on_conflict`. */
  readonly envelope: string;
  /** UTF-8 length of `envelope`. */
  readonly bytes: number;
  /** What it says on one line, for whoever looks at the graph; see {@link caption}. */
  readonly text: string;
  /** Ids of the blobs that the content refers to, each once. */
  readonly blobs: readonly string[];
}

/** The record of an envelope: pure, so that the same input gives the same record. */
export function toEventRecord(
  envelope: Envelope,
  made: { id: string; tenant: string; caller: string },
): EventRecord {
  const { idempotency_key, on_conflict, ...kept } = envelope;
  const text = JSON.stringify(kept);
  const observedAt = envelope.context?.observed_at ?? envelope.observed_at;
  const actor = envelope.observed_actor?.id ?? made.caller;
  const levels = levelRefs(made.tenant, envelope.scope);
  const ref = levels.at(-1) ?? scopeRef(made.tenant, envelope.scope);
  return {
    id: made.id,
    tenant: made.tenant,
    scope: envelope.scope,
    scope_ref: ref,
    levels,
    shard: shardOf(ref),
    caller: made.caller,
    observed_actor: actor,
    subject: envelope.subject?.id ?? made.caller,
    modality: envelope.modality,
    content_kind: envelope.content.kind,
    labels: envelope.context?.labels ?? [],
    observed_at: observedAt === undefined ? null : toEpochMs(observedAt),
    idempotency_key: idempotency_key ?? null,
    body_hash: bodyHash(envelope),
    hint_hash: hintHash(envelope),
    replace: on_conflict === 'replace',
    envelope: text,
    bytes: Buffer.byteLength(text),
    text: caption(envelope.content),
    blobs: blobReferences(envelope.content).map(({ blob_id }) => blob_id),
  };
}

/**
 * SHA-256 over the RFC 8785 form of the body without what may differ on a repeat: key, `on_conflict`, `observed_at` and
 * the hints `language`, `scripts`, `context.timezone`.
 */
export function bodyHash(envelope: Envelope): string {
  const {
    idempotency_key: _key,
    on_conflict: _conflict,
    observed_at: _at,
    language: _language,
    scripts: _scripts,
    context,
    ...rest
  } = envelope;
  const { observed_at: _observed, timezone: _timezone, ...circumstances } = context ?? {};
  const body = Object.keys(circumstances).length === 0 ? rest : { ...rest, context: circumstances };
  return sha256(body);
}

/** SHA-256 over the hints of a body. */
export function hintHash(envelope: Envelope): string {
  const { language = null, scripts = null } = envelope;
  const timezone = envelope.context?.timezone ?? null;
  const none = language === null && scripts === null && timezone === null;
  return none ? NO_HINTS : sha256({ language, scripts, timezone });
}

/** The hash of most events, which carry no hint: made once. */
const NO_HINTS = sha256({ language: null, scripts: null, timezone: null });

function sha256(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');
}
