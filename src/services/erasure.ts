import { createHash } from 'node:crypto';

import type { Reader } from '../../graph/driver.ts';
import { scopesElsewhere } from '../../graph/erasure/elsewhere.ts';
import type { Manifests } from '../../graph/erasure/manifest.ts';
import type { ErasureStore, StoredErasure } from '../../graph/erasure/record.ts';
import type { ForgetPreviews } from '../../graph/forget/preview.ts';
import {
  erasurePreviewRequest,
  erasureRequest,
  type ErasureAccepted,
  type ErasurePreviewRequest,
  type ErasurePreviewResponse,
  type ErasureRecord,
  type ErasureReceiptResponse,
  type ErasureRequest,
  type ErasureVerification,
  type ManifestLine,
} from '../../schemas/erasure.ts';
import { FORGET_LAYERS } from '../../schemas/forget.ts';
import { cancelRequest } from '../../schemas/operation/cancel.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { belongsToOther } from '../access/personal.ts';
import { passesRosters } from '../access/principal.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import { errorText, StrataError } from '../errors.ts';
import { reachesElsewhere } from '../forget/closure.ts';
import { digestOf } from '../forget/digest.ts';
import type { Ids } from '../ids.ts';
import { ERASURE_AT_ONCE, ERASURE_MANIFEST_TTL_MS } from '../limits/erasure.ts';
import { FORGET_PREVIEW_TTL_MS } from '../limits/forget.ts';
import type { Log } from '../log.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import type { ErasureOperations } from './erasure-operations.ts';
import type { ErasureProof } from './erasure-proof.ts';
import { manifestOf, toAccepted, toRecord } from './erasure-view.ts';
import { suppressionOf, type ForgetPlanning, type Planned, type PreviewAsked } from './forget-planning.ts';
import type { ForgetAsked } from './forget-request.ts';
import type { ForgetRunner } from './forget-runner.ts';
import type { ForgetStart, ReadyForget } from './forget-start.ts';
import { countsOf } from './forget.ts';
import type { RecordGate } from './record-gate.ts';

/** Milliseconds that an erasure takes for each event and derived record, and beside: measured on two cores. */
const MS_A_RECORD = 4;
const MS_AT_LEAST = 200;

/** What the service needs. */
export interface ErasureParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly planning: ForgetPlanning;
  readonly previews: ForgetPreviews;
  readonly starts: ForgetStart;
  readonly runner: ForgetRunner;
  readonly erasures: ErasureStore;
  readonly manifests: Manifests;
  readonly proof: ErasureProof;
  readonly reader: Reader;
  readonly changes: ChangeAudit;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
}

/** What an erasure was asked with. */
interface Asked {
  readonly request: ErasureRequest;
  readonly key: string | null;
  readonly hash: string | null;
}

/** What an erasure begins with. */
interface Beginning {
  readonly id: string;
  /** Id of what keeps contents from being captured again, where that is asked for. */
  readonly suppressionId: string;
  /** Id of its row of the audit log. */
  readonly auditId: string;
  readonly asked: Asked;
  readonly planned: Planned;
}

/** Erases records, says beforehand what would go, and proves afterwards that it went. */
export class ErasureService implements ErasureOperations {
  private readonly parts: ErasureParts;

  constructor(parts: ErasureParts) {
    this.parts = parts;
  }

  async preview(call: Call, body: unknown): Promise<ErasurePreviewResponse> {
    const { access, planning, previews, manifests, ids, clock } = this.parts;
    const request = parseInput(erasurePreviewRequest, body, 'INVALID_BODY');
    const { scope } = request;
    await access.authorizeWhole(call, 'forget.gdpr', scope);
    const planned = await planning.of(call, selectionOf(request), 'erasure');
    const { tenant, actor } = call.principal;
    const { closure, held, selected, requested, named, empties, suppress } = planned;
    const now = clock.now();
    const id = ids.erasurePreview();
    const expires_at = now + FORGET_PREVIEW_TTL_MS;
    const asked: PreviewAsked = { requested, named, empties, suppress };
    await manifests.keep(
      { id, tenant, scope, expires_at: now + ERASURE_MANIFEST_TTL_MS },
      manifestOf(closure, [...held.held].sort()),
    );
    await previews.keep({
      id,
      tenant,
      scope,
      scope_ref: scopeRef(tenant, scope),
      actor,
      operation: 'erasure',
      asked: JSON.stringify(asked),
      cascade: 'redact_events',
      head: planned.through,
      digest: digestOf(closure),
      expires_at,
      selected,
    });
    return {
      preview_id: id,
      scope,
      expires_at: toRfc3339(expires_at),
      ...(await this.estimate(call, planned)),
      manifest_url: `/v1/erasures/preview/${id}/manifest`,
    };
  }

