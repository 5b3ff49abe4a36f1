import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LocalNeo4j } from '../../src/local-neo4j/launch.ts';
import { createProgressDisplay } from '../../src/local-neo4j/progress.ts';
import { addressForTests, startThrowawayNeo4j } from './throwaway-neo4j.ts';
import { warmUp } from './warm-up.ts';

/** Throw-away Neo4js of a run. */
export class ThrowawayDatabases {
  private readonly directory = mkdtempSync(join(tmpdir(), 'strata-test-data-'));
  private readonly servers: LocalNeo4j[] = [];

  /** Starts so many, warms them up, and says in `STRATA_TEST_NEO4J` where they are. */
  async start(count: number): Promise<void> {
    const display = createProgressDisplay(process.stderr);
    try {
      // The first alone: it may have to fetch the server.
      this.servers.push(await startThrowawayNeo4j(join(this.directory, '1'), display.show));
      const others = Array.from({ length: count - 1 }, (_, i) =>
        startThrowawayNeo4j(join(this.directory, String(i + 2))),
      );
      this.servers.push(...(await Promise.all(others)));
      const addresses = this.servers.map(addressForTests);
      await Promise.all(addresses.map(warmUp));
      process.env.STRATA_TEST_NEO4J = JSON.stringify(addresses);
    } catch (error) {
      await this.stop();
      throw error;
    } finally {
      display.close();
    }
  }

  /** Stops them and removes what they wrote. */
  async stop(): Promise<void> {
    delete process.env.STRATA_TEST_NEO4J;
    const stops = await Promise.allSettled(this.servers.map((neo4j) => neo4j.stop()));
    rmSync(this.directory, { recursive: true, force: true });
    for (const stop of stops) if (stop.status === 'rejected') throw stop.reason;
  }
}
