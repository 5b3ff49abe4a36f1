import type { RetentionScopes } from '../../graph/retention/scope.ts';
import type { Clock } from '../clock.ts';
import { SERVICE_ACTOR } from '../commit/audit-entry.ts';
import type { JobHandle, JobTurn, RunOutcome } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Log } from '../log.ts';
import { JOB_ENDPOINT, type RetentionSweeper } from './retention-sweeper.ts';

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
      run: (turn) => this.round(turn),
      failure: { message: 'records that are kept long enough could not be looked for; it is tried again' },
    });
  }

  /** Ends the job, and every sweep that is under way, after what it is at. */
  async stop(): Promise<void> {
    await this.parts.sweeper.stop();
    await this.job?.stop();
  }

  /** One sweep of each tenant that is due. */
  async round({ signal, did }: Pick<JobTurn, 'signal' | 'did'>): Promise<RunOutcome> {
    const { scopes } = this.parts;
    for (
      let tenant = await scopes.nextTenant('');
      tenant !== null;
      tenant = await scopes.nextTenant(tenant)
    ) {
      if (signal.aborted) return 'idle';
      did(await this.sweep(tenant));
    }
    return 'idle';
  }

  private async sweep(tenant: string): Promise<number> {
    const { sweeper, clock, log, settings } = this.parts;
    // Processes whose intervals do not begin together still sweep once in each.
    const held = await sweeper.hold(tenant, clock.now() - settings.sweepIntervalMs / 2);
    if (held === null) return 0;
    const task = {
      tenant,
      author: { actor: SERVICE_ACTOR, endpoint: JOB_ENDPOINT, requestId: held.lease.owner },
      dryRun: false,
      scope: null,
      olderThanMs: null,
      maxEvents: settings.maxEventsPerTick,
      budgetMs: settings.tickBudgetMs,
      deploymentDays: settings.defaultDays,
      admits: null,
    };
    const { erased, held: kept, stopped, errors } = await sweeper.sweep(held, task, { rescan: false });
    if (erased > 0 || errors.length > 0)
      log.info('events were kept long enough and erased', {
        tenant,
        erased,
        held: kept.legal_hold,
        stopped,
        errors: errors.length,
      });
    return erased;
  }
}
