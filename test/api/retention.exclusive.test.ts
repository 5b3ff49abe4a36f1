import type { Driver } from 'neo4j-driver';

import { scopeRef } from '../../src/capture/scope-key.ts';
import { query, testDriver } from '../support/database.ts';
import { allDerived } from '../support/rebuild.ts';
import { startTestService, startWarmService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';
import { SWEEP, sweeping } from './sweeps.ts';

// Events that were kept long enough are erased, and nothing else is.

const DAY_S = 86_400;

let service: TestService;
let driver: Driver;
const SETTINGS = { STRATA_PIPELINE_POLL_MS: '200', STRATA_RETENTION_SWEEP_INTERVAL_SECONDS: '0' };

beforeAll(async () => {
  service = await startWarmService(SETTINGS);
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const { recorded, rule, swept, left } = sweeping(() => ({ service, driver }));

it('erases what was kept long enough as an erasure does, and leaves what was not', async () => {
  const scope = 'org:retained/ws:erased';
  const [old = '', young = ''] = await recorded(scope, [31, 29]);
  await rule(scope, 30);
  const before = await swept({ scope, dry_run: true });
  expect(before).toMatchObject({
    dry_run: true,
    scanned: 1,
    expired: 1,
    erased: 0,
    stopped: 'complete',
    errors: [],
  });
  expect(await left([old, young])).toEqual([true, true]);
  const report = await swept({ scope });
  expect(report).toMatchObject({
    dry_run: false,
    scanned: 1,
    expired: before.expired,
    erased: 1,
    errors: [],
  });
  expect(await left([old, young])).toEqual([false, true]);
  const [id] = report.erasures;
  const { json: erasure } = await service.get(`/v1/erasures/${id}`);
  expect(erasure).toMatchObject({ status: 'completed', scope, counts: { events: 1, facts: 1 } });
  const { json: receipt } = await service.get(`/v1/erasures/${id}/receipt`);
  expect(receipt.claims).toMatchObject({ removed: { events: 1 }, residue: { undeclared: 0 } });
  const frames = (await service.get(`/v1/lifecycle?job_id=${id}`)).json.items;
  expect(frames.map(({ event }: any) => event)).toEqual(['erasure_progress', 'erasure_complete']);
  expect(frames.at(-1).data.note).toBe('Retention: events older than 2592000 s.');
  const rows = (await service.get(`/v1/audit?scope=${scope}&capability=forget.gdpr&limit=100`)).json.items;
  expect(rows.filter(({ id: row }: any) => row === receipt.claims.audit.audit_id)).toEqual([
    expect.objectContaining({ endpoint: `POST ${SWEEP}`, actor: 'user:local', decision: 'allow' }),
  ]);
  const { json: chain } = await service.post('/v1/audit/chain/verify', {});
  expect(chain.valid ?? chain.verified).toBe(true);
  expect(await swept({ scope })).toMatchObject({ expired: 0, erased: 0, erasures: [] });
  const { json: status } = await service.get('/v1/admin/retention');
  expect(status.last).toMatchObject({ scope, erased: 0, stopped: 'complete' });
  expect(status.policies).toContainEqual({
    scope,
    policy: { default_retention_days: 30, per_source_days: {} },
  });
});

it('goes by source, by the scopes above, and by a null of the scope itself', async () => {
  const [above, keeps, shorter] = ['org:tree', 'org:tree/team:keeps', 'org:tree/team:shorter'];
  await rule(above, 30, { 'source:jira': 90 });
  await rule(keeps, null);
  await rule(shorter, 10);
  // In the order of the log, which is that of the recording.
  const [oldJira, old] = [await recorded(above, [91], ['source:jira']), await recorded(above, [91])];
  const [jira, own] = [await recorded(above, [31], ['source:jira']), await recorded(above, [31, 20])];
  const kept = await recorded(keeps, [400]);
  const soon = await recorded(shorter, [11, 9]);
  const inherited = await recorded('org:tree/team:silent/user:a', [31, 29]);
  expect(await swept({ scope: above })).toMatchObject({ expired: 5, erased: 5, kept_forever: 0 });
  expect(await left([...oldJira, ...old, ...jira, ...own])).toEqual([false, false, true, false, true]);
  expect(await left([...kept, ...soon, ...inherited])).toEqual([true, false, true, false, true]);
});

it('goes by no rule from above all rosters in a scope that one governs', async () => {
  const [above, governed] = ['org:rosters', 'org:rosters/team:own'];
  const registered = await service.post('/v1/scopes', { path: governed, owner: 'user:kim' });
  expect(registered.status).toBe(201);
  await rule(above, 30);
  const theirs = await recorded(`${governed}/user:a`, [31]);
  const others = await recorded(`${above}/user:b`, [31]);
  expect(await swept({ scope: above })).toMatchObject({ expired: 1, erased: 1 });
  expect(await left([...theirs, ...others])).toEqual([true, false]);
  const { json } = await service.get(`/v1/scopes?path=${governed}`);
  expect(json.resolved_policy.retention).toEqual({});
  await rule(governed, 10);
  expect(await swept({ scope: above })).toMatchObject({ expired: 1, erased: 1 });
  expect(await left(theirs)).toEqual([false]);
});

it('leaves what is under legal hold, counts it, and takes it once the hold is over', async () => {
  const scope = 'org:retained/ws:held';
  const [free = '', held = ''] = [
    ...(await recorded(scope, [40])),
    ...(await recorded(scope, [40], ['lease'])),
  ];
  await rule(scope, 30);
  const hold = { id: 'case-retention', scope, selector: { labels: ['lease'] }, reason: 'A dispute.' };
  await service.request('PUT', '/v1/legal-holds', { body: hold });
  for (const dry_run of [true, false])
    expect(await swept({ scope, dry_run })).toMatchObject({ expired: 2, held: { legal_hold: 1 } });
  expect(await left([free, held])).toEqual([false, true]);
  await swept();
  expect(await left([held])).toEqual([true]);
  await service.request('DELETE', `/v1/legal-holds?id=${hold.id}`);
  await swept();
  expect(await left([held])).toEqual([false]);
});

it('takes as many as it may, and goes on behind them, across a restart too', async () => {
  const scope = 'org:paged/ws:a';
  await rule('org:paged', 30);
  const first = await recorded(scope, [40, 40, 40, 40]);
  const second = await recorded('org:paged/ws:b', [40]);
  await swept({ rescan: true, max_events: 1 });
  expect(await left([...first, ...second])).toEqual([false, true, true, true, true]);
  expect(await swept({ max_events: 1 })).toMatchObject({ expired: 1, erased: 1, stopped: 'max_events' });
  await service.stop();
  service = await startTestService(SETTINGS, { keepData: true });
  // The page of a scope ends exactly where the sweep does.
  expect(await swept({ max_events: 2 })).toMatchObject({ expired: 2, erased: 2, stopped: 'max_events' });
  expect(await left([...first, ...second])).toEqual([false, false, false, false, true]);
  const { json: status } = await service.get('/v1/admin/retention');
  expect(status.cursor).toBeGreaterThan(0);
  expect(status.fingerprint_ok).toBe(true);
  const last = await swept({ max_events: 5 });
  expect(last).toMatchObject({
    erased: 1,
    stopped: 'complete',
    cursor_before: status.cursor,
    cursor_after: 0,
  });
  expect(await left(second)).toEqual([false]);
});

it('looks at everything again when a rule changes', async () => {
  const scope = 'org:changed/ws:a';
  const ids = await recorded(scope, [40, 20]);
  await rule(scope, 30);
  await swept();
  expect(await left(ids)).toEqual([false, true]);
  expect(await rule(scope, 10)).toMatchObject({ cursor_reset: true });
  await swept();
  expect(await left(ids)).toEqual([false, false]);
});

it('goes by an age that is asked for in place of all rules, in one scope alone', async () => {
  const scope = 'org:asked/ws:a';
  const ids = await recorded(scope, [3, 1]);
  const beside = await recorded('org:asked-not', [3]);
  await rule(scope, null);
  expect(await swept({ scope, older_than_secs: 2 * DAY_S })).toMatchObject({ erased: 1, kept_forever: 0 });
  expect(await left([...ids, ...beside])).toEqual([false, true, true]);
  expectProblem(await service.post(SWEEP, { older_than_secs: 1 }), {
    status: 422,
    code: 'INVALID_BODY',
    field: 'older_than_secs',
  });
});

it('takes away what was derived for longer than its layer is kept, for good', async () => {
  const scope = 'org:layers/ws:a';
  const ids = await recorded(scope, [40, 20]);
  await service.post('/v1/scopes', { path: scope, policies: { retention: { facts: 'P30D', events: null } } });
  expect(await swept({ scope, dry_run: true })).toMatchObject({ derived: { facts: 1 }, expired: 0 });
  expect(await swept({ scope })).toMatchObject({ derived: { facts: 1 }, expired: 0, errors: [] });
  const facts = async () => (await service.get(`/v1/facts?scope=${scope}`)).json.items.length as number;
  expect([await left(ids), await facts()]).toEqual([[true, true], 1]);
  expect((await service.post('/v1/admin/derived/rederive', { scope })).status).toBe(202);
  await allDerived(driver);
  expect(await facts()).toBe(1);
});

it('writes down once what is not to be derived, though a rule that changes has it look at everything again', async () => {
  const scope = 'org:layers/ws:again';
  const [old = '', middle = '', young = ''] = await recorded(scope, [40, 20, 5]);
  const keepFor = async (retention: Record<string, string | null>): Promise<void> => {
    const path = encodeURIComponent(scope);
    const body = { policies: { retention } };
    expect((await service.request('PUT', `/v1/scopes?path=${path}`, { body })).status).toBe(200);
  };
  const written = () =>
    query<{ event: string; layer: string; entry: string; ids: string[] | null }>(
      driver,
      `MATCH (n:LogEntry {kind: 'forget'})-[w:FORGETS]->(e:Event {scope_ref: $ref})
       RETURN e.id AS event, w.layer AS layer, n.id AS entry, w.ids AS ids ORDER BY e.wal_offset, layer, n.recorded_at`,
      { ref: scopeRef('default', scope) },
    );
  const of = (event: string, layer: string) => ({ event, layer, entry: expect.any(String), ids: null });
  await service.post('/v1/scopes', { path: scope, policies: { retention: { facts: 'P30D', events: null } } });
  await swept({ scope });
  const [first] = await written();
  expect(first).toEqual(of(old, 'facts'));
  await keepFor({ facts: 'P30D', beliefs: 'P10D', events: null });
  await swept({ scope });
  expect(await written()).toEqual([of(old, 'beliefs'), first, of(middle, 'beliefs')]);
  await keepFor({ facts: 'P10D', beliefs: 'P10D', events: null });
  const before = await written();
  await swept({ scope });
  const after = await written();
  expect(after).toEqual([...before, of(middle, 'facts')]);
  await keepFor({ facts: 'P11D', beliefs: 'P10D', events: null });
  const entries = () => query(driver, "MATCH (n:LogEntry {kind: 'forget'}) RETURN count(n) AS entries");
  const had = await entries();
  await swept({ scope });
  expect([await written(), await entries()]).toEqual([after, had]);
  expect(await left([old, middle, young])).toEqual([true, true, true]);
  expect((await service.get(`/v1/facts?scope=${scope}`)).json.items).toHaveLength(1);
});

it('tells of a scope in which it could not, and takes it another time', async () => {
  const scope = 'org:hindered/ws:a';
  const ids = await recorded(scope, [40]);
  const beside = await recorded('org:hindered/ws:b', [40]);
  await rule('org:hindered', 30);
  const ref = scopeRef('default', scope);
  await query(driver, 'CREATE (:Rebuild {scope_ref: $ref})', { ref });
  expect(await swept({ scope: 'org:hindered' })).toMatchObject({
    erased: 1,
    errors: [{ scope, error_code: 'REDERIVE_IN_PROGRESS' }],
  });
  expect(await left([...ids, ...beside])).toEqual([true, false]);
  await query(driver, 'MATCH (r:Rebuild {scope_ref: $ref}) DELETE r', { ref });
  await swept();
  expect(await left(ids)).toEqual([false]);
});

it('runs once at a time in a tenant, whatever process it is in, and is taken over where that died', async () => {
  await swept();
  await query(
    driver,
    `MATCH (r:RetentionSweep {tenant: 'default'}) SET r.owner = 'another', r.expires_at = timestamp() + 600000`,
  );
  const other = await startTestService(SETTINGS, { keepData: true });
  try {
    for (const one of [service, other]) {
      const answer = await one.post(SWEEP, { dry_run: false });
      expectProblem(answer, { status: 409, code: 'RETENTION_SWEEP_RUNNING', retriable: true });
      const before = (await one.get('/v1/admin/retention')).json;
      expect((await one.post(SWEEP, {})).json).toMatchObject({ dry_run: true, errors: [] });
      expect((await one.get('/v1/admin/retention')).json).toMatchObject({ running: true, last: before.last });
    }
    await query(driver, `MATCH (r:RetentionSweep {tenant: 'default'}) SET r.expires_at = 0`);
    const both = await Promise.all([service, other].map((one) => one.post(SWEEP, { dry_run: false })));
    expect(both.some(({ status }) => status < 300)).toBe(true);
    for (const { status } of both) expect([200, 202, 409]).toContain(status);
  } finally {
    await other.stop();
  }
});

it('runs by itself, goes on at once while there is more to go, and says so over GraphQL', async () => {
  const scope = 'org:scheduled/ws:a';
  const ids = await recorded(scope, [40, 40]);
  const other = await startTestService(
    {
      ...SETTINGS,
      STRATA_RETENTION_SWEEP_INTERVAL_SECONDS: '3600',
      STRATA_RETENTION_MAX_EVENTS_PER_TICK: '1',
      STRATA_RETENTION_DEFAULT_DAYS: '30',
    },
    { keepData: true },
  );
  try {
    await eventually('events to be erased', async () => !(await left(ids)).includes(true));
    const asked = await ask(
      other,
      '{ retention { enabled deploymentDefaultDays sweepIntervalSecs last { dryRun } } }',
    );
    expect(asked.data.retention).toMatchObject({
      enabled: true,
      deploymentDefaultDays: 30,
      sweepIntervalSecs: 3600,
    });
  } finally {
    await other.stop();
  }
  const rows = (await service.get(`/v1/audit?scope=${scope}&actor=system:strata`)).json.items;
  const row = expect.objectContaining({ endpoint: 'job retention', capability: 'forget.gdpr' });
  expect(rows).toEqual([row, row]);
  const swept = await ask(
    service,
    `mutation { sweepRetention(input: {scope: "${scope}"}) { running poll report { dryRun expired stopped } } }`,
  );
  expect(swept.data.sweepRetention).toEqual({
    running: false,
    poll: null,
    report: { dryRun: true, expired: 0, stopped: 'complete' },
  });
});
