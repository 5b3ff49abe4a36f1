import type { Server } from 'node:http';
import { createServer as createNetServer, type Server as NetServer } from 'node:net';
import { performance } from 'node:perf_hooks';

import { createApp } from '../rest/app.ts';
import { explorerFiles } from '../rest/explorer-files.ts';
import { Drain } from '../rest/drain.ts';
import { createHttpServer, stopServer } from '../rest/server.ts';
import type { Config } from './config.ts';
import { createContext, type Context, type DatabaseAddress } from './context.ts';
import { endWithin } from './context/dispose.ts';
import { errorText, StartupError } from './errors.ts';
import { acquireDataLock, type DataLock } from './local-neo4j/data-lock.ts';
import { launchNeo4j, type LocalNeo4j } from './local-neo4j/launch.ts';
import { createProgressDisplay } from './local-neo4j/progress.ts';
import { createLog, type Log } from './log.ts';
import { FORGET_STOP_MS } from './limits/forget.ts';
import { exposureWarning } from './main/exposure.ts';
import { openDoorOf, serveSockets, startGraphql, type Graphql } from './main/graphql.ts';
import { ensureOperatorKey } from './operator-key.ts';
import { readInTurns } from './services/json-reader.ts';
import { SERVICE_VERSION } from './version.ts';

/** What `strata start` may say beside the configuration. */
export interface RunOptions {
  /** Makes the present operator key, and the present signing key of tokens, the deployment's own when the database knows others. */
  readonly acceptKey?: boolean;
  /** `throwaway` starts faster and works slower: for short-lived services. Default `production`. */
  readonly profile?: 'production' | 'throwaway';
  /** Where Java, Maven and Docker are looked for. */
  readonly environment: {
    JAVA_HOME?: string | undefined;
    PATH?: string | undefined;
    HOME?: string | undefined;
  };
  /** Ends the start, wherever it is; `startService` then throws the reason, with everything stopped again. */
  readonly signal?: AbortSignal;
  /** Takes the lines for the person who started it; default standard output. */
  readonly say?: (line: string) => void;
}

/** A service that accepts requests. */
export interface RunningService {
  readonly url: string;
  readonly context: Context;
  /** Process id of the database, where it is a child of this process. */
  readonly databasePid: () => number | undefined;
  /** Stops accepting, finishes what is in flight, stops the workers and the database. May be repeated. */
  stop(): Promise<void>;
}

/**
 * Starts everything: data directory, database, schema, workers, sockets. Throws `StartupError` with what to do.
 * What was started before a failure is stopped again.
 */
export async function startService(config: Config, options: RunOptions): Promise<RunningService> {
  const log = createLog(config.logLevel);
  const say = options.say ?? ((line: string) => process.stdout.write(`${line}\n`));
  const undo: (() => Promise<void>)[] = [];
  try {
    const lock: DataLock = await acquireDataLock(config.dataDir);
    undo.push(() => lock.release());
    await refuseTakenPort(config);
    const neo4j =
      config.database.kind === 'managed' ? await startDatabase(config, config.database, options, log) : null;
    if (neo4j) undo.push(() => neo4j.stop());
    options.signal?.throwIfAborted();
    const operatorKey = operatorKeyOf(config, say);
    const exposed = exposureWarning(config);
    if (exposed !== null) log.warn(exposed);
    for (const setting of config.idle) log.warn('a setting has no effect', { ...setting });
    const context = await createContext({
      config,
      database: addressOf(config, neo4j),
      operatorKey,
      acceptKey: options.acceptKey ?? false,
      version: SERVICE_VERSION,
      log,
    });
    undo.push(() => context.dispose());
    options.signal?.throwIfAborted();
    const graphql = await startGraphql(config, context, log);
    undo.push(() => graphql.stop());
    const drain = new Drain();
    const server = await listen(config, { context, graphql, drain, log });
    undo.push(async () => {
      const { shutdownGraceMs } = config.http;
      // What is being forgotten or erased for a request is given longer than others; what is left of it then goes on with the next start.
      const forgotten = endWithin(FORGET_STOP_MS, log, 'requests that forget', context.forgotten());
      const stopped = await Promise.all([
        stopServer(server, drain, shutdownGraceMs, forgotten),
        graphql.sockets.close(shutdownGraceMs),
      ]);
      if (stopped.every((inTime) => inTime)) return;
      log.warn('requests were still in flight at the end of the grace time');
    });
    const probing = new AbortController();
    undo.push(() => {
      probing.abort();
      return Promise.resolve();
    });
    void context.probeModels(probing.signal);
    const url = urlOf(config, server);
    announce({ config, url, neo4j, say });
    return { url, context, databasePid: () => neo4j?.pid, stop: once(() => stopAll(undo, log)) };
  } catch (error) {
    await undoAll(undo, log);
    throw error;
  }
}

/**
 * Runs the service until SIGTERM or SIGINT, then stops it; resolves when all of it has ended. A signal during the start ends
 * that; a second one of the same kind ends the process at once.
 */
