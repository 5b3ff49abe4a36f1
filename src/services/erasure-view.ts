import type { StoredErasure } from '../../graph/erasure/record.ts';
import type { ManifestGroup } from '../../graph/erasure/manifest.ts';
import type { ErasureAccepted, ErasureRecord } from '../../schemas/erasure.ts';
import { FORGET_LAYERS } from '../../schemas/forget.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Closure } from '../forget/closure.ts';

/** What a start is answered. */
export function toAccepted({ id, scope, status, suppression_id }: StoredErasure): ErasureAccepted {
  return {
    erasure_id: id,
    scope,
    status,
    manifest_url: `/v1/erasures/${id}/manifest`,
    receipt_url: receiptUrl(id),
    verify_url: `/v1/erasures/${id}/verify`,
    lifecycle_stream: `/v1/lifecycle/stream?job_id=${id}`,
    suppression_id,
  };
}

/** An erasure as it is shown. */
export function toRecord(erasure: StoredErasure): ErasureRecord {
  const { id, scope, status, phase, gone, completed_at, error, audit_id } = erasure;
  return {
    id,
    scope,
    status,
    phase,
    counts: {
      ...gone,
      events_total: erasure.events_total,
      events_done: erasure.events_done,
      events_under_legal_hold: erasure.events_held,
    },
    started_at: toRfc3339(erasure.started_at),
    completed_at: completed_at === null ? null : toRfc3339(completed_at),
    error,
    audit_id,
    suppression_id: erasure.suppression_id,
    receipt_url: erasure.receipt === null ? null : receiptUrl(id),
  };
}

/** What becomes of which records, as a manifest lists them. */
export function manifestOf(closure: Closure, held: readonly string[]): ManifestGroup[] {
  const { gone, revised, redacted, named } = closure;
  const kept = new Set(named);
  const derived = FORGET_LAYERS.filter((layer) => layer !== 'events');
  return [
    { layer: 'events', action: 'delete', ids: redacted.filter((id) => !kept.has(id)) } as const,
    { layer: 'events', action: 'redact', ids: named } as const,
    { layer: 'events', action: 'hold', ids: held } as const,
    ...derived.map((layer) => ({ layer, action: 'remove', ids: gone[layer] }) as const),
    ...derived.map((layer) => ({ layer, action: 'revise', ids: revised[layer] }) as const),
  ];
}

function receiptUrl(id: string): string {
  return `/v1/erasures/${id}/receipt`;
}
