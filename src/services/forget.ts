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
import type { AccessService, Call } from './access.ts';
import {
  ForgetPlanning,
  unknownPreview,
  type ForgetPlanningParts,
  type Planned,
  type PreviewAsked,
} from './forget-planning.ts';
import { ForgetRequests } from './forget-request.ts';
import type { ForgetRunner } from './forget-runner.ts';
import { underLegalHold, type HeldEvents, type LegalHolds } from './legal-holds.ts';

/** What the service needs. */
export interface ForgetParts extends Omit<ForgetPlanningParts, 'requests'> {
  readonly access: AccessService;
  readonly plans: ForgetPlans;
  readonly steps: ForgetSteps;
  readonly runner: ForgetRunner;
  readonly ids: Ids;
  readonly changes: ChangeAudit;
  readonly holds: Pick<LegalHolds, 'heldAmong'>;
  /** Milliseconds that another forget of the same scope is waited for. */
  readonly leaseWaitMs: number;
}

/** Forgets records, and says beforehand what would go. */
export class ForgetService {
  private readonly parts: ForgetParts;
  private readonly requests: ForgetRequests;
  private readonly planning: ForgetPlanning;

  constructor(parts: ForgetParts) {
    this.parts = parts;
    this.requests = new ForgetRequests(parts.access);
    this.planning = new ForgetPlanning({ ...parts, requests: this.requests });
  }

  /**
   * Forgets; resolves when nothing is left of it. Throws as {@link ForgetRequests.asked} does, `UNKNOWN_PREVIEW_ID`, `SCOPE_STATE_CHANGED`,
   * `LEGAL_HOLD`, `REDERIVE_IN_PROGRESS`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`, `FORGET_BACKEND_FAILED`, `SERVER_SHUTTING_DOWN`.
   */
  async forget(call: Call, body: unknown): Promise<ForgetResponse> {
    const asked = await this.requests.asked(call, body);
    const { runner, changes, ids, clock, leaseWaitMs } = this.parts;
    const row = changes.of(call);
    const suppressionId = ids.suppression();
    const end = clock.now() + leaseWaitMs;
    for (;;) {
      if (runner.isEnding)
        throw new StrataError('SERVER_SHUTTING_DOWN', 'the server is stopping; nothing was forgotten');
      const planned = await this.planning.of(call, asked);
      const found = await this.held(call, planned);
      if (found.held.size > 0) throw underLegalHold(found, 'nothing was forgotten');
      const plan = planOf(call, planned, { id: row.id, suppressionId });
      const { note } = asked;
      const obstacle = await this.begin(plan, planned, { row, note, holdsVersion: found.version });
      if (obstacle === null) {
        await runner.run(plan);
        const deleted = countsOf(planned.closure.gone);
        const { suppression_id } = plan;
        return { deleted, ...countsOfSelection(planned), audit_id: row.id, suppression_id };
      }
      // What another one leaves is planned again, and so is what was planned by other holds.
      if (obstacle === 'holds changed' && !call.signal.aborted) continue;
      if (obstacle !== 'forgetting' || clock.now() >= end || call.signal.aborted) throw hindered(obstacle);
      await new Wakeup().wait(WAIT_RETRY_POLL_MS);
    }
  }

  /** Says what would go, and keeps it for a quarter of an hour. Throws as {@link ForgetRequests.askedPreview} does, `REDERIVE_IN_PROGRESS`. */
  async preview(call: Call, body: unknown): Promise<ForgetPreviewResponse> {
    const { previews, ids, clock } = this.parts;
    const asked = await this.requests.askedPreview(call, body);
    const planned = await this.planning.of(call, asked);
    const { tenant, actor } = call.principal;
    const { scope, cascade, closure, selected, requested } = planned;
    const expires_at = clock.now() + FORGET_PREVIEW_TTL_MS;
    const { held } = await this.held(call, planned);
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
      events_under_legal_hold: held.size,
    };
  }

  /** Which of the events that would be redacted, or are named, are under legal hold. */
  private held(
    { principal: { tenant } }: Call,
    { scope, through, closure, named }: Planned,
  ): Promise<HeldEvents> {
    const { holds, clock } = this.parts;
    return holds.heldAmong({ tenant, scope, through, now: clock.now() }, [...closure.redacted, ...named]);
  }

  /** Puts a plan on record; answers what it would meet, and then nothing is. */
  private async begin(
    plan: ForgetPlan,
    { closure, previewId }: Planned,
    {
      row,
      note,
      holdsVersion,
    }: { readonly row: ChangeRow; readonly note: string | null; readonly holdsVersion: number },
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
    const beginning = { frame_data, previewId, hasSteps: all.length > 0, holdsVersion };
    const audit = { batches: row.batches(), now: clock.now() };
    const { obstacle, newestAudit } = await plans.begin(plan, beginning, audit);
    if (obstacle === null) row.committed(newestAudit);
    return obstacle;
  }
}

function planOf(
  { principal }: Call,
  { scope, cascade, empties, suppress, closure }: Planned,
  { id, suppressionId }: { readonly id: string; readonly suppressionId: string },
): ForgetPlan {
  const { tenant, actor } = principal;
  const suppression_id = suppress && closure.redacted.length > 0 ? suppressionId : null;
  return { id, tenant, scope, scope_ref: scopeRef(tenant, scope), actor, cascade, empties, suppression_id };
}

function hindered(obstacle: ForgetObstacle): StrataError {
  switch (obstacle) {
    case 'rebuilding':
      return new StrataError(
        'REDERIVE_IN_PROGRESS',
        'the scope is being derived again; nothing was forgotten',
      );
    case 'no preview':
      return unknownPreview();
    case 'deleting':
      return new StrataError(
        'DESTRUCTIVE_OPERATION_IN_PROGRESS',
        'the scope is being deleted; nothing was forgotten here',
      );
    case 'holds changed':
    case 'forgetting':
      return new StrataError(
        'DESTRUCTIVE_OPERATION_IN_PROGRESS',
        'another forget of the scope is under way; nothing was forgotten here',
      );
  }
}

function countsOf(ids: ByLayer<readonly string[]>): Record<ForgetLayer, number> {
  return byLayer((layer) => ids[layer].length);
}

function countsOfSelection({ requested, selected }: Planned): { requested: number; matched: number } {
  const matched = new Set(FORGET_LAYERS.flatMap((layer) => selected[layer])).size;
  return {
    requested: requested ?? matched,
    matched: requested === null ? matched : Math.min(matched, requested),
  };
}
