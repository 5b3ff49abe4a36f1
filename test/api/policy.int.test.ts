import { CAPABILITIES } from '../../schemas/policy.ts';
import type { Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const effective = (query: string, headers: Record<string, string> = {}): Promise<Answer> =>
  service.get(`/v1/policy/effective?${query}`, { headers });
/** Headers of whoever holds a token of an actor, narrowed to nothing unless told. */
const by = async (actor: string, narrowed: Record<string, unknown> = {}): Promise<Record<string, string>> =>
  bearer((await mintFrom(service, { subject: actor, ...narrowed })).token, actor);

describe('the effective policy', () => {
  beforeAll(async () => {
    await service.post('/v1/scopes', {
      path: 'org:p',
      members: [
        { actor: 'user:o', role: 'owner' },
        { actor: 'user:r', role: 'reader' },
      ],
    });
  });

  it('of the operator is everything', async () => {
    const { status, json } = await effective('scope=org:p');
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual([
      'actor',
      'allowed',
      'capabilities',
      'decisions',
      'denied',
      'deployment_preset',
      'natural_level',
      'rate_limits',
      'scope',
    ]);
    expect(json).toMatchObject({
      actor: 'user:local',
      scope: 'org:p',
      deployment_preset: 'dev_local',
      natural_level: 'operator',
      denied: [],
      rate_limits: { read: null, write: null },
    });
    expect(json.allowed).toEqual([...CAPABILITIES]);
    expect(json.capabilities).toEqual(json.allowed);
    expect((await effective('')).json.scope).toBeNull();
  });

  it('of another actor is what his roster makes of him', async () => {
    const { json } = await effective('actor=user:r&scope=org:p/team:x');
    expect(json).toMatchObject({ actor: 'user:r', natural_level: 'reader' });
    expect(json.allowed).toEqual(
      expect.arrayContaining(['scope.read', 'scope.read.descend', 'lifecycle.subscribe']),
    );
    expect(json.denied).toEqual(expect.arrayContaining(['scope.write', 'scope.manage', 'forget.gdpr']));
    expect(json.decisions['scope.write']).toEqual({ decision: 'deny', decided_by_tier: 'scope' });
    expect((await effective('actor=constructor&scope=org:x')).json.denied).toEqual([]);
  });

  it('of another actor is told to owners alone', async () => {
    const asked = 'actor=user:r&scope=org:p';
    expect((await effective(asked, await by('user:o'))).status).toBe(200);
    expect((await effective(asked, await by('user:r'))).status).toBe(200);
    expectProblem(await effective(asked, await by('user:x')), { status: 403, code: 'NOT_A_MEMBER' });
    const narrowed = await by('user:o', { caps: ['scope.read'] });
    const denied = { status: 403, code: 'POLICY_DENIED' };
    expectProblem(await effective(asked, narrowed), denied);
    expectProblem(await effective('actor=user:r', narrowed), denied);
    expect((await effective('scope=org:p', narrowed)).json.allowed).toEqual([
      'scope.read',
      'scope.read.local',
      'scope.read.holistic',
      'scope.read.descend',
    ]);
  });

  it.each([
    ['a scope that is none', 'scope=org', 'scope'],
    ['an actor with a space', 'actor=user%20a', 'actor'],
    ['two scopes', 'scope=org:a&scope=org:b', 'scope'],
    ['an unknown parameter', 'tenant=t1', 'tenant'],
  ])('is not told of %s', async (_what, query, field) => {
    expectProblem(await effective(query), { status: 400, code: 'INVALID_QUERY', field });
  });
});

describe('policy over the wire', () => {
  it('is read', async () => {
    expect((await service.get('/v1/policy/deployment')).json).toEqual({
      preset: 'dev_local',
      allow: ['*'],
      deny: [],
      defaults: {
        'actor.require_signed': false,
        'scope.auto_register': true,
        'forget.cascade.default': 'derived_only',
        'audit.retention': null,
        'rate_limit.write': null,
        'rate_limit.read': null,
        allowed_scope_types: expect.arrayContaining(['org', 'ws', 'repo']),
      },
    });
  });

  it.each(['PUT', 'POST', 'DELETE', 'PATCH'])(
    'is not written: %s on the deployment is 405',
    async (method) => {
      const answer = await service.request(method, '/v1/policy/deployment', { body: {} });
      expectProblem(answer, { status: 405, code: 'METHOD_NOT_ALLOWED' });
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    },
  );

  it.each(['tenant', 'scope', 'actor', 'tenant/t1', 'scope/org:a', 'actor/user:a'])(
    'has no route for the tier %s',
    async (tier) => {
      for (const method of ['PUT', 'POST', 'GET'])
        expectProblem(
          await service.request(method, `/v1/policy/${tier}`, method === 'GET' ? {} : { body: {} }),
          {
            status: 404,
            code: 'NOT_FOUND',
          },
        );
    },
  );
});
