import type { Base } from './base.ts';
import { DeferralStore } from '../../graph/deferral.ts';
import type { Database } from '../../graph/driver.ts';
import { EmbeddingModelStore, type PinnedModel } from '../../graph/embedding/model.ts';
import { EmbeddingStore } from '../../graph/embedding/work.ts';
import { EnrichmentStore } from '../../graph/enrichment.ts';
import { EventReader } from '../../graph/event.ts';
import { LifecycleRemover } from '../../graph/lifecycle-retention.ts';
import type { LifecycleReader } from '../../graph/lifecycle.ts';
import { JobLeases, JobStore } from '../../graph/job.ts';
import { VectorReader } from '../../graph/embedding/search.ts';
import { warmPlans, planRecall } from '../../graph/warm-plans.ts';
import { RebuildAsker } from '../../graph/rebuild-ask.ts';
import { RebuildReader } from '../../graph/rebuild-read.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { ShardLeases } from '../../graph/shard.ts';
import { StageStore } from '../../graph/stage.ts';
import { SynthesisWriter } from '../../graph/synthesis.ts';
import { SHARD_COUNT } from '../capture/scope-key.ts';
import type { AuditSealer } from '../commit/audit-sealer.ts';
import { Committer } from '../commit/committer.ts';
import type { LogHead } from '../commit/log-head.ts';
import { errorText } from '../errors.ts';
import { FrameRetention } from '../lifecycle/frame-retention.ts';
import { Outbox } from '../lifecycle/outbox.ts';
import type { ScopeRulesSource } from '../lifecycle/frame.ts';
import * as limits from '../limits.ts';
import type { Log } from '../log.ts';
import { ClaimRebuilds } from '../pipeline/claim-rebuilds.ts';
import { Consolidator } from '../pipeline/consolidator.ts';
import { ConceptReviser } from '../pipeline/concept-reviser.ts';
import { DeferralWatch } from '../pipeline/deferral-watch.ts';
import { EpisodeReplays } from '../pipeline/episode-replays.ts';
import { EpisodeSweep } from '../pipeline/episode-sweep.ts';
import { EmbeddingCalls } from '../pipeline/embedding-calls.ts';
import { Embedding } from '../pipeline/embedding.ts';
import { Enrichment } from '../pipeline/enrichment.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import type { PipelineParts } from '../pipeline/pipeline-parts.ts';
import { Rebuilder, type RebuilderParts } from '../pipeline/rebuilder.ts';
import { ReplaySize } from '../pipeline/replay-size.ts';
import { LinkRunner, type LinkRunnerParts } from '../pipeline/link-runner.ts';
import { SynthesisRunner } from '../pipeline/synthesis.ts';
import type { StageProgress } from '../pipeline/stage-progress.ts';
import { batchTextsOf, type Models } from './models.ts';

/** Events joined into one capture transaction at most: keeps the lock on the offset counter short. */
const MAX_COMMIT_EVENTS = 500;

/**
 * Least time between the starts of two batches of a stage, milliseconds: captures that trickle in are gathered, since a
 * transaction for each would take the lock on the frame counter, and the processor, from the captures.
 */
const STAGE_GATHER_MS = 100;

/** Newest captures that a process keeps for its own stages, so that they need not be read back. */
const RECENT_EVENTS = 20_000;

/** Idle episodes that one transaction seals, about as many: it holds captures off. */
const EPISODE_SEAL_BATCH = 500;

/** Concepts that a synthesis brings up to date in one transaction: keeps it short beside the captures. */
const SYNTHESIS_BATCH_CONCEPTS = 200;

/** Has statements planned beside everything else; those that search vectors where there are any. */
export function planInBackground(
  database: Database,
  { log, pinned, serverVersion }: { log: Log; pinned: PinnedModel | null; serverVersion: string },
): { stop(): void; over: Promise<void> } {
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
  };
  const vectors = pinned === null ? undefined : new VectorReader(database, serverVersion);
  const ahead = warmPlans(database, stopping.signal).then(() =>
    planRecall(database, stopping.signal, vectors),
  );
  const over = ahead.catch((error: unknown) => {
    log.warn('statements are planned when they are first used', { error: errorText(error) });
  });
  return { stop, over };
}

