import type { RetentionScopes, SweptScope } from '../../graph/retention/scope.ts';
import type { RetentionSweeps, SweepLast, SweepLease, SweepState } from '../../graph/retention/sweep.ts';
import type { RetentionSweepReport, SweepStop } from '../../schemas/retention.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { errorText, StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { RETENTION_SCOPE_PAGE } from '../limits/retention.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { joinSignals } from '../time-limit.ts';
import type { RetentionErasing } from './retention-erasing.ts';
import { RetentionTick, type SweepTask } from './retention-tick.ts';

/** What the sweeper needs. */
export interface RetentionSweeperParts {
  readonly sweeps: RetentionSweeps;
  readonly scopes: RetentionScopes;
  readonly erasing: RetentionErasing;
  /** Newest offset of the log that every committed capture lies at or below. */
  readonly head: { refresh(): Promise<unknown>; readonly settled: number };
  readonly ids: Pick<Ids, 'entry'>;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'count'>;
  readonly log: Log;
}

/** A tenant that is held for a sweep. */
export interface HeldTenant {
  readonly lease: SweepLease;
  readonly state: SweepState;
}

/** The same, or (without a lease) a tenant of which it is only said what would go. */
interface Ticked extends Pick<HeldTenant, 'state'> {
  readonly lease: SweepLease | null;
}

/** Where in its pass a sweep is, and why it ends; null while it goes on. */
interface Course {
  readonly state: SweepState;
  readonly stopped: SweepStop | null;
}

/** Dry runs of a process at a time: each may look at events for as long as a sweep. */
const DRY_RUNS = 2;

/**
 * Sweeps tenants: goes through their scopes in the order of the paths, from where the sweep before ended, and takes away what the rules of
 * each let go. Of each tenant one sweep runs at a time.
 */
export class RetentionSweeper {
  private readonly parts: RetentionSweeperParts;
  private readonly ending = new AbortController();
  private readonly running = new Set<Promise<unknown>>();
  private dryRuns = 0;

  constructor(parts: RetentionSweeperParts) {
    this.parts = parts;
  }

  /**
   * Takes a tenant; null while a sweep runs there, in whatever process, or where the last one by itself began behind `due` (epoch
   * milliseconds). Whoever takes it sweeps it next. Throws `DATABASE_UNAVAILABLE`.
   */
  async hold(tenant: string, due: number): Promise<HeldTenant | null> {
    const lease = { tenant, owner: this.parts.ids.entry() };
    const state = await this.parts.sweeps.claim(lease, due);
    return state === null ? null : { lease, state };
  }

  /** Sweeps a tenant that is held, and gives it back. Throws `DATABASE_UNAVAILABLE`; what fails in one scope is in the report. */
  sweep(
    held: HeldTenant,
    task: SweepTask,
    { rescan }: { readonly rescan: boolean },
  ): Promise<RetentionSweepReport> {
    return this.tracked(this.swept(held, task, rescan));
  }

  /**
   * Says what a sweep would take, beside those that run: it holds nothing, and nothing of it is kept. It ends early with `signal`. Throws
   * `DATABASE_UNAVAILABLE`, and `SERVER_BUSY` while {@link DRY_RUNS} are under way.
   */
  async look(
    task: SweepTask,
    { rescan, signal }: { readonly rescan: boolean; readonly signal: AbortSignal },
  ): Promise<RetentionSweepReport> {
    if (this.dryRuns >= DRY_RUNS)
      throw new StrataError('SERVER_BUSY', `${DRY_RUNS} dry runs are under way; try again`);
    this.dryRuns += 1;
    const ends = joinSignals(this.ending.signal, signal);
    try {
      const state = await this.parts.sweeps.status(task.tenant);
      return await this.tracked(this.ticked({ lease: null, state }, task, rescan, ends.signal));
    } finally {
      ends.end();
      this.dryRuns -= 1;
    }
  }

  /** Ends the sweeps that are under way after what they are at. */
  async stop(): Promise<void> {
    this.ending.abort();
    await Promise.allSettled(this.running);
  }

  private tracked(sweep: Promise<RetentionSweepReport>): Promise<RetentionSweepReport> {
    this.running.add(sweep);
    const over = (): void => {
      this.running.delete(sweep);
    };
    sweep.then(over, over);
    return sweep;
  }

  private async swept(held: HeldTenant, task: SweepTask, rescan: boolean): Promise<RetentionSweepReport> {
    const { sweeps, clock, metrics, log } = this.parts;
    const { actor, endpoint } = task.author;
    let sweptAt = endpoint === JOB_ENDPOINT ? clock.now() : null;
    let last: SweepLast | null = null;
    try {
      const report = await this.ticked(held, task, rescan);
      last = { report: JSON.stringify(report), actor };
      if (hasMore(report)) sweptAt = null;
      metrics.count('strata_retention_sweeps_total', report.stopped);
      metrics.count('strata_retention_erased_events_total', undefined, report.erased);
      return report;
    } catch (error) {
      // Of a sweep that goes on beside its request nobody else is told.
      log.warn('a sweep of retention failed', { tenant: task.tenant, error: errorText(error) });
      throw error;
    } finally {
      await sweeps.release(held.lease, { last, sweptAt });
    }
  }

