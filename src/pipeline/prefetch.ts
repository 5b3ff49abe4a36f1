import type { ClaimChange } from '../derive/claim/change.ts';

/**
 * Readings of what a change of a claim touches, asked for before the change is written: the answer is thought about while the database
 * writes. It serves for what is read of other things than are written meanwhile.
 */
export class Prefetch<Found> {
  private readonly load: (changes: readonly ClaimChange[]) => Promise<ReadonlyMap<string, Found>>;
  private readonly asked = new Map<ClaimChange, Promise<ReadonlyMap<string, Found>>>();

  /** @param load reads what several changes need, by claim */
  constructor(load: (changes: readonly ClaimChange[]) => Promise<ReadonlyMap<string, Found>>) {
    this.load = load;
  }

  /** Asks for what these changes need. A failure shows where it is waited for. */
  ask(changes: readonly ClaimChange[]): void {
    if (changes.length === 0) return;
    const found = this.load(changes);
    void Promise.allSettled([found]);
    for (const change of changes) this.asked.set(change, found);
  }

  /** What was found of the claims of changes; what was not asked for yet is asked for now, all of it at once. */
  async of(changes: readonly ClaimChange[]): Promise<ReadonlyMap<string, Found>> {
    this.ask(changes.filter((change) => !this.asked.has(change)));
    const found = new Map<string, Found>();
    for (const change of changes) {
      const one = (await this.asked.get(change))?.get(change.claim);
      if (one !== undefined) found.set(change.claim, one);
    }
    return found;
  }
}
