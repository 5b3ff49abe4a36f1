/** True in `npm run test:long`: random tests go deep, tables are whole, and seeds are fresh. */
export const LONG = process.env.STRATA_TEST_LONG === '1';

/** So many of `npm test`, or so many of `npm run test:long`: runs of a property, rows of a seed, rounds of a drill. */
export function inDepth(everyday: number, long: number): number {
  return LONG ? long : everyday;
}

/** What everything random in a run follows from; the runner prints it, and `STRATA_TEST_SEED` repeats it. */
export const SEED = Number(process.env.STRATA_TEST_SEED ?? 1_970_411);
