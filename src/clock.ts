/** The only source of the present instant; tests hand in their own. */
export interface Clock {
  /** Epoch milliseconds, an integer. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };
