import type { AuditReader, AuditWriter } from '../../graph/audit.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { asStrataError, failureOf } from '../../graph/errors.ts';
import { sealed, type ChainHead, type Seal } from '../audit/chain.ts';
import type { StoredBatch } from '../audit/batch.ts';
import { errorText } from '../errors.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { AUDIT_READ_ROWS, AUDIT_SCAN_BATCHES, DATABASE_TRIES } from '../limits.ts';
import type { Log } from '../log.ts';
import { othersTurn } from '../wakeup.ts';

/** Rows are sealed so long after a commit, milliseconds: those of a burst together, and soon. */
const AUDIT_SEAL_DELAY_MS = 200;

/**
 * Length of the rest after a round of sealing, in lengths of the round: while captures come it takes at most a tenth of the time
 * from them.
 */
const AUDIT_SEAL_RESTS = 10;

/** Longest such rest, milliseconds: the chain is never further behind than this and a round. */
const AUDIT_SEAL_LONGEST_REST_MS = 3_000;

/** How often rows are looked for that a process has left unsealed, milliseconds. */
const AUDIT_SEAL_POLL_MS = 10_000;

/** Tenants whose rows are sealed before others are looked for. */
const AUDIT_SEAL_TENANTS = 100;

/** What a sealer is built from. */
export interface SealerParts {
  readonly reader: AuditReader;
  readonly writer: AuditWriter;
  /** Head of the audit log: nothing at or below it is still becoming readable. */
  readonly head: VisibleHighWatermark;
  readonly log: Log;
}

/**
 * Puts written batches into the chain of their tenant, soon after they were committed. Their hashes cannot be made by the
 * statement that writes them, and processes write side by side, so that only the order of the numbers says what comes after
 * what. Any process seals what any other has written.
 */
export class AuditSealer {
  private readonly parts: SealerParts;
  private job: JobHandle | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: SealerParts) {
    this.parts = parts;
  }

  /** Begins with what is left over from earlier, of whatever process. */
  start(jobs: JobRunner): void {
    this.job = jobs.start({
      name: 'audit_sealing',
      everyMs: AUDIT_SEAL_POLL_MS,
      gatherMs: AUDIT_SEAL_DELAY_MS,
      leastRestMs: (tookMs) => Math.min(AUDIT_SEAL_RESTS * tookMs, AUDIT_SEAL_LONGEST_REST_MS),
      backoff: { firstMs: AUDIT_SEAL_POLL_MS, longestMs: AUDIT_SEAL_POLL_MS },
      run: async () => {
        await this.look();
        return 'idle';
      },
      failure: { message: 'the audit log cannot be sealed now', once: true },
    });
  }

  /** Says that a batch of this process is committed. */
  committed(newest: number): void {
    if (newest === 0) return;
    this.parts.head.acknowledged(newest);
    this.job?.wake();
  }

  /**
   * Resolves when everything that a tenant had committed before the call is in its chain, with the number up to which there is
   * nothing else. Throws `DATABASE_UNAVAILABLE`.
   */
  async upToDate(tenant: string): Promise<number> {
    const { head, reader } = this.parts;
    await head.refresh();
    const upTo = head.settled;
    if ((await reader.chain(tenant, upTo)).open) await this.seal(tenant, upTo);
    return upTo;
  }

  /** Stops after a last look; what then is still unsealed waits for the next process. */
  async close(): Promise<void> {
    await this.job?.stop();
    if (this.job?.failing === false) await this.lastLook();
  }

  private async look(): Promise<void> {
    // The head moves with each commit of this process; to look for those of others takes a lock of the captures.
    if (performance.now() - this.lookedAt >= AUDIT_SEAL_POLL_MS) {
      await this.parts.head.refresh();
      this.lookedAt = performance.now();
    }
    await this.sealAll();
  }

  private async lastLook(): Promise<void> {
    try {
      await this.sealAll();
    } catch (error) {
      this.parts.log.warn('the end of the audit log is left unsealed', { error: errorText(error) });
    }
  }

  private async sealAll(): Promise<void> {
    const { reader, head } = this.parts;
    const upTo = head.settled;
    const done = new Set<string>();
    for (;;) {
      const tenants = await reader.unsealedTenants(upTo, AUDIT_SEAL_TENANTS);
      const open = tenants.filter((tenant) => !done.has(tenant));
      for (const tenant of open) {
        await this.seal(tenant, upTo);
        done.add(tenant);
      }
      if (tenants.length < AUDIT_SEAL_TENANTS || open.length === 0) return;
    }
  }

  private async seal(tenant: string, head: number): Promise<void> {
    const bounds = { head, scan: AUDIT_SCAN_BATCHES, rows: AUDIT_READ_ROWS };
    let more = true;
    for (let failures = 0; more;) {
      try {
        more = await this.parts.writer.seal(tenant, bounds, chainAll);
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failureOf(error) !== 'transient' || failures === DATABASE_TRIES) throw asStrataError(error);
      }
    }
  }
}

/** Chains batches one after the other; others may run in between. */
async function chainAll(
  from: ChainHead,
  batches: readonly StoredBatch[],
): Promise<{ head: ChainHead; seals: Seal[] }> {
  let head = from;
  const seals: Seal[] = [];
  for (const batch of batches) {
    const next = sealed(head, batch);
    seals.push(next.seal);
    head = next.head;
    await othersTurn();
  }
  return { head, seals };
}
