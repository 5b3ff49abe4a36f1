import { openSocket } from '../resolvers/socket-client.ts';
import { query, testDriver, wipe } from '../support/database.ts';
import { closeEvents, openEvents } from '../support/event-stream.ts';
import { message, TEST_TOKEN_KEY, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { bearer, craft, instantIn, testSigningKey } from '../support/tokens.ts';
import { newSecretKey, readSigningKey } from '../../src/tokens/key.ts';
import { inDepth } from '../support/depth.ts';
import { ANSWER_PATIENCE_MS, PROMISED_SECOND_MS } from '../support/patience.ts';
import { eventually } from '../support/wait.ts';

const SECOND_MS = inDepth(ANSWER_PATIENCE_MS, PROMISED_SECOND_MS);

const MINTER = { STRATA_V1_MINTER_ENABLE: '1' };
const FOLLOW = 'subscription { lifecycle(scope: "org:e") { event } }';

function whoami(service: TestService, token: string): Promise<Answer> {
  return service.get('/v1/auth/whoami', { headers: bearer(token) });
}

async function mint(service: TestService, body: object = {}): Promise<{ token: string; jti: string }> {
  const { status, json } = await service.post('/v1/auth/tokens', { subject: 'user:a', ...body });
  expect(status).toBe(201);
  return json as { token: string; jti: string };
}

/** A token that is taken for so many seconds more: it ended a moment ago, and clocks may differ. */
async function ending(seconds: number, jti = 'tok_ending'): Promise<string> {
  const now = Date.now();
  const claims = { jti, iat: instantIn(-600, now), exp: instantIn(seconds - 30, now) };
  return craft(await testSigningKey(), claims, now);
}

describe('two processes on one database', () => {
  let a: TestService;
  let b: TestService;
  beforeAll(async () => {
    a = await startTestService(MINTER);
    b = await startTestService(MINTER, { keepData: true });
  });
  afterAll(async () => {
    await a.stop();
    await b.stop();
  });
  afterEach(closeEvents);

  it('take the tokens of each other, and refuse within a second what either revoked', async () => {
    const { token, jti } = await mint(a);
    expect((await whoami(b, token)).status).toBe(200);
    expect((await a.post('/v1/auth/revoke', { jti })).status).toBe(204);
    expect((await whoami(a, token)).json.error_code).toBe('REVOKED_TOKEN');
    const code = async (): Promise<boolean> => (await whoami(b, token)).json.error_code === 'REVOKED_TOKEN';
    await eventually('the other process to refuse it', code, SECOND_MS);
  });

  it('know whoever signed up with either', async () => {
    const { json } = await a.post('/v1/auth/signup', {});
    const headers = bearer(json.token, json.user_id);
    const { status } = await b.post('/v1/experience', message(json.scope, 'there'), { headers });
    expect(status).toBe(202);
  });

  it('end the streams and sockets of a token that the other one revoked', async () => {
    const { token, jti } = await mint(a);
    const { token: other } = await mint(a);
    const [stream, untouched] = await Promise.all(
      [token, other].map((text) => openEvents(b.url, { scope: 'org:e' }, bearer(text))),
    );
    const socket = await openSocket(b.url);
    await socket.init({ authorization: `Bearer ${token}` });
    socket.subscribe('s', FOLLOW);
    const kept = await openSocket(b.url);
    await kept.init({ authorization: `Bearer ${other}` });
    await a.post('/v1/auth/revoke', { jti });
    await eventually('the end of the stream', () => stream?.ended === 'end');
    expect(await socket.closed).toEqual({ code: 4403, reason: 'Forbidden: REVOKED_TOKEN' });
    kept.subscribe('q', '{ whoami { caller } }');
    expect(await kept.next('an answer', ({ id }) => id === 'q')).toMatchObject({ type: 'next' });
    expect(untouched?.ended).toBeNull();
    kept.socket.close();
  });

  it('end the streams and sockets of a token that expires', async () => {
    const token = await ending(10);
    const stream = await openEvents(a.url, { scope: 'org:e' }, bearer(token));
    const socket = await openSocket(a.url);
    await socket.init({ authorization: `Bearer ${token}` });
    socket.subscribe('s', FOLLOW);
    await eventually('the end of the stream', () => stream.ended === 'end');
    expect(await socket.closed).toEqual({ code: 4403, reason: 'Forbidden: TOKEN_EXPIRED' });
    expect((await whoami(a, token)).json.error_code).toBe('TOKEN_EXPIRED');
    const again = await openSocket(a.url);
    again.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    expect(await again.closed).toEqual({ code: 4403, reason: 'Forbidden: TOKEN_EXPIRED' });
  });

  it('let go of what they watched when a stream or socket ends by itself', async () => {
    const watched = (): number =>
      (a.context.callers as unknown as { watched: ReadonlySet<unknown> }).watched.size;
    // What other tests closed is let go when its end is noticed.
    await eventually('nothing to be watched', () => watched() === 0);
    const { token } = await mint(a);
    const stream = await openEvents(a.url, { scope: 'org:e' }, bearer(token));
    const socket = await openSocket(a.url);
    await socket.init({ authorization: `Bearer ${token}` });
    socket.subscribe('s', FOLLOW);
    await eventually('all to be watched', () => watched() === 3);
    socket.send({ type: 'complete', id: 's' });
    await eventually('the subscription to be let go', () => watched() === 2);
    stream.close();
    socket.socket.close();
    await eventually('all to be let go', () => watched() === 0);
  });
});

describe('revocations', () => {
  it('outlive a restart, and go when their tokens could not be good any more', async () => {
    const first = await startTestService(MINTER);
    const { token, jti } = await mint(first);
    await first.post('/v1/auth/revoke', { jti });
    await first.stop();
    const driver = testDriver();
    try {
      const second = await startTestService(MINTER, { keepData: true });
      expect((await whoami(second, token)).json.error_code).toBe('REVOKED_TOKEN');
      const [row] = await query(driver, 'MATCH (r:RevokedToken) RETURN r.keep_until AS until');
      expect(row?.until).toBeGreaterThan(Date.now() + 7 * 86_400_000);
      await query(driver, 'MATCH (r:RevokedToken) SET r.keep_until = 1');
      await second.stop();
      const third = await startTestService(MINTER, { keepData: true });
      const left = async (): Promise<boolean> =>
        (await query(driver, 'MATCH (r:RevokedToken) RETURN r')).length === 0;
      await eventually('the sweep', left);
      await third.stop();
    } finally {
      await driver.close();
    }
  });
});

describe('a rotation', () => {
  let running: TestService[] = [];
  const start = async (keys: readonly string[]): Promise<TestService> => {
    const environment = { ...MINTER, STRATA_TOKEN_SECRET_KEY: keys.join(',') };
    const service = await startTestService(environment, { keepData: true });
    running.push(service);
    return service;
  };
  beforeEach(wipe);
  afterEach(async () => {
    for (const service of running) await service.stop();
    running = [];
  });
  const kidOf = (token: string): string =>
    (JSON.parse(Buffer.from(token.split('.')[3] ?? '', 'base64url').toString()) as { kid: string }).kid;

  it('leaves two keys good at once, in processes that hold both and in one that holds the former', async () => {
    const former = TEST_TOKEN_KEY;
    const fresh = await newSecretKey();
    const [oldKid, newKid] = await Promise.all(
      [former, fresh].map(async (text) => (await readSigningKey(text)).kid),
    );
    const a = await start([former]);
    const early = (await mint(a)).token;
    expect(kidOf(early)).toBe(oldKid);
    const b = await start([fresh, former]);
    const late = (await mint(b)).token;
    expect(kidOf(late)).toBe(newKid);
    for (const service of [a, b]) {
      for (const token of [early, late]) expect((await whoami(service, token)).status).toBe(200);
    }
    // The former still signs where it is all that is held, for as long as its signatures are good.
    expect(kidOf((await mint(a)).token)).toBe(oldKid);
    const c = await start([fresh]);
    expect((await whoami(c, early)).status).toBe(200);
  });

  it('ends with the retirement of the former key', async () => {
    const fresh = await newSecretKey();
    const a = await start([TEST_TOKEN_KEY]);
    const early = (await mint(a)).token;
    const b = await start([fresh, TEST_TOKEN_KEY]);
    const driver = testDriver();
    try {
      await query(
        driver,
        `MATCH (c:Counter {name: 'access'}) SET c.value = c.value + 1
         WITH c.value AS version MATCH (k:SigningKey {active: false}) SET k.retires_at = 1, k.access_version = version`,
      );
    } finally {
      await driver.close();
    }
    for (const service of [a, b]) {
      await eventually(
        'the former key to be unknown',
        async () => (await whoami(service, early)).status === 401,
      );
    }
    const refused = await a.post('/v1/auth/tokens', { subject: 'user:a' });
    expect([refused.status, refused.json.error_code]).toEqual([503, 'NOT_CONFIGURED']);
    expect((await whoami(b, (await mint(b)).token)).status).toBe(200);
  });

  it('is refused to a process that does not hold the present key', async () => {
    await start([TEST_TOKEN_KEY]);
    const strangers = [{ STRATA_TOKEN_SECRET_KEY: await newSecretKey() }, { STRATA_TOKEN_SECRET_KEY: '' }];
    for (const stranger of strangers) {
      const failing = startTestService({ ...MINTER, ...stranger }, { keepData: true });
      await expect(failing).rejects.toMatchObject({
        exitCode: 78,
        message: expect.stringContaining('STRATA_TOKEN_SECRET_KEY'),
      });
    }
  });

  it('is replaced by that of a start that is told so, where it is lost; its tokens go on', async () => {
    const early = (await mint(await start([TEST_TOKEN_KEY]))).token;
    const fresh = await newSecretKey();
    const environment = { ...MINTER, STRATA_TOKEN_SECRET_KEY: fresh };
    const service = await startTestService(environment, { keepData: true, acceptKey: true });
    running.push(service);
    expect(kidOf((await mint(service)).token)).toBe((await readSigningKey(fresh)).kid);
    expect((await whoami(service, early)).status).toBe(200);
  });
});
