import { MAX_MEMBERS } from '../../schemas/scope-record.ts';
import { message, type Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const at = (path: string): string => `/v1/scopes?path=${encodeURIComponent(path)}`;
/** The reading of a scope by whoever holds a token of an actor. */
const readBy = async (actor: string, path: string): Promise<Answer> => {
  const { token } = await mintFrom(service, { subject: actor });
  return service.get(at(path), { headers: bearer(token, actor) });
};
const member = (actor: string, role = 'owner') => ({ actor, role });
const INHERITED = { value: 'eager', from: 'default' };

describe('a registration', () => {
  it('seats the caller as owner, and answers the record', async () => {
    const { status, json } = await service.post(
      '/v1/scopes',
      { path: 'ws:first', policies: { conflict_resolution: 'keep_both', retention: { events: 'P90D' } } },
      { headers: { 'x-strata-actor': 'user:a' } },
    );
    expect(status).toBe(201);
    expect(json).toEqual({
      path: 'ws:first',
      members: [member('user:a')],
      policies: { conflict_resolution: 'keep_both', retention: { events: 'P90D' } },
      auto_provisioned: false,
      created_at: expect.stringMatching(/Z$/),
      created_by: 'user:a',
      inherited_policy: { consolidation: INHERITED, audit: { value: 'on', from: 'default' } },
      resolved_policy: {
        consolidation: 'eager',
        conflict_resolution: 'keep_both',
        audit: 'on',
        retention: { events: 'P90D' },
        cardinality: {},
      },
    });
    const { warnings: _warnings, ...record } = json;
    expect((await service.get(at('ws:first'))).json).toEqual(record);
    expectProblem(await service.post('/v1/scopes', { path: 'ws:first' }), {
      status: 409,
      code: 'SCOPE_REGISTRATION_EXISTS',
    });
  });

  it('takes one owner in place of members, as published clients send it', async () => {
    const { json } = await service.post('/v1/scopes', { path: 'ws:owned', owner: 'user:+15551234567' });
    expect(json.members).toEqual([member('user:+15551234567')]);
  });

  it('keeps an owner that is named, and adds the caller where none is', async () => {
    const named = [member('user:b', 'reader'), member('user:c')];
    expect((await service.post('/v1/scopes', { path: 'ws:named', members: named })).json.members).toEqual(
      named,
    );
    const readers = [member('user:b', 'reader')];
    const { json } = await service.post('/v1/scopes', { path: 'ws:readers', members: readers });
    expect(json.members).toEqual([...readers, member('user:local')]);
  });

  it('is made once of a scope that was only written to, which keeps when and by whom it was', async () => {
    await service.post('/v1/experience', message('ws:written', 'first'), {
      headers: { 'x-strata-actor': 'user:w' },
    });
    const before = (await service.get(at('ws:written'))).json;
    expect(before).toMatchObject({ auto_provisioned: true, members: [], policies: {}, created_by: 'user:w' });
    const { status, json } = await service.post('/v1/scopes', { path: 'ws:written', owner: 'user:o' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      auto_provisioned: false,
      created_at: before.created_at,
      created_by: 'user:w',
      members: [member('user:o')],
    });
    expect((await service.post('/v1/scopes', { path: 'ws:written' })).status).toBe(409);
  });

  it('has one winner, however many come at once', async () => {
    const racing = Array.from({ length: 8 }, (_, i) =>
      service.post('/v1/scopes', { path: 'ws:raced' }, { headers: { 'x-strata-actor': `user:${i}` } }),
    );
    const answers = await Promise.all(racing);
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect((await service.get(at('ws:raced'))).json.members).toEqual([member(`user:${winner}`)]);
  });

  it('takes types that a capture takes', async () => {
    expectProblem(await service.post('/v1/scopes', { path: 'nope:x' }), {
      status: 422,
      code: 'UNREGISTERED_SCOPE_TYPE',
      field: 'path',
    });
  });

  it.each<[string, object, string, string]>([
    ['no path', {}, 'INVALID_BODY', 'path'],
    ['an unknown field', { path: 'ws:x', color: 1 }, 'INVALID_BODY', 'color'],
    [
      'a role that is none',
      { path: 'ws:x', members: [member('user:a', 'admin')] },
      'INVALID_BODY',
      'members[0].role',
    ],
    [
      'an actor with a space',
      { path: 'ws:x', members: [member('user a')] },
      'INVALID_BODY',
      'members[0].actor',
    ],
    [
      'a member named twice',
      { path: 'ws:x', members: [member('user:a'), member('user:a', 'reader')] },
      'INVALID_BODY',
      'members[1].actor',
    ],
    [
      'too many members',
      { path: 'ws:x', members: Array.from({ length: MAX_MEMBERS + 1 }, (_, i) => member(`user:${i}`)) },
      'INVALID_BODY',
      'members',
    ],
    ['members and an owner', { path: 'ws:x', members: [], owner: 'user:a' }, 'INVALID_BODY', 'owner'],
    ['an unknown policy', { path: 'ws:x', policies: { colour: 1 } }, 'INVALID_BODY', 'policies.colour'],
    [
      'a source key that is none',
      { path: 'ws:x', policies: { retention: { 'source:': 'P1D' } } },
      'INVALID_RETENTION_POLICY',
      'policies.retention.source:',
    ],
    [
      'a layer that is none',
      { path: 'ws:x', policies: { retention: { memories: 'P1D' } } },
      'INVALID_RETENTION_POLICY',
      'policies.retention.memories',
    ],
    [
      'a duration that is none',
      { path: 'ws:x', policies: { retention: { events: '90 days' } } },
      'INVALID_RETENTION_POLICY',
      'policies.retention.events',
    ],
    [
      'a cardinality that is none',
      { path: 'ws:x', policies: { cardinality: { likes: 'several' } } },
      'INVALID_BODY',
      'policies.cardinality.likes',
    ],
    [
      'a capability that is none',
      { path: 'ws:x', policies: { capabilities: { deny: ['scope.fly'] } } },
      'INVALID_BODY',
      'policies.capabilities.deny[0]',
    ],
    [
      'a policy that locks everybody out',
      { path: 'ws:x', policies: { capabilities: { deny: ['scope.*'] } } },
      'INVALID_BODY',
      'policies.capabilities.deny',
    ],
    [
      'a policy that leaves nobody to manage',
      { path: 'ws:x', policies: { capabilities: { allow: ['scope.read'] } } },
      'INVALID_BODY',
      'policies.capabilities.allow',
    ],
  ])('with %s is refused', async (_what, body, code, field) => {
    expectProblem(await service.post('/v1/scopes', body), { status: 422, code, field });
  });

  it('takes a roster of a thousand', async () => {
    const members = Array.from({ length: MAX_MEMBERS }, (_, i) =>
      member(`user:${i}`, i === 0 ? 'owner' : 'reader'),
    );
    const { status, json } = await service.post('/v1/scopes', { path: 'ws:large', members });
    expect([status, json.members.length]).toEqual([201, MAX_MEMBERS]);
    expect((await readBy('user:999', 'ws:large')).status).toBe(200);
  });
});

/** What is no scope path, or another one than it looks. */
const NOT_PATHS: readonly (readonly [what: string, path: string])[] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['no type', 'user'],
  ['an empty name', 'user:'],
  ['an empty type', ':1'],
  ['a type in capitals', 'User:1'],
  ['a type of another alphabet', 'us\u0435r:1'],
  ['a name of another alphabet', 'user:\u0430'],
  ['digits of another script', 'user:\u0661'],
  ['a full-width colon', 'user\uff1a1'],
  ['an accent', 'user:\u00e9'],
  ['a zero-width joiner', 'user:1\u200d'],
  ['a space behind', 'user:1 '],
  ['a line break', 'user:1\n'],
  ['an encoded slash', 'user:1%2Fapp:2'],
  ['a doubled slash', 'user:1//app:2'],
  ['a slash in front', '/user:1'],
  ['a slash behind', 'user:1/'],
  ['a wildcard', 'user:1/*'],
  ['dots as segments', 'user:1/../user:2'],
  ['33 segments', Array.from({ length: 33 }, (_, i) => `user:${i}`).join('/')],
  [
    '4,097 characters',
    Array.from({ length: 32 }, (_, i) => `user:${'x'.repeat(i === 0 ? 124 : 122)}`).join('/'),
  ],
  ['a name of 129 characters', `user:${'x'.repeat(129)}`],
];

