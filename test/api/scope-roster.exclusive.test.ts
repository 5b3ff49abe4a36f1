import { jest } from '@jest/globals';

import { parseGrant, type Grant } from '../../src/access/grant.ts';
import { BY_OPERATOR, callBy, codeOf } from '../support/calls.ts';
import { loseAnswerOf } from '../support/lost-answer.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ STRATA_TENANTS: 'acme' });
});
afterAll(async () => {
  await service.stop();
});

const scopes = () => service.context.services.scope;
const at = (path: string): string => `/v1/scopes?path=${encodeURIComponent(path)}`;
const member = (actor: string, role = 'owner') => ({ actor, role });
const grant = (text: string): Grant => {
  const parsed = parseGrant(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
};
const put = (path: string, body: unknown) => service.request('PUT', path, { body });

describe('a roster', () => {
  const capture = (actor: string, scope: string) =>
    codeOf(service.context.services.experience.capture(callBy(actor), message(scope, 'x'), {}));

  beforeAll(async () => {
    await scopes().register(callBy('user:boss'), {
      path: 'org:roster',
      members: [member('user:boss'), member('user:writer', 'writer'), member('user:reader', 'reader')],
    });
  });

  it('governs what is below until a scope has its own', async () => {
    const below = 'org:roster/team:a/user:x';
    expect(await capture('user:writer', below)).toBe('done');
    expect(await capture('user:reader', below)).toBe('NOT_A_MEMBER');
    expect(await capture('user:stranger', below)).toBe('NOT_A_MEMBER');
    await scopes().register(callBy('user:boss'), {
      path: 'org:roster/team:a',
      members: [member('user:lead'), member('user:writer', 'reader')],
    });
    expect(await capture('user:writer', below)).toBe('NOT_A_MEMBER');
    expect(await capture('user:lead', below)).toBe('done');
    expect(await capture('user:lead', 'org:roster/team:b')).toBe('NOT_A_MEMBER');
    expect(await codeOf(scopes().get(callBy('user:reader'), { path: below }))).toBe('NOT_FOUND');
  });

  it('is extended below by its owners alone, who stay owners', async () => {
    const path = 'org:roster/team:c';
    for (const actor of ['user:writer', 'user:reader', 'user:stranger'])
      expect(await codeOf(scopes().register(callBy(actor), { path }))).toBe('NOT_A_MEMBER');
    const { members } = await scopes().register(callBy('user:boss'), {
      path,
      members: [member('user:new'), member('user:boss', 'reader')],
    });
    expect(members).toEqual([member('user:new'), member('user:boss')]);
    const deeper = await scopes().register(BY_OPERATOR, { path: `${path}/app:d`, owner: 'user:d' });
    expect(deeper.members).toEqual([member('user:d'), member('user:new'), member('user:boss')]);
  });

  it('is not taken below from the owners above, whoever replaces it', async () => {
    const path = 'org:roster/team:kept';
    await scopes().register(callBy('user:boss'), { path, members: [member('user:child')] });
    const members = [member('user:child'), member('user:boss', 'reader')];
    const changed = await scopes().setMembers(callBy('user:child'), { path }, { members });
    expect(changed.members).toEqual([member('user:child'), member('user:boss')]);
    const alone = { members: [member('user:child')] };
    await scopes().setMembers(callBy('user:child'), { path }, alone);
    expect((await scopes().get(callBy('user:boss'), { path })).members).toEqual([
      member('user:child'),
      member('user:boss'),
    ]);
    const nobody = scopes().setMembers(callBy('user:child'), { path }, { members: [] });
    expect(await codeOf(nobody)).toBe('LAST_OWNER');
  });

  it('is changed by owners, and never without one left', async () => {
    const path = 'org:roster';
    const members = [member('user:boss'), member('user:writer', 'writer')];
    expect(await codeOf(scopes().setMembers(callBy('user:writer'), { path }, { members }))).toBe(
      'NOT_A_MEMBER',
    );
    expect(await codeOf(scopes().setMembers(callBy('user:boss'), { path }, { members }))).toBe('done');
    expect((await service.get(at(path))).json.members).toEqual(members);
    expect(await codeOf(scopes().get(callBy('user:reader'), { path }))).toBe('NOT_FOUND');
    for (const none of [[], [member('user:boss', 'writer')]])
      expectProblem(await put(`/v1/scopes/members?path=${path}`, { members: none }), {
        status: 422,
        code: 'LAST_OWNER',
        field: 'members',
      });
    const handed = [member('user:heir')];
    expect(await codeOf(scopes().setMembers(callBy('user:boss'), { path }, { members: handed }))).toBe(
      'done',
    );
    expect(await codeOf(scopes().setMembers(callBy('user:boss'), { path }, { members }))).toBe('NOT_FOUND');
    expect(await codeOf(scopes().setMembers(callBy('user:heir'), { path }, { members }))).toBe('done');
  });

  it('is left by an owner, though the answer of the commit was lost', async () => {
    const path = 'org:left';
    const owned = [member('user:leaving'), member('user:heir')];
    await scopes().register(callBy('user:leaving'), { path, members: owned });
    loseAnswerOf('scope.change');
    const members = [member('user:heir')];
    const answer = await scopes().setMembers(callBy('user:leaving'), { path }, { members });
    jest.restoreAllMocks();
    expect(answer.members).toEqual(members);
  });

  it('is known to other processes within a second', async () => {
    const other = await startTestService({ STRATA_TENANTS: 'acme' }, { keepData: true });
    try {
      const path = 'org:two-processes';
      const open = () => codeOf(other.context.services.scope.get(callBy('user:x'), { path }));
      await service.post('/v1/experience', message(path, 'x'));
      expect(await open()).toBe('done');
      await service.post('/v1/scopes', { path, owner: 'user:o' });
      await eventually('the roster is known', async () => (await open()) === 'NOT_FOUND', 1_500);
      await service.request('DELETE', `${at(path)}&records=forget`);
      await service.post('/v1/experience', message(path, 'fresh'));
      await eventually('that it is gone is known', async () => (await open()) === 'done', 1_500);
    } finally {
      await other.stop();
    }
  });
});

describe('a reading of a scope', () => {
  it('is the same for what is hidden and what is not there', async () => {
    await service.post('/v1/scopes', { path: 'ws:hidden', owner: 'user:o' });
    const told = async (path: string): Promise<unknown> => {
      try {
        return await scopes().get(callBy('user:stranger'), { path });
      } catch (error) {
        const { code, message: text, details } = error as { code: string; message: string; details: unknown };
        return { code, text, details };
      }
    };
    expect(await told('ws:hidden')).toEqual(await told('ws:missing'));
  });

  it('takes as many round trips for what is hidden as for what is not there', async () => {
    const sent = async (): Promise<number> => {
      const { text } = await service.get('/v1/admin/metrics');
      const lines = text.matchAll(
        /^strata_statement_seconds_count\{statement="(scope|access)\.(record|rules)"\} (\d+)$/gm,
      );
      return [...lines].reduce((sum, [, , , count]) => sum + Number(count), 0);
    };
    const during = async (path: string): Promise<number> => {
      const before = await sent();
      expect(await codeOf(scopes().get(callBy('user:stranger'), { path }))).toBe('NOT_FOUND');
      return (await sent()) - before;
    };
    await service.post('/v1/scopes', { path: 'ws:counted', owner: 'user:o' });
    // Twice each: rules that are remembered are remembered of both.
    const hidden = [await during('ws:counted'), await during('ws:counted')];
    await service.post('/v1/scopes', { path: 'ws:counts', owner: 'user:o' });
    expect([await during('ws:nobody'), await during('ws:nobody')]).toEqual(hidden);
  });

  it('is refused, not empty, where a token does not cover the path', async () => {
    const confined = callBy('user:o', { grants: [grant('scope.read:org:elsewhere/*')] });
    expect(await codeOf(scopes().get(confined, { path: 'ws:hidden' }))).toBe('POLICY_DENIED');
    expect(await codeOf(scopes().get(confined, { path: 'ws:missing' }))).toBe('POLICY_DENIED');
  });

  it('stays within a tenant', async () => {
    const headers = { 'x-strata-tenant': 'acme' };
    await service.post('/v1/scopes', { path: 'ws:tenant', owner: 'user:acme' }, { headers });
    expectProblem(await service.get(at('ws:tenant')), { status: 404, code: 'NOT_FOUND' });
    expect((await service.post('/v1/scopes', { path: 'ws:tenant' })).status).toBe(201);
    expect((await service.get(at('ws:tenant'), { headers })).json.members).toEqual([member('user:acme')]);
  });
});

describe('policies', () => {
  it('are inherited from named scopes, then from ancestors, and told with where they are from', async () => {
    await service.post('/v1/scopes', {
      path: 'org:pol',
      policies: {
        consolidation: 'manual',
        retention: { events: 'P30D', facts: 'P1Y' },
        cardinality: { likes: 'many', owner_of: 'exclusive' },
      },
    });
    await service.post('/v1/scopes', {
      path: 'ws:pol',
      owner: 'user:p',
      policies: { default_view: 'lineage' },
    });
    const { json } = await service.post('/v1/scopes', {
      path: 'org:pol/team:t',
      policies: {
        inherit_from: ['ws:pol', 'ws:unknown'],
        retention: { events: 'P90D', 'source:jira': 'P7D' },
        cardinality: { likes: 'one' },
      },
    });
    expect(json.resolved_policy).toEqual({
      consolidation: 'manual',
      conflict_resolution: 'latest_wins',
      audit: 'on',
      default_view: 'lineage',
      retention: { events: 'P30D', facts: 'P1Y', 'source:jira': 'P7D' },
      cardinality: { likes: 'one', owner_of: 'exclusive' },
    });
    expect(json.inherited_policy).toMatchObject({
      consolidation: { value: 'manual', from: 'org:pol' },
      default_view: { value: 'lineage', from: 'ws:pol' },
      conflict_resolution: { value: 'latest_wins', from: 'default' },
      'retention.events': { value: 'P30D', from: 'org:pol' },
    });
    expect(json.inherited_policy).not.toHaveProperty('cardinality.likes');
    const own = callBy('user:local');
    const shown = await scopes().get(own, { path: 'org:pol/team:t' });
    expect(shown.resolved_policy).not.toHaveProperty('default_view');
  });

  it('of a scope above that may not be read are in force, and not told with where they are from', async () => {
    const path = 'org:shut/team:a';
    const policies = {
      consolidation: 'manual',
      retention: { events: 'P30D', 'source:secret-system': 'P7D' },
      cardinality: { secret_predicate: 'one' },
    };
    await scopes().register(callBy('user:above'), { path: 'org:shut', policies });
    await scopes().register(callBy('user:above'), { path, members: [member('user:r', 'reader')] });
    const seen = await scopes().get(callBy('user:r'), { path });
    expect(seen.resolved_policy).toMatchObject({
      consolidation: 'manual',
      retention: { events: 'P30D' },
      cardinality: {},
    });
    expect(JSON.stringify(seen)).not.toMatch(/secret|"org:shut"/);
    expect(Object.keys(seen.inherited_policy).sort()).toEqual(['audit', 'conflict_resolution']);
    const whole = await scopes().get(callBy('user:above'), { path });
    expect(whole.inherited_policy).toMatchObject({
      consolidation: { value: 'manual', from: 'org:shut' },
      'cardinality.secret_predicate': { value: 'one', from: 'org:shut' },
    });
  });

  it('are replaced as a whole', async () => {
    const path = 'org:pol/team:t';
    const { status, json } = await put(at(path), { policies: { audit: 'off' } });
    expect([status, json.policies]).toEqual([200, { audit: 'off' }]);
    expect((await service.get(at(path))).json).toEqual(json);
    expectProblem(await put(at(path), { policies: { audit: 'loud' } }), {
      status: 422,
      code: 'INVALID_BODY',
      field: 'policies.audit',
    });
    expectProblem(await put(at('ws:missing'), { policies: {} }), { status: 404, code: 'NOT_FOUND' });
    await service.post('/v1/experience', message('ws:only-written', 'x'));
    expectProblem(await put(at('ws:only-written'), { policies: {} }), { status: 404, code: 'NOT_FOUND' });
  });

  it('refuse capabilities below, for members and for the operator, until they are changed', async () => {
    const path = 'org:frozen';
    await service.post('/v1/scopes', { path, policies: { capabilities: { deny: ['scope.write'] } } });
    const refused = await service.post('/v1/experience', message(`${path}/user:a`, 'x'));
    expectProblem(refused, { status: 403, code: 'POLICY_DENIED' });
    expect(refused.json.details).toMatchObject({ capability: 'scope.write', decided_by_tier: 'scope' });
    await put(at(path), { policies: {} });
    expect((await service.post('/v1/experience', message(`${path}/user:a`, 'x'))).status).toBe(202);
  });
});

describe('by GraphQL', () => {
  const RECORD =
    '{ path autoProvisioned createdBy members { actor role } policies { retention audit capabilities { deny } } resolvedPolicy { retention conflictResolution } inheritedPolicy }';

  it('scopes are registered, read, changed and deleted as by REST', async () => {
    const input = {
      path: 'ws:graph',
      members: [{ actor: 'user:g', role: 'owner' }],
      policies: { retention: { 'source:jira': 'P7D' }, capabilities: { deny: ['export'] } },
    };
    const made = await ask(
      service,
      `mutation ($input: RegisterScopeInput!) { registerScope(input: $input) ${RECORD} }`,
      { input },
    );
    expect(made.errors).toBeUndefined();
    const wire = (await service.get(at('ws:graph'))).json;
    expect(made.data.registerScope).toMatchObject({
      path: 'ws:graph',
      autoProvisioned: false,
      members: wire.members,
      policies: { retention: { 'source:jira': 'P7D' }, audit: null, capabilities: { deny: ['export'] } },
      inheritedPolicy: wire.inherited_policy,
    });
    const read = await ask(service, `{ scope(path: "ws:graph") ${RECORD} }`);
    expect(read.data.scope).toEqual(made.data.registerScope);
    const changed = await ask(
      service,
      `mutation { a: setScopePolicies(path: "ws:graph", input: {policies: {audit: off}}) ${RECORD}
        b: setScopeMembers(path: "ws:graph", input: {members: [{actor: "user:h", role: owner}]}) ${RECORD} }`,
    );
    expect(changed.data.b).toMatchObject({ policies: { audit: 'off' }, members: [member('user:h')] });
    expect((await ask(service, 'mutation { deleteScope(path: "ws:graph") }')).data.deleteScope).toBe(true);
    const gone = await ask(service, '{ scope(path: "ws:graph") { path } }');
    expect(gone.errors?.[0].extensions.code).toBe('NOT_FOUND');
    expect((await ask(service, 'mutation { pruneScopes { pruned } }')).data.pruneScopes).toEqual({
      pruned: 0,
    });
  });
});
