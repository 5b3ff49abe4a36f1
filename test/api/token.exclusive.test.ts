import { verifyToken } from '../../src/tokens/paseto.ts';
import { systemClock } from '../../src/clock.ts';
import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import {
  anotherSigningKey,
  bearer,
  craft,
  mintFrom,
  testSigningKey,
  type Minted,
} from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: TestService;
const foreign = anotherSigningKey();

beforeAll(async () => {
  const { kid, text } = await foreign;
  const issuer = { iss: 'https://idp', kid, public_key: text, audience: 'strata-api', tenant: 'acme' };
  service = await startTestService({
    STRATA_V1_MINTER_ENABLE: '1',
    STRATA_TRUSTED_ISSUERS: JSON.stringify([issuer]),
  });
});
afterAll(async () => {
  await service.stop();
});

const mint = (body?: Record<string, unknown>, headers?: Record<string, string>): Promise<Minted> =>
  mintFrom(service, body, headers);
const whoami = (headers: Record<string, string | null> = {}): Promise<Answer> =>
  service.get('/v1/auth/whoami', { headers });

describe('whoami', () => {
  it('tells the operator who it is, without an actor as with one', async () => {
    const { status, json, headers } = await whoami();
    expect([status, json]).toEqual([
      200,
      {
        caller: 'user:local',
        tenant_id: 'default',
        deployment_preset: 'dev_local',
        token: { jti: null, iss: 'static-api-key', exp: 253_402_300_799 },
        effective_capabilities: expect.arrayContaining(['auth.mint', 'admin', 'scope.read']),
        actor: 'user:local',
        tier: 'operator',
        expires_at: '9999-12-31T23:59:59.000Z',
      },
    ]);
    expect(headers.get('x-strata-policy')).toBe('tier=operator; decision=allow; capability=none');
    expect(headers.get('x-cortex-token-expires-at')).toBe('');
    expect((await whoami({ 'x-cortex-actor': 'user:b' })).json.caller).toBe('user:b');
  });

  it('tells a token what it is, even one that may do nothing', async () => {
    const { token, jti, expires_at } = await mint({ caps: [] });
    const { status, json, headers } = await whoami(bearer(token));
    expect([status, json]).toEqual([
      200,
      {
        caller: 'user:a',
        tenant_id: 'default',
        deployment_preset: 'dev_local',
        token: { jti, iss: 'strata', exp: Date.parse(expires_at) / 1000 },
        effective_capabilities: [],
        actor: 'user:a',
        tier: 'standard',
        expires_at,
      },
    ]);
    expect(headers.get('x-strata-policy')).toBe('tier=standard; decision=allow; capability=none');
    expect(headers.get('x-strata-token-expires-at')).toBe(expires_at);
    expect(Number(headers.get('x-strata-token-expires-in'))).toBeGreaterThan(3500);
  });

  it('is the same over GraphQL, which needs no actor, and says so in the policy header', async () => {
    const { token } = await mint({ caps: ['scope.read'] });
    const headers = { authorization: `Bearer ${token}` };
    const { data, headers: answered } = await ask(
      service,
      '{ whoami { caller tenantId deploymentPreset token { iss exp } effectiveCapabilities tier } }',
      undefined,
      { headers },
    );
    expect(data.whoami).toEqual({
      caller: 'user:a',
      tenantId: 'default',
      deploymentPreset: 'dev_local',
      token: { iss: 'strata', exp: expect.any(Number) },
      effectiveCapabilities: ['scope.read', 'scope.read.local', 'scope.read.holistic', 'scope.read.descend'],
      tier: 'standard',
    });
    expect(answered.get('x-strata-policy')).toBe('tier=standard; decision=allow; capability=none');
  });
});

