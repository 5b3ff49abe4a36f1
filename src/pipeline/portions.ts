import { failureOf } from '../../graph/errors.ts';
import { reasonOf, type Suspicion } from './suspicion.ts';

/** How much of some work is tried at a time. */
export interface Portion {
  /** Events, or the like, at most. */
  readonly size: number;
  /** Set where the next event alone is given up, instead of being tried. */
  readonly givenUp: { readonly reason: string; readonly attempts: number } | null;
}

/**
 * How much is tried at a time of work that is done part by part, each work known by a key: less where a part fails for what is in it, down to
 * the one event that is at fault, which is given up; more again where parts succeed.
 */
export class Portions {
  private readonly most: number;
  private readonly name: string;
  private readonly suspicion: Suspicion;
  private readonly portions = new Map<string, Portion & { readonly blamed: boolean }>();

  /** @param most of a part that nothing is wrong with; @param name of the work, for reasons */
  constructor(most: number, name: string, suspicion: Suspicion) {
    this.most = most;
    this.name = name;
    this.suspicion = suspicion;
  }

  /** How much is tried next. */
  of(key: string): Portion {
    return this.portions.get(key) ?? { size: this.most, givenUp: null };
  }

  /** Says that a part was done. */
  done(key: string): void {
    this.suspicion.cleared(key);
    const before = this.portions.get(key);
    if (before === undefined) return;
    const size = before.size * 2;
    if (size >= this.most) this.portions.delete(key);
    else this.portions.set(key, { ...before, size, givenUp: null });
  }

  /** Says that there is nothing more of the work. */
  over(key: string): void {
    this.suspicion.cleared(key);
    this.portions.delete(key);
  }

  /**
   * Says that a part failed; `probe` as {@link Suspicion.judge} has it. Answers whether the work goes on at once: else it is tried again
   * after a pause. Where the answer of the database was overdue, that is with less, since it may have been too much for its time.
   */
  async failed(key: string, error: unknown, probe: () => Promise<unknown>): Promise<boolean> {
    const { size, blamed, givenUp } = this.portions.get(key) ?? {
      size: this.most,
      blamed: false,
      givenUp: null,
    };
    // Even to give it up fails: that is no fault of what comes with it.
    if (givenUp !== null) return false;
    const half = { size: Math.ceil(size / 2), givenUp: null };
    if (failureOf(error) === 'overdue' && size > 1) {
      this.portions.set(key, { ...half, blamed });
      return false;
    }
    const verdict = await this.suspicion.judge({ key, size, error, blamed }, probe);
    if (verdict.is === 'halved') this.portions.set(key, { ...half, blamed: verdict.blamed });
    if (verdict.is === 'given up') {
      const { attempts } = verdict;
      const why = { reason: reasonOf(this.name, attempts, error), attempts };
      this.portions.set(key, { size, blamed, givenUp: why });
    }
    return verdict.is !== 'waits';
  }
}
