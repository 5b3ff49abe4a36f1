import type { LeasedShard, ShardLeases, Stage } from '../../graph/shard.ts';

/** Holds this worker's fair share of the shards and knows how far their stages are. */
export class LeaseKeeper {
  private readonly leases: ShardLeases;
  private readonly shardCount: number;
  private readonly held = new Map<number, LeasedShard>();

  constructor(leases: ShardLeases, shardCount: number) {
    this.leases = leases;
    this.shardCount = shardCount;
  }

  /** The shards whose lease is believed to be this worker's. */
  get shards(): LeasedShard[] {
    return [...this.held.values()];
  }

  /** A held shard, by number. */
  get(number: number): LeasedShard | undefined {
    return this.held.get(number);
  }

  /** Notes that a stage of a shard has got as far as an offset. */
  advanced(number: number, epoch: number, stage: Stage, offset: number): void {
    const shard = this.held.get(number);
    if (shard?.epoch !== epoch) return;
    this.held.set(number, {
      ...shard,
      watermarks: { ...shard.watermarks, [stage]: Math.max(shard.watermarks[stage], offset) },
    });
  }

  /** Forgets a shard whose lease was found to be lost; it is claimed anew at the next round if nobody took it. */
  lost(number: number, epoch: number): void {
    if (this.held.get(number)?.epoch === epoch) this.held.delete(number);
  }

  /** Proves that the database takes writes, by prolonging a lease; throws what the database says. */
  async prove({ number }: LeasedShard): Promise<void> {
    await this.leases.renew([number]);
  }

  /** Says that the worker lives, and nothing more. */
  async begin(): Promise<void> {
    await this.leases.beat();
  }

  /** One round: says that the worker lives, prolongs, takes up to its share, gives the surplus back. Answers the shards newly held. */
  async round(): Promise<number[]> {
    const workers = Math.max(1, await this.leases.beat());
    const share = Math.ceil(this.shardCount / workers);
    await this.prolong();
    if (this.held.size > share) {
      const surplus = [...this.held.keys()].slice(share);
      for (const number of surplus) this.held.delete(number);
      await this.leases.release(surplus);
      return [];
    }
    if (this.held.size === share) return [];
    const free = (await this.leases.free(this.shardCount)).filter((number) => !this.held.has(number));
    const claimed = await this.leases.claim(free.slice(0, share - this.held.size));
    for (const shard of claimed) this.held.set(shard.number, shard);
    return claimed.map(({ number }) => number);
  }

  /** Gives every lease back, so that another process need not wait for its end. */
  async stop(): Promise<void> {
    const numbers = [...this.held.keys()];
    this.held.clear();
    await this.leases.release(numbers);
    await this.leases.retire();
  }

  /** One whose lease was lost and won again meanwhile is claimed anew, since only then it is told how far its stages are. */
  private async prolong(): Promise<void> {
    const renewed = await this.leases.renew([...this.held.keys()]);
    const epochs = new Map(renewed.map(({ number, epoch }) => [number, epoch]));
    for (const [number, { epoch }] of this.held) if (epochs.get(number) !== epoch) this.held.delete(number);
  }
}