  async start(call: Call, body: unknown): Promise<ErasureAccepted> {
    const { access, changes, ids, starts } = this.parts;
    const request = parseInput(erasureRequest, body, 'INVALID_BODY');
    await access.authorizeWhole(call, 'forget.gdpr', request.scope);
    const asked = askedWith(call, request);
    const row = changes.of(call);
    const named = { id: ids.erasure(), suppressionId: ids.suppression(), auditId: row.id };
    const begun = await starts.begin<StoredErasure>(
      call,
      row,
      async () => {
        const planned = await this.planned(call, asked);
        return 'closure' in planned ? this.ready(call, { ...named, asked, planned }) : planned;
      },
      async ({ planned: { closure } }) => {
        await access.authorizeWhole(call, 'forget.gdpr', request.scope);
        if (reachesElsewhere(closure))
          await access.authorize(call, 'forget.gdpr.cross_workspace', request.scope);
      },
    );
    return 'planned' in begun ? this.carryOut(named.id, begun) : toAccepted(begun);
  }

  async get(call: Call, id: string): Promise<ErasureRecord> {
    return toRecord(await this.found(call, id));
  }

  async cancel(call: Call, id: string, body: unknown): Promise<ErasureRecord> {
    parseInput(cancelRequest, body, 'INVALID_BODY');
    const { access, erasures } = this.parts;
    const found = await this.found(call, id);
    await access.authorizeWhole(call, 'forget.gdpr', found.scope);
    if (found.completed_at === null) await erasures.cancel(id);
    const erasure = await this.stored(found);
    if (erasure.completed_at !== null) throw new StrataError('NOT_FOUND', 'the erasure is over');
    return toRecord(erasure);
  }

  async receipt(call: Call, id: string): Promise<ErasureReceiptResponse> {
    return this.parts.proof.receiptOf(await this.found(call, id));
  }

  async verify(call: Call, id: string): Promise<ErasureVerification> {
    return this.parts.proof.verify(await this.found(call, id));
  }

  async manifest(call: Call, id: string): Promise<AsyncIterable<readonly ManifestLine[]>> {
    const { gate, manifests, clock } = this.parts;
    const { tenant } = call.principal;
    const question = { kind: 'manifest', ids: [id], tenant, capability: 'forget.gdpr' } as const;
    const [head] = await gate.read(call, question, async ([admitted = '']) => {
      const found = await manifests.head(admitted, clock.now());
      return found?.tenant === tenant && isOpen(call, found.scope) ? [found] : [];
    });
    if (head === undefined) throw new StrataError('NOT_FOUND', 'manifest not found, or it is over');
    return manifests.lines(head.id, head.parts);
  }

  private async estimate(
    call: Call,
    { closure, held }: Planned,
  ): Promise<Omit<ErasurePreviewResponse, 'preview_id' | 'scope' | 'expires_at' | 'manifest_url'>> {
    const { gone, revised, redacted, named } = closure;
    const places = await scopesElsewhere(this.parts.reader, closure.elsewhere);
    const mayRead = await this.parts.access.readableNow(call, places);
    const records = FORGET_LAYERS.reduce((sum, layer) => sum + gone[layer].length, redacted.length);
    return {
      estimated_affected: countsOf(gone),
      estimated_revised: countsOf(revised),
      refcount_breakdown: {
        in_scope_events: redacted.length + held.held.size,
        events_to_delete: redacted.length - named.length,
        events_to_redact: named.length,
        events_under_legal_hold: held.held.size,
      },
      cross_scope_propagation: {
        affected_workspaces: places
          .filter(mayRead)
          .map(({ path }) => path)
          .sort(),
        requires_capability: reachesElsewhere(closure) ? 'forget.gdpr.cross_workspace' : null,
      },
      legal_holds: held.holds.map(({ id }) => id).sort(),
      estimated_duration_ms: MS_AT_LEAST + MS_A_RECORD * records,
    };
  }

  /** What it comes to, or the erasure that the same key brought about before, also while this was planned. */
  private async planned(call: Call, asked: Asked): Promise<Planned | StoredErasure> {
    const before = await this.known(call, asked);
    if (before !== null) return before;
    try {
      return await this.parts.planning.of(call, selectionOf(asked.request), 'erasure');
    } catch (error) {
      // The same request, sent twice, may have taken the preview, or holds the scope.
      const meanwhile = await this.known(call, asked);
      if (meanwhile !== null) return meanwhile;
      throw error;
    }
  }

