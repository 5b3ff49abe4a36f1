// The raw driver: a process of its own with a Neo4j of its own, which no stage and no service touches.

import neo4j, { type Driver } from 'neo4j-driver';

import type { CaptureInput } from '../../graph/capture.ts';
import { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { defaultCacheDir } from '../../src/config.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import { toEventRecord } from '../../src/capture/event-record.ts';
import type { DatabaseAddress } from '../../src/context.ts';
import { systemIds } from '../../src/ids.ts';
import * as limits from '../../src/limits.ts';
import { PRODUCTION_MEMORY } from '../../src/local-neo4j/conf.ts';
import { launchNeo4j, type LocalNeo4j } from '../../src/local-neo4j/launch.ts';
import { createLog } from '../../src/log.ts';
import { obey } from './commands.ts';
import { Envelopes } from './envelopes.ts';
import { closedLoop, OpenLoop, type Run } from './loops.ts';
import { RawGroups } from './raw-groups.ts';

let server: LocalNeo4j | null = null;
let driver: Driver | null = null;
let groups: RawGroups | null = null;
let ready: CaptureInput[] = [];
let more: () => CaptureInput = () => input(new Envelopes('none'));

/** An address to use instead of a server of its own; it has to be empty. */
type Start = { directory: string } | { address: DatabaseAddress };

const start = async (how: Start): Promise<{ pid: number | null; version: string }> => {
  const address = 'address' in how ? how.address : await launch(how.directory);
  const database = new Database({
    ...address,
    poolSize: 10,
    acquisitionTimeoutMs: limits.DATABASE_ACQUISITION_MS,
    connectTimeoutMs: limits.DATABASE_CONNECT_MS,
    statementTimeoutMs: 10_000,
  });
  const version = await database.serverVersion();
  await migrate(database, version);
  await database.close();
  driver = neo4j.driver(address.uri, neo4j.auth.basic(address.user, address.password), {
    disableLosslessIntegers: true,
  });
  await driver.getServerInfo();
  groups = new RawGroups(driver);
  return { pid: server?.pid ?? null, version };
};

async function launch(directory: string): Promise<LocalNeo4j> {
  server = await launchNeo4j({
    dataDir: directory,
    cacheDir: process.env.STRATA_CACHE_DIR ?? defaultCacheDir(process.env),
    javaHome: process.env.STRATA_JAVA_HOME,
    environment: process.env,
    memory: PRODUCTION_MEMORY,
    profile: 'production',
    log: createLog('warn'),
    progress: () => undefined,
  });
  return server;
}

function input(source: Envelopes): CaptureInput {
  const made = { id: systemIds.event(), tenant: 'default', caller: 'operator' };
  return { record: toEventRecord(parseEnvelope(source.next()), made), batch_id: null };
}

function running(): RawGroups {
  if (groups === null) throw new Error('the raw driver was not started');
  return groups;
}

const prepare = async ({ count, tag }: { count: number; tag: string }): Promise<void> => {
  const source = new Envelopes(tag);
  more = () => input(source);
  ready = Array.from({ length: count }, () => more()).reverse();
  await Promise.resolve();
};

const closed = (options: { clients: number; seconds: number; size: number }): Promise<Run> => {
  const { clients, seconds, size } = options;
  const all = running();
  return closedLoop({ clients, seconds, events: size }, () =>
    size === 1
      ? all.one(ready.pop() ?? more())
      : all.many(Array.from({ length: size }, () => ready.pop() ?? more())),
  );
};

const paced = (options: { rate: number; seconds: number }): Promise<Run> => {
  const all = running();
  return new OpenLoop(options, () => all.one(ready.pop() ?? more())).run();
};

const commands = { start, prepare, closed, paced };
/** What the raw driver can be told to do. */
export type RawCommands = typeof commands;

obey(commands, async () => {
  await driver?.close();
  await server?.stop();
});
