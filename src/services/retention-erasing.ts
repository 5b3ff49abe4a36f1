import type { ErasureStore, StoredErasure } from '../../graph/erasure/record.ts';
import type { ForgetReader } from '../../graph/forget/reader.ts';
import type { SweepFence } from '../../graph/retention/sweep.ts';
import type { SweepStop } from '../../schemas/retention.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { DerivedRetentionLayer } from '../access/retention.ts';
import type { AuditEntry } from '../audit/batch.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import { closureOf, reachesElsewhere, type Closure } from '../forget/closure.ts';
import { byLayer } from '../forget/layers.ts';
import type { Ids } from '../ids.ts';
import type { ForgetRunner } from './forget-runner.ts';
import type { ForgetStart, ReadyForget, StartedPlan, StartedRow } from './forget-start.ts';
import { countsOf } from './forget.ts';
import type { LegalHolds } from './legal-holds.ts';
import type { ScopeSettling } from './scope-settling.ts';

/** What erases for a sweep. */
export interface RetentionErasingParts {
  readonly starts: ForgetStart;
  readonly reader: ForgetReader;
  readonly settling: Pick<ScopeSettling, 'until'>;
  readonly holds: Pick<LegalHolds, 'heldAmong'>;
  readonly runner: ForgetRunner;
  readonly erasures: Pick<ErasureStore, 'byId'>;
  readonly changes: ChangeAudit;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** On whose behalf a sweep erases. */
export interface SweepAuthor {
  readonly actor: string;
  /** `POST /v1/admin/retention/sweep`, or `job retention`. */
  readonly endpoint: string;
  readonly requestId: string;
}

/** What is to go from a scope. */
export interface Expired {
  readonly tenant: string;
  readonly scope: string;
  readonly ids: readonly string[];
  /** Offset of the last of them. */
  readonly through: number;
  readonly author: SweepAuthor;
  /** What the erasure says of itself. */
  readonly note: string;
  /** Throws where what was concluded in other scopes may not go too; null where nobody has to be asked. */
  readonly authorizeElsewhere: (() => Promise<void>) | null;
}

/** What is on record of it, before it is carried out. */
export interface ExpiredOutcome {
  readonly erased: number;
  readonly held: ReadonlySet<string>;
  /** Id of the erasure; null where there was nothing to erase. */
  readonly erasureId: string | null;
}

/** How long it is waited, and who is asked and told. */
export interface Watch<T> {
  readonly signal: AbortSignal;
  /** Asked behind all waits, right before it is put on record: what it goes by, or why nothing may begin. */
  readonly mayBegin: () => Promise<SweepFence | SweepStop>;
  /** Told once it is on record: what fails from then on goes on by itself. */
  readonly onRecord: (outcome: T) => void;
}

/** Why nothing was put on record. */
interface NotBegun {
  readonly stopped: SweepStop;
}

/** Takes away what sweeps find: events by erasures, and what was derived by wishes. */
export class RetentionErasing {
  private readonly parts: RetentionErasingParts;

  constructor(parts: RetentionErasingParts) {
    this.parts = parts;
  }

  /** Whether the process is stopping: nothing is begun any more. */
  get isEnding(): boolean {
    return this.parts.runner.isEnding;
  }

  /** Those of some events of a scope that are held. */
  async heldAmong({
    tenant,
    scope,
    ids,
  }: Pick<Expired, 'tenant' | 'scope' | 'ids'>): Promise<ReadonlySet<string>> {
    const { holds, clock } = this.parts;
    return (await holds.heldAmong({ tenant, scope, now: clock.now() }, ids)).held;
  }

  /**
   * Erases events but those that are held, and waits until nothing is left of them; answers why it did not begin, null where it did. Throws as
   * {@link ScopeSettling.until}, {@link ForgetStart.begin} and `authorizeElsewhere` do, and then nothing was erased; and, once it is on
   * record, as {@link ForgetRunner.run} does, `SCOPE_STATE_CHANGED` where somebody cancelled it, and `ERASURE_BACKEND_FAILED`.
   */
  async erase(
    expired: Expired,
    { signal, mayBegin, onRecord }: Watch<ExpiredOutcome>,
  ): Promise<SweepStop | null> {
    const { settling, ids, starts, erasures } = this.parts;
    const { tenant, scope, through, authorizeElsewhere } = expired;
    await settling.until({ ref: scopeRef(tenant, scope), through }, signal);
    const row = this.rowOf(expired, 202);
    const erasureId = ids.erasure();
    const begun = await starts.begin<ExpiredOutcome | NotBegun, StartedPlan>({ signal }, row, async () => {
      const fence = await mayBegin();
      if (typeof fence === 'string') return { stopped: fence };
      const ready = await this.ready(expired, { erasureId, auditId: row.id, fence });
      const { closure, held } = ready.planned;
      if (closure.redacted.length === 0) return { erased: 0, held: held.held, erasureId: null };
      if (reachesElsewhere(closure)) await authorizeElsewhere?.();
      return ready;
    });
    if ('stopped' in begun) return begun.stopped;
    if ('erased' in begun) {
      onRecord(begun);
      return null;
    }
    const { closure, held } = begun.planned;
    onRecord({ erased: closure.redacted.length, held: held.held, erasureId });
    await this.carryOut(begun);
    requireCompleted(erasureId, await erasures.byId(erasureId, tenant));
    return null;
  }

