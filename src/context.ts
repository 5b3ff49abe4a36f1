import type { Base } from './context/base.ts';
import { createHash } from 'node:crypto';

import { DeploymentStore } from '../graph/deployment.ts';
import { Database } from '../graph/driver.ts';
import { hashUploadKeys } from '../graph/migrate-upload-keys.ts';
import { openStore } from '../graph/open-store.ts';
import type { PassageReader } from '../graph/passage/write.ts';
import { VocabularyStore } from '../graph/policy-log.ts';
import { requestHasher } from './audit/request-hash.ts';
import { contentHasher } from './capture/content-hash.ts';
import { uploadKeyHasher } from './capture/upload-key.ts';
import { systemClock, type Clock } from './clock.ts';
import type { Committer } from './commit/committer.ts';
import type { Config } from './config.ts';
import { createBlobs } from './context/blobs.ts';
import { createAudit } from './context/audit.ts';
import { createDoors, type Doors } from './context/doors.ts';
import { disposeInOrder } from './context/dispose.ts';
import { registerGauges } from './context/gauges.ts';
import { openGate } from './context/gate.ts';
import { adoptAtStart, adoptEmbeddings, embeddingWords, type Adopted } from './context/embeddings.ts';
import { ModelArrival } from './context/model-arrival.ts';
import { createModels } from './context/models.ts';
import { createPacks } from './context/recall.ts';
import { createScopeWork } from './context/scopes.ts';
import { agreeOnSuppressionKey } from './context/suppression-key.ts';
import { startSweeps } from './context/sweeps.ts';
import { createServices, openLedger, type ServiceParts } from './context/services.ts';
import { adoptVocabulary } from './context/vocabulary.ts';
import {
  createCommitter,
  createOutbox,
  createPipeline,
  createRetention,
  planInBackground,
} from './context/workers.ts';
import { KeyedIds } from './derive/keyed-ids.ts';
import { StartupError } from './errors.ts';
import { JobRunner } from './jobs/runner.ts';
import { systemIds, type Ids } from './ids.ts';
import type { FrameRetention } from './lifecycle/frame-retention.ts';
import type { Outbox } from './lifecycle/outbox.ts';
import * as limits from './limits.ts';
import type { Log } from './log.ts';
import { Metrics } from './metrics.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import { StageProgress } from './pipeline/stage-progress.ts';
import type { AccessService } from './services/access.ts';
import type { CallerWatch } from './services/caller-watch.ts';
import type { Services } from './services/operations.ts';
import { BUILD_INFO } from './version.ts';

