import { cli } from '../cli/host.ts';
import { query, testDriver } from '../support/database.ts';
import { message, TEST_KEY, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { bearer, craft, mintFrom, testSigningKey, unknownTokenId, type Minted } from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ STRATA_V1_MINTER_ENABLE: '1', STRATA_TENANTS: 'acme' });
});
afterAll(async () => {
  await service.stop();
});

const mint = (body?: Record<string, unknown>, headers?: Record<string, string>): Promise<Minted> =>
  mintFrom(service, body, headers);
const whoami = (headers: Record<string, string | null> = {}): Promise<Answer> =>
  service.get('/v1/auth/whoami', { headers });

describe('a sign-up', () => {
  const signUp = (body?: unknown, headers: Record<string, string | null> = {}): Promise<Answer> =>
    service.post('/v1/auth/signup', body, { headers: { authorization: null, ...headers } });

  it('makes a caller with two scopes of its own, which nobody else of the tenant reads', async () => {
    const { status, json } = await signUp({ source: 'test', email: 'a@example.com', display_name: 'A' });
    expect([status, json]).toEqual([
      201,
      {
        token: expect.stringMatching(/^v4\.public\./),
        jti: expect.stringMatching(/^tok_[0-9a-f]{32}$/),
        expires_at: expect.any(String),
        user_id: expect.stringMatching(/^user:u_[0-9a-f]{32}$/),
        scope: `org:${(json.user_id as string).slice(5)}/${json.user_id as string}`,
        tier: 'free',
      },
    ]);
    const life = Date.parse(json.expires_at as string) - Date.now();
    expect(Math.abs(life - 7 * 86_400_000)).toBeLessThan(60_000);
    const headers = bearer(json.token, json.user_id);
    const me = (await whoami(headers)).json;
    expect([me.tenant_id, me.tier]).toEqual([`t_${(json.user_id as string).slice(7)}`, 'free']);
    for (const scope of [json.user_id, json.scope, `${json.scope as string}/project:p`]) {
      const { status } = await service.post('/v1/experience?wait=indexed', message(scope, 'mine'), {
        headers,
      });
      expect(status).toBe(202);
      expect((await service.get(`/v1/events?scope=${scope as string}`, { headers })).json.items).toHaveLength(
        1,
      );
    }
    const { token } = await mint({ subject: 'user:other' }, { 'x-strata-tenant': me.tenant_id as string });
    const other = bearer(token, 'user:other');
    expect(
      (await service.get(`/v1/events?scope=${json.scope as string}`, { headers: other })).json.items,
    ).toEqual([]);
    const write = await service.post('/v1/experience', message(json.scope, 'x'), { headers: other });
    expectProblem(write, { status: 403, code: 'NOT_A_MEMBER' });
  });

  it('may not do what the tier free denies', async () => {
    const { json } = await signUp({});
    const headers = bearer(json.token, json.user_id);
    const { effective_capabilities: capabilities } = (await whoami(headers)).json;
    for (const denied of ['auth.mint', 'forget.gdpr', 'admin', 'diagnostics.read', 'scope.write.elevated']) {
      expect(capabilities).not.toContain(denied);
    }
    expect(capabilities).toEqual(expect.arrayContaining(['scope.write', 'export', 'blob.upload']));
    expectProblem(await service.post('/v1/auth/tokens', { subject: 'user:x' }, { headers }), {
      status: 403,
      code: 'POLICY_DENIED',
    });
    expectProblem(await service.get('/v1/admin/metrics', { headers }), {
      status: 403,
      code: 'POLICY_DENIED',
    });
  });

  it('takes no body, whatever credentials stand beside it', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer nonsense' },
      { authorization: `Bearer ${TEST_KEY}` },
    ]) {
      expect((await signUp(undefined, headers)).status).toBe(201);
    }
    expectProblem(await signUp({ password: 'x' }), { status: 422, code: 'INVALID_BODY' });
  });
});