describe('a minted token', () => {
  it('is a PASETO of the claims that it speaks of', async () => {
    const key = await testSigningKey();
    const { token, jti } = await mint({
      caps: ['scope.*'],
      scopes: ['scope.read:org:a/*'],
      ttl_seconds: 100,
    });
    const { claims, kid } = await verifyToken(token, {
      keyOf: () => Promise.resolve(key),
      clock: systemClock,
    });
    expect(kid).toBe(key.kid);
    const { iat = '', exp = '', ...rest } = claims;
    expect(rest).toEqual({
      sub: 'user:a',
      aud: 'default',
      iss: 'strata',
      jti,
      caps: ['scope.*'],
      scopes: ['scope.read:org:a/*'],
    });
    expect(Date.parse(exp) - Date.parse(iat)).toBe(100_000);
  });

  it.each([
    [undefined, 3600],
    [1, 60],
    [-5, 60],
    [90_000, 86_400],
  ])('asked for %j seconds lives %d', async (ttl_seconds, life) => {
    const before = Date.now();
    const { expires_at } = await mint(ttl_seconds === undefined ? {} : { ttl_seconds });
    const lives = (Date.parse(expires_at) - before) / 1000;
    expect(lives).toBeGreaterThan(life - 2);
    expect(lives).toBeLessThan(life + 10);
  });

  it('belongs to the tenant that the operator selected', async () => {
    const { token } = await mint({}, { 'x-strata-tenant': 'acme' });
    expect((await whoami(bearer(token))).json.tenant_id).toBe('acme');
    expectProblem(await whoami({ ...bearer(token), 'x-strata-tenant': 'default' }), {
      status: 401,
      code: 'WRONG_TENANT',
    });
    const { json } = await service.post('/v1/experience', message('org:t', 'of acme'), {
      headers: bearer(token),
    });
    expect((await service.get('/v1/events?scope=org:t')).json.items).toEqual([]);
    const items = (await service.get('/v1/events?scope=org:t', { headers: bearer(token) })).json.items;
    expect(items.map(({ id }: { id: string }) => id)).toEqual([json.event_id]);
  });

  it.each([
    ['no subject', { subject: undefined }, 'subject'],
    ['a subject that is no actor', { subject: 'user a' }, 'subject'],
    ['an unknown capability', { caps: ['scope.read', 'scope.fly'] }, 'caps[1]'],
    ['an unknown capability by the alias', { capabilities: ['fly.*'] }, 'capabilities[0]'],
    ['both names of caps', { caps: ['admin'], capabilities: ['admin'] }, 'capabilities'],
    ['a bare path', { scopes: ['org:a/user:b'] }, 'scopes[0]'],
    ['a scope of bad grammar', { scopes: ['scope.read:org:a/*', 'scope.read:Org:a'] }, 'scopes[1]'],
    ['half a second', { ttl_seconds: 0.5 }, 'ttl_seconds'],
    ['a field that there is not', { admin: true }, 'admin'],
  ])('is not to be had with %s', async (_, body, field) => {
    const answer = await service.post('/v1/auth/tokens', { subject: 'user:a', ...body });
    expectProblem(answer, { status: 422, code: 'INVALID_BODY' });
    expect(answer.json.details.field_path).toBe(field);
  });

  it('is refused when it would be too long to be sent', async () => {
    const scopes = Array.from({ length: 256 }, (_, i) => `scope.read:org:${'x'.repeat(120)}/user:${i}`);
    const answer = await service.post('/v1/auth/tokens', { subject: 'user:a', scopes });
    expectProblem(answer, { status: 422, code: 'INVALID_BODY' });
  });
});

describe('a token that mints', () => {
  const minter = (body: Record<string, unknown>): Promise<Record<string, string>> =>
    mint({ subject: 'user:m', ...body }).then(({ token }) => bearer(token, 'user:m'));
  const refuse = async (headers: Record<string, string>, body: Record<string, unknown>): Promise<unknown> => {
    const answer = await service.post('/v1/auth/tokens', { subject: 'user:m', ...body }, { headers });
    expectProblem(answer, { status: 403, code: 'POLICY_DENIED' });
    expect(answer.headers.get('x-strata-policy')).toContain('decision=deny');
    return answer.json.details.capability;
  };

  it('needs the capability', async () => {
    expect(await refuse(await minter({ caps: ['scope.*'] }), {})).toBe('auth.mint');
  });

  it('needs it where it says', async () => {
    const headers = await minter({ caps: ['auth.mint', 'scope.read'], scopes: ['auth.mint:org:a/*'] });
    await mint({ scope: 'org:a/user:b', subject: 'user:m' }, headers);
    expect(await refuse(headers, { scope: 'org:ab' })).toBe('auth.mint');
  });

  it('hands on its own narrowing where it says nothing', async () => {
    const caps = ['auth.mint', 'scope.read'];
    const scopes = ['scope.read:org:a/*', 'auth.mint:org:a'];
    const { token } = await mint({ subject: 'user:m' }, await minter({ caps, scopes }));
    const read = (scope: string): Promise<Answer> =>
      service.get(`/v1/events?scope=${scope}`, { headers: bearer(token, 'user:m') });
    expect((await read('org:a/user:x')).status).toBe(200);
    expectProblem(await read('org:ab'), { status: 403, code: 'POLICY_DENIED' });
    const write = await service.post('/v1/experience', message('org:a', 'x'), {
      headers: bearer(token, 'user:m'),
    });
    expectProblem(write, { status: 403, code: 'POLICY_DENIED' });
  });

  it('hands out less than it holds, and never more', async () => {
    const headers = await minter({
      caps: ['auth.mint', 'scope.read', 'scope.write'],
      scopes: ['scope.*:org:a/*', 'auth.mint:org:a'],
    });
    await mint({ subject: 'user:m', caps: ['scope.read'] }, headers);
    await mint({ subject: 'user:m', caps: ['scope.write.about_other'] }, headers);
    await mint({ subject: 'user:m', scopes: ['scope.read:org:a/user:b'] }, headers);
    await mint({ subject: 'user:m', scopes: ['scope.read:org:a/user:b/*', 'scope.write:org:a'] }, headers);
    expect(await refuse(headers, { caps: ['forget.gdpr'] })).toBe('forget.gdpr');
    expect(await refuse(headers, { caps: ['scope.read', '*'] })).toEqual(expect.any(String));
    expect(await refuse(headers, { caps: ['scope.*'] })).toBe('scope.write.elevated');
    expect(await refuse(headers, { scopes: ['scope.read:org:b'] })).toBe('scope.read');
    expect(await refuse(headers, { scopes: ['scope.read:org:ab/*'] })).toBe('scope.read');
    expect(await refuse(headers, { scopes: ['auth.mint:org:a/*'] })).toBe('auth.mint');
    expect(await refuse(headers, { scopes: ['scope.create:org:a/user:b'] })).toBe('scope.create');
  });

  it('mints for nobody but itself, unless the operator handed it the capability admin by name', async () => {
    expect(await refuse(await minter({}), { subject: 'user:owner' })).toBe('auth.mint');
    const trusted = await minter({ caps: ['auth.mint', 'admin', 'scope.read'] });
    const { token } = await mint({ subject: 'user:b', caps: ['scope.read'] }, trusted);
    expect((await whoami(bearer(token, 'user:b'))).status).toBe(200);
  });

  it.each([[['*']], [['admin']], [['admin.*', 'auth.mint']]])(
    'does not give itself the name of admin by %j, which would let it mint for others',
    async (caps) => {
      const all = await minter({});
      expect(await refuse(all, { caps })).toBe('admin');
      const trusted = await minter({ caps: ['auth.mint', 'admin'] });
      expect(await refuse(trusted, { caps: ['scope.read'] })).toBe('scope.read');
      await mint({ subject: 'user:m', caps: ['auth.mint', 'admin'] }, trusted);
    },
  );

  it('hands out no longer life than its own', async () => {
    const headers = await minter({ ttl_seconds: 60 });
    const { expires_at } = await mint({ subject: 'user:m', ttl_seconds: 86_400 }, headers);
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
  });

  it('cannot let anybody into a scope whose roster does not let it in', async () => {
    const signed = (await service.post('/v1/auth/signup', {}, { headers: { authorization: null } })).json;
    const tenant = { 'x-strata-tenant': (await whoami(bearer(signed.token, signed.user_id))).json.tenant_id };
    const { token } = await mint({ subject: 'user:stranger' }, tenant);
    const headers = bearer(token, 'user:stranger');
    expect(
      await refuse(headers, {
        subject: 'user:stranger',
        scopes: [`scope.read:${signed.scope as string}`],
      }),
    ).toBe('scope.read');
    await mint({ subject: 'user:stranger', scopes: ['scope.read:org:open/*'] }, headers);
  });
});

