import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { sendSignal } from '../../src/machine/process-identity.ts';
import { checkCaughtUp, checkFrames, checkLog, checkPages, checkSearch } from '../drill/check.ts';
import { Load } from '../drill/load.ts';
import { databaseSettings, query, testDriver, wipe } from '../support/database.ts';
import { startServiceProcess, type ServiceProcess } from '../support/processes.ts';
import { message, send, TEST_KEY, TEST_TOKEN_KEY } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { inDepth } from '../support/depth.ts';

const LEASE_MS = 2000;
const SCOPES = Array.from({ length: 12 }, (_, i) => `org:two/user:u${i}`);

const directory = mkdtempSync(join(tmpdir(), 'strata-two-'));
let driver: Driver;
let a: ServiceProcess;
let b: ServiceProcess;
let alive: string[] = [];
let load: Load;

function start(name: string): Promise<ServiceProcess> {
  return startServiceProcess({
    ...databaseSettings(),
    STRATA_API_KEY: TEST_KEY,
    STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
    STRATA_DATA_DIR: join(directory, name),
    STRATA_LOG_LEVEL: 'error',
    STRATA_PIPELINE_LEASE_MS: String(LEASE_MS),
    STRATA_PIPELINE_POLL_MS: '100',
    STRATA_PIPELINE_BATCH_EVENTS: '20',
  });
}

/** Shards by the worker that holds an unexpired lease of them. */
async function leases(): Promise<Map<string, number[]>> {
  const rows = await query<{ owner: string; numbers: number[] }>(
    driver,
    'MATCH (s:Shard) WHERE s.owner IS NOT NULL AND s.expires_at > timestamp() RETURN s.owner AS owner, collect(s.number) AS numbers',
  );
  return new Map(rows.map(({ owner, numbers }) => [owner, numbers]));
}

function evenlyShared(): Promise<number[][]> {
  return eventually('the shards to be shared evenly', async () => {
    const shares = [...(await leases()).values()];
    return shares.length === 2 && shares.every(({ length }) => length === 32) && shares;
  });
}

/** A scope whose shard is one of these. */
function scopeOn(shards: readonly number[], name: string): string {
  for (let i = 0; ; i += 1) {
    const scope = `org:two/team:${name}${i}`;
    if (shards.includes(shardOf(scopeRef('default', scope)))) return scope;
  }
}

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  // At once, so that both find an empty store and make it ready.
  [a, b] = await Promise.all([start('a'), start('b')]);
  alive = [a.url, b.url];
  load = new Load({ urls: () => alive, scopes: SCOPES, writers: 8, seed: 7 });
});

afterAll(async () => {
  await Promise.all([a, b].map((service) => service.kill()));
  await driver.close();
  rmSync(directory, { recursive: true, force: true });
});

async function checkEverything(): Promise<string[]> {
  const all = [...load.acknowledged.values()];
  return [
    ...load.violations,
    ...(await checkCaughtUp(b.url, SCOPES)),
    ...(await checkLog(driver, all)),
    ...(await checkFrames(driver)),
    ...(await checkSearch(driver, all)),
    ...(await checkPages(b.url, SCOPES, all)),
  ];
}

describe('two processes on one database', () => {
  it('share the shards evenly', async () => {
    expect((await evenlyShared()).flat().toSorted((x, y) => x - y)).toEqual(
      Array.from({ length: 64 }, (_, i) => i),
    );
  });

  it('write one log without gaps and process each event once', async () => {
    load.start();
    await load.reach(inDepth(150, 600));
    await load.stop();
    expect(await checkEverything()).toEqual([]);
    await eventually('both to hold shards', async () => (await leases()).size === 2);
  });

  it('show each other what was acknowledged, at once', async () => {
    for (let n = 0; n < 20; n += 1) {
      const [writer, reader] = n % 2 === 0 ? [a, b] : [b, a];
      const { json } = await send(writer.url, 'POST', '/v1/experience', {
        body: message('org:across', `across ${n}`),
      });
      const listed = await send(reader.url, 'GET', '/v1/events?scope=org:across&limit=1');
      expect(listed.json.items[0]).toMatchObject({ id: json.event_id, content: { text: `across ${n}` } });
      const one = await send(reader.url, 'GET', `/v1/events/${json.event_id}?scope=org:across`);
      expect(one.status).toBe(200);
    }
  });

  it('wait for stages that the other one does', async () => {
    const shares = await evenlyShared();
    for (const service of [a, b]) {
      for (const [i, share] of shares.entries()) {
        const word = `waits${i}${service === a ? 'a' : 'b'}`;
        const scope = scopeOn(share, `share${i}`);
        const answer = await send(service.url, 'POST', '/v1/experience?wait=indexed', {
          body: message(scope, word),
        });
        expect(answer.status).toBe(202);
        const found = await query(
          driver,
          "CALL db.index.fulltext.queryNodes('passage_text', 'text:' + $word) YIELD node RETURN node.event_id AS id",
          { word },
        );
        expect(found).toEqual([{ id: answer.json.event_id }]);
      }
    }
  });

  it('refuse what a process still does after it slept past its lease', async () => {
    const scopes = (await evenlyShared()).map((share, i) => scopeOn(share, `backlog${i}`));
    for (const scope of scopes) {
      const items = Array.from({ length: inDepth(200, 600) }, (_, i) => message(scope, `backlog ${i}`));
      expect((await send(b.url, 'POST', '/v1/experience/bulk', { body: { items } })).status).toBe(202);
    }
    sendSignal(a.pid, 'SIGSTOP');
    try {
      expect(await checkCaughtUp(b.url, scopes)).toEqual([]);
      await eventually('one to hold shards', async () => (await leases()).size === 1);
    } finally {
      sendSignal(a.pid, 'SIGCONT');
    }
    await evenlyShared();
    expect(await checkFrames(driver)).toEqual([]);
  });

  it('take over from one that was killed, and lose nothing', async () => {
    const before = await evenlyShared();
    load.start();
    await load.reach(load.acknowledged.size + inDepth(50, 150));
    alive = [b.url];
    await a.kill();
    await load.reach(load.acknowledged.size + inDepth(50, 150));
    await load.stop();
    const after = await eventually('all shards to be held by one', async () => {
      const shares = [...(await leases()).values()];
      return shares.length === 1 && shares[0]?.length === 64 && shares[0];
    });
    expect(before.some((share) => share.every((number) => after.includes(number)))).toBe(true);
    expect(await checkEverything()).toEqual([]);
  });
});