/** Builds the sweep of old frames. */
export function createRetention(database: Database, { log, clock, config }: Base): FrameRetention {
  const { retentionDays: days } = config.lifecycle;
  return new FrameRetention({ remover: new LifecycleRemover(database), clock, log, days });
}

/** Builds the outbox of lifecycle frames. */
export function createOutbox(
  sources: { frames: LifecycleReader; head: VisibleHighWatermark; places: ScopeRulesSource },
  base: Base,
): Outbox {
  const { pollMs, maxReaders, stallMs } = base.config.lifecycle;
  return new Outbox({ ...sources, clock: base.clock, log: base.log, pollMs, maxReaders, stallMs });
}

interface Parts extends Base {
  readonly head: LogHead;
  readonly outbox: Outbox;
}

/** Builds the workers of the stages. */
export function createPipeline(
  database: Database,
  parts: Parts & { progress: StageProgress; models: Models; pinned: PinnedModel | null },
): Pipeline {
  const { config, head, models } = parts;
  const worker = parts.ids.worker();
  const { consolidationIntervalMs: intervalMs } = config.pipeline;
  const consolidator = new Consolidator(database, worker, parts.keyedIds, config.beliefs, intervalMs);
  const replaySize = new ReplaySize(database);
  const deferrals = new DeferralStore(database);
  const { ids, clock, log } = parts;
  const rebuilds = new ClaimRebuilds({ asker: new RebuildAsker(database, worker), ids, clock, log });
  return new Pipeline({
    jobs: parts.jobs,
    leases: new ShardLeases(database, worker, config.pipeline.leaseMs),
    store: new StageStore(database, worker),
    consolidator,
    replaySize,
    rebuilds,
    deferrals,
    deferralWatch: new DeferralWatch({ store: deferrals, writer: database, clock: parts.clock, intervalMs }),
    rebuilder: createRebuilder(database, worker, { consolidator, replaySize }, parts),
    events: new EventReader(database),
    episodes: new EpisodeSweep({
      writer: database,
      worker,
      clock: parts.clock,
      ids: parts.ids,
      window: limits.EPISODE_IDLE_MS,
      batch: EPISODE_SEAL_BATCH,
    }),
    replays: new EpisodeReplays(database, worker),
    syntheses: createSyntheses(database, worker, parts),
    links: createLinks(database, { worker, consolidator, replaySize, rebuilds }, parts),
    progress: parts.progress,
    extractions: models.extractions,
    ...(models.extraction ? { extraction: models.extraction } : {}),
    ...createEnrichment(database, worker, parts),
    ...createEmbedding(database, worker, parts),
    clock: parts.clock,
    log: parts.log,
    metrics: parts.metrics,
    shardCount: SHARD_COUNT,
    batchEvents: config.pipeline.batchEvents,
    batchBytes: limits.MAX_COMMIT_BYTES,
    pollMs: config.pipeline.pollMs,
    renewMs: Math.floor(config.pipeline.leaseMs / 4),
    tries: limits.STAGE_TRIES,
    gatherMs: STAGE_GATHER_MS,
    recent: { events: RECENT_EVENTS, bytes: limits.RECENT_EVENT_BYTES },
    awayTries: limits.STAGE_AWAY_TRIES,
    settledHead: () => head.settled,
    refreshHead: () => head.refresh(),
    onAdvance: ({ newestFrame }) => {
      parts.outbox.acknowledged(newestFrame);
    },
  });
}

function createRebuilder(
  writer: Database,
  worker: string,
  deriving: Pick<RebuilderParts, 'consolidator' | 'replaySize'>,
  { config, clock, log, metrics, outbox }: Parts,
): Rebuilder {
  const { leaseMs, batchEvents } = config.pipeline;
  return new Rebuilder({
    writer,
    worker,
    jobs: new JobStore(writer),
    leases: new JobLeases(writer, worker, leaseMs),
    reader: new RebuildReader(writer),
    events: new EventReader(writer),
    ...deriving,
    clock,
    log,
    metrics,
    leaseMs,
    batchEvents: Math.min(batchEvents, limits.REBUILD_BATCH),
    batchBytes: limits.MAX_COMMIT_BYTES,
    onFrames: (newestFrame) => {
      outbox.acknowledged(newestFrame);
    },
  });
}

