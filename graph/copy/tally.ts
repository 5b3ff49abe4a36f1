import { createHash } from 'node:crypto';

/** Sums of digests are taken modulo this: as many bits as a digest has. */
const MODULUS = 1n << 256n;

/** How many records there are of each kind, and one digest of all of them, in whatever order they come. */
export class Tally {
  private readonly counts = new Map<string, number>();
  private sum = 0n;

  /** Counts a record of a kind, whose whole content is the text. */
  add(kind: string, text: string): void {
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    const digest = createHash('sha256').update(kind).update('\n').update(text).digest('hex');
    // A sum, where two equal records count twice; they would cancel one another out in an exclusive or.
    this.sum = (this.sum + BigInt(`0x${digest}`)) % MODULUS;
  }

  /** Records of all kinds. */
  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The digest in hexadecimal digits. */
  get digest(): string {
    return this.sum.toString(16).padStart(64, '0');
  }

  /** In what another tally differs, in words; none when both are of the same records. */
  differences(other: Tally): string[] {
    const kinds = new Set([...this.counts.keys(), ...other.counts.keys()]);
    const counted = [...kinds].sort().flatMap((kind) => {
      const [here, there] = [this.counts.get(kind) ?? 0, other.counts.get(kind) ?? 0];
      return here === there ? [] : [`${kind}: ${here} and ${there}`];
    });
    if (counted.length > 0 || this.sum === other.sum) return counted;
    return [`as many of each kind, but with another content (${this.digest} and ${other.digest})`];
  }
}