describe('sign-ups', () => {
  it('are as many from one address as the deployment lets', async () => {
    const few = await startTestService(
      { STRATA_V1_MINTER_ENABLE: '1', STRATA_RATE_LIMIT_SIGNUP: '1' },
      { keepData: true },
    );
    try {
      expect((await few.post('/v1/auth/signup', {})).status).toBe(201);
      const refused = await few.post('/v1/auth/signup', {});
      expectProblem(refused, { status: 429, code: 'RATE_LIMITED', retriable: true });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await few.stop();
    }
  });
});

describe('signing up', () => {
  it.each([
    ['is turned off', { STRATA_SIGNUP_ENABLE: '0' }],
    ['has a rate of none', { STRATA_RATE_LIMIT_SIGNUP: '0' }],
  ])('is not to be had where it %s, and minting is', async (_what, environment) => {
    const closed = await startTestService(
      { STRATA_V1_MINTER_ENABLE: '1', ...environment },
      { keepData: true },
    );
    try {
      const refused = await closed.post('/v1/auth/signup', {});
      expectProblem(refused, { status: 503, code: 'NOT_CONFIGURED', retriable: false });
      expect(refused.json.message).toContain('STRATA_SIGNUP_ENABLE');
      expect((await closed.post('/v1/auth/tokens', { subject: 'user:a' })).status).toBe(201);
    } finally {
      await closed.stop();
    }
  });
});

describe('a revocation', () => {
  const revoke = (body: unknown, headers?: Record<string, string>): Promise<Answer> =>
    service.post('/v1/auth/revoke', body, headers === undefined ? {} : { headers });

  it('is told by nothing but its status, and refuses the token from then on', async () => {
    const { token, jti } = await mint();
    const answer = await revoke({ jti, reason: 'lost' });
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([204, '', null]);
    expectProblem(await whoami(bearer(token)), { status: 401, code: 'REVOKED_TOKEN' });
  });

  it('of its own token needs nothing, of others the capability', async () => {
    const { token, jti } = await mint({ caps: [] });
    const { token: other, jti: otherJti } = await mint({ caps: ['scope.read'] });
    const denied = await revoke({ jti: otherJti }, bearer(token));
    expectProblem(denied, { status: 403, code: 'POLICY_DENIED' });
    expect(denied.json.details.capability).toBe('auth.revoke');
    expect((await revoke({ jti }, bearer(token))).status).toBe(204);
    expectProblem(await whoami(bearer(token)), { status: 401, code: 'REVOKED_TOKEN' });
    expect((await whoami(bearer(other))).status).toBe(200);
  });

  it('by a tenant reaches its own tokens only, and does not tell', async () => {
    const { token, jti } = await mint();
    const acme = await mint({}, { 'x-strata-tenant': 'acme' });
    for (const unknown of [jti, unknownTokenId()]) {
      expect((await revoke({ jti: unknown }, bearer(acme.token))).status).toBe(204);
    }
    for (const jti of ['a-text-of-any-kind', `tok_${'0'.repeat(32)}`]) {
      const refused = await revoke({ jti }, bearer(acme.token));
      expectProblem(refused, { status: 422, code: 'INVALID_BODY' });
      expect(refused.json.details.field_path).toBe('jti');
    }
    expect((await whoami(bearer(token))).status).toBe(200);
    const { token: second, jti: secondJti } = await mint({}, { 'x-strata-tenant': 'acme' });
    expect((await revoke({ jti: secondJti }, bearer(acme.token))).status).toBe(204);
    expectProblem(await whoami(bearer(second)), { status: 401, code: 'REVOKED_TOKEN' });
  });

  it('takes what was minted with the token along, to the ninth, which there cannot be', async () => {
    const first = await mint();
    const line = [first];
    const next = (): Promise<Answer> =>
      service.post('/v1/auth/tokens', { subject: 'user:a' }, { headers: bearer(line.at(-1)?.token ?? '') });
    for (let i = 0; i < 8; i++) line.push((await next()).json);
    expectProblem(await next(), { status: 403, code: 'POLICY_DENIED' });
    const { token: bystander } = await mint();
    await revoke({ jti: line[4]?.jti });
    const statuses = await Promise.all(line.map(async ({ token }) => (await whoami(bearer(token))).status));
    expect(statuses).toEqual([200, 200, 200, 200, 401, 401, 401, 401, 401]);
    await revoke({ jti: first.jti });
    expectProblem(await whoami(bearer(line[3]?.token ?? '')), { status: 401, code: 'REVOKED_TOKEN' });
    expect((await whoami(bearer(bystander))).status).toBe(200);
  });

  it('of a jti that is not known yet holds when it comes', async () => {
    await revoke({ jti: 'tok_later' });
    const token = await craft(await testSigningKey(), { jti: 'tok_later' }, Date.now());
    expectProblem(await whoami(bearer(token)), { status: 401, code: 'REVOKED_TOKEN' });
  });

  it('over GraphQL is the same', async () => {
    const { data } = await ask(
      service,
      'mutation { mintToken(input: {subject: "user:a", ttlSeconds: 90}) { token jti } }',
    );
    const revoked = await ask(service, 'mutation ($jti: String!) { revokeToken(input: {jti: $jti}) }', {
      jti: data.mintToken.jti,
    });
    expect(revoked.data).toEqual({ revokeToken: true });
    expectProblem(await whoami(bearer(data.mintToken.token)), { status: 401, code: 'REVOKED_TOKEN' });
  });

  it.each([[{}], [{ jti: '' }], [{ jti: 'a b' }], [{ jti: 1 }]])('of %j is refused', async (body) => {
    expectProblem(await revoke(body), { status: 422, code: 'INVALID_BODY' });
  });
});

