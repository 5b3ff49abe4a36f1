import type { LifecycleRemover } from '../../graph/lifecycle-retention.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import { Wakeup } from '../wakeup.ts';

/** Rest between two such transactions, milliseconds: captures come between, and a sweep still removes thousands a second. */
export const FRAME_SWEEP_REST_MS = 25;

/** Frames removed in one transaction at most: keeps it short beside the captures. */
export const FRAME_SWEEP_BATCH = 500;

/** Time between looks for frames that are kept long enough, milliseconds. */
const FRAME_SWEEP_EVERY_MS = 3_600_000;

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
  private readonly ending = new AbortController();
  private readonly pause = new Wakeup();
  private running: Promise<void> = Promise.resolve();

  constructor(parts: FrameRetentionParts) {
    this.parts = parts;
  }

  /** Starts the job. */
  start(): void {
    this.running = this.run();
  }

  /** Ends the job after the batch that it is at. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.pause.raise();
    await this.running;
  }

  /** Removes, in small transactions, everything that may go now; answers how many frames went. */
  async sweep(): Promise<number> {
    const { remover, clock, days } = this.parts;
    const age = { now: clock.now(), ageMs: days * DAY_MS };
    let removed = 0;
    while (!this.ending.signal.aborted) {
      const batch = await remover.removeOldest({ ...age, limit: FRAME_SWEEP_BATCH });
      removed += batch;
      if (batch < FRAME_SWEEP_BATCH) break;
      await this.pause.wait(FRAME_SWEEP_REST_MS);
    }
    return removed;
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      try {
        const removed = await this.sweep();
        if (removed > 0) this.parts.log.info('lifecycle frames were removed', { frames: removed });
      } catch (error) {
        this.parts.log.warn('lifecycle frames could not be removed; it is tried again in an hour', {
          error: errorText(error),
        });
      }
      await this.pause.wait(FRAME_SWEEP_EVERY_MS);
    }
  }
}
