import type { Transaction } from '../../graph/driver.ts';
import { failureOf } from '../../graph/errors.ts';
import type { NewFrame } from '../../graph/frame.ts';
import type { AppliedBatch } from '../../graph/stage.ts';
import type { UnframedBatch } from '../../graph/stage-effect.ts';
import type { Turns } from './turns.ts';

/** A batch of a stage that can be done within a transaction which holds its shards. */
export interface JointWork {
  readonly shards: readonly number[];
  /** The last kind of locks that it takes, in the order in which these are taken, before frames are written. */
  readonly locks: 'shards' | 'passages';
  /** Does it but for its frames, at an instant in epoch milliseconds. */
  readonly within: (transaction: Transaction, now: number) => Promise<UnframedBatch>;
}

interface WaitingWork extends JointWork {
  /** What it came to where somebody took it along. */
  applied: AppliedBatch | null;
}

/**
 * Batches that wait for their turn. A consolidation takes those along which need no shards but its own: while it thinks, the database has
 * time for them, and their commits are saved.
 */
export class JointWorks {
  private readonly turns: Turns;
  private readonly waiting = new Set<WaitingWork>();
  /** Whether the next transaction takes nothing along. */
  private apart = false;

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** Has a batch done by whoever takes it along before its turn comes, and in its turn where nobody did, or nobody may. */
  take(work: JointWork | undefined, alone: () => Promise<AppliedBatch>): Promise<AppliedBatch> {
    if (work === undefined) return this.turns.take(alone);
    const one: WaitingWork = { ...work, applied: null };
    this.waiting.add(one);
    return this.turns.take(async () => {
      this.waiting.delete(one);
      return one.applied ?? alone();
    });
  }

  /**
   * Has a transaction done, in its turn, that takes along what waits. Where that fails, what it took along may be at fault: so it is done
   * once more without, and the others have their own turn. Where nobody knows whether it was committed (then the next one goes without), or it
   * was done `beside` others, whoever asked for it decides.
   */
  async takenAlong(
    apply: (passengers?: Passengers) => Promise<AppliedBatch>,
    beside: boolean,
  ): Promise<AppliedBatch> {
    const passengers = this.apart ? undefined : new Passengers(this.waiting);
    try {
      const applied = await apply(passengers);
      await passengers?.arrived(applied.newestFrame);
      this.apart = false;
      return applied;
    } catch (error) {
      if (passengers?.any !== true) throw error;
      const failure = failureOf(error);
      this.apart = failure === 'unavailable' || failure === 'overdue';
      if (this.apart || beside) throw error;
      return apply();
    }
  }
}

/** What a transaction has, and may take. */
export interface Boarding {
  readonly shards: readonly number[];
  /** `shards` while it may still need further ones: locks that come behind those of shards wait until then. */
  readonly locks: JointWork['locks'];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What one transaction takes along. Where it fails, each has still its own turn. */
export class Passengers {
  private readonly waiting: Set<WaitingWork>;
  private readonly aboard: { readonly work: WaitingWork; readonly done: Promise<UnframedBatch> }[] = [];

  constructor(waiting: Set<WaitingWork>) {
    this.waiting = waiting;
  }

  /** Whether there are any. */
  get any(): boolean {
    return this.aboard.length > 0;
  }

  /**
   * Sends what waits now and needs no shards but those that the transaction holds, and no locks beyond these. Its failure is that of the
   * transaction.
   */
  board(transaction: Transaction, { shards, locks, now }: Boarding): void {
    for (const work of [...this.waiting]) {
      const fits = work.shards.every((shard) => shards.includes(shard));
      if (!fits || (work.locks === 'passages' && locks === 'shards')) continue;
      this.waiting.delete(work);
      const done = work.within(transaction, now);
      void Promise.allSettled([done]);
      this.aboard.push({ work, done });
    }
  }

  /** The frames that have to be written before the transaction ends. */
  async frames(): Promise<readonly NewFrame[]> {
    const batches = await Promise.all(this.aboard.map(({ done }) => done));
    return batches.flatMap(({ frames }) => frames);
  }

  /** Says that the transaction was committed, with the number of its newest frame. */
  async arrived(newestFrame: number): Promise<void> {
    for (const { work, done } of this.aboard) work.applied = { owned: (await done).owned, newestFrame };
  }
}
