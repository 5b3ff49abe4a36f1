import type { ForgetObstacle, ForgetPlan, ForgetPlans } from '../../graph/forget/plan.ts';
import type { StoredPreview } from '../../graph/forget/preview.ts';
import type { ForgetSteps } from '../../graph/forget/step.ts';
import {
  FORGET_LAYERS,
  MAX_PREVIEW_IDS,
  type ForgetLayer,
  type ForgetPreviewResponse,
  type ForgetResponse,
} from '../../schemas/forget.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { ChangeAudit, ChangeRow } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import { digestOf } from '../forget/digest.ts';
import { byLayer, type ByLayer } from '../forget/layers.ts';
import { stepsOf } from '../forget/steps.ts';
import type { Ids } from '../ids.ts';
import { WAIT_RETRY_POLL_MS } from '../limits.ts';
import { FORGET_PREVIEW_TTL_MS, FORGET_STEP_EVENTS } from '../limits/forget.ts';
import { Wakeup } from '../wakeup.ts';
import type { Call } from './access.ts';
import { hindered } from './forget-obstacle.ts';
import {
  suppressionOf,
  type ForgetPlanning,
  type ForgetPlanningParts,
  type Planned,
  type PreviewAsked,
} from './forget-planning.ts';
import type { ForgetRequests } from './forget-request.ts';
import type { ForgetRunner } from './forget-runner.ts';
import { underLegalHold } from './legal-holds.ts';

/** What the service needs. */
export interface ForgetParts extends Pick<ForgetPlanningParts, 'previews' | 'clock'> {
  readonly requests: ForgetRequests;
  readonly planning: ForgetPlanning;
  readonly plans: ForgetPlans;
  readonly steps: ForgetSteps;
  readonly runner: ForgetRunner;
  readonly ids: Ids;
  readonly changes: ChangeAudit;
  /** Milliseconds that another forget of the same scope is waited for. */
  readonly leaseWaitMs: number;
}

/** Forgets records, and says beforehand what would go. */
export class ForgetService {
  private readonly parts: ForgetParts;

  constructor(parts: ForgetParts) {
    this.parts = parts;
  }

  /**
   * Forgets; resolves when nothing is left of it. Throws as {@link ForgetRequests.asked} does, `UNKNOWN_PREVIEW_ID`, `SCOPE_STATE_CHANGED`,
   * `LEGAL_HOLD`, `REDERIVE_IN_PROGRESS`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`, `FORGET_BACKEND_FAILED`, `SERVER_SHUTTING_DOWN`.
   */
  async forget(call: Call, body: unknown): Promise<ForgetResponse> {
    const { requests, planning, runner, changes, ids, clock, leaseWaitMs } = this.parts;
    const asked = await requests.asked(call, body);
    const row = changes.of(call);
    const suppressionId = ids.suppression();
    const end = clock.now() + leaseWaitMs;
    for (;;) {
      if (runner.isEnding)
        throw new StrataError('SERVER_SHUTTING_DOWN', 'the server is stopping; nothing was forgotten');
      const planned = await planning.of(call, asked);
      if (planned.held.held.size > 0) throw underLegalHold(planned.held, 'nothing was forgotten');
      const plan = planOf(call, planned, { id: row.id, suppressionId });
      const obstacle = await this.begin(plan, planned, { row, note: asked.note });
      if (obstacle === null) {
        await runner.run(plan);
        const deleted = countsOf(planned.closure.gone);
        const { suppression_id } = plan;
        return { deleted, ...countsOfSelection(planned), audit_id: row.id, suppression_id };
      }
      // What another one leaves is planned again, and so is what was planned by other holds.
      if (obstacle === 'holds changed' && !call.signal.aborted) continue;
      if (obstacle !== 'forgetting' || clock.now() >= end || call.signal.aborted)
        throw hindered(obstacle, 'forgotten');
      await new Wakeup().wait(WAIT_RETRY_POLL_MS);
    }
  }

  /** Says what would go, and keeps it for a quarter of an hour. Throws as {@link ForgetRequests.askedPreview} does, `REDERIVE_IN_PROGRESS`. */
  async preview(call: Call, body: unknown): Promise<ForgetPreviewResponse> {
    const { requests, planning, previews, ids, clock } = this.parts;
    const asked = await requests.askedPreview(call, body);
    const planned = await planning.of(call, asked);
    const { tenant, actor } = call.principal;
    const { scope, cascade, closure, selected, requested } = planned;
    const expires_at = clock.now() + FORGET_PREVIEW_TTL_MS;
    const kept: PreviewAsked = {
      requested,
      named: planned.named,
      empties: planned.empties,
      suppress: planned.suppress,
    };
    const preview: StoredPreview = {
      id: ids.forgetPreview(),
      tenant,
      scope,
      scope_ref: scopeRef(tenant, scope),
      actor,
      operation: 'forget',
      asked: JSON.stringify(kept),
      cascade,
      head: planned.through,
      digest: digestOf(closure),
      expires_at,
      selected,
    };
    await previews.keep(preview);
    const { gone, revised } = closure;
    return {
      preview_id: preview.id,
      scope,
      expires_at: toRfc3339(expires_at),
      estimated_deleted: countsOf(gone),
      estimated_revised: countsOf(revised),
      ids: byLayer((layer) => gone[layer].slice(0, MAX_PREVIEW_IDS)),
      ids_truncated: FORGET_LAYERS.some((layer) => gone[layer].length > MAX_PREVIEW_IDS),
      ...countsOfSelection(planned),
      events_under_legal_hold: planned.held.held.size,
    };
  }

  /** Puts a plan on record; answers what it would meet, and then nothing is. */
  private async begin(
    plan: ForgetPlan,
    { closure, held, previewId }: Planned,
    { row, note }: { readonly row: ChangeRow; readonly note: string | null },
  ): Promise<ForgetObstacle | null> {
    const { plans, steps, clock } = this.parts;
    const all = stepsOf(closure, FORGET_STEP_EVENTS);
    const frame_data = JSON.stringify({
      audit_id: plan.id,
      cascade: plan.cascade,
      deleted: countsOf(closure.gone),
      ...(note === null ? {} : { note }),
    });
    await steps.keep(plan.id, all, clock.now());
    const beginning = {
      frame_data,
      previewId,
      hasSteps: all.length > 0,
      erasure: null,
      holdsVersion: held.version,
    };
    const audit = { batches: row.batches(), now: clock.now() };
    const { obstacle, newestAudit } = await plans.begin(plan, beginning, audit);
    if (obstacle === null) row.committed(newestAudit);
    return obstacle;
  }
}

function planOf(
  { principal }: Call,
  planned: Planned,
  { id, suppressionId }: { readonly id: string; readonly suppressionId: string },
): ForgetPlan {
  const { tenant, actor } = principal;
  const { scope, cascade, empties } = planned;
  const suppression_id = suppressionOf(planned, suppressionId);
  const place = { tenant, scope, scope_ref: scopeRef(tenant, scope), actor };
  return { ...place, id, cascade, empties, erasure_id: null, suppression_id };
}

/** How many records there are of each layer. */
export function countsOf(ids: ByLayer<readonly string[]>): Record<ForgetLayer, number> {
  return byLayer((layer) => ids[layer].length);
}

function countsOfSelection({ requested, selected }: Planned): { requested: number; matched: number } {
  const matched = new Set(FORGET_LAYERS.flatMap((layer) => selected[layer])).size;
  return {
    requested: requested ?? matched,
    matched: requested === null ? matched : Math.min(matched, requested),
  };
}
