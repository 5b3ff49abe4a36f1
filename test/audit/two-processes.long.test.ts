import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { databaseSettings, query, testDriver, wipe } from '../support/database.ts';
import { startServiceProcess, type ServiceProcess } from '../support/processes.ts';
import { unrefused } from '../support/resend.ts';
import { message, send, TEST_KEY, TEST_TOKEN_KEY } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { inDepth } from '../support/depth.ts';

/** Captures that each of two processes sends. */
const ROUNDS = inDepth(40, 200);
let driver: Driver;
const directories: string[] = [];

beforeAll(async () => {
  await wipe();
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function startProcess(): Promise<ServiceProcess> {
  const directory = mkdtempSync(join(tmpdir(), 'strata-audit-'));
  directories.push(directory);
  return startServiceProcess({
    ...databaseSettings(),
    STRATA_DATA_DIR: directory,
    STRATA_API_KEY: TEST_KEY,
    STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
    STRATA_LOG_LEVEL: 'error',
  });
}

/** Captures a text that nothing else says, in one event however often it is sent. */
const capture = (url: string, text: string): Promise<{ status: number }> => {
  const body = message('org:both', text, { idempotency_key: text });
  return unrefused('a capture', () => send(url, 'POST', '/v1/experience', { body }));
};

async function verified(url: string): Promise<any> {
  return (await send(url, 'POST', '/v1/audit/chain/verify', { body: {} })).json;
}

/** Ids of every row, from the list of a process. */
async function listed(url: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = '', more = true; more;) {
    const { json } = await send(url, 'GET', `/v1/audit?limit=100${cursor}`);
    ids.push(...json.items.map(({ id }: any) => id));
    more = json.has_more;
    cursor = `&cursor=${json.next_cursor}`;
  }
  return ids;
}

describe('two processes that write for one tenant', () => {
  it('make one unbroken chain, which both list alike', async () => {
    const [a, b] = await Promise.all([startProcess(), startProcess()]);
    const rounds = Array.from({ length: ROUNDS }, async (_, i) => {
      const answers = await Promise.all([capture(a.url, `a${i}`), capture(b.url, `b${i}`)]);
      expect(answers.map(({ status }) => status)).toEqual([202, 202]);
      if (i % (ROUNDS / 2) === 0) expect((await verified(i === 0 ? a.url : b.url)).valid).toBe(true);
    });
    await Promise.all(rounds);
    const [one, other] = await Promise.all([verified(a.url), verified(b.url)]);
    expect(one).toMatchObject({ valid: true, length: 2 * ROUNDS });
    expect(other).toEqual(one);
    const ids = await listed(a.url);
    expect(new Set(ids).size).toBe(2 * ROUNDS);
    expect(await listed(b.url)).toEqual(ids);
    await Promise.all([a.stop(), b.stop()]);
  });
});

describe('a process that is killed between a commit and its seal', () => {
  it('loses nothing: whoever is there next seals it', async () => {
    const process = await startProcess();
    const before: number = (await verified(process.url)).length;
    // The lock of the chain keeps the rows unsealed until the process is gone.
    const session = driver.session();
    const lock = session.beginTransaction();
    await lock.run("MATCH (c:AuditChain {tenant: 'default'}) SET c.touched = 0");
    await Promise.all(Array.from({ length: 30 }, (_, i) => capture(process.url, `last ${i}`)));
    await process.kill();
    await lock.rollback();
    await session.close();
    const [{ open }] = (await query(
      driver,
      'MATCH (b:AuditBatch) WHERE b.unsealed > 0 RETURN sum(b.count) AS open',
    )) as [{ open: number }];
    expect(open).toBe(30);
    const next = await startTestService({}, { keepData: true });
    await eventually('the rows to be sealed', async () => {
      const [left] = await query(driver, 'MATCH (b:AuditBatch) WHERE b.unsealed > 0 RETURN count(b) AS left');
      return left?.left === 0;
    });
    expect(await verified(next.url)).toMatchObject({ valid: true, length: before + 30 });
    await next.stop();
  });
});
