import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import neo4j from 'neo4j-driver';
import { THROWAWAY_MEMORY } from '../../src/local-neo4j/conf.ts';
import { managedAddress } from '../../src/local-neo4j/address.ts';
import {
  launchNeo4j,
  type LocalNeo4j,
  type LocalNeo4jOptions,
  type UnexpectedExit,
  NEO4J_START_MS,
} from '../../src/local-neo4j/launch.ts';
import { passwordFile } from '../../src/local-neo4j/password.ts';
import { processCommand, processStart } from '../../src/machine/process-identity.ts';
import { silentLog } from '../../src/log.ts';
import { freshFolder, removeFolders, until } from './support.ts';

let dataDir: string;
let server: LocalNeo4j | undefined;
const exits: UnexpectedExit[] = [];

function options(over: Partial<LocalNeo4jOptions> = {}): LocalNeo4jOptions {
  return {
    dataDir,
    cacheDir: join(homedir(), '.cache', 'strata'),
    environment: process.env,
    memory: THROWAWAY_MEMORY,
    profile: 'throwaway',
    log: silentLog,
    progress: () => undefined,
    onExit: (exit) => exits.push(exit),
    ...over,
  };
}

async function query(password: string, statement: string): Promise<unknown[]> {
  const driver = neo4j.driver(server!.uri, neo4j.auth.basic('neo4j', password));
  try {
    const { records } = await driver.session().run(statement);
    return records.map((record) => record.get(0));
  } finally {
    await driver.close();
  }
}

const isGone = async (pid: number): Promise<boolean> => (await processStart(pid)) === null;

/** The pids of all processes whose command line names a text. */
async function pidsOf(text: string): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const commands = await Promise.all(pids.map(processCommand));
  return pids.filter((_pid, at) => commands[at]!.includes(text));
}

/** Starts another process that launches the server; its pid and the server's. */
async function startOwner(): Promise<{ owner: number; java: number }> {
  const script = fileURLToPath(new URL('owner.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { owner: child.pid!, java: Number(line.toString()) };
}

/** The watchdogs of an owner: the shells it is the parent of. */
async function watchdogsOf(owner: number): Promise<number[]> {
  const pids = await pidsOf('strata-watchdog');
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_pid, at) => parents[at] === owner);
}

async function parentOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** Watchdogs of this process that guard something else, such as the database of the other tests. */
let others: number[];

beforeAll(async () => {
  dataDir = await freshFolder();
  others = await watchdogsOf(process.pid);
});

afterAll(async () => {
  await server?.stop();
  await removeFolders();
});

test('answers with the password that was written down before the server knew it, and with no other', async () => {
  const written = 'written-down-before-a-crash';
  await writeFile(passwordFile(dataDir), written, { mode: 0o600 });
  server = await launchNeo4j(options());
  expect(server).toMatchObject({ user: 'neo4j', password: written, database: 'neo4j', runner: 'java' });
  expect(await query(server.password, 'RETURN 1')).toHaveLength(1);
  const { uri } = server;
  expect(await managedAddress(dataDir)).toEqual({ uri, user: 'neo4j', password: written, database: 'neo4j' });
  await expect(query('neo4j', 'RETURN 1')).rejects.toMatchObject({
    code: 'Neo.ClientError.Security.Unauthorized',
  });
});

test('a server that dies is reported and started again on the same port', async () => {
  const { uri, pid } = server!;
  await query(server!.password, "CREATE (:Kept {word: 'acorn'})");
  process.kill(pid!, 'SIGKILL');
  await until('the end is reported', () => exits.length > 0);
  expect(exits).toEqual([{ code: null, signal: 'SIGKILL', restartInMs: 500 }]);
  const answers = async (): Promise<boolean> => {
    try {
      return (await query(server!.password, 'RETURN 1')).length === 1;
    } catch (error) {
      expect(error).toMatchObject({ name: 'Neo4jError' });
      return false;
    }
  };
  await until('it answers again', answers, NEO4J_START_MS);
  expect(server!.uri).toBe(uri);
  expect(server!.pid).not.toBe(pid);
  expect(await query(server!.password, 'MATCH (k:Kept) RETURN k.word')).toEqual(['acorn']);
});

test('stopping leaves no process, restarts nothing and may be repeated', async () => {
  const { pid } = server!;
  await Promise.all([server!.stop(), server!.stop()]);
  expect(await isGone(pid!)).toBe(true);
  expect(await pidsOf(dataDir)).toEqual([]);
  expect(await watchdogsOf(process.pid)).toEqual(others);
  expect(exits).toHaveLength(1);
  expect(await readdir(join(dataDir, 'neo4j'))).not.toContain('neo4j.pid');
});

test('a killed owner leaves no server; not even when its watchdog was killed too, once there is a next start', async () => {
  const first = await startOwner();
  const [watchdog] = await watchdogsOf(first.owner);
  process.kill(watchdog!, 'SIGKILL');
  process.kill(first.owner, 'SIGKILL');
  const second = await startOwner();
  expect(await isGone(first.java)).toBe(true);
  process.kill(second.owner, 'SIGKILL');
  await until('the server has followed its owner', () => isGone(second.java), 60_000);
});

test('data survives all of that', async () => {
  server = await launchNeo4j(options());
  expect(await query(server.password, 'MATCH (k:Kept) RETURN k.word')).toEqual(['acorn']);
  await server.stop();
});

test('a password file of another database is refused with what to do', async () => {
  await writeFile(passwordFile(dataDir), 'of-another-database');
  await expect(launchNeo4j(options())).rejects.toThrow(`refuses the password in ${passwordFile(dataDir)}`);
  expect(await pidsOf(dataDir)).toEqual([]);
});

test('a server that cannot start is reported at once with the last lines of its log', async () => {
  const memory = { ...THROWAWAY_MEMORY, pageCache: 'plenty' };
  const refused = launchNeo4j(options({ memory, dataDir: await freshFolder() }));
  await expect(refused).rejects.toMatchObject({
    name: 'StartupError',
    message: expect.stringMatching(/ended with code \d+[\s\S]*plenty/),
  });
});

test('a start that is told to end leaves no process and throws the reason', async () => {
  const folder = await freshFolder();
  const stop = new AbortController();
  const phases: string[] = [];
  const starting = launchNeo4j(
    options({ dataDir: folder, signal: stop.signal, progress: ({ phase }) => void phases.push(phase) }),
  );
  const refused = expect(starting).rejects.toThrow('enough');
  await until('the server to be waited for', () => phases.includes('start'));
  stop.abort(new Error('enough'));
  await refused;
  expect(await pidsOf(folder)).toEqual([]);
});
