import type { AuditReader } from '../../graph/audit.ts';
import type { Reader } from '../../graph/driver.ts';
import { ERASED_STORES, erasedParts, type ErasedStores } from '../../graph/erasure/erased.ts';
import type { NamesLeft } from '../../graph/erasure/name-sweep.ts';
import type { ErasureStore, StoredErasure } from '../../graph/erasure/record.ts';
import { SWEPT_PLACES, type ErasureSweep, type SweepFinding } from '../../graph/erasure/sweep.ts';
import type { ExportUses } from '../../graph/export-use.ts';
import type { ForgetPlan } from '../../graph/forget/plan.ts';
import { goneEntities } from '../../graph/forget/taken-entities.ts';
import type { EntityTraces, TracedPlan } from '../../graph/forget/traces.ts';
import type { UsageStore } from '../../graph/usage.ts';
import type { ErasureReceipt } from '../../schemas/erasure.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import type { AuditSealer } from '../commit/audit-sealer.ts';
import { COMMITMENT_ALGORITHM, CommitmentRoot } from '../erasure/commitment.ts';
import { controlledPlaces, holdersOf, type ResidueTerms } from '../erasure/residue.ts';
import { StrataError } from '../errors.ts';
import { levelRefs } from '../capture/scope-key.ts';
import { byLayer } from '../forget/layers.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { signReceipt } from '../tokens/receipt.ts';
import { Wakeup } from '../wakeup.ts';
import type { BlobRemoval } from './blob-removal.ts';

/** Looks for what names what is gone: what is asked for meanwhile may name it again. */
const NAME_LOOKS = 4;

/** Looks at a scope in which something seems to rest on nothing, and the rest between two, milliseconds: consolidation may be at work there. */
const SCOPE_LOOKS = 4;
const SCOPE_LOOK_REST_MS = 500;

/** What the finisher needs. */
export interface ErasureFinisherParts {
  readonly erasures: ErasureStore;
  readonly traces: EntityTraces;
  readonly reader: Reader;
  readonly sweep: ErasureSweep;
  readonly usage: Pick<UsageStore, 'models'>;
  readonly exports: Pick<ExportUses, 'ofScope'>;
  readonly audit: Pick<AuditReader, 'batch'>;
  readonly sealer: Pick<AuditSealer, 'upToDate'>;
  readonly keys: Pick<KeyRing, 'signer'>;
  readonly blobs: Pick<BlobRemoval, 'removeDue'>;
  readonly residue: ResidueTerms;
  readonly clock: Clock;
}

/** What the parts of an erasure come to together. */
interface Erased {
  readonly stores: ErasedStores;
  readonly commitments: { readonly root: string; readonly count: number };
}

/** Does what an erasure has beyond a forget: nothing but place and instant is left of events, it is looked for what is left, and a receipt says so. */
export class ErasureFinisher {
  private readonly parts: ErasureFinisherParts;

  constructor(parts: ErasureFinisherParts) {
    this.parts = parts;
  }

  /** Says that an erasure waits for what was derived to be taken out. Throws `DATABASE_UNAVAILABLE`. */
  async waits(id: string): Promise<void> {
    const { erasures, clock } = this.parts;
    await erasures.enter(id, 'taking_out', clock.now());
  }

  /** Says why an erasure rests until it is tried again. Throws `DATABASE_UNAVAILABLE`. */
  async rests(id: string, error: unknown): Promise<void> {
    const known = error instanceof StrataError;
    await this.parts.erasures.rests(id, {
      error_code: known ? error.code : 'INTERNAL',
      message: known ? error.message : 'the erasure failed for now; it is tried again',
    });
  }

  /**
   * Ends an erasure of which every step is done and everything derived is taken out; answers the number of its last frame, 0 where another
   * ended it, null where links are still to be applied, or the scope is derived anew. `goesOn` throws where the process is stopping. Throws `DATABASE_UNAVAILABLE`.
   */
  async finish(plan: ForgetPlan, id: string, goesOn: () => void): Promise<number | null> {
    const { erasures, traces, clock } = this.parts;
    const erasure = await erasures.byId(id, plan.tenant);
    if (erasure?.completed_at !== null) return 0;
    // Of one that was cancelled some of what the scope holds is there still.
    const traced = { ...plan, empties: plan.empties && erasure.status !== 'cancelled' };
    if (!(await traces.ofPlan(traced, goesOn))) return null;
    await this.seal(erasure, goesOn);
    await erasures.enter(id, 'verifying', clock.now());
    const found = await this.look(erasure, traced, goesOn);
    if (found === null) return null;
    const { erased, findings } = found;
    const undeclared = findings.reduce((sum, { count }) => sum + count, 0);
    const status = undeclared > 0 ? 'failed' : erasure.status === 'cancelled' ? 'cancelled' : 'completed';
    const now = clock.now();
    const receipt = await this.receiptOf(erasure, { erased, findings, status, now });
    return erasures.finish(plan, id, {
      status,
      error: undeclared === 0 ? null : { error_code: 'ERASURE_BACKEND_FAILED', message: leftText(findings) },
      receipt: await this.signed(receipt),
      data: JSON.stringify({
        erasure_id: id,
        status,
        audit_id: erasure.audit_id,
        deleted: receipt.removed,
        ...(erasure.note === null ? {} : { note: erasure.note }),
      }),
      now,
    });
  }

