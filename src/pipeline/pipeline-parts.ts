import type { PinnedModel } from '../../graph/embedding/model.ts';
import type { DeferralStore } from '../../graph/deferral.ts';
import type { EventReader } from '../../graph/event.ts';
import type { ExtractionStore } from '../../graph/extraction.ts';
import type { ShardLeases } from '../../graph/shard.ts';
import type { StageStore } from '../../graph/stage.ts';
import type { Clock } from '../clock.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ClaimRebuilds } from './claim-rebuilds.ts';
import type { Consolidator } from './consolidator.ts';
import type { DeferralWatch } from './deferral-watch.ts';
import type { Embedding, EmbeddingParts } from './embedding.ts';
import type { Enrichment, EnrichmentParts } from './enrichment.ts';
import type { EpisodeReplays } from './episode-replays.ts';
import type { EpisodeSweep } from './episode-sweep.ts';
import type { Extraction } from './extraction.ts';
import type { Rebuilder } from './rebuilder.ts';
import type { RecentEventLimits } from './recent-events.ts';
import type { StageAdvance } from './stage-runner.ts';
import type { StageProgress } from './stage-progress.ts';
import type { LinkRunner } from './link-runner.ts';
import type { ReplaySize } from './replay-size.ts';
import type { SynthesisRunner } from './synthesis.ts';

/** What enrichment is given by the pipeline that it works in. */
export type EnrichmentScheduler = Pick<EnrichmentParts, 'take' | 'onQueued' | 'onSynthesis'>;

/** What a pipeline needs. */
export interface PipelineParts {
  /** Runs its jobs. */
  readonly jobs: Pick<JobRunner, 'start'>;
  readonly leases: ShardLeases;
  readonly store: StageStore;
  readonly consolidator: Consolidator;
  /** How many of the events that are repeated go in one transaction. */
  readonly replaySize: Pick<ReplaySize, 'together'>;
  /** Has scopes rebuilt that the stage cannot derive as they are. */
  readonly rebuilds: Pick<ClaimRebuilds, 'leave'>;
  /** Finds events of scopes that are consolidated later than at once, and ends their waiting. */
  readonly deferrals: DeferralStore;
  readonly deferralWatch: Pick<DeferralWatch, 'round'>;
  readonly events: EventReader;
  readonly progress: StageProgress;
  /** Finds events that wait for a model and are due again. */
  readonly extractions: ExtractionStore;
  /** Asks a model what events state; left out when none is configured. */
  readonly extraction?: Extraction;
  /** Builds what extracts later from what nobody extracted from; left out when that is off. */
  readonly enrichment?: (pipeline: EnrichmentScheduler) => Enrichment;
  /** Builds what makes vectors of passages, of a model that was agreed on; left out when no model is configured. */
  readonly embedding?: (pipeline: Pick<EmbeddingParts, 'take'>, pinned: PinnedModel) => Embedding;
  /** The model that was agreed on before the start; others are told of later. */
  readonly pinned?: PinnedModel;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly shardCount: number;
  /** Seals episodes that are idle, in the shards that are held here. */
  readonly episodes: Pick<EpisodeSweep, 'round'>;
  /** Replays the episodes of scopes that very many events left, in the shards that are held here. */
  readonly replays: Pick<EpisodeReplays, 'round'>;
  /** Works at jobs that derive again. */
  readonly rebuilder: Pick<Rebuilder, 'round' | 'stop'>;
  /** Brings concepts up to date where that was asked for, in the shards that are held here. */
  readonly syntheses: Pick<SynthesisRunner, 'due' | 'part'>;
  /** Applies links of entities, in the shards that are held here. */
  readonly links: Pick<LinkRunner, 'due' | 'part'>;
  /** Events in one stage transaction at most. */
  readonly batchEvents: number;
  /** Bytes of envelopes in one stage transaction at most. */
  readonly batchBytes: number;
  /** Milliseconds between looks for work of other processes. */
  readonly pollMs: number;
  /** Milliseconds between renewals of the leases. */
  readonly renewMs: number;
  /** Least milliseconds between the starts of two batches of a stage: a trickle is gathered, a lone event is not kept waiting. */
  readonly gatherMs: number;
  /** What is kept of the newest captures of this process. */
  readonly recent: RecentEventLimits;
  /** Tries for an event that fails by itself before it is given up. */
  readonly tries: number;
  /** Failures as if the database were away, while it is well otherwise, from which on events are given up. */
  readonly awayTries: number;
  readonly settledHead: () => number;
  /** Looks for commits of other processes. */
  readonly refreshHead: () => Promise<boolean>;
  /** Called after each stage transaction. */
  readonly onAdvance?: (advance: StageAdvance) => void;
}
