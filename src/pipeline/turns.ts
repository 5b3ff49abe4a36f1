import {
  STAGE_BURST_GAP_MS,
  STAGE_BURST_MS,
  STAGE_BURST_RESTS,
  STAGE_CAPTURE_PAUSE_MS,
  STAGE_CAPTURE_QUIET_MS,
  STAGE_EVENTS_BESIDE_CAPTURES,
  STAGE_LONGEST_REST_MS,
  STAGE_RESTS,
} from '../limits.ts';
import { Wakeup } from '../wakeup.ts';

/**
 * Lets the stages of a process write to the database one at a time: they would wait for each other at the frame counter
 * anyway. While captures are being written, a turn is followed by a rest: an acknowledgement goes before derivation. In a
 * burst the rests are long, since derivation catches up behind it; when captures do not end, they are short enough for
 * derivation to keep up with what one process can derive.
 */
export class Turns {
  private last: Promise<void> = Promise.resolve();
  private readonly rest = new Wakeup();
  private capturedAt = Number.NEGATIVE_INFINITY;
  private burstBegan = Number.NEGATIVE_INFINITY;
  private ended = false;

  /** Says that captures were committed just now. */
  captured(): void {
    const now = performance.now();
    if (now - this.capturedAt > STAGE_BURST_GAP_MS) this.burstBegan = now;
    this.capturedAt = now;
  }

  /** Events that a batch may have, of so many at most: fewer where captures were written a moment ago. */
  mostEvents(most: number): number {
    const beside = performance.now() - this.capturedAt < STAGE_CAPTURE_PAUSE_MS;
    return beside ? Math.min(most, STAGE_EVENTS_BESIDE_CAPTURES) : most;
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
    const rests = ended - this.burstBegan < STAGE_BURST_MS ? STAGE_BURST_RESTS : STAGE_RESTS;
    const restMs = Math.min(rests * (ended - (await started)), STAGE_LONGEST_REST_MS);
    if (busy && !this.ended) await this.rest.wait(restMs);
  }
}
