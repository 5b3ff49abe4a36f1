import type { LeasedShard, Stage } from './shard.ts';
import { int, intOrNull, type Param } from './statement.ts';

/** How far one transaction moves the watermark of one shard; a repeat of a held event moves none. */
export interface ShardStep {
  readonly shard: LeasedShard;
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * Begins a statement that does a batch of a stage: takes the shards of `$shards` and moves their watermarks. It goes on with the numbers of
 * those whose lease, its epoch and its watermark are what the worker believes (`owned`), and of those that vectors are made in (`embedding`).
 */
export const FENCE = (stage: Stage): string => `UNWIND $shards AS step
   MATCH (shard:Shard {number: step.number})
   SET shard.touched = $worker
   WITH shard, step WHERE shard.owner = $worker AND shard.epoch = step.epoch AND (step.from IS NULL OR shard.${stage} = step.from)
   FOREACH (to IN CASE WHEN step.to IS NULL THEN [] ELSE [step.to] END | SET shard.${stage} = to)
   WITH collect(step.number) AS owned, collect(CASE WHEN shard.embeds THEN step.number END) AS embedding`;

/** Steps as they are sent, in the order in which shards are locked. */
export function stepRows(steps: readonly ShardStep[]): readonly Param[] {
  return [...steps]
    .sort((a, b) => a.shard.number - b.shard.number)
    .map(({ shard, from, to }) => ({
      number: int(shard.number),
      epoch: int(shard.epoch),
      from: intOrNull(from),
      to: intOrNull(to),
    }));
}
