import type { ForgetPlan, ForgetPlans } from '../../graph/forget/plan.ts';
import type { ForgetSteps } from '../../graph/forget/step.ts';
import type { EntityTraces } from '../../graph/forget/traces.ts';
import type { Clock } from '../clock.ts';
import { errorText, StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { JobHandle, RunOutcome } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { WAIT_RETRY_POLL_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Wakeup } from '../wakeup.ts';
import type { ErasureFinisher } from './erasure-finisher.ts';

/** How often a process looks for forgets that were cut short, milliseconds. */
const FORGET_SWEEP_EVERY_MS = 60_000;

/** Unfinished forgets that are looked at in one run. */
const FORGETS_LOOKED_AT = 100;

/** Steps whose forget never began are removed after so long, milliseconds, and so many at a time. */
const STEPS_LEFT_MS = 3_600_000;
const STEPS_DROPPED = 100;

/** Rest between two transactions of a forget, milliseconds: captures come between. */
const FORGET_REST_MS = 10;

/** Steps of one forget before the next one has its turn. */
const STEPS_OF_A_TURN = 20;

/** A forget waits so long for what was derived to be taken out, milliseconds; it is taken out in any case. */
const FORGET_TAKE_OUT_MS = 60_000;

/** What the runner needs. */
export interface ForgetRunnerParts {
  readonly plans: ForgetPlans;
  readonly steps: ForgetSteps;
  readonly traces: EntityTraces;
  readonly erasures: ErasureFinisher;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Told of the events that a step redacted, and the newest frame, once it is committed; 0 for none. */
  readonly onStep: (redacted: readonly string[], newestFrame: number) => void;
}

/** How far a plan is: done, with steps left, or waiting for consolidation. */
type Progress = 'over' | 'more' | 'waits';

/**
 * Carries forgets and erasures out, a step in each transaction, whoever began them: the request that asked for one, and each process beside
 * requests, for those that are large and those that were cut short. Several may do so at once.
 */
export class ForgetRunner {
  private readonly parts: ForgetRunnerParts;
  private readonly ending = new AbortController();
  /** Plans that this process carries out beside requests. */
  private readonly own = new Map<string, ForgetPlan>();
  /** Those of which consolidation was asked to try again what it gave up. */
  private readonly askedAgain = new Set<string>();
  /** What requests wait for. */
  private readonly awaited = new Set<Promise<unknown>>();
  private job: JobHandle | undefined;

  constructor(parts: ForgetRunnerParts) {
    this.parts = parts;
  }

  /** Looks for forgets that were cut short, now and every minute. */
  start(jobs: JobRunner): void {
    this.job = jobs.start({
      name: 'forget',
      everyMs: FORGET_SWEEP_EVERY_MS,
      betweenMs: WAIT_RETRY_POLL_MS,
      run: ({ did }) => this.turn(did),
      failure: { message: 'forgets cannot be looked for' },
    });
  }

  /** Ends after the step that it is at; the rest is done by others. */
  async stop(): Promise<void> {
    this.ending.abort();
    await this.job?.stop();
  }

  /** Resolves when no request that is there now waits for a forget or an erasure any more; never rejects. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.awaited);
  }

  /** Whether the process is stopping: no forget begins any more. */
  get isEnding(): boolean {
    return this.ending.signal.aborted;
  }

  /**
   * Does what is left of a plan, and waits until nothing is left of what was derived. Throws `DATABASE_UNAVAILABLE`, also when an event is
   * refused; `SERVER_SHUTTING_DOWN` at an end; `FORGET_BACKEND_FAILED` when what was derived is not taken out in {@link FORGET_TAKE_OUT_MS}:
   * all of them are tried again by the job.
   */
  async run(plan: ForgetPlan): Promise<void> {
    await this.waitedFor(this.carriedOut(plan));
  }

  /**
   * Ends a forget without steps, of which no plan is kept: of a scope that holds nothing, what syntheses and enrichment are still about goes. It
   * waits for nothing that is derived. Throws `DATABASE_UNAVAILABLE`; `SERVER_SHUTTING_DOWN` at an end.
   */
  async endEmpty(plan: ForgetPlan): Promise<void> {
    if (!plan.empties) return;
    await this.waitedFor(
      this.parts.traces.ofPlan(plan, () => {
        this.goesOn();
      }),
    );
  }

  /** Has a stop wait for what a request waits for. */
  private async waitedFor(work: Promise<unknown>): Promise<void> {
    this.awaited.add(work);
    try {
      await work;
    } finally {
      this.awaited.delete(work);
    }
  }

  private async carriedOut(plan: ForgetPlan): Promise<void> {
    const { clock } = this.parts;
    let end = Number.POSITIVE_INFINITY;
    for (;;) {
      const progress = await this.advance(plan, Number.POSITIVE_INFINITY);
      if (progress === 'over') return;
      end = Math.min(end, clock.now() + FORGET_TAKE_OUT_MS);
      if (clock.now() >= end) throw notTakenOut([]);
      await new Wakeup().wait(WAIT_RETRY_POLL_MS);
    }
  }

  /** Has a plan carried out beside the request that began it. */
  runBeside(plan: ForgetPlan): void {
    this.own.set(plan.id, plan);
    this.job?.wake();
  }

  private async advance(plan: ForgetPlan, mostSteps: number): Promise<Progress> {
    const { steps, ids, clock, onStep, erasures } = this.parts;
    for (let done = 0; ; done += 1) {
      this.goesOn();
      if (done >= mostSteps) return 'more';
      const outcome = await steps.next(plan, { id: ids.entry(), now: clock.now() });
      if (outcome === null) break;
      onStep(outcome.redacted, outcome.newestFrame);
      await new Wakeup().wait(FORGET_REST_MS);
    }
    if (!(await this.isTakenOut(plan))) return 'waits';
    const goesOn = (): void => {
      this.goesOn();
    };
    const newest =
      plan.erasure_id === null
        ? await this.finish(plan, goesOn)
        : await erasures.finish(plan, plan.erasure_id, goesOn);
    if (newest === null) return 'waits';
    this.askedAgain.delete(plan.id);
    onStep([], newest);
    // Another process may have ended it.
    if (newest > 0)
      this.parts.metrics.count('strata_forgets_total', plan.erasure_id === null ? plan.cascade : 'erasure');
    return 'over';
  }

  /** Ends a forget, behind what only names the entities that it took; answers the number of its frame, 0 where another ended it, null where it waits for links. */
  private async finish(plan: ForgetPlan, goesOn: () => void): Promise<number | null> {
    const { plans, traces, clock } = this.parts;
    if (!(await traces.ofPlan(plan, goesOn))) return null;
    return plans.finish(plan, clock.now());
  }

  /** Whether consolidation has nothing to do for a plan any more. Throws `FORGET_BACKEND_FAILED` where it gave something up again. */
  private async isTakenOut(plan: ForgetPlan): Promise<boolean> {
    const { plans } = this.parts;
    if (!this.askedAgain.has(plan.id)) {
      this.askedAgain.add(plan.id);
      await plans.takeOutAgain(plan);
      if (plan.erasure_id !== null) await this.parts.erasures.waits(plan.erasure_id);
    }
    const { queued, failed } = await plans.left(plan);
    if (queued > 0) return false;
    if (failed.length === 0) return true;
    this.askedAgain.delete(plan.id);
    throw notTakenOut(failed);
  }

  private goesOn(): void {
    if (this.isEnding)
      throw new StrataError(
        'SERVER_SHUTTING_DOWN',
        'the server is stopping; what was begun goes on with its next start',
      );
  }

  /** Goes on with every plan that is to be carried out here, each for a while; one that fails is told, and left to a later time. */
  private async turn(did: (items: number) => void): Promise<RunOutcome> {
    const { plans, steps, clock } = this.parts;
    await steps.dropBefore(clock.now() - STEPS_LEFT_MS, STEPS_DROPPED);
    for (const plan of await plans.unfinished(clock.now() - FORGET_SWEEP_EVERY_MS, FORGETS_LOOKED_AT))
      this.own.set(plan.id, plan);
    for (const plan of [...this.own.values()]) {
      if (this.isEnding) return 'idle';
      if ((await this.tried(plan)) === 'over') did(1);
    }
    return this.own.size === 0 ? 'idle' : 'more';
  }

  private async tried(plan: ForgetPlan): Promise<Progress | 'failed'> {
    const { log, erasures, plans, clock } = this.parts;
    try {
      const progress = await this.advance(plan, STEPS_OF_A_TURN);
      if (progress === 'over') this.own.delete(plan.id);
      return progress;
    } catch (error) {
      // Those behind it do not wait for it; it is found again when nobody has worked on it for a while.
      this.own.delete(plan.id);
      if (this.isEnding) return 'failed';
      log.warn('a forget cannot be finished', { tenant: plan.tenant, error: errorText(error) });
      await plans.touch(plan, clock.now());
      if (plan.erasure_id !== null) await erasures.rests(plan.erasure_id, error);
      return 'failed';
    }
  }
}

function notTakenOut(failed: readonly string[]): StrataError {
  return new StrataError(
    'FORGET_BACKEND_FAILED',
    'what is to be forgotten is on record, but what was derived from it is not all taken out yet; that goes on by itself',
    failed.length === 0 ? {} : { details: { events_left: [...failed] } },
  );
}
