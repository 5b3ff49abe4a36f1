import { Agent } from 'node:http';
import { connect } from 'node:net';

import { KEY, startRig, until, type Rig } from './harness.ts';

/** Sends bytes and gives everything that comes back until the server closes. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    socket.on('error', reject);
  });
}

/** A promise and the function that fulfils it. */
function gate(): { opened: Promise<object>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<object>((resolve) => {
    open = () => {
      resolve({ done: true });
    };
  });
  return { opened, open };
}

describe('stopping', () => {
  it('finishes what is in flight, refuses what comes after, and closes the connections', async () => {
    const held = gate();
    const rig = await startRig({ answers: { 'derivation.status': () => held.opened } });
    const agent = new Agent({ keepAlive: true });
    await rig.send('GET', '/v1/health', { agent });
    const inFlight = rig.send('GET', '/v1/derivation/status');
    await until(() => rig.asked.length === 1);

    const idle = rig.drain.begin();
    const late = await rig.send('GET', '/v1/health', { agent });
    expect(late.status).toBe(503);
    expect(late.json).toMatchObject({ error_code: 'SERVER_SHUTTING_DOWN', retriable: true });
    expect(late.headers).toMatchObject({ connection: 'close', 'retry-after': '5' });

    const stopped = rig.stop(60_000);
    held.open();
    const finished = await inFlight;
    expect(finished.status).toBe(200);
    expect(finished.headers.connection).toBe('close');
    await idle;
    expect(await stopped).toBe(true);
    expect(rig.server.listening).toBe(false);
    agent.destroy();
  });

  it('gives requests longer than the grace as long as something is to be waited for', async () => {
    const [held, extended] = [gate(), gate()];
    const rig = await startRig({ answers: { 'derivation.status': () => held.opened } });
    const inFlight = rig.send('GET', '/v1/derivation/status');
    await until(() => rig.asked.length === 1);
    const asked = jest.spyOn(extended.opened, 'then');
    const stopped = rig.stop(0, extended.opened);
    // The grace is over once it is asked for how long it goes on.
    await until(() => asked.mock.calls.length > 0);
    held.open();
    expect((await inFlight).status).toBe(200);
    extended.open();
    expect(await stopped).toBe(true);
  });

  it('closes what does not finish within the grace, and tells its work to stop', async () => {
    const rig = await startRig({ answers: { 'derivation.status': () => gate().opened } });
    const broken = rig
      .send('GET', '/v1/derivation/status')
      .catch((error: unknown) => (error as { code?: string }).code);
    await until(() => rig.asked.length === 1);
    expect(await rig.stop(20)).toBe(false);
    expect(await broken).toBe('ECONNRESET');
    await until(() => rig.asked[0]?.call?.signal.aborted === true);
  });
});

