import type { SupportRow } from './concept/support.ts';

/**
 * The supports of a concept at an instant, while it goes on from one to the next. Of those that stay, only the newest are known and
 * how many there are.
 */
export class VisibleSupports {
  /** The oldest first. */
  private readonly rows: SupportRow[];
  private unseen: number;

  constructor(kept: readonly SupportRow[], keptCount: number) {
    this.rows = [...kept].sort(byPlace);
    this.unseen = keptCount - kept.length;
  }

  /** How many there are. */
  get count(): number {
    return this.rows.length + this.unseen;
  }

  /** The newest, newest first; at most as many as are known of those that stay. */
  newest(most: number): SupportRow[] {
    return this.rows.slice(Math.max(0, this.rows.length - most)).reverse();
  }

  add(row: SupportRow): void {
    this.rows.splice(this.placeOf(row), 0, row);
  }

  remove(row: SupportRow): void {
    const at = this.placeOf(row);
    if (this.rows[at]?.fact_id !== row.fact_id) throw new Error(`${row.fact_id} ends without having begun`);
    this.rows.splice(at, 1);
  }

  private placeOf(row: SupportRow): number {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.rows[middle];
      if (other !== undefined && byPlace(other, row) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The oldest place in the log first. */
export function byPlace(a: SupportRow, b: SupportRow): number {
  return a.position - b.position || (a.fact_id < b.fact_id ? -1 : Number(a.fact_id > b.fact_id));
}
