import { STAGE_CAPTURE_QUIET_MS, STAGE_LONGEST_REST_MS } from '../limits.ts';

/**
 * Lets the stages of a process have the database one batch at a time: they would wait for each other at the frame counter
 * anyway. While captures are being written, a batch is followed by a rest of its own length, so that stages take at most
 * half of one processor from them: an acknowledgement goes before derivation, which catches up.
 */
export class Turns {
  private last: Promise<void> = Promise.resolve();
  private capturedAt = Number.NEGATIVE_INFINITY;

  /** Says that captures were committed just now. */
  captured(): void {
    this.capturedAt = performance.now();
  }

  /** Does the work when everybody who asked before has done his. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const before = this.last;
    let release = (): void => undefined;
    this.last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    const started = performance.now();
    try {
      return await work();
    } finally {
      const ended = performance.now();
      const busy = ended - this.capturedAt < STAGE_CAPTURE_QUIET_MS;
      if (busy) setTimeout(release, Math.min(ended - started, STAGE_LONGEST_REST_MS));
      else release();
    }
  }
}
