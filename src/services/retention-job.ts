import type { RetentionScopes } from '../../graph/retention/scope.ts';
import type { Clock } from '../clock.ts';
import { SERVICE_ACTOR } from '../commit/audit-entry.ts';
import type { JobHandle, JobTurn, RunOutcome } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { RETENTION_REST_MS } from '../limits/retention.ts';
import type { Log } from '../log.ts';
import { hasMore, JOB_ENDPOINT, type RetentionSweeper } from './retention-sweeper.ts';

/** What the job needs. */
export interface RetentionJobParts {
  readonly sweeper: RetentionSweeper;
  readonly scopes: Pick<RetentionScopes, 'nextTenant'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: {
    /** Milliseconds between two sweeps of a tenant; 0: only when somebody asks. */
    readonly sweepIntervalMs: number;
    readonly maxEventsPerTick: number;
    readonly tickBudgetMs: number;
    readonly defaultDays: number | null;
  };
}

/** Sweeps all tenants, one after the other, now and at every interval; what another process swept meanwhile is left out. */
export class RetentionJob {
  private readonly parts: RetentionJobParts;
  private job: JobHandle | undefined;

  constructor(parts: RetentionJobParts) {
    this.parts = parts;
  }

  /** Starts the job, unless sweeps run only when somebody asks. */
  start(jobs: JobRunner): void {
    const { sweepIntervalMs: everyMs } = this.parts.settings;
    if (everyMs === 0) return;
    this.job = jobs.start({
      name: 'retention',
      everyMs,
      betweenMs: RETENTION_REST_MS,
      run: (turn) => this.round(turn),
      failure: { message: 'records that are kept long enough could not be looked for; it is tried again' },
    });
  }

  /** Ends the job, and every sweep that is under way, after what it is at. */
  async stop(): Promise<void> {
    await this.parts.sweeper.stop();
    await this.job?.stop();
  }

  /** One sweep of each tenant that is due; of those that have more to go another one is due at once. */
  async round({ signal, did }: Pick<JobTurn, 'signal' | 'did'>): Promise<RunOutcome> {
    const { scopes } = this.parts;
    let outcome: RunOutcome = 'idle';
    for (
      let tenant = await scopes.nextTenant('');
      tenant !== null;
      tenant = await scopes.nextTenant(tenant)
    ) {
      if (signal.aborted) return 'idle';
      const { erased, more } = await this.sweep(tenant);
      did(erased);
      if (more) outcome = 'more';
    }
    return outcome;
  }

  private async sweep(tenant: string): Promise<{ readonly erased: number; readonly more: boolean }> {
    const { sweeper, clock, log, settings } = this.parts;
    // Processes whose intervals do not begin together still sweep once in each.
    const held = await sweeper.hold(tenant, clock.now() - settings.sweepIntervalMs / 2);
    if (held === null) return { erased: 0, more: false };
    const task = {
      tenant,
      author: { actor: SERVICE_ACTOR, endpoint: JOB_ENDPOINT, requestId: held.lease.owner },
      scope: null,
      olderThanMs: null,
      maxEvents: settings.maxEventsPerTick,
      budgetMs: settings.tickBudgetMs,
      deploymentDays: settings.defaultDays,
      admits: null,
      authorizeElsewhere: null,
    };
    const report = await sweeper.sweep(held, task, { rescan: false });
    const { erased, held: kept, stopped, errors } = report;
    if (erased > 0 || errors.length > 0)
      log.info('events were kept long enough and erased', {
        tenant,
        erased,
        held: kept.legal_hold,
        stopped,
        errors: errors.length,
      });
    return { erased, more: hasMore(report) };
  }
}
