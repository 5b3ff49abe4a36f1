import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { failureOf } from '../../graph/errors.ts';
import type { DatabaseAddress } from '../../src/context.ts';
import { THROWAWAY_MEMORY } from '../../src/local-neo4j/conf.ts';
import type { LocalNeo4j } from '../../src/local-neo4j/launch.ts';
import { pidFile } from '../../src/local-neo4j/orphan.ts';
import { sendSignal } from '../../src/machine/process-identity.ts';
import { testDriver } from '../support/database.ts';
import { managedAddress } from '../support/managed-neo4j.ts';
import { family, naming, startServiceProcess, type Seen, type ServiceProcess } from '../support/processes.ts';
import { TEST_KEY } from '../support/client.ts';
import { startThrowawayNeo4j } from '../support/throwaway-neo4j.ts';
import { eventually } from '../support/wait.ts';

/** Who starts the database: the service itself, or somebody beside it. */
export type Mode = 'managed' | 'external';
/** What a round kills. */
export type Victim = 'service' | 'database' | 'both';

/** Settings of every service of a drill; short leases, so that a round does not wait for those of the dead. */
const SETTINGS = { STRATA_API_KEY: TEST_KEY, STRATA_LOG_LEVEL: 'error', STRATA_PIPELINE_LEASE_MS: '2000' };

/** A service and its database as processes, on a directory of their own. */
export class Deployment {
  readonly mode: Mode;
  /** Holds everything that the deployment writes. */
  readonly directory = mkdtempSync(join(tmpdir(), 'strata-drill-'));
  private readonly home: string;
  private service: ServiceProcess | null = null;
  private server: LocalNeo4j | null = null;
  private ownChildren: ReadonlySet<number> = new Set();

  constructor(mode: Mode) {
    this.mode = mode;
    this.home = join(this.directory, mode === 'managed' ? 'service' : 'database');
  }

  async start(): Promise<void> {
    this.ownChildren = new Set((await family(process.pid)).map(({ pid }) => pid));
    if (this.mode === 'external') {
      this.server = await startThrowawayNeo4j(this.home);
    }
    await this.startService();
  }

  /** Addresses of the service; none while it is killed. */
  get urls(): string[] {
    return this.service === null ? [] : [this.service.url];
  }

  /** The address of the service, which has to run. */
  get url(): string {
    if (this.service === null) throw new Error('the service does not run');
    return this.service.url;
  }

  /** Where the database answers now; a managed one may have moved with a new start. */
  address(): DatabaseAddress {
    return managedAddress(this.home);
  }

  /** Every process of the deployment that runs now: service, database, watchdog. */
  async processes(): Promise<Seen[]> {
    const own = (await family(process.pid)).filter(
      ({ pid, what }) => pid !== process.pid && !this.ownChildren.has(pid) && !what.includes('esbuild'),
    );
    const below = this.service === null ? [] : await family(this.service.pid);
    const all = [...own, ...below, ...(await naming(this.directory))];
    return [...new Map(all.map((one) => [one.pid, one])).values()];
  }

  /** SIGKILL; resolves when the victims are gone. */
  async kill(victim: Victim): Promise<void> {
    const databasePid = Number(readFileSync(pidFile(join(this.home, 'neo4j')), 'utf8'));
    const { service } = this;
    if (victim !== 'database') this.service = null;
    if (victim !== 'service') sendSignal(databasePid, 'SIGKILL');
    if (victim !== 'database') await service?.kill();
  }

  /** Starts again what was killed and does not come back by itself: a database that died is started by its owner. */
  async restart(victim: Victim): Promise<void> {
    // A service needs its database to start; one that is beside it comes back by itself.
    if (victim === 'both' && this.server !== null) {
      await eventually('the database to answer', () => this.databaseAnswers(), 120_000);
    }
    if (victim !== 'database') await this.startService();
  }

  /** Ends everything in an orderly way; the directory stays when `keep` is set. */
  async stop(keep = false): Promise<void> {
    const { service } = this;
    this.service = null;
    await service?.stop();
    await this.server?.stop();
    if (!keep) rmSync(this.directory, { recursive: true, force: true });
  }

  private async databaseAnswers(): Promise<boolean> {
    const driver = testDriver(this.address());
    try {
      await driver.executeQuery('RETURN 1', {}, { database: 'neo4j' });
      return true;
    } catch (error) {
      if (failureOf(error) !== 'unavailable') throw error;
      return false;
    } finally {
      await driver.close();
    }
  }

  private async startService(): Promise<void> {
    const address = this.server;
    this.service = await startServiceProcess({
      ...SETTINGS,
      STRATA_DATA_DIR: join(this.directory, 'service'),
      ...(address === null
        ? {
            STRATA_NEO4J_HEAP: THROWAWAY_MEMORY.heap,
            STRATA_NEO4J_PAGE_CACHE: THROWAWAY_MEMORY.pageCache,
            STRATA_NEO4J_TRANSACTION_MEMORY: THROWAWAY_MEMORY.transactionTotal,
          }
        : {
            NEO4J_URI: address.uri,
            NEO4J_USER: address.user,
            NEO4J_PASSWORD: address.password,
            NEO4J_DATABASE: address.database,
          }),
    });
  }
}
