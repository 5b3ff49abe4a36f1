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

/** In which of the two rows somebody waits for his turn: that of what is derived, or that of what is done before events are. */
export type Row = 'derivation' | 'intake';

/**
 * Lets the stages of a process write to the database one at a time in each of two rows. A turn of the intake begins while nothing is thought
 * out: beside the commit of a consolidation, in which this process has nothing else to do, or beside none. While captures are being written,
 * a turn is followed by a rest: an acknowledgement goes before derivation. In a burst the rests are long, since derivation catches up behind
 * it; when captures do not end, they are short enough for derivation to keep up with what one process can derive.
 */
export class Turns {
  private readonly last: Record<Row, Promise<void>> = {
    derivation: Promise.resolve(),
    intake: Promise.resolve(),
  };
  private readonly rest: Record<Row, Wakeup> = { derivation: new Wakeup(), intake: new Wakeup() };
  /** Consolidations that are thought out now. */
  private thinking = 0;
  private readonly thought = new Wakeup();
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
    for (const rest of Object.values(this.rest)) rest.raise();
  }

  /** Does the work when everybody who asked before in its row has done his. */
  async take<T>(work: () => Promise<T>, row: Row = 'derivation'): Promise<T> {
    const before = row === 'intake' ? this.last.intake.then(() => this.unthinking()) : this.last.derivation;
    const turn = before.then(work);
    const started = before.then(() => performance.now());
    this.last[row] = this.over(turn, started, this.rest[row]);
    return turn;
  }

  /** Does work that is thought out until it says that only its commit is left, within its turn. */
  async think<T>(work: (committing: () => void) => Promise<T>): Promise<T> {
    this.thinking += 1;
    let open = true;
    const committing = (): void => {
      if (!open) return;
      open = false;
      this.thinking -= 1;
      if (!this.isThinking) this.thought.raise();
    };
    try {
      return await work(committing);
    } finally {
      committing();
    }
  }

  /** Whether a consolidation is thought out now. */
  get isThinking(): boolean {
    return this.thinking > 0;
  }

  private async unthinking(): Promise<void> {
    while (this.isThinking) await this.thought.wait();
  }

  private async over(turn: Promise<unknown>, started: Promise<number>, rest: Wakeup): Promise<void> {
    await Promise.allSettled([turn]);
    const ended = performance.now();
    const busy = ended - this.capturedAt < STAGE_CAPTURE_QUIET_MS;
    const rests = ended - this.burstBegan < STAGE_BURST_MS ? STAGE_BURST_RESTS : STAGE_RESTS;
    const restMs = Math.min(rests * (ended - (await started)), STAGE_LONGEST_REST_MS);
    if (busy && !this.ended) await rest.wait(restMs);
  }
}
