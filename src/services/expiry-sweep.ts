import type { Clock } from '../clock.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';

/** What the job needs. */
export interface ExpirySweepParts {
  /** What is removed, as the log and metrics name it. */
  readonly what: string;
  /** Removes, in one transaction, at most `limit` of what is over by `now` (epoch milliseconds); answers how many. */
  readonly remove: (now: number, limit: number) => Promise<number>;
  /** The most that one transaction removes. */
  readonly batch: number;
  /** Time between two looks, milliseconds. */
  readonly every_ms: number;
  readonly clock: Clock;
}

/** Removes what is over, now and every so often. Several processes may do so at once. */
export class ExpirySweep {
  private readonly parts: ExpirySweepParts;
  private job: JobHandle | undefined;

  constructor(parts: ExpirySweepParts) {
    this.parts = parts;
  }

  /** What the job is called, as in `sweep of packs`. */
  get name(): string {
    return `sweep of ${this.parts.what}`;
  }

  /** Starts the job. */
  start(jobs: JobRunner): void {
    const { what, every_ms, batch } = this.parts;
    this.job = jobs.start({
      name: `${what}_expiry`,
      everyMs: every_ms,
      run: async ({ did }) => {
        const removed = await this.batch();
        did(removed);
        return removed < batch ? 'idle' : 'more';
      },
      failure: { message: `${what} that are over could not be removed; it is tried again` },
    });
  }

  /** Ends the job after the transaction that it is at. */
  async stop(): Promise<void> {
    await this.job?.stop();
  }

  /** Removes a batch of what may go now, in one transaction; answers how much went. */
  private batch(): Promise<number> {
    const { remove, batch, clock } = this.parts;
    return remove(clock.now(), batch);
  }
}
