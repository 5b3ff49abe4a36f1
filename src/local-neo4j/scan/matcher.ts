import { MAX_NEEDLE_BYTES, type Needle } from './needles.ts';

/** Bits of the table that rules out most places: a million places, of which ten thousand needles take one in a hundred. */
const TABLE_BITS = 20;

/** Spreads four bytes over the table; a prime near to 2³² divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/** Finds many needles at once: one step for each byte, whatever their number, and nothing is ever looked at again. */
export class Matcher {
  private readonly table = new Uint8Array(1 << TABLE_BITS);
  private readonly byAnchor = new Map<number, Needle[]>();

  constructor(needles: readonly Needle[]) {
    for (const needle of needles) {
      const { bytes, anchor } = needle;
      const word = wordAt(bytes, anchor);
      this.table[slotOf(word)] = 1;
      const same = this.byAnchor.get(word);
      if (same === undefined) this.byAnchor.set(word, [needle]);
      else same.push(needle);
    }
  }

  /**
   * Calls `onFind` with each needle that lies whole within the first `length` bytes and ends behind the first `known` ones, and `onWord`
   * with each place and the four bytes there, the lowest first.
   */
  search(
    source: Uint8Array,
    length: number,
    known: number,
    onFind: (needle: Needle, at: number) => void,
    onWord?: (word: number, at: number) => void,
  ): void {
    if (length < 4) return;
    const { table, byAnchor } = this;
    let word = wordAt(source, 0) << 8;
    for (let end = 3; end < length; end += 1) {
      word = (word >>> 8) | ((source[end] ?? 0) << 24);
      onWord?.(word, end - 3);
      if (table[Math.imul(word, SPREAD) >>> (32 - TABLE_BITS)] === 0) continue;
      const candidates = byAnchor.get(word);
      if (candidates === undefined) continue;
      for (const needle of candidates) {
        const at = end - 3 - needle.anchor;
        const behind = at + needle.bytes.length;
        if (at >= 0 && behind <= length && behind > known && isAt(source, at, needle)) onFind(needle, at);
      }
    }
  }
}

/** What a search has to be handed again in front of what comes next, bytes. */
export const OVERLAP_BYTES = MAX_NEEDLE_BYTES - 1;

function isAt(source: Uint8Array, at: number, { bytes, firstMask, lastMask }: Needle): boolean {
  const last = bytes.length - 1;
  for (let index = 0; index <= last; index += 1) {
    const differing = (source[at + index] ?? 0) ^ (bytes[index] ?? 0);
    const mask = index === 0 ? firstMask : index === last ? lastMask : 255;
    if ((differing & mask) !== 0) return false;
  }
  return true;
}

function slotOf(word: number): number {
  return Math.imul(word, SPREAD) >>> (32 - TABLE_BITS);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)
  );
}