describe('the command line', () => {
  it('mints a token, alone on standard output, and revokes it', async () => {
    const directory = '/';
    const to = ['--url', service.url, '--key', TEST_KEY];
    const narrow = ['--cap', 'scope.read', '--cap', 'scope.write', '--confine', 'scope.*:org:a/*'];
    const line = [
      'token',
      'mint',
      '--subject',
      'user:cli',
      '--ttl',
      '120',
      '--tenant',
      'acme',
      ...narrow,
      ...to,
    ];
    const minted = await cli(line, { directory });
    expect(minted).toMatchObject({ code: 0, stderr: expect.stringMatching(/^tok_\w+ for user:cli, until /) });
    const headers = bearer(minted.stdout.trim(), 'user:cli');
    const { json } = await whoami(headers);
    expect([json.tenant_id, json.effective_capabilities.includes('admin')]).toEqual(['acme', false]);
    const jti = minted.stderr.split(' ')[0] ?? '';
    expect(await cli(['token', 'revoke', jti, ...to], { directory })).toMatchObject({ code: 0, stdout: '' });
    expectProblem(await whoami(headers), { status: 401, code: 'REVOKED_TOKEN' });
    const refused = await cli(['token', 'mint', '--subject', 'user:x', '--cap', 'fly', ...to], { directory });
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('INVALID_BODY') });
  });
});

describe('a keyed server without the minter', () => {
  it('hands out no tokens, and takes those that there are', async () => {
    const { token } = await mint();
    const plain = await startTestService({}, { keepData: true });
    try {
      expectProblem(await plain.post('/v1/auth/signup', {}), { status: 503, code: 'NOT_CONFIGURED' });
      expectProblem(await plain.post('/v1/auth/tokens', { subject: 'user:a' }), {
        status: 503,
        code: 'NOT_CONFIGURED',
      });
      expect((await plain.get('/v1/auth/whoami', { headers: bearer(token) })).status).toBe(200);
    } finally {
      await plain.stop();
    }
  });
});

describe('what is stored', () => {
  it('holds no token, and a key only in its public form', async () => {
    const { token } = await mint();
    const driver = testDriver();
    try {
      const rows = await query(
        driver,
        'MATCH (n) WHERE n:SigningKey OR n:RevokedToken OR n:Tenant RETURN properties(n) AS it',
      );
      const text = JSON.stringify(rows);
      expect(text).toContain('k4.public.');
      expect(text).not.toContain('k4.secret.');
      expect(text).not.toContain(token.slice(10, 60));
    } finally {
      await driver.close();
    }
  });
});
