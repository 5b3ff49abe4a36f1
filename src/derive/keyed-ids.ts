import { createHmac } from 'node:crypto';

/**
 * Hex digits of the ids of a store that begins: with their prefix they have at most 36 characters, of which the database keeps as many in one
 * record. 112 bits are enough that no two of a store are the same.
 */
export const ID_DIGITS = 28;

/**
 * Makes the ids of beliefs and concepts: the same however often a record is derived, and not to be computed without the secret of the
 * store, for what they are made of can be guessed and an answer would tell whether it is there.
 */
export class KeyedIds {
  readonly #key: string;
  private readonly count: number;

  /**
   * @param key the secret of the store; the same for all processes on it
   * @param digits hex digits of an id, which a store keeps to for good
   */
  constructor(key: string, digits = ID_DIGITS) {
    if (key === '') throw new Error('the key of ids is empty');
    this.#key = key;
    this.count = digits;
  }

  /** The id of the belief that a claim has a value: `belief_` and 28 hex digits, of an older store 32. */
  belief(scopeRef: string, claim: string, value: string): string {
    return `belief_${this.digits('belief', [scopeRef, claim, value])}`;
  }

  /** The id of the concept of an entity in a scope: `concept_` and 28 hex digits, of an older store 32. */
  concept(scopeRef: string, entityId: string): string {
    return `concept_${this.digits('concept', [scopeRef, entityId])}`;
  }

  private digits(kind: string, of: readonly string[]): string {
    const text = JSON.stringify([kind, ...of]);
    return createHmac('sha256', this.#key).update(text).digest('hex').slice(0, this.count);
  }
}
