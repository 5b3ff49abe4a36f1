import { expectProblem } from './problem.ts';
import { ask } from './graphql/ask.ts';
import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const POLICIES = '/v1/admin/retention/policies';
const ruleOf = (scope: string) => service.get(`${POLICIES}?scope=${encodeURIComponent(scope)}`);
const state = (body: object) => service.request('PUT', POLICIES, { body });
const takeBack = (scope: string) =>
  service.request('DELETE', `${POLICIES}?scope=${encodeURIComponent(scope)}`);
const scopeOf = async (path: string) =>
  (await service.get(`/v1/scopes?path=${encodeURIComponent(path)}`)).json;

it('is one of the policies of the scope, in days', async () => {
  const scope = 'ws:one-record';
  await service.post('/v1/scopes', {
    path: scope,
    policies: { audit: 'off', retention: { events: 'P2W', facts: 'P1Y', 'source:jira': 'P1DT12H' } },
  });
  expect((await ruleOf(scope)).json).toEqual({
    scope,
    policy: { default_retention_days: 14, per_source_days: { 'source:jira': 1.5 } },
    effective_days: 14,
  });
  const stated = await state({
    scope,
    default_retention_days: null,
    per_source_days: { 'source:slack': 30 },
  });
  expect([stated.status, stated.json]).toEqual([
    200,
    {
      scope,
      policy: { default_retention_days: null, per_source_days: { 'source:slack': 30 } },
      cursor_reset: true,
    },
  ]);
  expect((await scopeOf(scope)).policies).toEqual({
    audit: 'off',
    retention: { events: null, facts: 'P1Y', 'source:slack': 'P30D' },
  });
  expect((await takeBack(scope)).status).toBe(204);
  expect((await scopeOf(scope)).policies).toEqual({ audit: 'off', retention: { facts: 'P1Y' } });
});

it('says what holds, and is not there where it is only inherited', async () => {
  await state({ scope: 'org:kept', default_retention_days: 30 });
  await state({ scope: 'org:kept/team:long', default_retention_days: 90 });
  await state({ scope: 'org:kept/team:ever', default_retention_days: null });
  await state({ scope: 'org:kept/team:jira', per_source_days: { 'source:jira': 7 } });
  await service.post('/v1/experience', message('org:kept/team:silent', 'x'));
  expect((await ruleOf('org:kept/team:long')).json.effective_days).toBe(30);
  expect((await ruleOf('org:kept/team:ever')).json.effective_days).toBeNull();
  expect((await ruleOf('org:kept/team:jira')).json).toEqual({
    scope: 'org:kept/team:jira',
    policy: { per_source_days: { 'source:jira': 7 } },
    effective_days: 30,
  });
  for (const scope of ['org:kept/team:silent', 'org:kept/team:absent'])
    expectProblem(await ruleOf(scope), { status: 404, code: 'NOT_FOUND' });
  const { resolved_policy: resolved, inherited_policy: inherited } = await scopeOf('org:kept/team:jira');
  expect(resolved.retention).toEqual({ events: 'P30D', 'source:jira': 'P7D' });
  expect(inherited['retention.events']).toEqual({ value: 'P30D', from: 'org:kept' });
  expect((await scopeOf('org:kept/team:ever')).resolved_policy.retention).toEqual({ events: null });
});

it('is stated of a scope that is not registered, which may be registered still', async () => {
  const scope = 'ws:unregistered/team:a';
  await state({ scope, default_retention_days: 30 });
  expect(await scopeOf(scope)).toMatchObject({
    auto_provisioned: true,
    policies: { retention: { events: 'P30D' } },
  });
  const made = await service.post('/v1/scopes', { path: scope, policies: { audit: 'off' } });
  expect(made.json.policies).toEqual({ audit: 'off', retention: { events: 'P30D' } });
  const other = await service.post('/v1/scopes', { path: scope });
  expectProblem(other, { status: 409, code: 'SCOPE_REGISTRATION_EXISTS' });
});

it('changes nothing, and tells nobody, where it is stated again', async () => {
  const scope = 'ws:stated-again';
  const body = { scope, default_retention_days: 30 };
  expect((await state(body)).json.cursor_reset).toBe(true);
  expect((await state(body)).json.cursor_reset).toBe(false);
  const { json } = await service.get(`/v1/lifecycle?scope=${scope}&events=policy_changed`);
  expect(json.items.map(({ data }: any) => data.policies)).toEqual([['retention']]);
  const rows = (await service.get(`/v1/audit?scope=${scope}&capability=forget.gdpr`)).json.items;
  expect(rows.map(({ endpoint }: any) => endpoint)).toEqual([`PUT ${POLICIES}`, `PUT ${POLICIES}`]);
});

