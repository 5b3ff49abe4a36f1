import { VisibleHighWatermark, type HeadSource } from '../../graph/high-watermark.ts';
import type { Clock } from '../clock.ts';
import { LogAges } from './log-ages.ts';

/** Knows up to where the log can be read without a hole, and for how long what lies beyond a place is known. */
export class LogHead extends VisibleHighWatermark {
  private readonly clock: Clock;
  private readonly ages = new LogAges();

  constructor(source: HeadSource, clock: Clock) {
    super(source);
    this.clock = clock;
  }

  override acknowledged(offset: number): void {
    if (offset > this.settled) this.ages.known(offset, this.clock.now());
    super.acknowledged(offset);
  }

  /** Milliseconds since something beyond an offset first became known here; 0 when nothing lies beyond it. */
  ageBeyond(offset: number): number {
    const since = this.ages.firstBeyond(offset);
    return since === null ? 0 : Math.max(0, this.clock.now() - since);
  }
}
