import type { Driver } from 'neo4j-driver';

import { ForgetPlans } from '../../graph/forget/plan.ts';
import { ForgetRunner } from '../../src/services/forget-runner.ts';
import { query, testDriver } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { before } from '../support/interpose.ts';
import { startWarmService, type TestService } from '../support/service.ts';
import { sweeping } from './sweeps.ts';

// What sweeps leave to others, and what they come back to.

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startWarmService({
    STRATA_PIPELINE_POLL_MS: '200',
    STRATA_RETENTION_SWEEP_INTERVAL_SECONDS: '0',
  });
  driver = testDriver();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const { recorded, rule, swept, left } = sweeping(() => ({ service, driver }));

it('takes what was concluded elsewhere only with the capability for that, unless nobody asked', async () => {
  const [here, there] = ['org:concluded/ws:here', 'org:concluded-elsewhere'];
  const [id = '', beside = ''] = [
    ...(await recorded(here, [40])),
    ...(await recorded(`${here}/user:b`, [40])),
  ];
  await service.post(
    '/v1/experience?wait=consolidated',
    statement(there, ['ann', 'speaks', '=tea'], { derived_from: [id] }),
  );
  const facts = async () => (await service.get(`/v1/facts?scope=${there}`)).json.items.length as number;
  expect(await facts()).toBe(1);
  const capabilities = { deny: ['forget.gdpr.cross_workspace'] };
  await service.post('/v1/scopes', { path: 'org:concluded', policies: { capabilities } });
  await rule('org:concluded', 30);
  expect(await swept({ scope: 'org:concluded' })).toMatchObject({
    erased: 1,
    errors: expect.arrayContaining([expect.objectContaining({ scope: here, error_code: 'POLICY_DENIED' })]),
  });
  expect([await left([id, beside]), await facts()]).toEqual([[true, false], 1]);
  const policies = { retention: { events: 'P30D' } };
  await service.request('PUT', '/v1/scopes?path=org:concluded', { body: { policies } });
  expect(await swept({ scope: 'org:concluded' })).toMatchObject({ erased: 1, errors: [] });
  expect(await facts()).toBe(0);
});

it('takes another time what an erasure left that somebody cancelled', async () => {
  const scope = 'org:cancelled/ws:a';
  const ids = await recorded(scope, [40]);
  await rule(scope, 30);
  before(ForgetRunner.prototype, 'run', async () => {
    const [erasure] = await query<{ id: string }>(
      driver,
      'MATCH (r:Erasure {scope: $scope}) RETURN r.id AS id',
      { scope },
    );
    expect((await service.post(`/v1/erasures/${erasure?.id ?? ''}/cancel`, {})).status).toBe(200);
  });
  const report = await swept({ rescan: true });
  expect(report.errors).toContainEqual(expect.objectContaining({ scope, error_code: 'SCOPE_STATE_CHANGED' }));
  expect(await left(ids)).toEqual([true]);
  await swept();
  expect(await left(ids)).toEqual([false]);
});

it('looks again at what walks have come by, where that is asked for', async () => {
  const scope = 'org:again/ws:a';
  const ids = await recorded(scope, [40]);
  await rule(scope, null);
  await swept();
  await rule(scope, 30);
  // As if they had come by.
  const kept = await query<{ progress: string }>(
    driver,
    `MATCH (s:Scope {path: 'org:cancelled/ws:a'}) RETURN s.retention_progress AS progress`,
  );
  await query(driver, 'MATCH (s:Scope {path: $scope}) SET s.retention_progress = $progress', {
    scope,
    progress: kept[0]?.progress.replace(/"through":\d+/g, '"through":1000000') ?? '',
  });
  await swept();
  expect(await left(ids)).toEqual([true]);
  await swept({ rescan: true });
  expect(await left(ids)).toEqual([false]);
});

it('begins no erasure by rules that changed meanwhile, and none where its tenant was taken over', async () => {
  const [scope, above] = ['org:between/ws:a', 'org:between'];
  const ids = await recorded(`${scope}/user:a`, [40]);
  await rule(above, 30);
  before(ForgetPlans.prototype, 'begin', async () => {
    expect((await service.post('/v1/scopes', { path: scope, owner: 'user:kim' })).status).toBe(201);
  });
  expect(await swept({ scope: above })).toMatchObject({ erased: 0, stopped: 'rules_changed' });
  jest.restoreAllMocks();
  await rule(scope, 30);
  before(ForgetPlans.prototype, 'begin', async () => {
    await query(driver, `MATCH (r:RetentionSweep {tenant: 'default'}) SET r.owner = 'another'`);
  });
  expect(await swept({ scope: above })).toMatchObject({ erased: 0, stopped: 'lease_lost' });
  expect(await left(ids)).toEqual([true]);
  await query(driver, `MATCH (r:RetentionSweep {tenant: 'default'}) REMOVE r.owner`);
  expect(await swept({ scope: above })).toMatchObject({ erased: 1, stopped: 'complete' });
});
