import type { Ledger } from './ledger.ts';
import type { Base } from './base.ts';
import { SHARD_COUNT } from '../capture/scope-key.ts';
import { AssumedPredicateReader } from '../../graph/assumed-predicate.ts';
import { ConflictReader } from '../../graph/conflict.ts';
import { DeferralRelease } from '../../graph/deferral.ts';
import { DerivationReader, DerivationWriter } from '../../graph/derivation.ts';
import type { Database } from '../../graph/driver.ts';
import { DerivedReader } from '../../graph/derived.ts';
import { EmbeddingReader } from '../../graph/embedding/work.ts';
import { EpisodeReader } from '../../graph/episode/read.ts';
import { EventReader, EventWriter } from '../../graph/event.ts';
import { PremiseReader } from '../../graph/premise.ts';
import { JobStore } from '../../graph/job.ts';
import { LayerStatsReader } from '../../graph/layer-stats.ts';
import { LifecycleReader } from '../../graph/lifecycle.ts';
import { LogOffsets } from '../../graph/log-offset.ts';
import { PassageReader } from '../../graph/passage/write.ts';
import { RebuildReader } from '../../graph/rebuild-read.ts';
import { frameHeadSource, logHeadSource, VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { HeadSettler, ShardReader } from '../../graph/shard.ts';
import { RevocationStore } from '../../graph/token.ts';
import { SuppressionStore } from '../../graph/suppression/store.ts';
import { TemporalPhraseReader, TemporalPhraseStore } from '../../graph/temporal-phrase.ts';
import { UsageStore } from '../../graph/usage.ts';
import type { Clock } from '../clock.ts';
import type { Committer } from '../commit/committer.ts';
import { LogHead } from '../commit/log-head.ts';
import type { Outbox } from '../lifecycle/outbox.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { StageProgress } from '../pipeline/stage-progress.ts';
import { ConflictService } from '../services/conflict.ts';
import { DerivationService } from '../services/derivation.ts';
import { EpisodeService } from '../services/episode.ts';
import { EventService } from '../services/event.ts';
import { ExperienceStatusReading } from '../services/experience-status.ts';
import { ExperienceService } from '../services/experience.ts';
import { Feedback } from '../services/feedback.ts';
import { HealthService } from '../services/health.ts';
import { LifecycleService } from '../services/lifecycle.ts';
import type { Services } from '../services/operations.ts';
import { ProvenanceService } from '../services/provenance.ts';
import type { RecallPacks } from '../services/recall-packs.ts';
import { RebuildService } from '../services/rebuild.ts';
import { StageWait } from '../services/stage-wait.ts';
import { VectorWait } from '../services/vector-wait.ts';
import { SuppressionService } from '../services/suppression.ts';
import { TemporalPhraseService } from '../services/temporal-phrase.ts';
import { StreamRights } from '../services/stream-rights.ts';
import { TokenService } from '../services/token.ts';
import { UsageService } from '../services/usage.ts';
import { BUILD_INFO } from '../version.ts';
import { createAmbiguousNames } from './ambiguous-names.ts';
import type { BlobRoom } from './blobs.ts';
import { createAuditService, type Audit } from './audit.ts';
import type { Gate } from './gate.ts';
import type { Models } from './models.ts';
import { createBeliefs } from './beliefs.ts';
import { createConcepts } from './concepts.ts';
import { embeddingCheck } from './embedding-check.ts';
import type { EmbeddingWords } from './embeddings.ts';
import { createFacts } from './facts.ts';
import { createRecall } from './recall.ts';
import { createGraph } from './graph.ts';
import { createProvenance, type Provenance } from './provenance.ts';
import { createForget } from './forget.ts';
import { createLegalHolds } from './legal-holds.ts';
import { createScopes, type ScopeWork } from './scopes.ts';
import { createVocabularies } from './vocabulary.ts';

/** Wait for the database to answer a health question, milliseconds: a probe must not hang. */
const DATABASE_PING_MS = 2000;

/** Everything that services are made of. */
export interface ServiceParts extends Ledger, Gate, Audit, BlobRoom, ScopeWork, Base {
  readonly database: Database;
  readonly work: Database;
  readonly outbox: Outbox;
  readonly progress: StageProgress;
  readonly pipeline: Pipeline;
  readonly committer: Committer;
  readonly models: Models;
  readonly packs: RecallPacks;
  readonly words: EmbeddingWords;
  /** Version of the database server. */
  readonly serverVersion: string;
}

/** Opens the log: its readers, and where its head is now. */
export async function openLedger(database: Database, clock: Clock): Promise<Ledger> {
  const shards = new ShardReader(database);
  const settler = new HeadSettler(database);
  const head = new LogHead(logHeadSource(shards, settler, clock), clock);
  await head.refresh();
  const places = new LogOffsets(database, clock);
  return {
    shards,
    derivation: new DerivationReader(database),
    passages: new PassageReader(database),
    events: new EventReader(database, places),
    places,
    frames: new LifecycleReader(database),
    head,
    frameHead: new VisibleHighWatermark(frameHeadSource(shards, settler, clock)),
  };
}

/** Builds what the adapters call. */
export function createServices(parts: ServiceParts, version: string): Services {
  const { access, gate, database, ids, clock } = parts;
  const stageWait = createStageWait(parts);
  const capturing = capturingParts(parts, stageWait);
  const feedback = new Feedback(capturing);
  const provenance = createProvenance(parts);
  const lifecycle = createLifecycle(parts);
  const records = createRecords({ ...parts, provenance, feedback }, stageWait);
  const concepts = createConcepts(parts);
  return {
    access,
    experience: createExperience(parts, capturing),
    ...createRecall(parts, { ...records, ...concepts }),
    ...records,
    ...concepts,
    rebuild: createRebuild(parts, records),
    ...createForgetting(parts),
    ...createGraph({ ...parts, provenance, lifecycle }),
    provenance: new ProvenanceService({ gate, ...provenance, records: { ...records, ...concepts }, clock }),
    lifecycle,
    conflict: createConflicts(parts, capturing, feedback),
    derivation: createDerivation(parts, capturing),
    blob: parts.blob,
    keyedBlob: parts.keyedBlob,
    token: new TokenService({
      access,
      keys: parts.keys,
      tenants: parts.tenantStore,
      revocations: new RevocationStore(database),
      feed: parts.feed,
      changes: parts.changes,
      clock,
      ids,
      tokenIds: parts.tokenIds,
      enabled: parts.config.tokens,
    }),
    temporalPhrase: new TemporalPhraseService({
      access,
      reader: new TemporalPhraseReader(database),
      store: new TemporalPhraseStore(database),
      changes: parts.changes,
      clock,
    }),
    vocabulary: createVocabularies(parts),
    ...createScopes(parts),
    audit: createAuditService(parts),
    auditing: parts.auditing,
    usage: new UsageService({ access, store: new UsageStore(database), clock }),
    health: createHealth(parts, version),
  };
}

function createLifecycle(parts: ServiceParts): LifecycleService {
  const { access, gate, database } = parts;
  return new LifecycleService({
    access,
    gate,
    frames: parts.frames,
    places: parts.directory,
    derivation: parts.derivation,
    derived: new DerivedReader(database),
    head: parts.frameHead,
    outbox: parts.outbox,
    callers: parts.callers,
    rights: new StreamRights({ access, rules: parts.directory, feed: parts.feed, log: parts.log }),
  });
}

/** The services of forgetting and erasing, and of what keeps events from it or contents from coming back. */
function createForgetting(
  parts: ServiceParts,
): Pick<Services, 'forget' | 'erasure' | 'legalHold' | 'suppression'> {
  const { access, gate, database, changes, clock } = parts;
  const store = new SuppressionStore(database);
  return {
    ...createForget(parts),
    legalHold: createLegalHolds(parts),
    suppression: new SuppressionService({ access, gate, store, changes, clock }),
  };
}

/** The service of conflicts. */
function createConflicts(
  { access, gate, database }: ServiceParts,
  { premises: names }: ReturnType<typeof capturingParts>,
  feedback: Feedback,
): ConflictService {
  return new ConflictService({ access, gate, reader: new ConflictReader(database), names, feedback });
}

/** The services of the layers. */
function createRecords(
  parts: ServiceParts & { readonly provenance: Provenance; readonly feedback: Feedback },
  stageWait: StageWait,
): ReturnType<typeof createFacts> &
  ReturnType<typeof createBeliefs> & { event: EventService; episode: EpisodeService } {
  const { access, gate, selection, database, head, ids, clock, changes, holds } = parts;
  return {
    event: new EventService({
      access,
      gate,
      selection,
      reader: parts.events,
      writer: new EventWriter(database),
      head,
      ids,
      clock,
      changes,
      stageWait,
      holds,
    }),
    ...createFacts(parts),
    ...createBeliefs(parts, parts.feedback),
    episode: createEpisodes(parts),
  };
}

function createRebuild(
  parts: ServiceParts,
  { belief, episode }: Pick<Services, 'belief' | 'episode'>,
): RebuildService {
  const { access, gate, database, derivation, ids, clock, pipeline, config } = parts;
  return new RebuildService({
    access,
    gate,
    jobs: new JobStore(database),
    reader: new RebuildReader(database),
    derivation,
    beliefs: belief,
    episodes: episode,
    ids,
    clock,
    waitBudgetMs: config.capture.waitBudgetMs,
    onAsked: () => {
      pipeline.asked();
    },
    deferrals: new DeferralRelease(database),
    onReleased: () => {
      pipeline.deferralsEnded();
    },
  });
}

function createEpisodes({ gate, selection, database, places }: ServiceParts): EpisodeService {
  return new EpisodeService({ gate, selection, reader: new EpisodeReader(database, places) });
}

/** How the call sites of models are, by name. */
function callSiteChecks({ models, pipeline, words }: ServiceParts): ReturnType<Models['checks']> {
  return {
    ...models.checks(),
    embeddings: embeddingCheck(models.embedder, pipeline.embedding, words.because()),
  };
}

function createHealth(parts: ServiceParts, version: string): HealthService {
  const { access } = parts;
  return new HealthService({
    access,
    metrics: parts.metrics,
    version,
    build: BUILD_INFO,
    pingDatabase: () => parts.shards.head(),
    takesWrites: () => parts.work.takesWrites,
    pipelineHealthy: () => parts.pipeline.healthy,
    consolidation: () => ({
      works: parts.pipeline.works('consolidated'),
      waiting: parts.pipeline.lag('consolidated').events,
    }),
    modelCallSites: () => callSiteChecks(parts),
    embeddingProvider: () => (parts.words.because() === null ? parts.config.embedding.provider : 'none'),
    pingTimeoutMs: DATABASE_PING_MS,
  });
}

function createStageWait(parts: ServiceParts): StageWait {
  const { progress, derivation, passages, clock, pipeline, database, models, words } = parts;
  const { embedder } = models;
  const vectors = new EmbeddingReader(database);
  return new StageWait({
    progress,
    derivation,
    passages,
    clock,
    onQueued: () => {
      pipeline.queued();
    },
    deferrals: new DeferralRelease(database),
    onReleased: () => {
      pipeline.deferralsEnded();
    },
    ...(embedder
      ? {
          vectors: new VectorWait({
            // While words serve nobody waits for vectors, though those of another process may be due.
            missing: (ids) => (words.because() === null ? vectors.missing(ids) : Promise.resolve(new Map())),
            away: () => embedder.fault !== null || (pipeline.embedding?.fault ?? null) !== null,
          }),
        }
      : {}),
  });
}

function createDerivation(
  parts: ServiceParts,
  { premises }: Pick<ReturnType<typeof capturingParts>, 'premises'>,
): DerivationService {
  const { access, derivation: reader, database, clock } = parts;
  const assumed = new AssumedPredicateReader(database);
  return new DerivationService({
    access,
    reader,
    layers: new LayerStatsReader(database, SHARD_COUNT),
    assumed,
    premises,
    clock,
    modelCallSites: () => callSiteChecks(parts),
  });
}

/** What everything is made of that captures. */
function capturingParts(parts: ServiceParts, stageWait: StageWait) {
  const { access, committer, blobs, scopeTypes, ids, clock, config } = parts;
  const premises = new PremiseReader(parts.database);
  const { waitBudgetMs } = config.capture;
  return { access, committer, premises, blobs, scopeTypes, stageWait, ids, clock, waitBudgetMs };
}

function createExperience(
  { gate, derivation, database }: ServiceParts,
  capturing: ReturnType<typeof capturingParts>,
): ExperienceService {
  return new ExperienceService({
    ...capturing,
    derivation: new DerivationWriter(database),
    ambiguous: createAmbiguousNames(database),
    statusReading: new ExperienceStatusReading(gate, derivation),
  });
}
