import type { ChainStart, FinishedBatch } from '../../graph/audit.ts';
import type { AuditRemover, RemovedRows } from '../../graph/audit-removal.ts';
import { rowId, toBatch, type StoredBatch } from '../audit/batch.ts';
import { ChainCheck } from '../audit/chain.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { AUDIT_READ_ROWS, AUDIT_SCAN_BATCHES } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { othersTurn } from '../wakeup.ts';
import { jobEntry } from './audit-entry.ts';

/** Time between looks for rows that are kept long enough, milliseconds. */
const AUDIT_RETENTION_EVERY_MS = 3_600_000;

/** Rest between two transactions, milliseconds: captures come between. */
const AUDIT_RETENTION_REST_MS = 25;

/** Pause after a failure, milliseconds, twice as long after each more. */
const AUDIT_RETENTION_RETRY_MS = 10_000;

/** Chains that are looked for at once. */
const AUDIT_RETENTION_TENANTS = 100;

const DAY_MS = 86_400_000;

const JOB = 'audit_retention';

/** What the job needs. */
export interface AuditRetentionParts {
  readonly remover: AuditRemover;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'audit' | 'request'>;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Days that rows are kept. */
  readonly days: number;
  /** Told of the newest number of the audit log after each commit. */
  readonly onAppend: (newest: number) => void;
}

/** Beginnings of chains that do not hold together stay: they show that somebody changed them. */
class BrokenChain extends Error {
  override readonly name = 'BrokenChain';
}

/**
 * Removes rows of the audit log that are kept long enough, from the beginning of each chain on, now and every hour. Their last hash takes
 * their place, so that the rest is verified as before. Several processes may do so at once.
 */
export class AuditRetention {
  private readonly parts: AuditRetentionParts;
  private job: JobHandle | undefined;
  /** Chain of which the job removes rows, or did last. */
  private after = '';
  private queue: string[] = [];

  constructor(parts: AuditRetentionParts) {
    this.parts = parts;
  }

  /** Starts the job. */
  start(jobs: JobRunner): void {
    const { log } = this.parts;
    this.job = jobs.start({
      name: JOB,
      everyMs: AUDIT_RETENTION_EVERY_MS,
      betweenMs: AUDIT_RETENTION_REST_MS,
      run: async ({ did }) => {
        const { rows, more } = await this.batch();
        did(rows);
        return more ? 'more' : 'idle';
      },
      onIdle: (rows) => {
        if (rows > 0) log.info('rows of the audit log were removed', { rows });
      },
      backoff: { firstMs: AUDIT_RETENTION_RETRY_MS, longestMs: AUDIT_RETENTION_EVERY_MS },
      failure: { message: 'rows of the audit log could not be removed; it is tried again' },
    });
  }

  /** Ends the job after the transaction that it is at. */
  async stop(): Promise<void> {
    await this.job?.stop();
  }

  /** Removes rows of one chain in one transaction; answers how many went, and whether there is more to look at, of this chain or another. */
  async batch(): Promise<{ readonly rows: number; readonly more: boolean }> {
    const tenant = await this.nextTenant();
    if (tenant === undefined) return { rows: 0, more: false };
    const { rows, more, newest } = await this.removeOf(tenant);
    if (!more) this.queue.shift();
    this.parts.onAppend(newest);
    this.parts.metrics.count('strata_audit_removed_rows_total', undefined, rows);
    return { rows, more: true };
  }

  /** The chain to go on with; undefined behind the last one, after which the next call begins with the first. */
  private async nextTenant(): Promise<string | undefined> {
    if (this.queue.length === 0) {
      this.queue = await this.parts.remover.tenants(this.after, AUDIT_RETENTION_TENANTS);
      this.after = this.queue.at(-1) ?? '';
    }
    return this.queue[0];
  }

  private async removeOf(tenant: string): Promise<RemovedRows> {
    const { remover, clock, days, log } = this.parts;
    const now = clock.now();
    const old = { tenant, now, ageMs: days * DAY_MS, scan: AUDIT_SCAN_BATCHES, rows: AUDIT_READ_ROWS };
    const ended = (start: ChainStart, batches: readonly StoredBatch[]): Promise<ChainStart> =>
      endOf(tenant, start, batches);
    try {
      return await remover.removeOldest(old, ended, this.rowOf(tenant, now));
    } catch (error) {
      if (!(error instanceof BrokenChain)) throw error;
      log.error('rows of the audit log stay beyond their time', { tenant, error: errorText(error) });
      return { rows: 0, more: false, newest: 0 };
    }
  }

  private rowOf(tenant: string, now: number): FinishedBatch[] {
    const { ids } = this.parts;
    const entry = jobEntry(
      { job: JOB, tenant, capability: 'admin', requestId: ids.request() },
      { now, elapsedMs: 0 },
    );
    return [{ ...toBatch(rowId(ids.audit(), 0), tenant, [entry]), event_ids: [''], statuses: [200] }];
  }
}

/** Where a chain goes on behind batches that hold together. Throws {@link BrokenChain}. */
async function endOf(
  tenant: string,
  start: ChainStart,
  batches: readonly StoredBatch[],
): Promise<ChainStart> {
  const check = new ChainCheck(tenant, start);
  for (const batch of batches) {
    check.take(batch);
    if (check.brokenAt !== null) {
      throw new BrokenChain(`row ${check.brokenAt} of the chain was changed, removed or moved`);
    }
    await othersTurn();
  }
  return { ...check.head, sequence: batches.at(-1)?.sequence ?? start.sequence };
}