export async function runService(config: Config, options: RunOptions): Promise<void> {
  const asked = new AbortController();
  const ask = (): void => {
    asked.abort(new StartupError('The start was ended by a signal.', { exitCode: 0 }));
  };
  // Registered before anything is started, so that a signal during a long first start ends it cleanly too.
  process.once('SIGTERM', ask);
  process.once('SIGINT', ask);
  const service = await startUnlessAsked(config, { ...options, signal: asked.signal });
  if (service === null) return;
  if (!asked.signal.aborted) await fired(asked.signal);
  await service.stop();
}

/** The started service; null when the signal ended the start. */
async function startUnlessAsked(
  config: Config,
  options: RunOptions & { signal: AbortSignal },
): Promise<RunningService | null> {
  try {
    return await startService(config, options);
  } catch (error) {
    if (options.signal.aborted && error === options.signal.reason) return null;
    throw error;
  }
}

/** Tells of a taken port before a database is fetched and started for nothing. */
async function refuseTakenPort(config: Config): Promise<void> {
  const probe = createNetServer();
  await bind(probe, config);
  await new Promise((resolve) => probe.close(resolve));
}

async function bind(server: NetServer, config: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const what = `Cannot listen on ${config.host}:${config.port} (${errorText(error)}).`;
      reject(
        new StartupError(`${what} Choose another with STRATA_PORT or --port.`, { exitCode: 1, cause: error }),
      );
    });
    server.listen(config.port, config.host, resolve);
  });
}

/** Starts the managed database, and shows how far that is. */
export async function startDatabase(
  config: Config,
  managed: Extract<Config['database'], { kind: 'managed' }>,
  options: RunOptions,
  log: Log,
): Promise<LocalNeo4j> {
  const display = createProgressDisplay(process.stderr, () => performance.now());
  try {
    return await launchNeo4j({
      dataDir: config.dataDir,
      cacheDir: managed.cacheDir,
      javaHome: managed.javaHome,
      environment: options.environment,
      memory: managed.memory,
      profile: options.profile ?? 'production',
      version: managed.line,
      log,
      progress: display.show,
      signal: options.signal,
    });
  } finally {
    display.close();
  }
}

/** Where the database is: the one that was started, or the one that is configured. */
export function addressOf(config: Config, neo4j: LocalNeo4j | null): DatabaseAddress {
  if (neo4j) return neo4j;
  if (config.database.kind === 'external') return config.database;
  throw new Error('a managed database was not started');
}

function operatorKeyOf(config: Config, say: (line: string) => void): string | null {
  if (config.access.open) {
    say('No key is asked for (STRATA_INSECURE_NO_AUTH): whoever reaches this address may do everything.');
    return null;
  }
  if (config.access.apiKey !== null) return config.access.apiKey;
  const { key, created } = ensureOperatorKey(config.dataDir);
  if (created) say(`Operator key (shown once; "npx strata key" shows it again): ${key}`);
  return key;
}

async function listen(
  config: Config,
  parts: { context: Context; graphql: Graphql; drain: Drain; log: Log },
): Promise<Server> {
  const { context, graphql, drain, log } = parts;
  const app = createApp({
    services: context.services,
    access: context.authenticator,
    rates: context.rates,
    bodies: context.bodies,
    shedder: context.shedder,
    log,
    metrics: context.metrics,
    ids: context.ids,
    clock: context.clock,
    readJson: readInTurns,
    drain,
    version: SERVICE_VERSION,
    graphql: graphql.endpoint,
    explorer: explorerFiles(),
    options: {
      headerAliases: config.http.headerAliases,
      corsOrigins: config.http.corsOrigins,
      open: openDoorOf(config),
      trustProxy: config.http.trustProxy,
      heartbeatMs: config.lifecycle.heartbeatMs,
    },
  });
  const { headerTimeoutMs, requestTimeoutMs, keepAliveMs, headerAliases } = config.http;
  const server = createHttpServer(app, context.ids, {
    headerTimeoutMs,
    requestTimeoutMs,
    keepAliveMs,
    headerAliases,
  });
  serveSockets(server, { app, config, context, graphql, drain, log });
  await bind(server, config);
  return server;
}

function urlOf(config: Config, server: Server): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  return `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
}

function announce(what: {
  config: Config;
  url: string;
  neo4j: LocalNeo4j | null;
  say: (line: string) => void;
}): void {
  const { config, url, neo4j, say } = what;
  say(`Strata ${SERVICE_VERSION} listens on ${url}`);
  say(
    neo4j
      ? `Neo4j ${neo4j.version} on ${neo4j.uri} (started by Strata)`
      : `Neo4j on ${addressOf(config, null).uri}`,
  );
  if (!config.access.open)
    say(config.access.apiKey === null ? 'Key: npx strata key' : 'Key: as set by STRATA_API_KEY');
  say(`Data directory: ${config.dataDir}`);
}

/** Undoes every step, newest first, whatever becomes of the others; logs and answers what failed. */
async function undoAll(undo: (() => Promise<void>)[], log: Log): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const step of undo.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      log.error('a part of the service could not be stopped', { error: errorText(error) });
      failures.push(error);
    }
  }
  return failures;
}

async function stopAll(undo: (() => Promise<void>)[], log: Log): Promise<void> {
  const [failure] = await undoAll(undo, log);
  if (failure !== undefined) throw new Error('the service was not stopped wholly', { cause: failure });
}

async function fired(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => (running ??= work());
}
