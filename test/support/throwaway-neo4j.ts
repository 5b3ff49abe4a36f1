import { defaultCacheDir } from '../../src/config.ts';
import type { DatabaseAddress } from '../../src/context.ts';
import { THROWAWAY_MEMORY } from '../../src/local-neo4j/conf.ts';
import { launchNeo4j, type LocalNeo4j } from '../../src/local-neo4j/launch.ts';
import type { Neo4jLine } from '../../src/local-neo4j/versions.ts';
import { createLog } from '../../src/log.ts';

/** Starts a Neo4j for tests in a directory, with the launcher, the cache and the Java that the service uses. */
export function startThrowawayNeo4j(
  dataDir: string,
  progress: Parameters<typeof launchNeo4j>[0]['progress'] = () => undefined,
): Promise<LocalNeo4j> {
  return launchNeo4j({
    dataDir,
    cacheDir: process.env.STRATA_CACHE_DIR ?? defaultCacheDir(process.env),
    javaHome: process.env.STRATA_JAVA_HOME,
    environment: process.env,
    memory: THROWAWAY_MEMORY,
    profile: 'throwaway',
    version: process.env.STRATA_NEO4J_LINE as Neo4jLine | undefined,
    log: createLog('warn'),
    progress,
  });
}

/** What tests are told of a database. */
export function addressForTests(neo4j: LocalNeo4j): DatabaseAddress & { version: string } {
  const { uri, user, password, database, version } = neo4j;
  return { uri, user, password, database, version };
}
