import { createHash, randomBytes } from 'node:crypto';

/** Bytes of the salt of one commitment: as many as the hash has, so that trying salts is no shorter than trying hashes. */
const SALT_BYTES = 32;

/** How commitments and their root are made, as receipts say it. */
export const COMMITMENT_ALGORITHM =
  'commitment: SHA-256 of 32 random bytes and the event as it was kept; root: SHA-256 of the commitments in order, each with a line feed behind it; base64url';

/**
 * A commitment to what an event held: nobody can tell what it is of without the salt, which is not kept anywhere and is gone when this
 * returns.
 */
export function commitmentTo(content: string): string {
  return createHash('sha256').update(randomBytes(SALT_BYTES)).update(content, 'utf8').digest('base64url');
}

/** Makes the root over commitments that come in parts. */
export class CommitmentRoot {
  readonly #hash = createHash('sha256');
  #count = 0;

  /** Takes up the next commitments, in their order. */
  add(commitments: readonly string[]): void {
    for (const one of commitments) this.#hash.update(`${one}\n`);
    this.#count += commitments.length;
  }

  /** The root over all of them, and how many they are. To be called once. */
  end(): { readonly root: string; readonly count: number } {
    return { root: this.#hash.digest('base64url'), count: this.#count };
  }
}
