import { createHmac } from 'node:crypto';

const DIGITS = 32;

/**
 * Makes the ids of beliefs and concepts: the same however often a record is derived, and not to be computed without the secret of the
 * store, for what they are made of can be guessed and an answer would tell whether it is there.
 */
export class KeyedIds {
  readonly #key: string;

  /** @param key the secret of the store; the same for all processes on it */
  constructor(key: string) {
    if (key === '') throw new Error('the key of ids is empty');
    this.#key = key;
  }

  /** The id of the belief that a claim has a value: `belief_` and 32 hex digits. */
  belief(scopeRef: string, claim: string, value: string): string {
    return `belief_${this.digits('belief', [scopeRef, claim, value])}`;
  }

  /** The id of the concept of an entity in a scope: `concept_` and 32 hex digits. */
  concept(scopeRef: string, entityId: string): string {
    return `concept_${this.digits('concept', [scopeRef, entityId])}`;
  }

  private digits(kind: string, of: readonly string[]): string {
    const text = JSON.stringify([kind, ...of]);
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, DIGITS);
  }
}