function createLinks(
  writer: Database,
  pipeline: Pick<LinkRunnerParts, 'worker' | 'consolidator' | 'replaySize' | 'rebuilds'>,
  { config, clock, log, metrics }: Parts,
): LinkRunner {
  return new LinkRunner({
    ...pipeline,
    writer,
    clock,
    log,
    metrics,
    reader: new RebuildReader(writer),
    events: new EventReader(writer),
    batchEvents: Math.min(config.pipeline.batchEvents, limits.REBUILD_BATCH),
    batchBytes: limits.MAX_COMMIT_BYTES,
  });
}

/** What builds enrichment, once the pipeline can say when its turn is; nothing when it is off. */
function createEnrichment(
  database: Database,
  worker: string,
  { models, clock, ids, log, metrics, outbox }: Parts & { models: Models },
): Pick<PipelineParts, 'enrichment'> {
  const lane = models.enrichment;
  if (lane === undefined) return {};
  return {
    enrichment: (pipeline) =>
      new Enrichment({
        ...lane,
        ...pipeline,
        store: new EnrichmentStore(database, worker),
        extractions: models.extractions,
        stages: new StageStore(database, worker),
        syntheses: new SynthesisWriter(database),
        clock,
        ids,
        log,
        metrics,
        onFrames: (newestFrame) => {
          outbox.acknowledged(newestFrame);
        },
      }),
  };
}

/** What builds embedding, once the pipeline can say when its turn is; nothing without a model. */
function createEmbedding(
  database: Database,
  worker: string,
  { config, models, pinned, clock, log, metrics }: Parts & { models: Models; pinned: PinnedModel | null },
): Pick<PipelineParts, 'embedding' | 'pinned'> {
  const { embedder, usage } = models;
  if (embedder === undefined) return {};
  const calls = new EmbeddingCalls({ embedder, usage, log, batchTexts: batchTextsOf(config.embedding) });
  return {
    ...(pinned === null ? {} : { pinned }),
    embedding: ({ take }, agreed) =>
      new Embedding({
        take,
        calls,
        pinned: agreed,
        store: new EmbeddingStore(database, worker),
        models: new EmbeddingModelStore(database, SHARD_COUNT),
        clock,
        log,
        metrics,
      }),
  };
}

function createSyntheses(
  database: Database,
  worker: string,
  { clock, log, outbox, keyedIds }: Parts,
): SynthesisRunner {
  return new SynthesisRunner({
    writer: database,
    worker,
    clock,
    log,
    concepts: new ConceptReviser(),
    keyedIds,
    batch: SYNTHESIS_BATCH_CONCEPTS,
    onFrame: (newestFrame) => {
      outbox.acknowledged(newestFrame);
    },
  });
}

/** Builds the committer of captures. */
export function createCommitter(
  database: Database,
  parts: Parts & { pipeline: Pipeline; sealer: AuditSealer },
): Committer {
  const { config } = parts;
  return new Committer({
    writer: database,
    clock: parts.clock,
    ids: parts.ids,
    log: parts.log,
    metrics: parts.metrics,
    auditCaptures: config.audit.captures,
    contentHash: parts.contentHash,
    limits: {
      groupEvents: MAX_COMMIT_EVENTS,
      groupBytes: limits.MAX_COMMIT_BYTES,
      queueEvents: config.capture.queueMaxEvents,
      queueBytes: config.capture.queueMaxBytes,
    },
    onCommit: ({ inputs, results, newestFrame, newestAudit, newestOffset }) => {
      parts.head.acknowledged(newestOffset);
      parts.pipeline.captured(inputs, results);
      parts.outbox.acknowledged(newestFrame);
      parts.sealer.committed(newestAudit);
    },
  });
}
