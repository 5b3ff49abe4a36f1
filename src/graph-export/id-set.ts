import { createHmac, randomBytes } from 'node:crypto';

/** Places of a new set; it doubles as it fills. A power of two. */
const FIRST_PLACES = 1024;

/**
 * Remembers which texts were seen in 16 to 32 bytes each, however long they are: a keyed hash of 64 bits stands for a text. That two of a
 * million texts are taken for one happens once in thirty million sets, and nobody who does not know the key can bring it about.
 */
export class IdSet {
  private readonly key = randomBytes(16);
  /** Zero where nothing is. */
  private places = new BigUint64Array(FIRST_PLACES);
  private count = 0;

  /** How many there are. */
  get size(): number {
    return this.count;
  }

  /** Whether a text was added. */
  has(text: string): boolean {
    return this.places[this.placeOf(this.hashOf(text))] !== 0n;
  }

  /** Adds a text; answers whether it was not there. */
  add(text: string): boolean {
    const hash = this.hashOf(text);
    const place = this.placeOf(hash);
    if (this.places[place] !== 0n) return false;
    this.places[place] = hash;
    this.count += 1;
    if (this.count * 2 > this.places.length) this.grow();
    return true;
  }

  private hashOf(text: string): bigint {
    const hash = createHmac('sha256', this.key).update(text).digest().readBigUInt64LE();
    return hash === 0n ? 1n : hash;
  }

  /** Where a hash stands, or would. */
  private placeOf(hash: bigint): number {
    const mask = this.places.length - 1;
    let place = Number(hash & BigInt(mask));
    while (this.places[place] !== 0n && this.places[place] !== hash) place = (place + 1) & mask;
    return place;
  }

  private grow(): void {
    const old = this.places;
    this.places = new BigUint64Array(old.length * 2);
    for (const hash of old) if (hash !== 0n) this.places[this.placeOf(hash)] = hash;
  }
}
