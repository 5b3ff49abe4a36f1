/**
 * Work that stops now and then, so that whoever does it can let others have their turn: each step tells how many code units of text it
 * went through.
 */
export type Steps<Made> = Generator<number, Made, void>;

/** Code units of a step, about: a few milliseconds, thirty where tokens of Chinese or Cyrillic are counted. */
export const STEP_UNITS = 8192;

/** Does all of a piece of work at once. */
export function finished<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does a piece of work, and waits for `turn` whenever another `units` code units were gone through. */
export async function inTurns<Made>(
  steps: Steps<Made>,
  units: number,
  turn: () => Promise<void>,
): Promise<Made> {
  let since = 0;
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    since += value;
    if (since < units) continue;
    since = 0;
    await turn();
  }
}