  /** The erasure that the same key brought about before; null for none. Throws `IDEMPOTENCY_CONFLICT`. */
  private async known(call: Call, { request, key, hash }: Asked): Promise<StoredErasure | null> {
    if (key === null) return null;
    const ref = scopeRef(call.principal.tenant, request.scope);
    const found = await this.parts.erasures.byKey(ref, key);
    if (found === null || found.request_hash === hash) return found;
    throw new StrataError(
      'IDEMPOTENCY_CONFLICT',
      'the key is held by an erasure that was asked for otherwise',
      {
        details: { field_path: 'idempotency_key', erasure_id: found.id },
      },
    );
  }

  /** What is put on record of an erasure. */
  private ready(call: Call, { id, suppressionId, auditId, asked, planned }: Beginning): ReadyForget {
    const { tenant, actor } = call.principal;
    const { scope, cascade, empties, closure, held } = planned;
    const place = { tenant, scope, scope_ref: scopeRef(tenant, scope), actor };
    const suppression_id = suppressionOf(planned, suppressionId);
    return {
      plan: { ...place, id: auditId, cascade, empties, erasure_id: id, suppression_id },
      planned,
      frame_data: '{}',
      erasure: {
        ...place,
        id,
        audit_id: auditId,
        gone: countsOf(closure.gone),
        events_total: closure.redacted.length,
        events_held: held.held.size,
        key: asked.key,
        request_hash: asked.hash,
        named: closure.named,
        suppression_id,
        note: asked.request.audit_note ?? asked.request.reason ?? null,
        started_at: this.parts.clock.now(),
      },
    };
  }

  /** Finishes a small erasure, and leaves a large one to the job. */
  private async carryOut(id: string, { plan, planned }: ReadyForget): Promise<ErasureAccepted> {
    const { runner, log } = this.parts;
    if (planned.closure.redacted.length > ERASURE_AT_ONCE) runner.runBeside(plan);
    else
      try {
        await runner.run(plan);
      } catch (error) {
        // It is on record, and goes on: its record says how it is.
        log.warn('an erasure goes on beside its request', { tenant: plan.tenant, error: errorText(error) });
        runner.runBeside(plan);
      }
    const ended = await this.stored({ id, tenant: plan.tenant });
    if (ended.status !== 'failed') return toAccepted(ended);
    throw new StrataError('ERASURE_BACKEND_FAILED', ended.error?.message ?? 'something is left', {
      details: { erasure_id: ended.id },
    });
  }

  private async found(call: Call, id: string): Promise<StoredErasure> {
    const { gate, erasures } = this.parts;
    const { tenant } = call.principal;
    const question = { kind: 'erasure', ids: [id], tenant, capability: 'forget.gdpr' } as const;
    const [mine] = await gate.read(call, question, async ([admitted = '']) => {
      const found = await erasures.byId(admitted, tenant);
      return found !== null && isOpen(call, found.scope) ? [found] : [];
    });
    if (mine === undefined) throw new StrataError('NOT_FOUND', 'erasure not found');
    return mine;
  }

  private async stored({ id, tenant }: Pick<StoredErasure, 'id' | 'tenant'>): Promise<StoredErasure> {
    const erasure = await this.parts.erasures.byId(id, tenant);
    if (erasure === null) throw new Error('an erasure is gone that was on record');
    return erasure;
  }
}

function selectionOf(request: ErasureRequest | ErasurePreviewRequest): ForgetAsked {
  const { scope, selector = {}, suppress = false, audit_note, reason } = request;
  const note = audit_note ?? reason ?? null;
  const preview_id = 'from_preview_id' in request ? request.from_preview_id : undefined;
  if (preview_id !== undefined) return { kind: 'preview', scope, preview_id, suppress, note };
  return {
    kind: 'selection',
    scope,
    layers: FORGET_LAYERS,
    selector,
    cascade: 'redact_events',
    suppress,
    note,
  };
}

/** The key of a caller, of which others and the store know a hash alone, and a hash of what it was sent with. */
function askedWith({ principal }: Call, request: ErasureRequest): Asked {
  const { idempotency_key: key, ...rest } = request;
  if (key === undefined) return { request, key: null, hash: null };
  // With the key, so that nobody who reads the store can try what was selected.
  return { request, key: hashed([principal.actor, key]), hash: hashed([key, rest]) };
}

/** Whether the caller may have the whole of a scope erased, as far as the path says: one that belongs to another actor is closed. */
function isOpen({ principal }: Call, scope: string): boolean {
  return passesRosters(principal) || !belongsToOther(principal.actor, scope);
}

function hashed(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
