import { STAGE_LONGEST_REST_MS } from '../limits/pace.ts';
import { Wakeup } from '../wakeup.ts';
import type { CapturePace } from './capture-pace.ts';

/** In which of the two rows somebody waits for his turn: that of what is derived, or that of what is done before events are. */
export type Row = 'derivation' | 'intake';

/**
 * Lets the stages of a process write to the database one at a time in each of two rows. A turn of the intake begins while nothing is thought
 * out: beside the commit of a consolidation, in which this process has nothing else to do, or beside none. While captures are being written,
 * there is one row, and a turn is followed by a rest: an acknowledgement goes before derivation.
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
  private readonly pace: Pick<CapturePace, 'rests' | 'givesWay'>;
  private ended = false;

  constructor(pace: Pick<CapturePace, 'rests' | 'givesWay'>) {
    this.pace = pace;
  }

  /** From now on nobody rests, so that a stop need not wait. */
  end(): void {
    this.ended = true;
    for (const rest of Object.values(this.rest)) rest.raise();
  }

  /** Does the work when everybody who asked before in its row has done his; while captures have the way there is one row. */
  async take<T>(work: () => Promise<T>, wanted: Row = 'derivation'): Promise<T> {
    const row = this.pace.givesWay() ? 'derivation' : wanted;
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
    const lengthMs = performance.now() - (await started);
    const restMs = Math.min(this.pace.rests() * lengthMs, STAGE_LONGEST_REST_MS);
    if (restMs > 0 && !this.ended) await rest.wait(restMs);
  }
}
