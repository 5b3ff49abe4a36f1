import { Database } from '../../graph/driver.ts';
import type { PinnedModel } from '../../graph/embedding/model.ts';
import { openStore } from '../../graph/open-store.ts';
import type { Config } from '../config.ts';
import { repinModel, type PinProgress } from '../context/embeddings.ts';
import { DATABASE_ACQUISITION_MS, DATABASE_CONNECT_MS } from '../limits.ts';
import { acquireDataLock } from '../local-neo4j/data-lock.ts';
import { createLog } from '../log.ts';
import { addressOf, startDatabase, type RunOptions } from '../main.ts';

/** Connections that are needed for one statement after the other. */
const CONNECTIONS = 2;

/** How a re-index is run. */
export interface ReindexOptions extends Pick<RunOptions, 'environment'> {
  /** Ends it between two steps; it may be gone on with. */
  readonly signal: AbortSignal;
  readonly tell: (progress: PinProgress) => void;
}

/**
 * Makes the configured embedding model that of the database, and drops all vectors; the service makes them again. A managed database is
 * started for it, so no service may run on the data directory; on an external one services may run, and those of the former model
 * embed nothing from then on. Throws `StartupError`.
 */
export async function reindexEmbeddings(
  config: Config,
  { environment, signal, tell }: ReindexOptions,
): Promise<{ pinned: PinnedModel; events: number }> {
  const log = createLog(config.logLevel);
  const lock = config.database.kind === 'managed' ? await acquireDataLock(config.dataDir) : null;
  try {
    const neo4j =
      config.database.kind === 'managed'
        ? await startDatabase(config, config.database, { environment, signal }, log)
        : null;
    try {
      const address = addressOf(config, neo4j);
      const database = new Database({
        ...address,
        poolSize: CONNECTIONS,
        acquisitionTimeoutMs: DATABASE_ACQUISITION_MS,
        connectTimeoutMs: DATABASE_CONNECT_MS,
        statementTimeoutMs: config.statementTimeoutMs,
      });
      try {
        const version = await openStore(database, address.uri);
        return await repinModel(database, config.embedding, { version, signal, tell });
      } finally {
        await database.close();
      }
    } finally {
      await neo4j?.stop();
    }
  } finally {
    await lock?.release();
  }
}