/** Where the database is, whoever started it. */
export interface DatabaseAddress {
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** What a context is built from; clock and ids are the machine's own unless a test hands in others. */
export interface ContextOptions {
  readonly config: Config;
  readonly database: DatabaseAddress;
  /** The operator key, or null in the open posture. */
  readonly operatorKey: string | null;
  /** Makes this operator key, and this signing key of tokens, the deployment's own when the database knows others. */
  readonly acceptKey?: boolean;
  readonly version: string;
  readonly log: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** Everything that a running service consists of, without its sockets. */
export interface Context extends Doors {
  readonly services: Services;
  readonly access: AccessService;
  readonly callers: CallerWatch;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly passages: PassageReader;
  readonly pipeline: Pipeline;
  readonly committer: Committer;
  readonly outbox: Outbox;
  /** Settles once the statements that are planned beside everything else are; never rejects. */
  readonly planned: Promise<void>;
  /** Looks once whether the endpoints of models are there, for the readiness. Never throws. */
  readonly probeModels: (signal: AbortSignal) => Promise<void>;
  /** Resolves when no request waits for a forget or an erasure any more; never rejects. */
  readonly forgotten: () => Promise<void>;
  /** Ends the streams, the committer, then the workers, then the driver; what was accepted is finished. */
  dispose(): Promise<void>;
}

/**
 * Builds everything once, in order: driver, schema, head of the log, committer, workers, services.
 * Throws `StartupError` when the database cannot be used, lacks a right, is too old, written by a newer Strata, or belongs to another operator key.
 */
export async function createContext(options: ContextOptions): Promise<Context> {
  const { config, log, clock = systemClock, ids = systemIds } = options;
  const metrics = new Metrics({ version: options.version, ...BUILD_INFO });
  const connect = {
    ...options.database,
    metrics,
    acquisitionTimeoutMs: limits.DATABASE_ACQUISITION_MS,
    connectTimeoutMs: limits.DATABASE_CONNECT_MS,
    statementTimeoutMs: config.statementTimeoutMs,
  };
  const database = new Database({ ...connect, poolSize: limits.DATABASE_CONNECTIONS });
  const work = new Database({ ...connect, poolSize: limits.DATABASE_WORK_CONNECTIONS, sibling: database });
  try {
    const serverVersion = await openStore(database, options.database.uri);
    const deployment = new DeploymentStore(database);
    await agreeOnKey(deployment, options);
    const { secret, digits } = await deployment.idSecret();
    const keyedIds = new KeyedIds(secret, digits);
    const hashKey = await agreeOnSuppressionKey(deployment, config, {
      replace: options.acceptKey ?? false,
      log,
    });
    const uploadKeyHash = uploadKeyHasher(hashKey);
    await hashUploadKeys(database, () => Promise.resolve(uploadKeyHash));
    await adoptVocabulary(new VocabularyStore(database), { config, ids, clock, log });
    const adopted = await adoptAtStart(database, config.embedding, serverVersion);
    if (adopted.words !== null) log.warn('events are found by their words alone', { reason: adopted.words });
    return await assemble(
      options,
      { database, work, adopted, serverVersion },
      {
        config: withoutModel(config, adopted),
        log,
        clock,
        ids,
        keyedIds,
        contentHash: contentHasher(hashKey),
        requestHash: requestHasher(hashKey),
        uploadKeyHash,
        metrics,
        jobs: new JobRunner({ log, metrics }),
      },
    );
  } catch (error) {
    await work.close();
    await database.close();
    throw error;
  }
}

/** The database as it was found. */
interface Stores {
  readonly database: Database;
  readonly work: Database;
  /** What was agreed on of its vectors. */
  readonly adopted: Adopted;
  /** Version of the server. */
  readonly serverVersion: string;
}

async function assemble(options: ContextOptions, stores: Stores, base: Base): Promise<Context> {
  const { database, work, adopted, serverVersion } = stores;
  const { clock, ids, metrics, log } = base;
  const ledger = await openLedger(database, clock);
  const gate = await openGate(database, options, base);
  const outbox = createOutbox(
    { frames: ledger.frames, head: ledger.frameHead, places: gate.directory },
    base,
  );
  const audit = createAudit({ database, work }, base);
  const frameRetention = createRetention(work, base);
  const blobRoom = createBlobs(database, gate.access, base);
  const progress = new StageProgress(ledger.shards, log);
  const { head, passages } = ledger;
  const models = createModels(work, base);
  const { pinned } = adopted;
  const pipeline = createPipeline(work, { ...base, head, progress, outbox, models, pinned });
  const arrival = createArrival({ database, models, pipeline, serverVersion }, base);
  const words = embeddingWords(adopted, arrival ?? null);
  const committer = createCommitter(work, { ...base, head, pipeline, outbox, sealer: audit.sealer });
  registerGauges(metrics, { committer, head, pipeline, outbox, database, work, clock });
  await pipeline.begin();
  pipeline.start();
  arrival?.start(base.jobs);
  const planning = planInBackground(work, { log, pinned, serverVersion });
  const sweeps = startSweeps(work, { ...base, revocations: gate.revocations });
  const doors = createDoors({ ...gate, ...audit, open: options.operatorKey === null }, base);
  const packs = createPacks(database, base);
  const running = { ...stores, outbox, progress, pipeline, committer, models, packs, arrival, words };
  const scopeWork = createScopeWork(
    database,
    { ...ledger, ...gate, ...base, ...audit, ...blobRoom, pipeline, outbox },
    options.operatorKey,
  );
  startWorkers(base.jobs, { ...audit, ...blobRoom, ...scopeWork, frameRetention });
  const parts = { ...ledger, ...gate, ...audit, ...base, ...blobRoom, ...scopeWork, ...running };
  const services = createServices(parts, options.version);
  const { access, callers } = gate;
  const { shedder } = doors;
  const ended = { ...parts, shedder, planning, frameRetention, sweeps };
  const dispose = (): Promise<void> => disposeInOrder(ended, log);
  return {
    services,
    access,
    ...doors,
    callers,
    clock,
    ids,
    metrics,
    passages,
    pipeline,
    committer,
    outbox,
    planned: planning.over,
    forgotten: () => scopeWork.forgets.settled(),
    probeModels: models.probe,
    dispose,
  };
}

/** Starts what works beside requests. */
function startWorkers(
  jobs: JobRunner,
  parts: Pick<
    ServiceParts,
    'removal' | 'sealer' | 'auditRetention' | 'retention' | 'deletions' | 'forgets'
  > & {
    readonly frameRetention: FrameRetention;
  },
): void {
  const { frameRetention, auditRetention, retention, removal, sealer, deletions, forgets } = parts;
  for (const worker of [frameRetention, auditRetention, retention, removal, sealer, deletions, forgets])
    worker?.start(jobs);
}

/** The configuration of a process in which words serve: nothing makes vectors there. */
function withoutModel(config: Config, { words }: Adopted): Config {
  return words === null ? config : { ...config, embedding: { provider: 'none' } };
}

/** What has the local model fetched that was chosen by itself; undefined for any other. */
function createArrival(
  parts: Pick<ServiceParts, 'database' | 'models' | 'pipeline' | 'serverVersion'>,
  { config: { embedding }, log }: Base,
): ModelArrival | undefined {
  const { database, pipeline, serverVersion } = parts;
  const { embedder } = parts.models;
  if (embedder === undefined || embedding.provider !== 'local' || embedding.auto !== true) return undefined;
  return new ModelArrival({
    embedder,
    adopt: () => adoptEmbeddings(database, embedding, serverVersion),
    onArrival: (pinned) => {
      pipeline.beginEmbedding(pinned);
    },
    log,
  });
}

async function agreeOnKey(store: DeploymentStore, options: ContextOptions): Promise<void> {
  if (options.operatorKey === null) return;
  const hash = createHash('sha256').update(`strata operator key\n${options.operatorKey}`).digest('hex');
  if (options.acceptKey === true) {
    await store.replaceOperatorKeyHash(hash);
    return;
  }
  if ((await store.operatorKeyHash(hash)) !== hash) {
    throw new StartupError(
      'This database belongs to another operator key, and all processes on it must hold the same one. ' +
        'Set STRATA_API_KEY to that key, or start once with --accept-key to make the present key its own.',
    );
  }
}
