import { mkdir, readFile, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';

import { copyStore, type CopyProgress } from '../../graph/copy/copy.ts';
import { DeploymentStore } from '../../graph/deployment.ts';
import { Database } from '../../graph/driver.ts';
import { EmbeddingModelStore } from '../../graph/embedding/model.ts';
import { migrate } from '../../graph/migrate.ts';
import { hashUploadKeys } from '../../graph/migrate-upload-keys.ts';
import { SHARD_COUNT } from '../capture/scope-key.ts';
import type { Config } from '../config.ts';
import { agreeOnSuppressionKey } from '../context/suppression-key.ts';
import { StartupError } from '../errors.ts';
import { DATABASE_ACQUISITION_MS, DATABASE_CONNECT_MS } from '../limits.ts';
import { acquireDataLock } from '../local-neo4j/data-lock.ts';
import type { LocalNeo4j } from '../local-neo4j/launch.ts';
import { passwordFile } from '../local-neo4j/password.ts';
import {
  assertSwappable,
  draftOf,
  homeOf,
  removeDraft,
  settleSwap,
  swapStores,
} from '../local-neo4j/swap.ts';
import { createLog, type Log } from '../log.ts';
import { bytesBelow, writeWhole } from '../machine/files.ts';
import { startDatabase, type RunOptions } from '../main.ts';
import { uploadKeyHasher } from '../capture/upload-key.ts';

/** Connections for one statement after the other, and one that is read from meanwhile. */
const CONNECTIONS = 4;

/** What a copy may take beyond what the store takes, bytes: its transaction logs until they are cut, and what a fresh server makes. */
const SPARE_BYTES = 1_500_000_000;

/** How a purge is run. */
export interface PurgeOptions extends Pick<RunOptions, 'environment' | 'profile'> {
  readonly tell: (progress: CopyProgress) => void;
  /** Ends it with everything as it was before; ignored once the stores are changing places. */
  readonly signal: AbortSignal;
  /** Free space that is asked for beyond what the store takes, bytes; default 1.5 GB. */
  readonly spareBytes?: number;
}

/** What a purge did. */
export interface PurgeReport {
  /** What the database took with all of its files, bytes. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly nodes: number;
  readonly edges: number;
  readonly seconds: number;
}

type ManagedConfig = Config & { readonly database: { readonly kind: 'managed' } };

/** Whether the database is the one that Strata runs itself. */
export function isManaged(config: Config): config is ManagedConfig {
  return config.database.kind === 'managed';
}

/**
 * Copies the live records of the managed database into a new store, compares the two, puts the new one in its place, and deletes the old
 * one with its transaction logs and its logs. A failure, a signal or a crash before the stores change places leaves everything as it was; a
 * crash afterwards is made good by the next start. Throws `StartupError` when a service runs on the data directory, there is no database,
 * or the disk has not the space.
 */
export async function purgeDatabase(config: ManagedConfig, options: PurgeOptions): Promise<PurgeReport> {
  const began = performance.now();
  const dataDir = resolve(config.dataDir);
  const log = createLog(config.logLevel);
  const lock = await acquireDataLock(dataDir);
  try {
    await settleSwap(dataDir, log);
    await assertSwappable(dataDir);
    const bytesBefore = await bytesBelow(homeOf(dataDir));
    await assertSpace(dataDir, bytesBefore + (options.spareBytes ?? SPARE_BYTES));
    const copied = await copyBeside({ ...config, dataDir }, options, log);
    await swapStores(dataDir);
    const bytesAfter = await bytesBelow(homeOf(dataDir));
    const seconds = Number(((performance.now() - began) / 1000).toFixed(1));
    return { bytesBefore, bytesAfter, ...copied, seconds };
  } finally {
    await lock.release();
  }
}

async function assertSpace(dataDir: string, wanted: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free >= wanted) return;
  const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);
  throw new StartupError(
    `The copy of the database may need ${gigabytes(wanted)} GB beside it, and the disk of ${dataDir} has ${gigabytes(free)} GB free.`,
  );
}

/** Makes the draft: both servers have ended when it resolves, and a draft that was not finished is gone when it throws. */
async function copyBeside(
  config: ManagedConfig,
  options: PurgeOptions,
  log: Log,
): Promise<{ nodes: number; edges: number }> {
  const { dataDir } = config;
  const draft = draftOf(dataDir);
  const servers: LocalNeo4j[] = [];
  const start = async (directory: string): Promise<LocalNeo4j> => {
    const server = await startDatabase({ ...config, dataDir: directory }, config.database, options, log);
    servers.push(server);
    return server;
  };
  let isWhole = false;
  try {
    const source = await start(dataDir);
    await mkdir(draft, { recursive: true, mode: 0o700 });
    // The same one, because the file of the data directory stays.
    await writeWhole(passwordFile(draft), await readFile(passwordFile(dataDir), 'utf8'));
    const target = await start(draft);
    const copied = await copyBetween(source, target, { config, log, ...options });
    isWhole = true;
    return copied;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    if (!isWhole) await removeDraft(dataDir, log);
  }
}

async function copyBetween(
  from: LocalNeo4j,
  to: LocalNeo4j,
  {
    config,
    log,
    tell,
    signal,
  }: Pick<PurgeOptions, 'tell' | 'signal'> & { readonly config: Config; readonly log: Log },
): Promise<{ nodes: number; edges: number }> {
  const timeoutMs = config.statementTimeoutMs;
  const store = databaseOf(from, timeoutMs, false);
  const [source, target] = [databaseOf(from, timeoutMs, true), databaseOf(to, timeoutMs, true)];
  try {
    const serverVersion = await store.serverVersion();
    await migrate(store, serverVersion);
    // Before anything is copied: the new files are to hold none in plain.
    await hashUploadKeys(store, async () =>
      uploadKeyHasher(await agreeOnSuppressionKey(new DeploymentStore(store), config, { log })),
    );
    const pinned = await new EmbeddingModelStore(store, SHARD_COUNT).pinned();
    const dimensions = pinned?.dimensions ?? null;
    return await copyStore(source, target, { serverVersion, dimensions, tell, signal });
  } finally {
    await Promise.all([store.close(), source.close(), target.close()]);
  }
}

function databaseOf(neo4j: LocalNeo4j, statementTimeoutMs: number, exact: boolean): Database {
  return new Database({
    ...neo4j,
    exact,
    poolSize: CONNECTIONS,
    acquisitionTimeoutMs: DATABASE_ACQUISITION_MS,
    connectTimeoutMs: DATABASE_CONNECT_MS,
    statementTimeoutMs,
  });
}
