import type { ForgetPlan, ForgetPlans } from '../../graph/forget/plan.ts';
import type { ForgetSteps } from '../../graph/forget/step.ts';
import type { Clock } from '../clock.ts';
import { errorText, StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { WAIT_RETRY_POLL_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Wakeup } from '../wakeup.ts';

/** How often a process looks for forgets that were cut short, milliseconds. */
const FORGET_SWEEP_EVERY_MS = 60_000;

/** Unfinished forgets that are looked at in one run. */
const FORGETS_LOOKED_AT = 100;

/** Steps whose forget never began are removed after so long, milliseconds, and so many at a time. */
const STEPS_LEFT_MS = 3_600_000;
const STEPS_DROPPED = 100;

/** Rest between two transactions of a forget, milliseconds: captures come between. */
const FORGET_REST_MS = 10;

/** A forget waits so long for what was derived to be taken out, milliseconds; it is taken out in any case. */
const FORGET_TAKE_OUT_MS = 60_000;

/** What the runner needs. */
export interface ForgetRunnerParts {
  readonly plans: ForgetPlans;
  readonly steps: ForgetSteps;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Told of the events that a step redacted, and the newest frame, once it is committed; 0 for none. */
  readonly onStep: (redacted: readonly string[], newestFrame: number) => void;
}

/**
 * Carries forgets out, a step in each transaction, whoever began them: the request that asked for one, and each process when it starts and
 * every minute, for those that were cut short. Several may do so at once.
 */
export class ForgetRunner {
  private readonly parts: ForgetRunnerParts;
  private readonly ending = new AbortController();
  private job: JobHandle | undefined;

  constructor(parts: ForgetRunnerParts) {
    this.parts = parts;
  }

  /** Looks for forgets that were cut short, now and every minute. */
  start(jobs: JobRunner): void {
    this.job = jobs.start({
      name: 'forget',
      everyMs: FORGET_SWEEP_EVERY_MS,
      run: async ({ did }) => {
        did(await this.finishAll());
        return 'idle';
      },
      failure: { message: 'forgets cannot be looked for' },
    });
  }

  /** Ends after the step that it is at; the rest is done by others. */
  async stop(): Promise<void> {
    this.ending.abort();
    await this.job?.stop();
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
    const { plans, steps, ids, clock, onStep, metrics } = this.parts;
    for (;;) {
      this.goesOn();
      const done = await steps.next(plan, { id: ids.entry(), now: clock.now() });
      if (done === null) break;
      onStep(done.redacted, done.newestFrame);
      await new Wakeup().wait(FORGET_REST_MS);
    }
    await this.takenOut(plan);
    onStep([], await plans.finish(plan, clock.now()));
    metrics.count('strata_forgets_total', plan.cascade);
  }

  private async takenOut(plan: ForgetPlan): Promise<void> {
    const { plans, clock } = this.parts;
    const end = clock.now() + FORGET_TAKE_OUT_MS;
    await plans.takeOutAgain(plan);
    for (;;) {
      const { queued, failed } = await plans.left(plan);
      if (queued === 0 && failed.length === 0) return;
      this.goesOn();
      if (queued === 0 || clock.now() >= end) throw notTakenOut(failed);
      await new Wakeup().wait(WAIT_RETRY_POLL_MS);
    }
  }

  private goesOn(): void {
    if (this.isEnding)
      throw new StrataError(
        'SERVER_SHUTTING_DOWN',
        'the server is stopping; the forget goes on with its next start',
      );
  }

  /** Finishes forgets, each apart, and answers how many; one that fails is told, and left to the next time. */
  private async finishAll(): Promise<number> {
    const { plans, steps, clock, log } = this.parts;
    await steps.dropBefore(clock.now() - STEPS_LEFT_MS, STEPS_DROPPED);
    let finished = 0;
    for (const plan of await plans.unfinished(clock.now() - FORGET_SWEEP_EVERY_MS, FORGETS_LOOKED_AT)) {
      if (this.isEnding) break;
      try {
        await this.run(plan);
        finished += 1;
        log.info('a forget that was cut short is finished', { tenant: plan.tenant });
      } catch (error) {
        // Those behind it do not wait for it.
        log.warn('a forget cannot be finished', { tenant: plan.tenant, error: errorText(error) });
      }
    }
    return finished;
  }
}

function notTakenOut(failed: readonly string[]): StrataError {
  return new StrataError(
    'FORGET_BACKEND_FAILED',
    'what is to be forgotten is on record, but what was derived from it is not all taken out yet; that goes on by itself',
    failed.length === 0 ? {} : { details: { events_left: [...failed] } },
  );
}
