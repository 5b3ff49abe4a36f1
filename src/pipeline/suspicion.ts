import { failureCode, failureOf, isAway, isCollision, lacksMemory } from '../../graph/errors.ts';
import { STAGE_AWAY_TRIES, STAGE_TRIES } from '../limits.ts';

/** Work of a stage whose failures are remembered, at most; it is forgotten when it succeeds. */
const MAX_STAGE_SUSPECTS = 1000;

/** Work that failed. */
export interface FailedWork {
  /** What it is remembered by: the id of its first event, or of what asks for it. */
  readonly key: string;
  /** How many events, or the like, are done together; of one nothing less can be tried. */
  readonly size: number;
  readonly error: unknown;
  /** Whether it is a part of work that was found at fault; default false. */
  readonly blamed?: boolean;
}

/** What is to be done about work that failed. */
export type Verdict =
  /** Nothing for now: it is tried again after a pause, since the database may be at fault. */
  | { readonly is: 'waits' }
  /** It is tried in halves; `blamed` where it failed as if the database were away, so that the halves are not given the same time. */
  | { readonly is: 'halved'; readonly blamed: boolean }
  /** It is one event, and is tried again. */
  | { readonly is: 'again'; readonly attempts: number }
  /** It is one event that was tried often enough. */
  | { readonly is: 'given up'; readonly attempts: number };

const WAITS: Verdict = { is: 'waits' };

/** Work on several events, or the like, that may be done in parts. */
export interface DivisibleWork<T> {
  /** What an item is remembered by. */
  readonly keyOf: (item: T) => string;
  /** Does some of them together, or none. */
  readonly work: (items: readonly T[]) => Promise<void>;
  /** As {@link Suspicion.judge} has it. */
  readonly probe: () => Promise<unknown>;
  /** Does without an item, and keeps why. */
  readonly giveUp: (item: T, why: { readonly attempts: number; readonly error: unknown }) => Promise<void>;
  /** Called before a try for what failed before; waits, where an item stands alone, the longer the more often it was tried. */
  readonly onRetry: (attempts: number) => Promise<void>;
}

/** How often work is tried before it is given up. */
export interface SuspicionLimits {
  /** Tries for an event that the database refuses. */
  readonly tries: number;
  /** Failures as if the database were away, while it is well otherwise, from which on the events are at fault. */
  readonly awayTries: number;
}

/**
 * Finds out whether events are to blame for what fails, and which: all that derives asks it. What the database refuses is halved at once.
 * What fails as if the database were away is only when it failed often enough while other writes succeeded; as long as they fail too,
 * nobody is blamed. An event that stands alone is counted apart, so that it is not blamed for those it stood with, and one that meets
 * locks of others, which pass, is never given up for it.
 */
export class Suspicion {
  private readonly limits: SuspicionLimits;
  private readonly failures = new Map<string, number>();

  constructor(limits: SuspicionLimits = { tries: STAGE_TRIES, awayTries: STAGE_AWAY_TRIES }) {
    this.limits = limits;
  }

  /** Notes one more failure; `probe` writes what has nothing to do with the work, and fails when that cannot be written either. */
  async judge(work: FailedWork, probe: () => Promise<unknown>): Promise<Verdict> {
    const { size, error, blamed = false } = work;
    const away = isAway(failureOf(error)) || (size === 1 && lacksMemory(error));
    if (!away)
      return size > 1 ? { is: 'halved', blamed: false } : this.alone(work, this.limits.tries, 'again');
    if (!(await succeeds(probe))) return WAITS;
    if (size === 1) return this.alone(work, this.limits.awayTries, 'waits');
    return blamed || this.isAtFault(work) ? { is: 'halved', blamed: true } : WAITS;
  }

  /**
   * Does work: all together, where that fails in halves, until what is at fault stands alone and is given up. Throws what nothing of it is
   * to blame for, to be tried again later; those in front may be done by then.
   */
  async through<T>(items: readonly T[], how: DivisibleWork<T>, blamed = false): Promise<void> {
    const [first] = items;
    if (first === undefined) return;
    const key = how.keyOf(first);
    try {
      await how.work(items);
      this.cleared(key);
    } catch (error) {
      const verdict = await this.judge({ key, size: items.length, error, blamed }, how.probe);
      if (verdict.is === 'waits') throw error;
      if (verdict.is === 'given up') {
        await how.giveUp(first, { attempts: verdict.attempts, error });
        this.cleared(key);
        return;
      }
      await how.onRetry(verdict.is === 'again' ? verdict.attempts : 0);
      if (verdict.is === 'again') return this.through(items, how);
      const middle = Math.ceil(items.length / 2);
      await this.through(items.slice(0, middle), how, verdict.blamed);
      await this.through(items.slice(middle), how, verdict.blamed);
    }
  }

  /** Forgets the failures of work that was done or given up. */
  cleared(key: string): void {
    this.failures.delete(key);
    this.failures.delete(`${key} alone`);
  }

  private alone({ key, error }: FailedWork, tries: number, otherwise: 'again' | 'waits'): Verdict {
    const attempts = this.count(`${key} alone`);
    if (attempts >= tries && !isCollision(error)) return { is: 'given up', attempts };
    return otherwise === 'waits' ? WAITS : { is: 'again', attempts };
  }

  private isAtFault({ key }: FailedWork): boolean {
    return this.failures.has(`${key} alone`) || this.count(key) >= this.limits.awayTries;
  }

  private count(work: string): number {
    if (this.failures.size >= MAX_STAGE_SUSPECTS) this.failures.clear();
    const count = (this.failures.get(work) ?? 0) + 1;
    this.failures.set(work, count);
    return count;
  }
}

/** Why an event was given up, as its hold says it. */
export function reasonOf(work: string, attempts: number, error: unknown): string {
  return `${work} failed ${attempts} times: ${failureCode(error)}`;
}

async function succeeds(probe: () => Promise<unknown>): Promise<boolean> {
  const [outcome] = await Promise.allSettled([probe()]);
  return outcome.status === 'fulfilled';
}
