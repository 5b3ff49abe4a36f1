import type { EffectStage, Intake, LeasedShard, Stage } from './shard.ts';
import { int, intOrNull, type Param } from './statement.ts';

/** How far one transaction moves the watermark of one shard; a repeat of a held event moves none. */
export interface ShardStep {
  readonly shard: LeasedShard;
  readonly from: number | null;
  readonly to: number | null;
}

const IS_BELIEVED = 'shard.owner = $worker AND shard.epoch = step.epoch';

/** Holds the shard `$number` until the transaction ends, and goes on with it where the lease of `$worker` is that of `$epoch`. */
export const HOLD_LEASED_SHARD = `MATCH (shard:Shard {number: $number})
   SET shard.touched = $worker
   WITH shard WHERE shard.owner = $worker AND shard.epoch = $epoch`;

const CONSOLIDATION_FENCE = `UNWIND $shards AS step
   MATCH (shard:Shard {number: step.number})
   SET shard.touched = $worker
   WITH shard, step WHERE ${IS_BELIEVED} AND (step.from IS NULL OR shard.consolidated = step.from)
   FOREACH (to IN CASE WHEN step.to IS NULL THEN [] ELSE [step.to] END | SET shard.consolidated = to)
   WITH collect(step.number) AS owned`;

// A lease changes hands with the intake held, so whose the shard is can be read without its lock. A repeat asks how far it is consolidated:
// it takes that lock too.
const intakeFence = (...stages: readonly EffectStage[]): string => `UNWIND $shards AS step
   MATCH (intake:ShardIntake {number: step.number})
   SET intake.touched = $worker
   WITH collect({intake: intake, step: step}) AS held
   UNWIND held AS one
   WITH one.intake AS intake, one.step AS step
   MATCH (shard:Shard {number: step.number})
   FOREACH (repeat IN CASE WHEN step.to IS NULL THEN [true] ELSE [] END | SET shard.touched = $worker)
   WITH intake, shard, step WHERE ${IS_BELIEVED} AND (step.from IS NULL OR (${stages.map((stage) => `intake.${stage} = step.from`).join(' AND ')}))
   FOREACH (to IN CASE WHEN step.to IS NULL THEN [] ELSE [step.to] END | SET ${stages.map((stage) => `intake.${stage} = to`).join(', ')})
   WITH collect(step.number) AS owned, collect(CASE WHEN intake.embeds THEN step.number END) AS embedding`;

/**
 * Begins a statement that does a batch of a stage: takes the shards of `$shards` (consolidation) or their intakes (the stages before it), and
 * moves their watermarks. It goes on with the numbers of those whose lease, its epoch and its watermark are what the worker believes
 * (`owned`); behind intakes also with those that vectors are made in (`embedding`).
 */
export const FENCE: Readonly<Record<Stage | Intake, string>> = {
  extracted: intakeFence('extracted'),
  indexed: intakeFence('indexed'),
  both: intakeFence('extracted', 'indexed'),
  consolidated: CONSOLIDATION_FENCE,
};

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