  /**
   * Has nothing derived in a layer of events any more, and waits for that. Answers and throws as {@link RetentionErasing.erase} does. What was
   * concluded elsewhere falls with what it rests on, as in any forget that keeps events.
   */
  async forget(
    layer: DerivedRetentionLayer,
    expired: Expired,
    { signal, mayBegin, onRecord }: Watch<null>,
  ): Promise<SweepStop | null> {
    const { settling, holds, starts, clock } = this.parts;
    const { tenant, scope, through, ids, author, note } = expired;
    const place = { tenant, scope, scope_ref: scopeRef(tenant, scope), actor: author.actor };
    await settling.until({ ref: place.scope_ref, through }, signal);
    const row = this.rowOf(expired, 200);
    const wishes = ids.map((event_id) => ({ event_id, layer, ids: null }));
    const told = { audit_id: row.id, cascade: 'derived_only', layer, events: ids.length, note };
    const begun = await starts.begin<NotBegun, StartedPlan>({ signal }, row, async () => {
      const fence = await mayBegin();
      if (typeof fence === 'string') return { stopped: fence };
      return {
        plan: {
          ...place,
          id: row.id,
          cascade: 'derived_only' as const,
          empties: false,
          erasure_id: null,
          suppression_id: null,
        },
        planned: {
          closure: { ...NOTHING, wishes },
          // Events stay, so no hold keeps them; the version alone is asked for.
          held: await holds.heldAmong({ tenant, scope, now: clock.now() }, []),
          previewId: null,
        },
        frame_data: JSON.stringify(told),
        erasure: null,
        fence,
      };
    });
    if ('stopped' in begun) return begun.stopped;
    onRecord(null);
    await this.carryOut(begun);
    return null;
  }

  /** What erasing comes to. */
  private async ready(
    { tenant, scope, ids: events, through, author, note }: Expired,
    {
      erasureId,
      auditId,
      fence,
    }: { readonly erasureId: string; readonly auditId: string; readonly fence: SweepFence },
  ): Promise<ReadyForget<StartedPlan>> {
    const { reader, holds, clock } = this.parts;
    const place = { tenant, scope, scope_ref: scopeRef(tenant, scope), actor: author.actor };
    const [cascade, selected] = [
      'redact_events' as const,
      { ...byLayer<readonly string[]>(() => []), events },
    ];
    const footprint = await reader.footprint({ tenant, ref: place.scope_ref, selected, cascade, through });
    const now = clock.now();
    const held = await holds.heldAmong({ tenant, scope, now }, events);
    const closure = closureOf(selected, cascade, footprint, held.held);
    return {
      plan: { ...place, id: auditId, cascade, empties: false, erasure_id: erasureId, suppression_id: null },
      planned: { closure, held, previewId: null },
      fence,
      frame_data: '{}',
      erasure: {
        ...place,
        id: erasureId,
        audit_id: auditId,
        gone: countsOf(closure.gone),
        events_total: closure.redacted.length,
        events_held: held.held.size,
        key: null,
        request_hash: null,
        named: closure.named,
        suppression_id: null,
        note,
        started_at: now,
      },
    };
  }

  /** Carries out what is on record; where that fails it goes on beside. */
  private async carryOut({ plan }: Pick<ReadyForget, 'plan'>): Promise<void> {
    const { runner } = this.parts;
    try {
      await runner.run(plan);
    } catch (error) {
      if (!runner.isEnding) runner.runBeside(plan);
      throw error;
    }
  }

  private rowOf(expired: Expired, status: number): StartedRow {
    const { changes, clock } = this.parts;
    const row = changes.later();
    return {
      id: row.id,
      batches: () => row.batchesBy(JSON.stringify(entryOf(expired, clock.now())), status),
      committed: (newest) => {
        row.committed(newest);
      },
    };
  }
}

const NOTHING: Closure = {
  redacted: [],
  named: [],
  wishes: [],
  gone: byLayer(() => []),
  revised: byLayer(() => []),
  elsewhere: { gone: byLayer(() => []), revised: byLayer(() => []) },
  statements: [],
};

/** What it left of the events is there still, and is looked at again. */
function requireCompleted(id: string, ended: StoredErasure | null): void {
  const details = { erasure_id: id };
  if (ended?.status === 'cancelled')
    throw new StrataError(
      'SCOPE_STATE_CHANGED',
      `the erasure ${id} was cancelled; what it left is erased by the next pass`,
      { details },
    );
  if (ended?.status === 'failed')
    throw new StrataError('ERASURE_BACKEND_FAILED', ended.error?.message ?? 'something is left', { details });
}

function entryOf({ tenant, scope, author }: Expired, now: number): AuditEntry {
  return {
    ts: toRfc3339(now),
    actor: author.actor,
    token_jti: null,
    tenant_id: tenant,
    scope,
    endpoint: author.endpoint,
    capability: 'forget.gdpr',
    decision: 'allow',
    decided_by_tier: 'deployment',
    request_sha256: null,
    request_id: author.requestId,
    remote: null,
    elapsed_ms: 0,
  };
}
