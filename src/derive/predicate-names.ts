import { SHIPPED, spelt, type Vocabulary } from './vocabulary.ts';

/** Knows how a predicate that is asked for may be spelt in the store, as far as the deployment says. */
export class PredicateNames {
  /** What the service and the vocabulary file know. */
  readonly vocabulary: Vocabulary;

  /** @param deployment what the vocabulary file of this deployment says */
  constructor(deployment: Vocabulary) {
    this.vocabulary = SHIPPED.overruledBy(deployment);
  }

  /**
   * The spellings of a predicate, the one in force first. A vocabulary counts from its place in the log on: what was stated before
   * keeps the spelling that it has got.
   */
  spellings(text: string): string[] {
    return [...new Set([this.vocabulary.canonical(text), SHIPPED.canonical(text), spelt(text)])];
  }
}
