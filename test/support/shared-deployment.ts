import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DatabaseAddress } from '../../src/context.ts';
import type { LocalNeo4j, LocalNeo4jOptions } from '../../src/local-neo4j/launch.ts';
import { createProgressDisplay } from '../../src/local-neo4j/progress.ts';
import { clientOf, TEST_KEY, TEST_TOKEN_KEY } from './client.ts';
import { databaseSettings, testDatabase, wipe } from './database.ts';
import { startServiceProcess, type ServiceProcess } from './processes.ts';
import type { Shared } from './shared-service.ts';
import { addressForTests, startThrowawayNeo4j } from './throwaway-neo4j.ts';
import { warmUpBy } from './warm-up.ts';
import { BUSY_MACHINE } from './patience.ts';

/** Tenants of the shared service, as many as may be configured: a file takes one to three, and a kept service serves many runs. */
const TENANTS = Array.from({ length: 1_000 }, (_, i) => `t${i + 1}`);

/** A service in a process of its own on an empty Neo4j, for all API tests. */
export class SharedDeployment {
  private readonly directory = mkdtempSync(join(tmpdir(), 'strata-test-shared-'));
  /** A database of our own; null where the runner has one. */
  private neo4j: LocalNeo4j | null = null;
  private database: DatabaseAddress | null = null;
  private service: ServiceProcess | null = null;
  private port = 0;

  /** Starts both; `port` is that of the service, a free one unless told otherwise. */
  async start(port = 0): Promise<Shared> {
    const display = createProgressDisplay(process.stderr);
    try {
      this.database = await this.emptyDatabase(display.show);
      mkdirSync(this.taken);
      const shared = await this.startService(port);
      await warmUpBy(clientOf(shared.url));
      return shared;
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      display.close();
    }
  }

  /** Starts the service once more, with the sources as they are now and on the same port; the data stay. */
  async restartService(): Promise<Shared> {
    const before = this.service;
    this.service = null;
    // It may have died of the sources as they were.
    await before?.kill();
    return this.startService(this.port);
  }

  async stop(): Promise<void> {
    try {
      await this.service?.stop();
    } finally {
      try {
        await this.neo4j?.stop();
      } finally {
        rmSync(this.directory, { recursive: true, force: true });
      }
    }
  }

  /** The first database of the runner, on which the exclusive tests are over, or one of our own. */
  private async emptyDatabase(progress: LocalNeo4jOptions['progress']): Promise<DatabaseAddress> {
    if (process.env.STRATA_TEST_HANDED_OVER === '1') {
      const database = testDatabase();
      await wipe(database);
      return database;
    }
    this.neo4j = await startThrowawayNeo4j(join(this.directory, 'database'), progress);
    return addressForTests(this.neo4j);
  }

  private get taken(): string {
    return join(this.directory, 'taken');
  }

  private async startService(port: number): Promise<Shared> {
    const { database } = this;
    if (database === null) throw new Error('the database was not started');
    this.service = await startServiceProcess({
      ...databaseSettings(database),
      STRATA_PORT: String(port),
      STRATA_DATA_DIR: join(this.directory, 'service'),
      STRATA_API_KEY: TEST_KEY,
      STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
      STRATA_TENANTS: TENANTS.join(','),
      STRATA_V1_MINTER_ENABLE: '1',
      STRATA_LOG_LEVEL: 'error',
      // All tests come from one address, and many show wrong keys.
      STRATA_RATE_LIMIT_WRONG_KEYS: '0',
      ...BUSY_MACHINE,
    });
    this.port = Number(new URL(this.service.url).port);
    return { url: this.service.url, database, tenants: TENANTS, taken: this.taken };
  }
}