  private async ticked(
    { lease, state }: Ticked,
    task: SweepTask,
    rescan: boolean,
    ends = this.ending.signal,
  ): Promise<RetentionSweepReport> {
    const { sweeps, head, scopes, erasing, clock, log } = this.parts;
    await head.refresh();
    const confined = task.scope !== null;
    const pass = confined
      ? { ...state, after: '', passed: 0 }
      : await this.passOf({ lease, state }, task, rescan);
    const begun = pass ?? state;
    const parts = { scopes, sweeps, lease, erasing, log, now: () => clock.now(), signal: ends };
    const tick = new RetentionTick(parts, task, { ...begun, through: head.settled });
    let course: Course = { state: begun, stopped: pass === null ? 'lease_lost' : null };
    while (course.stopped === null) {
      const page = await this.page(task, course.state);
      course = await this.pageSwept(tick, { lease, task, page }, course.state);
    }
    const { stopped, state: end } = course;
    return tick.report({ cursorBefore: begun.passed, cursorAfter: end.passed, stopped });
  }

  /**
   * Where the pass goes on; another one begins where that is asked for, or where the deployment says something else than at its beginning.
   * Null where the lease is lost.
   */
  private async passOf(
    { lease, state }: Ticked,
    { deploymentDays: defaultDays }: SweepTask,
    anew: boolean,
  ): Promise<SweepState | null> {
    if (!anew && state.default_days === defaultDays) return state;
    if (lease !== null) return this.parts.sweeps.beginPass(lease, { anew, defaultDays });
    const pass = state.pass + 1;
    return { after: '', passed: 0, pass, since: anew ? pass : state.since, default_days: defaultDays };
  }

  private async page(
    { tenant, scope }: SweepTask,
    { after, passed }: SweepState,
  ): Promise<readonly SweptScope[]> {
    const { scopes } = this.parts;
    if (scope === null) return scopes.walk(tenant, after, RETENTION_SCOPE_PAGE);
    const below = await scopes.below(tenant, scope, after, RETENTION_SCOPE_PAGE);
    if (passed > 0 || after !== '') return below;
    const own = await scopes.one(scopeRef(tenant, scope));
    return own === null ? below : [own, ...below];
  }

  /** Goes through a page of scopes, and keeps how far the pass is. */
  private async pageSwept(
    tick: RetentionTick,
    {
      lease,
      task,
      page,
    }: Pick<Ticked, 'lease'> & { readonly task: SweepTask; readonly page: readonly SweptScope[] },
    begun: SweepState,
  ): Promise<Course> {
    const mayErase = task.admits === null ? () => true : await task.admits(page.map(({ path }) => path));
    await tick.learn(page);
    let [state, stopped]: [SweepState, SweepStop | null] = [begun, null];
    for (const scope of page) {
      const isOpen = mayErase(scope.path);
      stopped = isOpen ? await tick.through(scope) : tick.end;
      if (stopped !== null) break;
      // How many there are that the caller may not know of is not counted.
      state = { ...state, after: scope.path, passed: state.passed + (isOpen ? 1 : 0) };
    }
    if (stopped === null && page.length < RETENTION_SCOPE_PAGE) return this.ended(lease, task, state);
    if (stopped === 'lease_lost' || lease === null || task.scope !== null) return { state, stopped };
    const stands = await this.parts.sweeps.advance(lease, state);
    if (stands === null) return { state, stopped: 'lease_lost' };
    return stands.pass === state.pass ? { state, stopped } : { state: stands, stopped: 'rules_changed' };
  }

  /** All scopes were gone through: the next sweep begins another pass. */
  private async ended(lease: SweepLease | null, task: SweepTask, state: SweepState): Promise<Course> {
    if (task.scope !== null) return { state, stopped: 'complete' };
    if (lease === null) return { state: { ...state, after: '', passed: 0 }, stopped: 'complete' };
    const begun = await this.parts.sweeps.beginPass(lease, { anew: false, defaultDays: task.deploymentDays });
    return begun === null ? { state, stopped: 'lease_lost' } : { state: begun, stopped: 'complete' };
  }
}

/** Whether a sweep ended before it had gone through all that it may. */
export function hasMore({ stopped }: RetentionSweepReport): boolean {
  return stopped !== 'complete' && stopped !== 'lease_lost';
}

/** What rows of the audit log name where nobody asked. */
export const JOB_ENDPOINT = 'job retention';
