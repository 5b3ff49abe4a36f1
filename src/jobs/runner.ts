import { systemTimer, type Timer } from '../clock.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Wakeup } from '../wakeup.ts';
import type { Job, JobHandle, RunOutcome } from './job.ts';

/** Pauses after failures of a job that names none and waits for nothing but to be woken. */
const DEFAULT_BACKOFF = { firstMs: 1_000, longestMs: 60_000 };

/** What a runner needs. */
export interface JobRunnerParts {
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'count' | 'observe' | 'gauge'>;
  /** Default: that of the machine. */
  readonly timer?: Timer;
}

type Services = Required<JobRunnerParts>;

/**
 * Runs the background jobs of a process: each again and again, one run at a time, after its interval or when it is woken, and after a
 * failure with a pause that grows. Failures are logged and counted here, so that no job swallows one.
 */
export class JobRunner {
  private readonly parts: Services;
  private readonly jobs = new Map<string, JobHandle>();

  constructor(parts: JobRunnerParts) {
    this.parts = { timer: systemTimer, ...parts };
    parts.metrics.gauge('strata_job_failing', () =>
      Object.fromEntries([...this.jobs].map(([name, { failing }]) => [name, failing ? 1 : 0])),
    );
  }

  /** Starts a job. Throws where one of that name runs already. */
  start<Held = undefined>(job: Job<Held>): JobHandle {
    if (this.jobs.has(job.name)) throw new Error(`a job called ${job.name} runs already`);
    const running = new RunningJob(job, this.parts, () => {
      this.jobs.delete(job.name);
    });
    this.jobs.set(job.name, running);
    return running;
  }

  /** Ends all that still run; resolves when their runs have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.jobs.values()].map((job) => job.stop()));
  }
}

class RunningJob<Held> implements JobHandle {
  private readonly job: Job<Held>;
  private readonly parts: Services;
  private readonly ending = new AbortController();
  private readonly wakeup: Wakeup;
  /** What is raised at the end alone. */
  private readonly closing: Wakeup;
  private readonly over: Promise<void>;
  private failures = 0;
  private items = 0;

  constructor(job: Job<Held>, parts: Services, onOver: () => void) {
    this.job = job;
    this.parts = parts;
    this.wakeup = new Wakeup(parts.timer);
    this.closing = new Wakeup(parts.timer);
    this.over = this.loop().finally(onOver);
  }

  get name(): string {
    return this.job.name;
  }

  get failing(): boolean {
    return this.failures > 0;
  }

  wake(): void {
    this.wakeup.raise();
  }

  stop(): Promise<void> {
    this.ending.abort();
    this.wakeup.raise();
    this.closing.raise();
    return this.over;
  }

  private async loop(): Promise<void> {
    // Whoever starts a job has its handle before the first run.
    await Promise.resolve();
    while (!this.ended()) {
      // What it was woken for so far, this run does.
      this.wakeup.lower();
      const began = this.parts.timer.now();
      const outcome = await this.attempt(began);
      if (outcome === 'over' || this.ended()) return;
      await this.rest(outcome, began);
    }
  }

  private ended(): boolean {
    return this.ending.signal.aborted;
  }

  private async attempt(began: number): Promise<RunOutcome | 'failed'> {
    const { job, parts } = this;
    try {
      const outcome = await this.run();
      this.failures = 0;
      if (outcome !== 'more') {
        job.onIdle?.(this.items);
        this.items = 0;
      }
      return outcome;
    } catch (error) {
      this.failed(error);
      return 'failed';
    } finally {
      parts.metrics.observe('strata_job_seconds', (parts.timer.now() - began) / 1000, job.name);
    }
  }

  private async run(): Promise<RunOutcome> {
    const { job, parts } = this;
    const held = (await job.lease?.()) as Held | null;
    if (held === null) return 'idle';
    const did = (items: number): void => {
      this.items += items;
      parts.metrics.count('strata_job_items_total', job.name, items);
    };
    return job.run({ held, signal: this.ending.signal, did });
  }

  private failed(error: unknown): void {
    const { name, failure } = this.job;
    this.failures += 1;
    this.parts.metrics.count('strata_job_failures_total', name);
    const fields = { job: name, error: errorText(error), again_in_ms: this.pauseMs() };
    if (failure.once !== true || this.failures === 1) this.parts.log.warn(failure.message, fields);
    else this.parts.log.debug(failure.message, fields);
  }

  /** Waits until the next run is due. */
  private async rest(outcome: RunOutcome | 'failed', began: number): Promise<void> {
    const { everyMs, gatherMs = 0, leastRestMs, betweenMs = 0, backoff } = this.job;
    if (outcome === 'more') return this.pause(betweenMs);
    if (outcome === 'failed' && (backoff !== undefined || everyMs === undefined))
      return this.pause(this.pauseMs());
    const ended = this.parts.timer.now();
    const earliest = ended + (leastRestMs?.(ended - began) ?? 0);
    await this.wakeup.wait(everyMs);
    await this.pause(Math.max(gatherMs, earliest - this.parts.timer.now()));
  }

  /** The pause after the failures so far, milliseconds. */
  private pauseMs(): number {
    const { backoff, everyMs } = this.job;
    if (backoff === undefined && everyMs !== undefined) return everyMs;
    const { firstMs, longestMs } = backoff ?? DEFAULT_BACKOFF;
    return Math.min(firstMs * 2 ** (this.failures - 1), longestMs);
  }

  /** Waits so long, or until the end; nothing wakes it meanwhile. */
  private async pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0 && !this.ended()) await this.closing.wait(milliseconds);
  }
}