describe('a client that does not read its answer', () => {
  it('is cut off when nothing has moved for the bound', async () => {
    const big = { text: 'x'.repeat(32 * 1024 * 1024) };
    const rig = await startRig({
      answers: { 'derivation.status': () => Promise.resolve(big) },
      http: { stallMs: 200 },
    });
    const socket = connect(rig.port, '127.0.0.1');
    socket.pause();
    socket.on('error', () => socket.destroy());
    socket.write(`GET /v1/derivation/status HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    await until(() => rig.asked.length === 1);
    await until(() => rig.drain.inFlight === 0);
    socket.destroy();
    await rig.stop();
  });
});

describe('the signal of a call', () => {
  it('fires when the client goes away, and not when its answer is out', async () => {
    const held = gate();
    const rig = await startRig({ answers: { 'derivation.status': () => held.opened } });
    const socket = connect(rig.port, '127.0.0.1');
    socket.write(`GET /v1/derivation/status HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
    await until(() => rig.asked.length === 1);
    socket.destroy();
    await until(() => rig.asked[0]?.call?.signal.aborted === true);
    held.open();
    await rig.send('GET', '/v1/derivation/status');
    await until(() => rig.drain.inFlight === 0);
    expect(rig.asked[1]?.call?.signal.aborted).toBe(false);
    await rig.stop();
  });

  it('is no fault of the service where it ends work, over REST and GraphQL', async () => {
    const untilGone = (call: { signal: AbortSignal } | undefined) =>
      new Promise<never>((_, reject) => {
        call?.signal.addEventListener('abort', () => {
          reject(call.signal.reason as Error);
        });
      });
    const rig = await startRig({ answers: { 'derivation.status': (...given) => untilGone(given[0]) } });
    const query = JSON.stringify({ query: '{ derivationStatus(scope: "org:a") { __typename } }' });
    for (const request of [
      `GET /v1/derivation/status HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
      `POST /graphql HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: ${query.length}\r\n\r\n${query}`,
    ]) {
      const before = rig.asked.length;
      const socket = connect(rig.port, '127.0.0.1');
      socket.write(request);
      await until(() => rig.asked.length === before + 1);
      socket.destroy();
      await until(() => rig.asked[before]?.call?.signal.aborted === true);
      await until(() => rig.drain.inFlight === 0);
    }
    expect(rig.logged.filter(({ message }) => message.includes('failed'))).toEqual([]);
    await rig.stop();
  });
});

describe('requests at the edge of HTTP', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  const ask = async (version: string, ...headers: string[]) => {
    const lines = [`GET /v1/health HTTP/${version}`, ...headers, 'Connection: close', '', ''];
    const [head = '', body = ''] = (await raw(rig.port, lines.join('\r\n'))).split('\r\n\r\n');
    expect(head).toMatch(/X-Strata-Request-Id: req_\w+\r\n/);
    return { status: Number(head.split(' ')[1]), json: JSON.parse(body) };
  };

  it('are never told that nothing was modified', async () => {
    const conditional = { 'If-None-Match': '*', 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' };
    for (const path of ['/v1/health', '/v1/events?scope=org:a']) {
      const { status, json } = await rig.send('GET', path, { headers: conditional });
      expect([path, status, typeof json]).toEqual([path, 200, 'object']);
    }
    const head = await rig.send('HEAD', '/v1/health', { headers: conditional });
    expect([head.status, head.text, Number(head.headers['content-length']) > 0]).toEqual([200, '', true]);
  });

  it('are served whatever they expect', async () => {
    expect(await ask('1.1', 'Host: a', 'Expect: foo')).toMatchObject({ status: 200, json: { status: 'ok' } });
    const label = { 'Content-Type': 'application/json', Expect: 'foo' };
    const capture = await rig.send('POST', '/v1/experience', { headers: label, body: '{"a":1}' });
    expect([capture.status, rig.asked.at(-1)?.input]).toEqual([202, [{ a: 1 }, {}]]);
  });

  it.each([
    ['no Host', []],
    ['two Hosts', ['Host: a', 'Host: b']],
  ])('are refused in the shape of every other error: %s', async (_what, headers) => {
    const { status, json } = await ask('1.1', ...headers);
    expect(status).toBe(400);
    expect(json).toMatchObject({
      error_code: 'INVALID_HEADER',
      message: expect.stringContaining('Host'),
      details: { header: 'host' },
    });
  });

  it('need no Host in HTTP/1.0, and may leave it empty', async () => {
    expect((await ask('1.0')).status).toBe(200);
    expect((await ask('1.1', 'Host:')).status).toBe(200);
  });
});

describe('requests that are none', () => {
  it('are answered in the shape of every other error', async () => {
    const rig = await startRig({ http: { headerTimeoutMs: 200, requestTimeoutMs: 300 } });
    const cases = [
      ['NONSENSE\r\n\r\n', 400, 'INVALID_HEADER'],
      ['CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
      [`GET /v1/health HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 400, 'INVALID_HEADER'],
      ['GET /v1/health HTTP/1.1\r\nHost: a\r\n', 408, 'REQUEST_TIMEOUT'],
      [
        `POST /v1/experience HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Length: 9\r\n\r\n{`,
        408,
        'REQUEST_TIMEOUT',
      ],
    ] as const;
    for (const [text, status, code] of cases) {
      const answer = await raw(rig.port, text);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toMatch(/X-Strata-Request-Id: (req_\w+)\r\nX-Cortex-Request-Id: \1\r\n/);
      expect(answer).toContain("\r\nContent-Security-Policy: frame-ancestors 'none'\r\n");
      expect(answer).toContain('\r\nCross-Origin-Resource-Policy: same-origin\r\n');
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error_code: code });
    }
    await rig.stop();
  });
});
