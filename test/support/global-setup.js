// Starts one throw-away Neo4j for all integration files, with the launcher that the service uses.
import { mkdtempSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { launchNeo4j } = await tsImport('../../src/local-neo4j/launch.ts', import.meta.url);
  const { createProgressDisplay } = await tsImport('../../src/local-neo4j/progress.ts', import.meta.url);
  const { THROWAWAY_MEMORY } = await tsImport('../../src/local-neo4j/conf.ts', import.meta.url);
  const { createLog } = await tsImport('../../src/log.ts', import.meta.url);
  const directory = mkdtempSync(join(tmpdir(), 'strata-test-data-'));
  const display = createProgressDisplay(process.stderr);
  const neo4j = await launchNeo4j({
    dataDir: directory,
    cacheDir:
      process.env.STRATA_CACHE_DIR ?? join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'strata'),
    javaHome: process.env.STRATA_JAVA_HOME,
    environment: process.env,
    memory: THROWAWAY_MEMORY,
    profile: 'throwaway',
    version: process.env.STRATA_NEO4J_LINE,
    log: createLog('warn'),
    progress: display.show,
  });
  display.close();
  globalThis.strataTestNeo4j = { neo4j, directory };
  process.env.STRATA_TEST_NEO4J = JSON.stringify({
    uri: neo4j.uri,
    user: neo4j.user,
    password: neo4j.password,
    database: neo4j.database,
    version: neo4j.version,
  });
  try {
    const { warmUp } = await tsImport('./warm-up.ts', import.meta.url);
    await warmUp();
  } catch (error) {
    await neo4j.stop();
    throw error;
  }
}
