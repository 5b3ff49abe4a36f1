import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { loadConfig } from '../../src/config.ts';
import { scanDirectory, type Find } from '../../src/local-neo4j/scan/scan.ts';
import { SWAP_STEPS } from '../../src/local-neo4j/swap.ts';
import { startService, type RunningService } from '../../src/main.ts';
import { isManaged, purgeDatabase, type PurgeReport } from '../../src/main/purge.ts';
import { clientOf, TEST_KEY, TEST_TOKEN_KEY, type Client } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { BUSY_MACHINE, DERIVING_PATIENCE_MS } from '../support/patience.ts';
import { eventually } from '../support/wait.ts';

// What is forgotten lies in the files until a purge, and nowhere behind it; everything else answers as before.

const BIN = fileURLToPath(new URL('../../bin/strata.js', import.meta.url));
const GONE = 'user:gone';
const STAYS = 'user:stays';

/** Texts that nothing else has, by what they are planted as. */
const PLANTED = {
  text: 'the xylograph of Quetzmiral hung askew over the bathysphere, they said',
  long: `${Array.from({ length: 80 }, (_, at) => `plinthword${at}`).join(' ')} end of a long talk`,
  accented: 'Żółwińska über Tschöbrünnli',
  name: 'ent_vorzhakel_mirandus',
  value: '8675309-44107',
  label: 'qxlabelzz',
  key: 'key-of-jubnok-7',
};

let directory: string;
let service: (RunningService & Client) | null = null;

