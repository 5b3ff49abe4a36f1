import { STAGE_CAPTURE_QUIET_MS, STAGE_LONGEST_REST_MS } from '../limits.ts';
import { Wakeup } from '../wakeup.ts';

/**
 * Lets the stages of a process write to the database one at a time: they would wait for each other at the frame counter
 * anyway. While captures are being written, a turn is followed by a rest of twice its length, so that stages take at most a
 * third of one processor from them: an acknowledgement goes before derivation, which catches up.
 */
export class Turns {
  private last: Promise<void> = Promise.resolve();
  private readonly rest = new Wakeup();
  private capturedAt = Number.NEGATIVE_INFINITY;
  private ended = false;

  /** Says that captures were committed just now. */
  captured(): void {
    this.capturedAt = performance.now();
  }

  /** From now on nobody rests, so that a stop need not wait. */
  end(): void {
    this.ended = true;
    this.rest.raise();
  }

  /** Does the work when everybody who asked before has done his. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work);
    const started = this.last.then(() => performance.now());
    this.last = this.over(turn, started);
    return turn;
  }

  private async over(turn: Promise<unknown>, started: Promise<number>): Promise<void> {
    await Promise.allSettled([turn]);
    const ended = performance.now();
    const busy = ended - this.capturedAt < STAGE_CAPTURE_QUIET_MS;
    const restMs = Math.min(2 * (ended - (await started)), STAGE_LONGEST_REST_MS);
    if (busy && !this.ended) await this.rest.wait(restMs);
  }
}
