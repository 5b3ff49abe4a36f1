import type { LeasedShard, Stage } from '../../graph/shard.ts';

/**
 * Up to which offset nothing is left for a stage in a shard. A watermark stands at the last event of its shard; where a
 * look found nothing more up to the head, the place is further on. Kept for measuring only: work goes by watermarks.
 */
export class StageOffsets {
  private readonly seen = new Map<string, number>();

  /** Notes that nothing is left for a stage in a shard up to an offset. */
  passed(stage: Stage, shard: LeasedShard, offset: number): void {
    this.seen.set(`${stage} ${shard.number}`, offset);
  }

  /** Notes that a stage has nothing to do in a shard now, when the head is where it is. */
  idle(stage: Stage, shard: LeasedShard, head: number): void {
    const place =
      stage === 'consolidated' ? Math.min(this.of('extracted', shard), this.of('indexed', shard)) : head;
    this.passed(stage, shard, place);
  }

  /** The place of a stage in a shard. */
  of(stage: Stage, shard: LeasedShard): number {
    return Math.max(shard.watermarks[stage], this.seen.get(`${stage} ${shard.number}`) ?? 0);
  }
}