describe('a path', () => {
  it.each(NOT_PATHS)('of %s names nothing', async (_what, path) => {
    expectProblem(await service.post('/v1/scopes', { path }), {
      status: 422,
      code: 'INVALID_BODY',
      field: 'path',
    });
    expectProblem(await service.get(at(path)), { status: 400, code: 'INVALID_QUERY', field: 'path' });
    const deleted = await service.request('DELETE', at(path));
    expectProblem(deleted, { status: 400, code: 'INVALID_QUERY', field: 'path' });
  });

  it('of 32 segments and 4,096 characters is one', async () => {
    const path = Array.from({ length: 32 }, (_, i) => `user:${'x'.repeat(i === 0 ? 123 : 122)}`).join('/');
    expect(path).toHaveLength(4096);
    expect((await service.post('/v1/scopes', { path })).status).toBe(201);
    expect((await service.get(at(path))).status).toBe(200);
  });

  it('is one thing whatever the encoding of the query, and given once', async () => {
    await service.post('/v1/scopes', { path: 'user:enc/app:1' });
    for (const text of ['user:enc/app:1', 'user%3Aenc%2Fapp%3A1', '%75ser:enc/app:1'])
      expect((await service.get(`/v1/scopes?path=${text}`)).json.path).toBe('user:enc/app:1');
    expectProblem(await service.get('/v1/scopes?path=user:enc&path=user:enc/app:1'), {
      status: 400,
      code: 'INVALID_QUERY',
      field: 'path',
    });
    expect((await service.get('/v1/scopes')).status).toBe(400);
    expect((await service.get('/v1/scopes?path=user:enc/app:1&Path=x')).status).toBe(400);
  });

  it('is not its prefix, nor itself in capitals', async () => {
    await service.post('/v1/scopes', { path: 'user:1', owner: 'user:owner' });
    for (const path of ['user:10', 'user:1x', 'user:1-/app:x', 'user:A'])
      await service.post('/v1/experience', message(path, 'open'));
    const hidden = { status: 404, code: 'NOT_FOUND' };
    expectProblem(await readBy('user:stranger', 'user:1'), hidden);
    for (const path of ['user:10', 'user:1x', 'user:1-/app:x', 'user:A'])
      expect([path, (await readBy('user:stranger', path)).status]).toEqual([path, 200]);
    expectProblem(await readBy('user:stranger', 'user:a'), hidden);
  });
});
