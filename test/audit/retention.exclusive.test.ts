import type { Driver } from 'neo4j-driver';

import { AuditRemover } from '../../graph/audit-removal.ts';
import type { Database } from '../../graph/driver.ts';
import { AuditRetention } from '../../src/commit/audit-retention.ts';
import { systemIds } from '../../src/ids.ts';
import { silentLog, type Log } from '../../src/log.ts';
import { message } from '../support/client.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

const DAY_MS = 86_400_000;
const ZEROS = '0'.repeat(64);
const SCOPE = 'org:kept/user:u';
const THERE = { headers: { 'x-strata-tenant': 'acme' } };

let service: TestService;
let driver: Driver;
let databases: Database[];

beforeAll(async () => {
  service = await startTestService({ STRATA_TENANTS: 'acme' });
  driver = testDriver();
  databases = [1, 2].map(() => patientDatabase());
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await driver.close();
  await service.stop();
});

/** Two chains of six rows, each row a batch of its own. */
beforeEach(async () => {
  await query(driver, 'MATCH (n) WHERE n:AuditBatch OR n:AuditChain DETACH DELETE n');
  for (let i = 0; i < 6; i += 1) {
    await service.post('/v1/experience', message(SCOPE, `here ${i}`));
    await service.post('/v1/experience', message(SCOPE, `there ${i}`), THERE);
  }
  await chain();
  await chain(THERE);
});

const chain = async (of = {}): Promise<any> => (await service.get('/v1/audit/chain', of)).json;
const verify = async (of = {}): Promise<any> => (await service.post('/v1/audit/chain/verify', {}, of)).json;
const rows = async (of = {}): Promise<any[]> => (await service.get('/v1/audit?limit=100', of)).json.items;

/** Makes the first rows of a chain so many days older. */
async function age(days: number, first: number, tenant = 'default'): Promise<void> {
  await query(
    driver,
    'MATCH (b:AuditBatch {tenant: $tenant}) WHERE b.first_index < $first SET b.ts = b.ts - $by',
    {
      tenant,
      first: BigInt(first),
      by: BigInt(days * DAY_MS),
    },
  );
}

/** The job of one of two processes, with a clock that may be some days ahead. */
function retention(process = 0, daysAhead = 0, log: Log = silentLog): AuditRetention {
  const [database] = databases.slice(process);
  if (!database) throw new Error('there are two processes');
  const { clock, metrics } = service.context;
  return new AuditRetention({
    remover: new AuditRemover(database),
    clock: { now: () => clock.now() + daysAhead * DAY_MS },
    ids: systemIds,
    log,
    metrics,
    days: 30,
    onAppend: () => undefined,
  });
}

/** Everything that may go now; answers how many rows went. */
async function sweep(job = retention()): Promise<number> {
  for (let removed = 0; ;) {
    const batch = await job.batch();
    removed += batch.rows;
    if (!batch.more) return removed;
  }
}

describe('rows of the audit log that are kept long enough', () => {
  it('go from the beginning of their chain, of which the rest is verified as before', async () => {
    const before = await rows();
    await age(31, 4);
    expect(await sweep()).toBe(4);
    expect(await verify()).toEqual({
      valid: true,
      ...(await chain()),
      removed_rows: 4,
      removed_hash: before.at(-4).hash,
    });
    const after = await rows();
    expect(after.slice(1)).toEqual(before.slice(0, 2));
    expect(after.at(-1).prev_hash).toBe(before.at(-4).hash);
    expect((await service.get(`/v1/audit/${before.at(-1).id}`)).status).toBe(404);
    expect(await verify(THERE)).toMatchObject({
      valid: true,
      length: 6,
      removed_rows: 0,
      removed_hash: ZEROS,
    });
  });

  it('leave a row that tells of it in the chain that they were in', async () => {
    await age(31, 2);
    await sweep();
    const [newest] = await rows();
    expect(newest).toMatchObject({
      actor: 'system:strata',
      endpoint: 'job audit_retention',
      capability: 'admin',
      decision: 'allow',
      response_status: 200,
    });
    expect(await chain()).toMatchObject({ length: 7, removed_rows: 2 });
    expect(await sweep()).toBe(0);
    expect(await chain()).toMatchObject({ length: 7, removed_rows: 2 });
  });

  it('may be all that there are, and the chain goes on behind them', async () => {
    await age(31, 6);
    const { head_hash } = await chain();
    expect(await sweep()).toBe(6);
    await service.post('/v1/experience', message(SCOPE, 'later'));
    expect(await verify()).toMatchObject({
      valid: true,
      length: 8,
      removed_rows: 6,
      removed_hash: head_hash,
    });
    await age(31, 8);
    expect(await sweep()).toBe(2);
    expect(await verify()).toMatchObject({ valid: true, length: 9, removed_rows: 8 });
  });

  it('stay behind one that is young, and where only one of the clocks is ahead', async () => {
    await age(31, 6);
    await age(-31, 1);
    expect(await sweep()).toBe(0);
    expect(await sweep(retention(0, 31))).toBe(0);
    expect(await chain()).toMatchObject({ length: 6, removed_rows: 0 });
  });

  it.each([
    [
      'an edited row',
      "MATCH (b:AuditBatch {first_index: 1, tenant: 'default'}) SET b.rows = replace(b.rows, 'user:local', 'user:other')",
    ],
    ['a removed row', "MATCH (b:AuditBatch {first_index: 1, tenant: 'default'}) DELETE b"],
  ])('stay when the chain tells that somebody changed them: %s', async (_what, change) => {
    await age(31, 4);
    await age(31, 4, 'acme');
    await query(driver, change);
    const told: unknown[] = [];
    const log = { ...silentLog, error: (_message: string, fields?: object) => told.push(fields) };
    expect(await sweep(retention(0, 0, log))).toBe(4);
    expect(told).toEqual([{ tenant: 'default', error: expect.stringContaining('row 1 of the chain') }]);
    expect(await verify()).toMatchObject({ valid: false, first_broken_index: 1, removed_rows: 0 });
    expect(await verify(THERE)).toMatchObject({ valid: true, removed_rows: 4 });
  });

  it('are found missing when somebody else removes them', async () => {
    await age(31, 2);
    await sweep();
    await query(driver, "MATCH (b:AuditBatch {first_index: 2, tenant: 'default'}) DELETE b");
    expect(await verify()).toMatchObject({ valid: false, first_broken_index: 2 });
  });

  it('go once when two processes remove them, while rows come and the chain is verified', async () => {
    await age(31, 6);
    const [first, second, ...verified] = await Promise.all([
      sweep(),
      sweep(retention(1)),
      ...Array.from({ length: 3 }, () => verify()),
      service.post('/v1/experience', message(SCOPE, 'meanwhile')),
    ]);
    expect(first + second).toBe(6);
    for (const { valid, code } of verified.slice(0, 3)) expect(valid ?? code).not.toBe(false);
    expect(await verify()).toMatchObject({ valid: true, removed_rows: 6 });
  });
});

it('removes them by itself where a time is set, and the deployment policy tells it', async () => {
  await age(8, 6);
  const other = await startTestService({ STRATA_AUDIT_RETENTION_DAYS: '7' }, { keepData: true });
  try {
    expect((await other.get('/v1/policy/deployment')).json.defaults['audit.retention']).toBe('P7D');
    await eventually(
      'the rows to go',
      async () => (await other.get('/v1/audit/chain')).json.removed_rows === 6,
    );
    expect((await other.post('/v1/audit/chain/verify', {})).json).toMatchObject({
      valid: true,
      removed_rows: 6,
    });
  } finally {
    await other.stop();
  }
});
