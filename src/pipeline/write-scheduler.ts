import { Wakeup } from '../wakeup.ts';
import type { Backpressure } from './backpressure.ts';

/** Longest rest, milliseconds: a slow batch must not hold up derivation for as long again. */
const STAGE_LONGEST_REST_MS = 1_000;

/** In which of the two rows somebody waits for his turn: that of what is derived, or that of what is done before events are. */
export type WriteQueue = 'derivation' | 'intake';

/**
 * Lets the stages of a process write to the database one at a time in each of two rows. A turn of the intake begins while nothing is thought
 * out: beside the commit of a consolidation, in which this process has nothing else to do, or beside none. While captures are being written,
 * there is one row, and a turn is followed by a rest: an acknowledgement goes before derivation.
 */
export class WriteScheduler {
  private readonly last: Record<WriteQueue, Promise<void>> = {
    derivation: Promise.resolve(),
    intake: Promise.resolve(),
  };
  private readonly rest: Record<WriteQueue, Wakeup> = { derivation: new Wakeup(), intake: new Wakeup() };
  /** Consolidations that are thought out now. */
  private computing = 0;
  private readonly computed = new Wakeup();
  private readonly pace: Pick<Backpressure, 'throttleFactor' | 'isThrottling'>;
  private ended = false;

  constructor(pace: Pick<Backpressure, 'throttleFactor' | 'isThrottling'>) {
    this.pace = pace;
  }

  /** From now on nobody rests, so that a stop need not wait. */
  end(): void {
    this.ended = true;
    for (const rest of Object.values(this.rest)) rest.raise();
  }

  /** Does the work when everybody who asked before in its row has done his; while captures have the way there is one row. */
  async take<T>(work: () => Promise<T>, wanted: WriteQueue = 'derivation'): Promise<T> {
    const row = this.pace.isThrottling() ? 'derivation' : wanted;
    const before = row === 'intake' ? this.last.intake.then(() => this.whenComputed()) : this.last.derivation;
    const turn = before.then(work);
    const started = before.then(() => performance.now());
    this.last[row] = this.over(turn, started, this.rest[row]);
    return turn;
  }

  /** Does work that is thought out until it says that only its commit is left, within its turn. */
  async compute<T>(work: (committing: () => void) => Promise<T>): Promise<T> {
    this.computing += 1;
    let open = true;
    const committing = (): void => {
      if (!open) return;
      open = false;
      this.computing -= 1;
      if (!this.isComputing) this.computed.raise();
    };
    try {
      return await work(committing);
    } finally {
      committing();
    }
  }

  /** Whether a consolidation is thought out now. */
  get isComputing(): boolean {
    return this.computing > 0;
  }

  private async whenComputed(): Promise<void> {
    while (this.isComputing) await this.computed.wait();
  }

  private async over(turn: Promise<unknown>, started: Promise<number>, rest: Wakeup): Promise<void> {
    await Promise.allSettled([turn]);
    const lengthMs = performance.now() - (await started);
    const restMs = Math.min(this.pace.throttleFactor() * lengthMs, STAGE_LONGEST_REST_MS);
    if (restMs > 0 && !this.ended) await rest.wait(restMs);
  }
}
