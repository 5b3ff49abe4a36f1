import type { Clock } from '../src/clock.ts';
import type { HeadSettler, ShardReader } from './shard.ts';

/** How the head of one counter is asked for. */
export interface HeadSource {
  /** The newest number, read without a lock; what lies below it may still be becoming readable. */
  read(): Promise<number>;
  /** The newest number after waiting for the transactions that hold the counter. */
  settle(): Promise<number>;
}

/** The head of the log. */
export function logHeadSource(shards: ShardReader, settler: HeadSettler, clock: Clock): HeadSource {
  return {
    read: async () => (await shards.head()).head,
    settle: () => settler.events(clock.now()),
  };
}

/** The head of the lifecycle frames. */
export function frameHeadSource(shards: ShardReader, settler: HeadSettler, clock: Clock): HeadSource {
  return { read: () => shards.frameHead(), settle: () => settler.frames(clock.now()) };
}

/**
 * Knows up to where numbered records can be read without a hole. A number that was acknowledged here is such a place, since
 * numbers are handed out in commit order; beyond it, the database is asked.
 */
export class VisibleHighWatermark {
  private readonly source: HeadSource;
  private settledAt = 0;

  constructor(source: HeadSource) {
    this.source = source;
  }

  /** The newest number known to be readable together with everything below it. */
  get settled(): number {
    return this.settledAt;
  }

  /** Says that a number was acknowledged. */
  acknowledged(number: number): void {
    this.settledAt = Math.max(this.settledAt, number);
  }

  /** Looks for commits of other processes; answers whether the settled head moved. */
  async refresh(): Promise<boolean> {
    const before = this.settledAt;
    if ((await this.source.read()) > this.settledAt) await this.settle();
    return this.settledAt > before;
  }

  /**
   * Whether a number that somebody was told of is known here. In a cluster a plain reading may be behind what another
   * process has acknowledged, so a number that seems to lie ahead is looked for by waiting.
   */
  async knows(number: number): Promise<boolean> {
    if (number > this.settledAt) await this.settle();
    return number <= this.settledAt;
  }

  private async settle(): Promise<void> {
    this.acknowledged(await this.source.settle());
  }
}
