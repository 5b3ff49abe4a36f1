/** How much shorter they are. */
const TIMES = 20;

/**
 * Replaces the clock for the pauses of one file of tests: timers and deadlines of just these lengths (milliseconds) take a twentieth, all
 * others what they say. For lengths that the code under test has from `src/limits`, where a test is about what happens and not when.
 */
export function shortenWaits(...lengthsMs: readonly number[]): void {
  const { setTimeout: timer } = globalThis;
  const { timeout: deadline } = AbortSignal;
  const shortened = (ms?: number): number => (lengthsMs.includes(ms ?? 0) ? (ms ?? 0) / TIMES : (ms ?? 0));
  beforeAll(() => {
    const replaced = (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
      timer(work, shortened(ms), ...given);
    globalThis.setTimeout = Object.defineProperties(
      replaced,
      Object.getOwnPropertyDescriptors(timer),
    ) as typeof setTimeout;
    AbortSignal.timeout = (ms) => deadline.call(AbortSignal, shortened(ms));
  });
  afterAll(() => {
    globalThis.setTimeout = timer;
    AbortSignal.timeout = deadline;
  });
}
