import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LocalNeo4j } from '../../src/local-neo4j/launch.ts';
import { createProgressDisplay } from '../../src/local-neo4j/progress.ts';
import { addressForTests, startThrowawayNeo4j } from './throwaway-neo4j.ts';
import { warmUp } from './warm-up.ts';

let directory = '';
let servers: LocalNeo4j[] = [];

/** Starts one throw-away Neo4j for each worker of the exclusive tests, and says in `STRATA_TEST_NEO4J` where they are. */
export async function startExclusiveDatabases(count: number): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), 'strata-test-data-'));
  const display = createProgressDisplay(process.stderr);
  try {
    // The first alone: it may have to fetch the server.
    servers.push(await startThrowawayNeo4j(join(directory, '1'), display.show));
    const others = Array.from({ length: count - 1 }, (_, i) =>
      startThrowawayNeo4j(join(directory, String(i + 2))),
    );
    servers.push(...(await Promise.all(others)));
    const addresses = servers.map(addressForTests);
    process.env.STRATA_TEST_NEO4J = JSON.stringify(addresses);
    await Promise.all(addresses.map(warmUp));
  } catch (error) {
    await stopExclusiveDatabases();
    throw error;
  } finally {
    display.close();
  }
}

/** Stops them and removes what they wrote. */
export async function stopExclusiveDatabases(): Promise<void> {
  await Promise.all(servers.map((neo4j) => neo4j.stop()));
  servers = [];
  rmSync(directory, { recursive: true, force: true });
}
