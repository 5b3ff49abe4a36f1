import { systemTimer, type Timer } from './clock.ts';

/** Time that one request works on end before others have their turn, milliseconds. */
const WORK_TURN_MS = 5;

/** Resolves after everything else that is due in this process has had its turn. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lets others have their turn whenever it has been worked for some milliseconds on end. */
export class Turn {
  private since = performance.now();

  /** Resolves at once, or after everything else that is due. */
  async pass(): Promise<void> {
    if (performance.now() - this.since < WORK_TURN_MS) return;
    await othersTurn();
    this.since = performance.now();
  }
}

/** Does work that comes in steps, while others have their turn in between. */
export async function inTurns<T>(work: Generator<void, T, void>): Promise<T> {
  const turn = new Turn();
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await turn.pass();
  }
}

/** What `work` makes of each item, while others have their turn in between. */
export async function inTurnsOver<T, R>(items: readonly T[], work: (item: T) => R): Promise<R[]> {
  const turn = new Turn();
  const made: R[] = [];
  for (const item of items) {
    made.push(work(item));
    await turn.pass();
  }
  return made;
}

/** A flag that one loop waits for and anybody raises. */
export class Wakeup {
  private readonly timer: Timer;
  private raised = false;
  private release: (() => void) | null = null;

  constructor(timer: Timer = systemTimer) {
    this.timer = timer;
  }

  /** Raises the flag; it stays up until the next wait. */
  raise(): void {
    this.raised = true;
    this.release?.();
  }

  /** Lowers the flag: what it was raised for is being done. */
  lower(): void {
    this.raised = false;
  }

  /** Resolves when the flag is raised, or after `milliseconds`; lowers it. */
  async wait(milliseconds?: number): Promise<void> {
    if (!this.raised) {
      await new Promise<void>((resolve) => {
        const callOff = milliseconds === undefined ? undefined : this.timer.after(milliseconds, resolve);
        this.release = () => {
          callOff?.();
          resolve();
        };
      });
      this.release = null;
    }
    this.raised = false;
  }
}