  private async seal({ id }: StoredErasure, goesOn: () => void): Promise<void> {
    const { erasures, reader, blobs, clock } = this.parts;
    await erasures.enter(id, 'sealing', clock.now());
    await blobs.removeDue(goesOn);
    const named = await erasures.named(id);
    for await (const { ids } of erasedParts(reader, id)) {
      await this.sealed(ids, named, goesOn);
    }
  }

  /** Seals events; one of which something would be left is passed by: the look behind it finds it, and the erasure fails. */
  private async sealed(ids: readonly string[], named: readonly string[], goesOn: () => void): Promise<void> {
    goesOn();
    try {
      await this.parts.erasures.seal(ids, named);
    } catch (error) {
      if (!(error instanceof StrataError) || error.code !== 'ERASURE_BACKEND_FAILED') throw error;
      if (ids.length === 1) return;
      const half = Math.ceil(ids.length / 2);
      await this.sealed(ids.slice(0, half), named, goesOn);
      await this.sealed(ids.slice(half), named, goesOn);
    }
  }

  private async look(
    { id, scope_ref }: StoredErasure,
    plan: TracedPlan,
    goesOn: () => void,
  ): Promise<{ erased: Erased; findings: SweepFinding[] } | null> {
    const { erasures, reader, sweep } = this.parts;
    const named = await erasures.named(id);
    const root = new CommitmentRoot();
    const stores = Object.fromEntries(ERASED_STORES.map((store) => [store, 0])) as Record<
      keyof ErasedStores,
      number
    >;
    const findings: SweepFinding[] = [];
    for await (const part of erasedParts(reader, id)) {
      goesOn();
      root.add(part.commitments);
      for (const store of ERASED_STORES) stores[store] += part.stores[store];
      findings.push(...(await sweep.ofEvents(part.ids, named)), ...(await sweep.ofOffsets(part.offsets)));
    }
    const names = await this.leftNames(plan, goesOn);
    if (names === null) return null;
    findings.push(...names);
    findings.push(...(await this.leftInScope(scope_ref, goesOn)));
    return { erased: { stores, commitments: root.end() }, findings };
  }

  /** What names what is gone, also when that was taken again; null where links are still to be applied, or the scope is derived anew. */
  private async leftNames(plan: TracedPlan, goesOn: () => void): Promise<SweepFinding[] | null> {
    const { reader, sweep, traces } = this.parts;
    let known: ReadonlySet<string> | null = null;
    for (let look = 1; ; look += 1) {
      const left: NamesLeft = await sweep.ofNames(plan.scope_ref, await goneEntities(reader, plan), known);
      if (left.findings.length === 0 || look === NAME_LOOKS) return left.findings;
      if (!(await traces.ofPlan(plan, goesOn))) return null;
      known = left.facts;
    }
  }

  /** What rests on nothing in a scope that is written to meanwhile: found more than once. */
  private async leftInScope(ref: string, goesOn: () => void): Promise<SweepFinding[]> {
    for (let look = 1; ; look += 1) {
      goesOn();
      const findings = await this.parts.sweep.ofScope(ref);
      if (findings.length === 0 || look === SCOPE_LOOKS) return findings;
      await new Wakeup().wait(SCOPE_LOOK_REST_MS);
    }
  }

  private async receiptOf(
    erasure: StoredErasure,
    end: {
      readonly erased: Erased;
      readonly findings: readonly SweepFinding[];
      readonly status: 'completed' | 'failed' | 'cancelled';
      readonly now: number;
    },
  ): Promise<ErasureReceipt> {
    const { usage, exports, residue } = this.parts;
    const levels = levelRefs(erasure.tenant, erasure.scope);
    const { erased, findings, status, now } = end;
    const undeclared = findings.reduce((sum, { count }) => sum + count, 0);
    const dirty = new Set(findings.map(({ place }) => place));
    const { id, tenant, scope, actor, gone } = erasure;
    const { root, count } = erased.commitments;
    return {
      type: 'strata-erasure-receipt-1',
      erasure_id: id,
      tenant,
      scope,
      requested_by: actor,
      status,
      started_at: toRfc3339(erasure.started_at),
      completed_at: toRfc3339(now),
      // How much else what was erased before the stop had come to, nobody counted.
      removed: status === 'cancelled' ? { ...byLayer(() => 0), events: count } : gone,
      stores: { ...erased.stores },
      events_under_legal_hold: erasure.events_held,
      commitments: { algorithm: COMMITMENT_ALGORITHM, count, root },
      audit: await this.placeInChain(erasure),
      residue: {
        purged: SWEPT_PLACES.filter((place) => !dirty.has(place)),
        controlled: controlledPlaces(residue),
        uncontrollable: holdersOf(await usage.models(levels), await exports.ofScope(levels)),
        undeclared,
      },
    };
  }

  private async placeInChain({ audit_id, tenant }: StoredErasure): Promise<ErasureReceipt['audit']> {
    const { audit, sealer } = this.parts;
    await sealer.upToDate(tenant);
    const batch = await audit.batch(audit_id, tenant);
    return { audit_id, sequence: batch?.first_index ?? null, hash: batch?.end_hash ?? null };
  }

  private signed(receipt: ErasureReceipt): Promise<string> {
    const signer = this.parts.keys.signer();
    if (signer === null)
      throw new StrataError(
        'ERASURE_BACKEND_FAILED',
        'this process holds no key that signs; the receipt waits for one that does',
      );
    return signReceipt(signer.key, receipt);
  }
}

function leftText(findings: readonly SweepFinding[]): string {
  const places = findings.map(({ place, count }) => `${place} (${count})`);
  return `something is left in ${[...new Set(places)].join(', ')}`;
}
