import type { HeadSettler, ShardReader } from '../../graph/shard.ts';
import type { Clock } from '../clock.ts';
import { LogAges } from './log-ages.ts';

/**
 * Knows up to where the log can be read without a hole. An offset that was acknowledged here is such a place, since
 * offsets are handed out in commit order; beyond it, the database is asked.
 */
export class LogHead {
  private readonly shards: ShardReader;
  private readonly settler: HeadSettler;
  private readonly clock: Clock;
  private settledAt = 0;
  private readonly ages = new LogAges();

  constructor(shards: ShardReader, settler: HeadSettler, clock: Clock) {
    this.shards = shards;
    this.settler = settler;
    this.clock = clock;
  }

  /** The newest offset known to be readable together with everything below it. */
  get settled(): number {
    return this.settledAt;
  }

  /** Says that an offset was acknowledged. */
  acknowledged(offset: number): void {
    if (offset <= this.settledAt) return;
    this.settledAt = offset;
    this.ages.known(offset, this.clock.now());
  }

  /** Milliseconds since something beyond an offset first became known here; 0 when nothing lies beyond it. */
  ageBeyond(offset: number): number {
    const since = this.ages.firstBeyond(offset);
    return since === null ? 0 : Math.max(0, this.clock.now() - since);
  }

  /** Looks for commits of other processes; answers whether the settled head moved. */
  async refresh(): Promise<boolean> {
    const before = this.settledAt;
    const { head } = await this.shards.head();
    if (head > this.settledAt) this.acknowledged(await this.settler.events(this.clock.now()));
    return this.settledAt > before;
  }
}
