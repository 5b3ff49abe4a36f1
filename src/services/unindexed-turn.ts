import type { FoundTurn } from '../../graph/recall.ts';

/** A turn that the index may not know yet, with the words that it will be found by. */
export interface UnindexedTurn extends FoundTurn {
  readonly words: ReadonlySet<string>;
}