const settings = (): Record<string, string> => ({
  STRATA_PORT: '0',
  STRATA_DATA_DIR: directory,
  STRATA_API_KEY: TEST_KEY,
  STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
  STRATA_LOG_LEVEL: 'error',
  STRATA_EMBEDDING_PROVIDER: 'none',
  STRATA_PIPELINE_POLL_MS: '200',
  ...BUSY_MACHINE,
});

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-purge-'));
});
afterAll(async () => {
  await service?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function start(): Promise<RunningService & Client> {
  const config = loadConfig({ directory, environment: settings() });
  const running = await startService(config, {
    environment: process.env,
    profile: 'throwaway',
    say: () => undefined,
  });
  service = { ...running, ...clientOf(running.url) };
  return service;
}

async function stop(): Promise<void> {
  await service?.stop();
  service = null;
}

async function capture(client: Client, envelope: object): Promise<void> {
  await eventually(
    'a capture to be consolidated',
    async () => {
      const { status } = await client.post('/v1/experience?wait=consolidated', envelope);
      return status < 300;
    },
    DERIVING_PATIENCE_MS,
  );
}

async function plant(client: Client, scope: string, of: Record<keyof typeof PLANTED, string>): Promise<void> {
  const said = { scope, modality: 'conversation', context: { labels: [of.label] } };
  const texts = [of.text, of.long, of.accented];
  for (const [at, text] of texts.entries()) {
    const idempotency_key = `${of.key}-${at}`;
    await capture(client, { ...said, idempotency_key, content: { kind: 'text', text } });
  }
  const triple: [string, string, string] = [of.name, 'phone', `=${of.value}`];
  await capture(client, statement(scope, triple, { idempotency_key: `${of.key}-triple` }));
}

/** What the service answers of a scope, by every layer and a recall. */
async function answers(client: Client, scope: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const layer of ['events', 'episodes', 'facts', 'beliefs', 'understanding', 'entities']) {
    const { json } = await client.get(`/v1/${layer}?scope=${scope}&limit=100`);
    // How stale a concept is grows by itself.
    found[layer] = json.items.map(({ staleness_score: _, ...item }: Record<string, unknown>) => item);
  }
  for (const fact of (found.facts as { id: string }[] | undefined) ?? [])
    found[`why ${fact.id}`] = (await client.get(`/v1/facts/${fact.id}/why`)).json;
  const recalled = await client.post('/v1/recall', { scope, query: 'kept lighthouse' });
  found.recall = (recalled.json.items as { id: string }[] | undefined)?.map(({ id }) => id);
  return found;
}

async function scan(): Promise<Find[]> {
  const finds: Find[] = [];
  await scanDirectory(directory, Object.values(PLANTED), {
    onFind: (find) => finds.push(find),
    tell: () => undefined,
    signal: new AbortController().signal,
  });
  return finds;
}

const textsOf = (finds: readonly Find[]): string[] =>
  [...new Set(finds.map(({ text }) => Object.keys(PLANTED)[text] ?? ''))].sort();

function purge(signal = new AbortController().signal): Promise<PurgeReport> {
  const config = loadConfig({ directory, environment: settings() });
  if (!isManaged(config)) throw new Error('the database of this test is managed');
  const options = { environment: process.env, profile: 'throwaway' as const, spareBytes: 0 };
  return purgeDatabase(config, { ...options, signal, tell: () => undefined });
}

let before: Record<string, unknown>;
const stores = (): string[] =>
  readdirSync(directory)
    .filter((name) => name.startsWith('neo4j'))
    .sort();

test('what is forgotten stays in the files, each find with a class', async () => {
  const client = await start();
  const kept = Object.fromEntries(
    Object.keys(PLANTED).map((name) => [name, `kept ${name} of the lighthouse`]),
  ) as Record<keyof typeof PLANTED, string>;
  await plant(client, STAYS, { ...kept, name: 'ent_keeper', label: 'kept', key: 'kept' });
  await plant(client, GONE, PLANTED);
  const forgotten = { scope: GONE, confirm_all: true, cascade: 'redact_events' };
  expect(await client.post('/v1/forget', forgotten)).toMatchObject({ status: 200 });
  before = await answers(client, STAYS);
  expect(before.facts).toHaveLength(1);
  expect((before.events as unknown[]).length).toBeGreaterThan(3);
  await stop();
  const finds = await scan();
  expect(textsOf(finds)).toEqual(['accented', 'key', 'label', 'long', 'name', 'text', 'value']);
  const places = new Set(finds.map(({ place }) => place));
  expect([...places].sort()).toEqual(expect.arrayContaining(['store', 'transaction_log']));
  expect([...places].every((place) => place !== 'own_file' && place !== 'purge_rest')).toBe(true);
});

test('a purge that is ended, or that is killed, leaves the store as it was', async () => {
  const ended = new AbortController();
  const cut = purge(ended.signal);
  const refused = expect(cut).rejects.toThrow('enough');
  await eventually('the copy to begin', () => existsSync(join(directory, 'neo4j-new')), DERIVING_PATIENCE_MS);
  ended.abort(new Error('enough'));
  await refused;
  expect(stores()).toEqual(['neo4j', 'neo4j-password']);

  const child = spawn(process.execPath, [BIN, 'erasure', 'purge', '--throwaway', '--yes'], {
    cwd: directory,
    env: {
      ...settings(),
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      JAVA_HOME: process.env.JAVA_HOME,
    },
    stdio: 'ignore',
  });
  await eventually('the copy to begin', () => existsSync(join(directory, 'neo4j-new')), DERIVING_PATIENCE_MS);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(stores()).toContain('neo4j-new');
});

test('behind a purge nothing is found, and everything else answers as before', async () => {
  const report = await purge();
  expect(report.nodes).toBeGreaterThan(100);
  expect(report.edges).toBeGreaterThan(10);
  expect(stores()).toEqual(['neo4j', 'neo4j-password']);
  expect(await scan()).toEqual([]);
  const client = await start();
  expect(await answers(client, STAYS)).toEqual(before);
  await plant(client, GONE, PLANTED);
  await stop();
});

test('a store starts that a crash left in the middle of a swap', async () => {
  const [mark, putAside] = SWAP_STEPS;
  // As a purge leaves it that dies between the two renames.
  cpSync(join(directory, 'neo4j'), join(directory, 'neo4j-new', 'neo4j'), { recursive: true });
  await mark?.(directory);
  await putAside?.(directory);
  expect(stores()).toEqual(['neo4j-new', 'neo4j-old', 'neo4j-password', 'neo4j-swap']);
  const client = await start();
  expect(await answers(client, STAYS)).toEqual(before);
  await stop();
  expect(stores()).toEqual(['neo4j', 'neo4j-password']);
});
