import { createHash } from 'node:crypto';

import { AccessReader } from '../graph/access.ts';
import { DeploymentStore } from '../graph/deployment.ts';
import { DerivationReader, DerivationWriter } from '../graph/derivation.ts';
import { Database } from '../graph/driver.ts';
import { EventReader, EventWriter } from '../graph/event.ts';
import { LifecycleReader } from '../graph/lifecycle.ts';
import { LifecycleRemover } from '../graph/lifecycle-retention.ts';
import { migrate } from '../graph/migrate.ts';
import { PassageReader } from '../graph/passage.ts';
import { planAhead } from '../graph/plan-ahead.ts';
import { ScopeReader } from '../graph/scope.ts';
import { frameHeadSource, logHeadSource, SettledHead } from '../graph/settled-head.ts';
import { HeadSettler, ShardLeases, ShardReader } from '../graph/shard.ts';
import { StageStore } from '../graph/stage.ts';
import type { Services } from './services/operations.ts';
import { SHARD_COUNT } from './capture/scope-key.ts';
import { systemClock, type Clock } from './clock.ts';
import { Committer } from './commit/committer.ts';
import { LogHead } from './commit/log-head.ts';
import type { Config } from './config.ts';
import { disposeInOrder } from './context/dispose.ts';
import { registerGauges } from './context/gauges.ts';
import { errorText, StartupError } from './errors.ts';
import { systemIds, type Ids } from './ids.ts';
import { FrameRetention } from './lifecycle/frame-retention.ts';
import { Outbox } from './lifecycle/outbox.ts';
import * as limits from './limits.ts';
import type { Log } from './log.ts';
import { Metrics } from './metrics.ts';
import { Pipeline } from './pipeline/pipeline.ts';
import { StageProgress } from './pipeline/stage-progress.ts';
import { AccessFeed } from './services/access-feed.ts';
import { AccessService } from './services/access.ts';
import { DerivationService } from './services/derivation.ts';
import { EventService } from './services/event.ts';
import { ExperienceStatusReading } from './services/experience-status.ts';
import { ExperienceService } from './services/experience.ts';
import { HealthService } from './services/health.ts';
import { LifecycleService } from './services/lifecycle.ts';
import { ScopeDirectory } from './services/scope-directory.ts';
import { SelectionService } from './services/scope-selection.ts';
import { StageWait } from './services/stage-wait.ts';
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
  /** Makes this operator key the deployment's own when the database knows another. */
  readonly acceptKey?: boolean;
  readonly version: string;
  readonly log: Log;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** Everything that a running service consists of, without its sockets. */
export interface Context {
  readonly services: Services;
  readonly access: AccessService;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly passages: PassageReader;
  readonly pipeline: Pipeline;
  readonly committer: Committer;
  readonly outbox: Outbox;
  /** Ends the streams, the committer, then the workers, then the driver; what was accepted is finished. */
  dispose(): Promise<void>;
}

/**
 * Builds everything once, in order: driver, schema, head of the log, committer, workers, services.
 * Throws `StartupError` when the database is too old, written by a newer Strata, or belongs to another operator key.
 */
export async function createContext(options: ContextOptions): Promise<Context> {
  const { config, log, clock = systemClock, ids = systemIds } = options;
  const metrics = new Metrics({ version: options.version, ...BUILD_INFO });
  const connect = {
    ...options.database,
    metrics,
    acquisitionTimeoutMs: limits.DATABASE_ACQUISITION_MS,
    connectTimeoutMs: limits.DATABASE_CONNECT_MS,
    statementTimeoutMs: limits.DATABASE_STATEMENT_MS,
  };
  const database = new Database({ ...connect, poolSize: limits.DATABASE_CONNECTIONS });
  const work = new Database({ ...connect, poolSize: limits.DATABASE_WORK_CONNECTIONS, sibling: database });
  try {
    await migrate(database, await firstContact(database, options.database.uri));
    await agreeOnKey(new DeploymentStore(database), options);
    return await assemble(options, { database, work }, { config, log, clock, ids, metrics });
  } catch (error) {
    await work.close();
    await database.close();
    throw error;
  }
}

/** The version of the server; a `StartupError` that names the settings when it cannot be asked. */
async function firstContact(database: Database, uri: string): Promise<string> {
  try {
    return await database.serverVersion();
  } catch (error) {
    throw new StartupError(
      `Neo4j at ${uri} cannot be used: ${errorText(error)}. Check NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD, and that the server is up.`,
      { exitCode: 1, cause: error },
    );
  }
}