describe('a token of a trusted issuer', () => {
  it('is taken without an actor, for the tenant of the issuer', async () => {
    const claims = { iss: 'https://idp', aud: 'strata-api', jti: 'ext-1', sub: 'user:ext' };
    const token = await craft(await foreign, claims, Date.now());
    const { json } = await whoami({ authorization: `Bearer ${token}` });
    expect([json.caller, json.tenant_id, json.token.iss]).toEqual(['user:ext', 'acme', 'https://idp']);
    const other = await craft(await foreign, { ...claims, aud: 'else' }, Date.now());
    expectProblem(await whoami({ authorization: `Bearer ${other}` }), { status: 401, code: 'WRONG_TENANT' });
  });
});

describe('a bad token', () => {
  it('of a tenant that there is not is refused', async () => {
    const token = await craft(await testSigningKey(), { aud: 't_nobody' }, Date.now());
    expectProblem(await whoami(bearer(token)), { status: 401, code: 'WRONG_TENANT' });
  });

  it('without its actor is refused on REST, naming the header', async () => {
    const { token } = await mint();
    const answer = await whoami({ authorization: `Bearer ${token}` });
    expectProblem(answer, { status: 401, code: 'ACTOR_MISMATCH' });
    expect(answer.json.message).toMatch(/Actor header is required/);
    expectProblem(await whoami(bearer(token, 'user:b')), { status: 401, code: 'ACTOR_MISMATCH' });
  });

  it('of a megabyte is refused before it is read', async () => {
    const answer = await whoami({ authorization: `Bearer v4.public.${'A'.repeat(1 << 20)}` });
    expect([answer.status, answer.json.error_code]).toEqual([400, 'INVALID_HEADER']);
  });

  it('is ignored in the open posture, where a good one is honoured and signing up works', async () => {
    const open = await startTestService(
      { STRATA_API_KEY: '', STRATA_INSECURE_NO_AUTH: '1' },
      { keepData: true },
    );
    try {
      const caller = async (headers: Record<string, string | null>): Promise<unknown> => {
        const { json } = await open.get('/v1/auth/whoami', { headers });
        return [json.caller, json.token.iss];
      };
      const { token } = await mint();
      expect(await caller({ authorization: null })).toEqual(['user:local', 'auth-disabled']);
      expect(await caller(bearer(token))).toEqual(['user:a', 'strata']);
      expect(await caller(bearer(`${token}x`))).toEqual(['user:a', 'auth-disabled']);
      expect(await caller({ authorization: 'Bearer v4.public.x' })).toEqual(['user:local', 'auth-disabled']);
      expect((await open.post('/v1/auth/signup', {}, { headers: { authorization: null } })).status).toBe(201);
    } finally {
      await open.stop();
    }
  });
});
