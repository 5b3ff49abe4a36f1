/** Ids of the database that begin a map; it doubles. */
const FIRST_IDS = 1 << 16;

/** Which id of a copy stands for an id of the original: four bytes for each id, so that a store of millions fits into memory. */
export class IdMap {
  private ids = new Uint32Array(FIRST_IDS);

  /** Notes an id. Throws `RangeError` beyond 2³² - 2 ids, which no store of ours has. */
  set(original: number, copy: number): void {
    if (copy >= 0xffff_ffff) throw new RangeError(`a store with an id of ${copy} is too large to be copied`);
    while (original >= this.ids.length) {
      const larger = new Uint32Array(this.ids.length * 2);
      larger.set(this.ids);
      this.ids = larger;
    }
    // 0 stands for none.
    this.ids[original] = copy + 1;
  }

  /** The id of the copy. Throws when the original was not copied. */
  get(original: number): number {
    const noted = this.ids[original] ?? 0;
    if (noted === 0) throw new Error(`node ${original} was not copied`);
    return noted - 1;
  }
}
