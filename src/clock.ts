/** The only source of the present instant; tests hand in their own. */
export interface Clock {
  /** Epoch milliseconds, an integer. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** Time that passes, beside the clock that people read; tests hand in one that they turn on themselves. */
export interface Timer {
  /** Milliseconds since some instant; never goes back. */
  now(): number;
  /** Calls once, so many milliseconds from now; what it answers calls that off. */
  after(milliseconds: number, call: () => void): () => void;
}

/** The timer of the machine. */
export const systemTimer: Timer = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};
