import type { FinishedBatch } from '../../graph/audit.ts';
import { isRefused, type CaptureResult } from '../../graph/capture.ts';
import type { CaptureAudit } from '../../graph/capture-audit.ts';
import { toBatch, type ExpectedEntry } from '../audit/batch.ts';

import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { allowEntry } from './audit-entry.ts';
import type { Submission } from './group-queue.ts';

/** The rows of a group: a batch for each tenant, with one row for each single capture, or one for the whole of a bulk. */
export function auditOfGroup(
  group: readonly Submission[],
  { clock, ids }: { clock: Clock; ids: Pick<Ids, 'audit'> },
): CaptureAudit[] {
  const now = clock.now();
  const byTenant = new Map<
    string,
    { entries: ExpectedEntry[]; places: number[]; status: number; bulk: boolean }
  >();
  let place = 0;
  for (const { inputs, kind, origin } of group) {
    const first = place;
    place += inputs.length;
    const began = origin?.call.request?.origin.began;
    if (origin === null || began === undefined) continue;
    const entry = allowEntry(origin.call, { now, elapsedMs: Math.round(performance.now() - began) });
    if (entry === null) continue;
    const rows = byTenant.get(entry.tenant_id) ?? {
      entries: [],
      places: [],
      status: origin.status,
      bulk: kind !== 'single',
    };
    byTenant.set(entry.tenant_id, rows);
    const event_id = kind === 'single' ? (inputs[0]?.record.id ?? null) : null;
    rows.entries.push({ ...entry, event_id, response_status: origin.status });
    rows.places.push(first);
  }
  return [...byTenant].map(([tenant, { entries, places, status, bulk }]) => ({
    ...toBatch(ids.audit(), tenant, entries),
    bulk,
    places,
    status,
  }));
}

/** A batch with what became of its captures, as the capture statement fills it in. */
export function finished(
  { bulk, places, status, ...batch }: CaptureAudit,
  results: readonly CaptureResult[],
): FinishedBatch {
  if (bulk) {
    const refused = results.some(isRefused);
    return { ...batch, event_ids: [''], statuses: [refused ? 207 : status] };
  }
  const answered = places.map((place) => results[place]).filter((result) => result !== undefined);
  return {
    ...batch,
    event_ids: answered.map((result) => (isRefused(result) ? '' : result.event_id)),
    statuses: answered.map((result) => (isRefused(result) ? 409 : status)),
  };
}
