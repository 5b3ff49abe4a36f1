// Launches a server on the given data directory, prints its pid, and lives until it is killed.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { THROWAWAY_MEMORY } from '../../src/local-neo4j/conf.ts';
import { launchNeo4j } from '../../src/local-neo4j/launch.ts';
import { silentLog } from '../../src/log.ts';

const server = await launchNeo4j({
  dataDir: process.argv[2] ?? '',
  cacheDir: join(homedir(), '.cache', 'strata'),
  environment: process.env,
  memory: THROWAWAY_MEMORY,
  profile: 'throwaway',
  log: silentLog,
  progress: () => undefined,
});
process.stdout.write(`${server.pid ?? 'none'}\n`);
setInterval(() => undefined, 60_000);
