import { STAGES, type Stage } from '../../graph/shard.ts';

/** How far one stage is behind. */
export interface StageLag {
  /** Events of the log between its head and the furthest place below which nothing is left in any held shard. */
  readonly events: number;
  /** That place, an offset. */
  readonly place: number;
  /** Held shards with work for the stage, or to be looked at. */
  readonly shards: number;
}

/** Stages whose work a stage waits for, itself included. Where no model is asked, indexing extracts with its own work. */
export function stagesBefore(stage: Stage, asksModel: boolean): readonly Stage[] {
  if (stage === 'consolidated') return STAGES;
  return stage === 'extracted' && !asksModel ? ['extracted', 'indexed'] : [stage];
}
