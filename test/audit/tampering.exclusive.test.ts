import type { Driver } from 'neo4j-driver';

import { query, testDriver } from '../support/database.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';

// Somebody with the key of the database changes what is stored behind the back of the service.

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService({ STRATA_TENANTS: 'acme' });
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

/** A tenant-wide chain of seven rows: singles, a group, and a cancel. */
beforeEach(async () => {
  await query(driver, 'MATCH (n) WHERE n:AuditBatch OR n:AuditChain DETACH DELETE n');
  const first = await service.post('/v1/experience', message('org:t', 'first'));
  await service.post(`/v1/lifecycle/memory-event/${first.json.event_id}/cancel`);
  for (let i = 0; i < 5; i += 1) await service.post('/v1/experience', message('org:t', `x${i}`));
  expect((await verify()).valid).toBe(true);
});

async function verify(): Promise<{ valid: boolean; first_broken_index?: number }> {
  return (await service.post('/v1/audit/chain/verify', {})).json;
}

const NTH = 'MATCH (b:AuditBatch {first_index: 3})';

describe('the verification of the chain', () => {
  it.each<[string, string, number]>([
    ['an edited row', `${NTH} SET b.rows = replace(b.rows, 'user:local', 'user:other')`, 3],
    ['an event that was exchanged', `${NTH} SET b.told = ['0 202 evt_other']`, 3],
    ['a status that was exchanged', `${NTH} SET b.told = ['0 409 ']`, 3],
    ['an edited hash', `${NTH} SET b.marks = '${'0'.repeat(16)}'`, 3],
    ['an edited end', `${NTH} SET b.end_hash = b.prev_hash`, 4],
    ['a hash before that was edited', `${NTH} SET b.prev_hash = b.end_hash`, 3],
    ['a removed batch', `${NTH} DELETE b`, 3],
    [
      'a removed row',
      `${NTH} SET b.rows = '{"count":0,"same":{},"each":{}}', b.told = [], b.marks = '', b.count = 0`,
      3,
    ],
    ['a removed beginning', 'MATCH (b:AuditBatch {first_index: 0}) DELETE b', 0],
    ['a removed tail', 'MATCH (b:AuditBatch) WHERE b.first_index >= 5 DELETE b', 5],
    ['a batch of another tenant', `${NTH} SET b.tenant = 'acme'`, 3],
    [
      'batches that changed places',
      `${NTH} MATCH (c:AuditBatch {first_index: 4}) WITH b, c, b.sequence AS one, c.sequence AS two
       SET b.sequence = two, c.sequence = one`,
      3,
    ],
    [
      'rows that changed places',
      `${NTH} MATCH (c:AuditBatch {first_index: 4}) WITH b, c, b.rows AS one, c.rows AS two
       SET b.rows = two, c.rows = one`,
      3,
    ],
    ['a head that was taken back', 'MATCH (c:AuditChain) SET c.length = 5', 5],
    ['a head that was removed', 'MATCH (c:AuditChain) DELETE c', 0],
  ])('finds %s', async (_what, text, index) => {
    await query(driver, text);
    expect(await verify()).toMatchObject({ valid: false, first_broken_index: index });
    // What comes afterwards is chained all the same and hides nothing.
    await service.post('/v1/experience', message('org:t', 'later'));
    expect((await verify()).valid).toBe(false);
  });

  it('finds that the chains of two tenants were exchanged, and neither is shown the rows of the other', async () => {
    const there = { headers: { 'x-strata-tenant': 'acme' } };
    const rowsOf = async (of = {}) => (await service.get('/v1/audit?limit=50', of)).json.items;
    await service.post('/v1/experience', message('org:t', 'of acme'), there);
    const [row] = await rowsOf(there);
    await query(
      driver,
      `MATCH (n) WHERE (n:AuditBatch OR n:AuditChain) AND n.tenant IN ['default', 'acme']
       SET n.former = n.tenant REMOVE n.tenant
       WITH collect(n) AS all UNWIND all AS n
       SET n.tenant = CASE n.former WHEN 'acme' THEN 'default' ELSE 'acme' END`,
    );
    expect(await verify()).toMatchObject({ valid: false, first_broken_index: 0 });
    expect((await service.post('/v1/audit/chain/verify', {}, there)).json).toMatchObject({
      valid: false,
      first_broken_index: 0,
    });
    expect([await rowsOf(), await rowsOf(there)]).toEqual([[], []]);
    expect((await service.get(`/v1/audit/${row.id}`)).status).toBe(404);
    expect((await service.get(`/v1/audit/${row.id}`, there)).status).toBe(404);
  });

  it('of one row finds that it was edited', async () => {
    const { json } = await service.get('/v1/audit?limit=1');
    const [row] = json.items;
    await query(
      driver,
      'MATCH (b:AuditBatch {first_index: 6}) SET b.rows = replace(b.rows, "scope.write", "scope.read")',
    );
    const checked = await service.post('/v1/audit/verify', { audit_id: row.id, body: '' });
    expect(checked.json).toMatchObject({ valid: false, row_hash_valid: false });
  });
});