async function assemble(
  options: ContextOptions,
  { database, work }: { database: Database; work: Database },
  base: { config: Config; log: Log; clock: Clock; ids: Ids; metrics: Metrics },
): Promise<Context> {
  const { config, clock, ids, metrics } = base;
  const shards = new ShardReader(database);
  const derivation = new DerivationReader(database);
  const settler = new HeadSettler(database);
  const passages = new PassageReader(database);
  const events = new EventReader(database);
  const head = new LogHead(logHeadSource(shards, settler, clock), clock);
  await head.refresh();
  const frames = new LifecycleReader(database);
  const frameHead = new SettledHead(frameHeadSource(shards, settler, clock));
  const accessReader = new AccessReader(database);
  const feed = new AccessFeed(accessReader, base.log);
  const directory = new ScopeDirectory(accessReader, feed);
  await feed.start();
  const outbox = createOutbox({ frames, head: frameHead, places: directory }, base);
  const retention = createRetention(work, base);
  const progress = new StageProgress(shards, base.log);
  const pipeline = createPipeline(work, { ...base, head, progress, outbox });
  const committer = createCommitter(work, { ...base, head, pipeline, outbox });
  const access = new AccessService({
    posture: options.operatorKey === null ? { kind: 'open' } : { kind: 'keyed', key: options.operatorKey },
    preset: config.access.preset,
    tenants: config.access.tenants,
    rules: directory,
  });
  const scopes = new ScopeReader(database);
  const selection = new SelectionService({ access, directory, scopes });
  registerGauges(metrics, { committer, head, pipeline, outbox, database, work });
  pipeline.start();
  const planning = planInBackground(work, base.log);
  retention.start();
  const services: Services = {
    experience: new ExperienceService({
      access,
      committer,
      events,
      scopes,
      derivation: new DerivationWriter(database),
      stageWait: new StageWait({ progress, derivation, passages, clock }),
      statusReading: new ExperienceStatusReading(access, derivation),
      ids,
      allowedScopeTypes: new Set(config.allowedScopeTypes),
      waitBudgetMs: config.capture.waitBudgetMs,
    }),
    event: new EventService({
      access,
      selection,
      reader: events,
      writer: new EventWriter(database),
      head,
      ids,
      clock,
    }),
    lifecycle: new LifecycleService({
      access,
      frames,
      places: directory,
      derivation,
      head: frameHead,
      outbox,
    }),
    derivation: new DerivationService({ access, reader: derivation, clock }),
    health: new HealthService({
      access,
      metrics,
      version: options.version,
      build: BUILD_INFO,
      pingDatabase: () => shards.head(),
      takesWrites: () => work.takesWrites,
      pipelineHealthy: () => pipeline.healthy,
      pingTimeoutMs: limits.DATABASE_PING_MS,
    }),
  };
  const dispose = (): Promise<void> =>
    disposeInOrder({ planning, outbox, retention, committer, pipeline, feed, work, database }, base.log);
  return { services, access, clock, ids, metrics, passages, pipeline, committer, outbox, dispose };
}

function planInBackground(database: Database, log: Log): { stop(): void; over: Promise<void> } {
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
  };
  const over = planAhead(database, stopping.signal).catch((error: unknown) => {
    log.warn('statements are planned when they are first used', { error: errorText(error) });
  });
  return { stop, over };
}

function createRetention(
  database: Database,
  { log, clock, config }: { config: Config; log: Log; clock: Clock },
): FrameRetention {
  const { retentionDays: days } = config.lifecycle;
  return new FrameRetention({ remover: new LifecycleRemover(database), clock, log, days });
}

function createOutbox(
  sources: { frames: LifecycleReader; head: SettledHead; places: ScopeDirectory },
  base: { config: Config; log: Log; clock: Clock },
): Outbox {
  const { pollMs, maxReaders, stallMs } = base.config.lifecycle;
  return new Outbox({ ...sources, clock: base.clock, log: base.log, pollMs, maxReaders, stallMs });
}

interface Parts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: Metrics;
  readonly head: LogHead;
  readonly outbox: Outbox;
}

function createPipeline(database: Database, parts: Parts & { progress: StageProgress }): Pipeline {
  const { config, head } = parts;
  const worker = parts.ids.worker();
  return new Pipeline({
    leases: new ShardLeases(database, worker, config.pipeline.leaseMs),
    store: new StageStore(database, worker),
    events: new EventReader(database),
    progress: parts.progress,
    clock: parts.clock,
    log: parts.log,
    metrics: parts.metrics,
    shardCount: SHARD_COUNT,
    batchEvents: config.pipeline.batchEvents,
    batchBytes: limits.MAX_COMMIT_BYTES,
    pollMs: config.pipeline.pollMs,
    renewMs: Math.floor(config.pipeline.leaseMs / 4),
    tries: limits.STAGE_TRIES,
    gatherMs: limits.STAGE_GATHER_MS,
    recent: { events: limits.RECENT_EVENTS, bytes: limits.RECENT_EVENT_BYTES },
    awayTries: limits.STAGE_AWAY_TRIES,
    settledHead: () => head.settled,
    refreshHead: () => head.refresh(),
    onAdvance: ({ newestFrame }) => {
      parts.outbox.acknowledged(newestFrame);
    },
  });
}

function createCommitter(database: Database, parts: Parts & { pipeline: Pipeline }): Committer {
  const { config } = parts;
  return new Committer({
    writer: database,
    clock: parts.clock,
    log: parts.log,
    metrics: parts.metrics,
    limits: {
      groupEvents: limits.MAX_COMMIT_EVENTS,
      groupBytes: limits.MAX_COMMIT_BYTES,
      queueEvents: config.capture.queueMaxEvents,
      queueBytes: config.capture.queueMaxBytes,
    },
    onCommit: ({ inputs, results, newestFrame, newestOffset }) => {
      parts.head.acknowledged(newestOffset);
      parts.pipeline.captured(inputs, results);
      parts.outbox.acknowledged(newestFrame);
    },
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
