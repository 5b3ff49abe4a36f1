/** How fast it comes is judged by so long a time, milliseconds, or since it began: longer than a network that falters is silent. */
export const BODY_RATE_WINDOW_MS = 5000;

/** Steps in which that time is counted, milliseconds. */
export const BODY_RATE_STEP_MS = 500;

const STEPS = BODY_RATE_WINDOW_MS / BODY_RATE_STEP_MS;

/**
 * How fast bytes came of late. Time is counted in steps of `BODY_RATE_STEP_MS`, of which the one at hand and as many before it as
 * make `BODY_RATE_WINDOW_MS` count: what came earlier says nothing of a sender that has stalled since.
 */
export class RecentBytes {
  private readonly since: number;
  private readonly ofSteps = new Float64Array(STEPS + 1);
  private step = 0;

  /** `now` is of a clock of milliseconds that never goes back. */
  constructor(now: number) {
    this.since = now;
  }

  /** Notes bytes that came now. */
  add(bytes: number, now: number): void {
    this.forward(now);
    const at = this.step % this.ofSteps.length;
    this.ofSteps[at] = (this.ofSteps[at] ?? 0) + bytes;
  }

  /** Milliseconds since the beginning. */
  ageMs(now: number): number {
    return now - this.since;
  }

  /** Bytes in each second of those that count; 0 at the very beginning. */
  bytesASecond(now: number): number {
    this.forward(now);
    const from = Math.max(0, this.step - STEPS) * BODY_RATE_STEP_MS;
    const ms = this.ageMs(now) - from;
    const bytes = this.ofSteps.reduce((sum, ofStep) => sum + ofStep, 0);
    return ms === 0 ? 0 : (bytes / ms) * 1000;
  }

  /** Forgets the steps that are too long ago. */
  private forward(now: number): void {
    const step = Math.floor(this.ageMs(now) / BODY_RATE_STEP_MS);
    const passed = Math.min(step - this.step, this.ofSteps.length);
    for (let i = 0; i < passed; i += 1) this.ofSteps[(step - i) % this.ofSteps.length] = 0;
    this.step = Math.max(step, this.step);
  }
}
