import type { BegunForget, ForgetPlans } from '../../graph/forget/plan.ts';
import type { StoredPreview } from '../../graph/forget/preview.ts';
import {
  FORGET_LAYERS,
  MAX_PREVIEW_IDS,
  type ForgetLayer,
  type ForgetPreviewResponse,
  type ForgetResponse,
} from '../../schemas/forget.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import { digestOf } from '../forget/digest.ts';
import { byLayer, type ByLayer } from '../forget/layers.ts';
import { hasSteps } from '../forget/steps.ts';
import type { Ids } from '../ids.ts';
import { FORGET_PREVIEW_TTL_MS } from '../limits/forget.ts';
import type { Call } from './access.ts';
import {
  suppressionOf,
  type ForgetPlanning,
  type ForgetPlanningParts,
  type Planned,
  type PreviewAsked,
} from './forget-planning.ts';
import type { ForgetAsked, ForgetRequests } from './forget-request.ts';
import type { ForgetRunner } from './forget-runner.ts';
import type { ForgetStart, ReadyForget } from './forget-start.ts';
import { underLegalHold } from './legal-holds.ts';

/** What the service needs. */
export interface ForgetParts extends Pick<ForgetPlanningParts, 'previews' | 'clock'> {
  readonly requests: ForgetRequests;
  readonly planning: ForgetPlanning;
  readonly plans: Pick<ForgetPlans, 'ofPreview'>;
  readonly starts: ForgetStart;
  readonly runner: ForgetRunner;
  readonly ids: Ids;
  readonly changes: ChangeAudit;
}

/** Forgets records, and says beforehand what would go. */
export class ForgetService {
  private readonly parts: ForgetParts;

  constructor(parts: ForgetParts) {
    this.parts = parts;
  }

  /**
   * Forgets; resolves when nothing is left of it, and at once where nothing is to go. A preview that is being executed for the same caller is gone on with: whoever lost the answer
   * sends the request again. Throws as {@link ForgetRequests.asked} does, `UNKNOWN_PREVIEW_ID`, `SCOPE_STATE_CHANGED`,
   * `LEGAL_HOLD`, `AUTHORIZATION_STATE_CHANGED`, `REDERIVE_IN_PROGRESS`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`, `FORGET_BACKEND_FAILED`,
   * `SERVER_SHUTTING_DOWN`.
   */
  async forget(call: Call, body: unknown): Promise<ForgetResponse> {
    const { requests, starts, runner, changes, ids } = this.parts;
    const asked = await requests.asked(call, body);
    const row = changes.of(call);
    const suppressionId = ids.suppression();
    const begun = await starts.begin<BegunForget>(
      call,
      row,
      async () => {
        const found = await this.planned(call, asked);
        if ('plan' in found) {
          await requests.requireCascade(call, found.plan.cascade, asked.scope);
          return found;
        }
        if (found.held.held.size > 0) throw underLegalHold(found.held, 'nothing was forgotten');
        return readyOf(call, found, { id: row.id, suppressionId, note: asked.note });
      },
      ({ plan: { cascade, scope } }) => requests.requireCascade(call, cascade, scope),
    );
    if ('planned' in begun && !hasSteps(begun.planned.closure)) await runner.endEmpty(begun.plan);
    else await runner.run(begun.plan);
    return 'planned' in begun ? answerOf(begun) : (JSON.parse(begun.answer) as ForgetResponse);
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
      revised_ids: byLayer((layer) => revised[layer].slice(0, MAX_PREVIEW_IDS)),
      ids_truncated: FORGET_LAYERS.some(
        (layer) => Math.max(gone[layer].length, revised[layer].length) > MAX_PREVIEW_IDS,
      ),
      ...countsOfSelection(planned),
      events_under_legal_hold: planned.held.held.size,
    };
  }

  /** What it comes to, or the forget that executes the same preview, also one that took it while this was planned. */
  private async planned(call: Call, asked: ForgetAsked): Promise<Planned | BegunForget> {
    const before = await this.begun(call, asked);
    if (before !== null) return before;
    try {
      return await this.parts.planning.of(call, asked);
    } catch (error) {
      const meanwhile = await this.begun(call, asked);
      if (meanwhile !== null) return meanwhile;
      throw error;
    }
  }

  /** The forget under way that executes the preview which is asked for; null for none, and where more is asked for now. */
  private async begun({ principal }: Call, asked: ForgetAsked): Promise<BegunForget | null> {
    if (asked.kind === 'selection') return null;
    const { tenant, actor } = principal;
    const found = await this.parts.plans.ofPreview(scopeRef(tenant, asked.scope), actor, asked.preview_id);
    return asked.suppress && found?.plan.suppression_id === null ? null : found;
  }
}

function readyOf(
  { principal }: Call,
  planned: Planned,
  {
    id,
    suppressionId,
    note,
  }: { readonly id: string; readonly suppressionId: string; readonly note: string | null },
): ReadyForget {
  const { tenant, actor } = principal;
  const { scope, cascade, empties, closure } = planned;
  const suppression_id = suppressionOf(planned, suppressionId);
  const place = { tenant, scope, scope_ref: scopeRef(tenant, scope), actor };
  const plan = { ...place, id, cascade, empties, erasure_id: null, suppression_id };
  const frame_data = JSON.stringify({
    audit_id: id,
    cascade,
    deleted: countsOf(closure.gone),
    ...(note === null ? {} : { note }),
  });
  return { plan, planned, frame_data, answer: JSON.stringify(answerOf({ plan, planned })), erasure: null };
}

function answerOf({ plan, planned }: Pick<ReadyForget, 'plan' | 'planned'>): ForgetResponse {
  const deleted = countsOf(planned.closure.gone);
  const { id: audit_id, suppression_id } = plan;
  return { deleted, ...countsOfSelection(planned), audit_id, suppression_id };
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