it('is not taken back twice', async () => {
  await state({ scope: 'ws:taken-back', default_retention_days: 30 });
  expect((await takeBack('ws:taken-back')).status).toBe(204);
  for (const scope of ['ws:taken-back', 'ws:never-stated'])
    expectProblem(await takeBack(scope), { status: 404, code: 'NOT_FOUND' });
});

it('refuses a source that is kept for ever among the policies of a scope', async () => {
  const policies = { retention: { 'source:jira': null } };
  expectProblem(await service.post('/v1/scopes', { path: 'ws:refused', policies }), {
    status: 422,
    code: 'INVALID_RETENTION_POLICY',
    field: 'policies.retention.source:jira',
  });
});

it('does the same over GraphQL', async () => {
  const scope = 'ws:retained-by-graphql';
  const stated = await ask(
    service,
    `mutation ($input: SetRetentionPolicyInput!) { setRetentionPolicy(input: $input) { scope policy { defaultRetentionDays perSourceDays } cursorReset } }`,
    { input: { scope, defaultRetentionDays: 30, perSourceDays: { 'source:jira': 7 } } },
  );
  const policy = { defaultRetentionDays: 30, perSourceDays: { 'source:jira': 7 } };
  expect(stated.data.setRetentionPolicy).toEqual({ scope, policy, cursorReset: true });
  expect((await ruleOf(scope)).json.policy).toEqual({
    default_retention_days: 30,
    per_source_days: { 'source:jira': 7 },
  });
  const read = await ask(
    service,
    `{ retentionPolicy(scope: "${scope}") { policy { defaultRetentionDays perSourceDays } effectiveDays } }`,
  );
  expect(read.data.retentionPolicy).toEqual({ policy, effectiveDays: 30 });
  const kept = await ask(
    service,
    `mutation { setRetentionPolicy(input: {scope: "${scope}", defaultRetentionDays: null}) { policy { defaultRetentionDays } } }`,
  );
  expect(kept.data.setRetentionPolicy).toEqual({ policy: { defaultRetentionDays: null } });
  expect((await ask(service, `mutation { deleteRetentionPolicy(scope: "${scope}") }`)).data).toEqual({
    deleteRetentionPolicy: true,
  });
  const again = await ask(service, `mutation { deleteRetentionPolicy(scope: "${scope}") }`);
  expect(again.errors?.[0].extensions.code).toBe('NOT_FOUND');
});

it('is changed only by whoever may erase, whatever way it is stated, and read by whoever may look', async () => {
  const scope = 'ws:governed-retention';
  const actor = 'user:keeper';
  const policies = { retention: { events: 'P1Y' } };
  await service.post('/v1/scopes', { path: scope, owner: actor, policies });
  const holder = async (caps: readonly string[]) => {
    const { token } = await mintFrom(service, { subject: actor, caps });
    return { headers: bearer(token, actor) };
  };
  const manager = await holder(['scope.*', 'diagnostics.read']);
  const denied = { status: 403, code: 'POLICY_DENIED' };
  const at = `/v1/scopes?path=${scope}`;
  for (const retention of [{ events: 'P1D' }, { events: null }, {}, undefined]) {
    const answer = await service.request('PUT', at, { body: { policies: { retention } }, ...manager });
    expectProblem(answer, denied);
    expect(answer.json.details.capability).toBe('forget.gdpr');
  }
  const kept = { policies: { ...policies, audit: 'off' } };
  expect((await service.request('PUT', at, { body: kept, ...manager })).status).toBe(200);
  const below = { path: `${scope}/team:a`, policies };
  expectProblem(await service.post('/v1/scopes', below, manager), denied);
  expect((await service.post('/v1/scopes', { path: below.path }, manager)).status).toBe(201);
  const rule = `${POLICIES}?scope=${scope}`;
  expectProblem(
    await service.request('PUT', POLICIES, { body: { scope, default_retention_days: 1 }, ...manager }),
    denied,
  );
  expectProblem(await service.request('DELETE', rule, manager), denied);
  expect((await service.get(rule, manager)).json.effective_days).toBe(365);
  const sweep = '/v1/admin/retention/sweep';
  expect((await service.post(sweep, { scope }, manager)).json).toMatchObject({ dry_run: true, errors: [] });
  expectProblem(await service.post(sweep, { scope, dry_run: false }, manager), denied);
  const eraser = await holder(['forget.gdpr']);
  expect(
    (await service.request('PUT', POLICIES, { body: { scope, default_retention_days: 90 }, ...eraser }))
      .status,
  ).toBe(200);
  expectProblem(await service.get(rule, eraser), denied);
  // With the scope what it states would go, and what that keeps.
  const removal = await service.request('DELETE', `${at}&records=keep`, manager);
  expectProblem(removal, denied);
  expect(removal.json.details.capability).toBe('forget.gdpr');
  // The whole tenant is swept for the operator alone.
  expectProblem(await service.post(sweep, {}, manager), denied);
});
