import { isDeepStrictEqual } from 'node:util';

import { eventually } from './wait.ts';

/**
 * A reference and what was read beside it, of one state of the full-text index: the index merges in the background, of which it learns that
 * words are rarer than what was deleted made them, and scores change between two searches, and may change back. Both are read twice, in turn,
 * until each is like itself in what `told` and `toldOther` make of it; without `toldOther` only the reference has to be.
 */
export function steadily<Reference, Other>(
  reference: () => Promise<Reference>,
  other: () => Promise<Other>,
  told: (reference: Reference) => unknown = (all) => all,
  toldOther?: (other: Other) => unknown,
): Promise<readonly [Reference, Other]> {
  return eventually('two readings that are alike', async () => {
    const before = await reference();
    const beside = await other();
    if (!isDeepStrictEqual(told(before), told(await reference()))) return false;
    if (toldOther !== undefined && !isDeepStrictEqual(toldOther(beside), toldOther(await other())))
      return false;
    return [before, beside] as const;
  });
}
