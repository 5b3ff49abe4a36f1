import { isDeepStrictEqual } from 'node:util';

import { eventually } from './wait.ts';

/**
 * A reference and what was read beside it, of one state of the full-text index: the index merges in the background, of which it learns that
 * words are rarer than what was deleted made them, and scores change between two searches. The reference is read before and after, until
 * both are alike in what `told` makes of them.
 */
export function steadily<Reference, Other>(
  reference: () => Promise<Reference>,
  other: () => Promise<Other>,
  told: (reference: Reference) => unknown = (all) => all,
): Promise<readonly [Reference, Other]> {
  return eventually('two readings that are alike', async () => {
    const before = await reference();
    const beside = await other();
    return isDeepStrictEqual(told(before), told(await reference())) && ([before, beside] as const);
  });
}
