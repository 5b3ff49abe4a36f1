import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import { Wakeup } from '../wakeup.ts';

/** What the job needs. */
export interface ExpirySweepParts {
  /** What is removed, as the log names it. */
  readonly what: string;
  /** Removes, in one transaction, at most `limit` of what is over by `now` (epoch milliseconds); answers how many. */
  readonly remove: (now: number, limit: number) => Promise<number>;
  /** The most that one transaction removes. */
  readonly batch: number;
  /** Time between two looks, milliseconds. */
  readonly every_ms: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Removes what is over, now and every so often. Several processes may do so at once. */
export class ExpirySweep {
  private readonly parts: ExpirySweepParts;
  private readonly pause = new Wakeup();
  private ended = false;
  private running: Promise<void> = Promise.resolve();

  constructor(parts: ExpirySweepParts) {
    this.parts = parts;
  }

  /** What the job is called, as in `sweep of packs`. */
  get name(): string {
    return `sweep of ${this.parts.what}`;
  }

  /** Starts the job. */
  start(): void {
    this.running = this.run();
  }

  /** Ends the job after the transaction that it is at. */
  async stop(): Promise<void> {
    this.ended = true;
    this.pause.raise();
    await this.running;
  }

  /** Removes everything that may go now; answers how much went. */
  async sweep(): Promise<number> {
    const { remove, batch, clock } = this.parts;
    const now = clock.now();
    let removed = 0;
    while (!this.ended) {
      const went = await remove(now, batch);
      removed += went;
      if (went < batch) break;
    }
    return removed;
  }

  private async run(): Promise<void> {
    const { what, every_ms, log } = this.parts;
    while (!this.ended) {
      try {
        await this.sweep();
      } catch (error) {
        log.warn(`${what} that are over could not be removed; it is tried again`, {
          error: errorText(error),
          again_in_ms: every_ms,
        });
      }
      await this.pause.wait(every_ms);
    }
  }
}
