/** How much shorter they are. */
const TIMES = 20;

/**
 * Replaces the clock for the pauses of one file or block of tests: timers of just these lengths (milliseconds) take a twentieth, all
 * others what they say. For lengths that the code under test has from `src/limits`, where a test is about what happens and not when.
 */
export function shortenWaits(...lengthsMs: readonly number[]): void {
  const shortened = (ms?: number): number => (lengthsMs.includes(ms ?? 0) ? (ms ?? 0) / TIMES : (ms ?? 0));
  let restore = (): void => undefined;
  beforeAll(() => {
    // As it is by now: one may stand within another.
    const { setTimeout: timer } = globalThis;
    const replaced = (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
      timer(work, shortened(ms), ...given);
    const like = Object.getOwnPropertyDescriptors(timer);
    globalThis.setTimeout = Object.defineProperties(replaced, like) as typeof setTimeout;
    restore = () => {
      globalThis.setTimeout = timer;
    };
  });
  afterAll(() => {
    restore();
  });
}
