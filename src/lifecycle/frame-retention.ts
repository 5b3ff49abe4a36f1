import type { LifecycleRemover } from '../../graph/lifecycle-retention.ts';
import type { Clock } from '../clock.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Log } from '../log.ts';

/** Time between looks for frames that are kept long enough, milliseconds. */
const FRAME_SWEEP_EVERY_MS = 3_600_000;

/** Frames removed in one transaction at most: keeps it short beside the captures. */
export const FRAME_SWEEP_BATCH = 500;

/** Rest between two such transactions, milliseconds: captures come between, and a sweep still removes thousands a second. */
export const FRAME_SWEEP_REST_MS = 25;

const DAY_MS = 86_400_000;

/** What the job needs. */
export interface FrameRetentionParts {
  readonly remover: LifecycleRemover;
  readonly clock: Clock;
  readonly log: Log;
  /** Days that frames are kept. */
  readonly days: number;
}

/** Removes frames that are kept long enough, from the oldest on, now and every hour. Several processes may do so at once. */
export class FrameRetention {
  private readonly parts: FrameRetentionParts;
  private job: JobHandle | undefined;

  constructor(parts: FrameRetentionParts) {
    this.parts = parts;
  }

  /** Starts the job. */
  start(jobs: JobRunner): void {
    const { log } = this.parts;
    this.job = jobs.start({
      name: 'frame_retention',
      everyMs: FRAME_SWEEP_EVERY_MS,
      betweenMs: FRAME_SWEEP_REST_MS,
      run: async ({ did }) => {
        const removed = await this.batch();
        did(removed);
        return removed < FRAME_SWEEP_BATCH ? 'idle' : 'more';
      },
      onIdle: (frames) => {
        if (frames > 0) log.info('lifecycle frames were removed', { frames });
      },
      failure: { message: 'lifecycle frames could not be removed; it is tried again in an hour' },
    });
  }

  /** Ends the job after the batch that it is at. */
  async stop(): Promise<void> {
    await this.job?.stop();
  }

  /** Removes a batch of what may go now, in one transaction; answers how many frames went. */
  batch(): Promise<number> {
    const { remover, clock, days } = this.parts;
    return remover.removeOldest({ now: clock.now(), ageMs: days * DAY_MS, limit: FRAME_SWEEP_BATCH });
  }
}
