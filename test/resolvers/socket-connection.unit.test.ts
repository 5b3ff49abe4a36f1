import { MAX_AUTHORIZATION_LENGTH } from '../../src/limits.ts';
import { openRaw } from '../support/raw-http.ts';
import { heldLoad } from '../support/load.ts';
import { eventually } from '../support/wait.ts';
import { openDeaf, openSocket } from './socket-client.ts';
import { KEY, startSocketServer, type SocketServer } from './socket-server.ts';

const CREDENTIALS = { authorization: `Bearer ${KEY}` };

let running: SocketServer | null = null;

async function start(options: Parameters<typeof startSocketServer>[0] = {}): Promise<SocketServer> {
  running = await startSocketServer(options);
  return running;
}

afterEach(async () => {
  await running?.stop();
  running = null;
});

/** The bytes of an upgrade request and what comes back. */
async function upgrade(url: string, headers: Record<string, string>, path = '/graphql'): Promise<string> {
  const raw = await openRaw(url);
  const lines = Object.entries({
    Host: new URL(url).host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return raw.answer;
}

describe('an upgrade', () => {
  it('of another path, or none at all, is answered by an ordinary error', async () => {
    const { url } = await start();
    for (const path of ['/', '/v1/events', '/graphql/', '/graphql/x', '/GRAPHQL']) {
      const answer = await upgrade(url, {}, path);
      expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
      expect(answer).toMatch(/\r\nX-Strata-Request-Id: (req_\w+)\r\nX-Cortex-Request-Id: \1\r\n/);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ error_code: 'NOT_FOUND' });
    }
  });

  it('without a proper handshake is 400', async () => {
    const { url } = await start();
    for (const headers of [{ 'Sec-WebSocket-Key': 'x' }, { 'Sec-WebSocket-Version': '7' }]) {
      const answer = await upgrade(url, headers);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ error_code: 'INVALID_HEADER' });
    }
  });

  it('by a page of another origin is 403', async () => {
    const { url } = await start({ corsOrigins: ['https://app.example'] });
    const { port, host } = new URL(url);
    const foreign = [
      'https://evil.example',
      `http://localhost:${port}`,
      'http://127.0.0.1',
      'null',
      'https://app.example.evil',
    ];
    for (const origin of foreign) {
      const answer = await upgrade(url, { Origin: origin });
      expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ error_code: 'POLICY_DENIED' });
    }
    for (const origin of [`http://${host}`, 'https://app.example', undefined]) {
      const socket = await openSocket(url, origin === undefined ? {} : { origin });
      await socket.init(CREDENTIALS);
      socket.socket.close();
      await socket.closed;
    }
  });

  it('compares origins behind a proxy that speaks TLS', async () => {
    const { url } = await start();
    const headers = { Origin: 'https://strata.example', Host: 'strata.example:443' };
    const socket = await openSocket(url, { headers });
    await socket.init(CREDENTIALS);
  });

  it('to something else than a WebSocket is not looked at, with its body and what follows', async () => {
    const { url } = await start();
    const raw = await openRaw(url);
    const common = `Host: ${new URL(url).host}\r\nAuthorization: Bearer ${KEY}\r\n`;
    const h2c = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n';
    const body = JSON.stringify({ text: 'ä'.repeat(40_000) });
    const length = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    raw.write(`POST /v1/experience HTTP/1.1\r\n${common}${h2c}${length}\r\n${body.slice(0, 100)}`);
    // The rest in one piece: the second upgrade is there before the first request is answered.
    raw.write(
      `${body.slice(100)}GET /v1/health HTTP/1.1\r\n${common}${h2c}\r\nGET /v1/version HTTP/1.1\r\n${common}Connection: close\r\n\r\n`,
    );
    const answer = await raw.answer;
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 202', 'HTTP/1.1 200', 'HTTP/1.1 404']);
    expect(answer).toContain('experience.capture');
  });

  it('is refused while the server stops and when there are too many sockets', async () => {
    const { url, drain } = await start({ limits: { sockets: 1 } });
    const first = await openSocket(url);
    expect(await upgrade(url, {})).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*"SERVER_BUSY"/);
    first.socket.close();
    await eventually('the first to be gone', () => running!.sockets.size === 0);
    void drain.begin();
    expect(await upgrade(url, {})).toMatch(/^HTTP\/1\.1 503 [^]*"SERVER_SHUTTING_DOWN"/);
  });

  it('is refused while the service is overloaded', async () => {
    const { shedder, overload, recover, refused } = heldLoad();
    const { url } = await start({ shedder });
    const open = await openSocket(url);
    await open.init(CREDENTIALS);
    overload();
    expect(await upgrade(url, {})).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*"event_loop_delay"/);
    open.subscribe('s1', 'subscription { count(to: 1) }');
    const { type, payload } = await open.next('s1', ({ id }: any) => id === 's1');
    expect([type, payload[0].extensions.code]).toEqual(['error', 'SERVER_BUSY']);
    expect(refused).toEqual(['websocket', 'websocket']);
    recover();
    open.subscribe('s2', '{ hello }');
    expect(await open.next('s2', ({ id }: any) => id === 's2')).toMatchObject({ type: 'next' });
  });

  it('is refused to an address from which too many do not say who they are, and to nobody else', async () => {
    const { url } = await start({ limits: { sockets: 8 }, trustProxy: 1 });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const quiet = await openSocket(url, { headers: from('2001:db8::1') });
    const known = await openSocket(url, { headers: from('2001:db8::2') });
    const crowd = await upgrade(url, from('2001:db8::3'));
    expect(crowd).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n[^]*"reason":"address_sockets","limit":2/);
    await openSocket(url, { headers: from('2001:db8:0:1::1') });
    await known.init(CREDENTIALS);
    await (await openSocket(url, { headers: from('2001:db8::3') })).init(CREDENTIALS);
    quiet.socket.terminate();
  });

  it('without the subprotocol, or with another, is closed by the protocol', async () => {
    const { url } = await start();
    expect((await (await openSocket(url, { subprotocol: null })).closed).code).toBe(4406);
    // The client refuses a server that took none of its protocols, so that the bytes have to be looked at.
    const raw = await openRaw(url);
    raw.write(
      `GET /graphql HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-ws\r\n\r\n',
    );
    raw.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x11, 0x36]));
    expect(await raw.answer).toContain('Subprotocol not acceptable');
  });
});

describe('a caller', () => {
  const rows: [string, Record<string, unknown> | undefined, Record<string, string>, string | null][] = [
    ['nothing', undefined, {}, 'MISSING_TOKEN'],
    ['another scheme', { authorization: `Basic ${KEY}` }, {}, 'MISSING_TOKEN'],
    ['another key', { authorization: 'Bearer other' }, {}, 'INVALID_TOKEN_SIGNATURE'],
    [
      'blanks and a separator of lines',
      { authorization: `Bearer${' '.repeat(20_000)}\u2028x` },
      {},
      'INVALID_TOKEN_SIGNATURE',
    ],
    [
      'a key behind more than any token has',
      { authorization: `Bearer${' '.repeat(MAX_AUTHORIZATION_LENGTH)}${KEY}` },
      {},
      'INVALID_TOKEN_SIGNATURE',
    ],
    ['two words', { authorization: `Bearer ${KEY} ${KEY}` }, {}, 'INVALID_TOKEN_SIGNATURE'],
    [
      'two different ones',
      { authorization: `Bearer ${KEY}`, Authorization: 'Bearer b' },
      {},
      'INVALID_TOKEN_SIGNATURE',
    ],
    ['no text', { authorization: 7 }, {}, 'INVALID_HEADER'],
    ['no actor id', { ...CREDENTIALS, actor: 'a b' }, {}, 'ACTOR_MISMATCH'],
    ['an unknown tenant', { ...CREDENTIALS, tenant: 'other' }, {}, 'WRONG_TENANT'],
    ['two actors', { ...CREDENTIALS, actor: 'user:a', 'X-Strata-Actor': 'user:b' }, {}, 'INVALID_HEADER'],
    [
      'a wrong key over a right header',
      { authorization: 'Bearer other' },
      CREDENTIALS,
      'INVALID_TOKEN_SIGNATURE',
    ],
    ['the header', undefined, CREDENTIALS, null],
    ['the payload', CREDENTIALS, {}, null],
    ['the payload over a wrong header', CREDENTIALS, { authorization: 'Bearer other' }, null],
    [
      'header-like names',
      { Authorization: `bearer  ${KEY}`, 'X-Strata-Actor': 'user:a', other: 7 },
      {},
      null,
    ],
  ];
  it.each(rows)('who shows %s', async (_name, payload, headers, refusal) => {
    const { url } = await start();
    const socket = await openSocket(url, { headers });
    socket.send({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) });
    if (refusal === null) await socket.next('the acknowledgement', ({ type }) => type === 'connection_ack');
    else expect(await socket.closed).toEqual({ code: 4403, reason: `Forbidden: ${refusal}` });
  });

  it('is known by actor and tenant, the payload before the headers', async () => {
    const { url, seen } = await start();
    const headers = { 'x-cortex-actor': 'user:header', 'x-strata-tenant': 'acme' };
    const socket = await openSocket(url, { headers });
    await socket.init({ ...CREDENTIALS, 'X-Cortex-Actor': 'user:payload' });
    socket.subscribe('q', '{ hello }');
    await socket.next('the answer');
    expect(seen.calls[0]!.principal).toMatchObject({ actor: 'user:payload', tenant: 'acme' });
  });

  it('needs no key in the open posture', async () => {
    const { url } = await start({ posture: 'open' });
    await (await openSocket(url)).init();
    // A name that a page made lead here.
    const { port } = new URL(url);
    const rebound = { Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` };
    const answer = await upgrade(url, rebound);
    expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[^]*"reason":"host"/);
    for (const site of ['cross-site', 'same-site'])
      expect(await upgrade(url, { 'Sec-Fetch-Site': site })).toMatch(
        /^HTTP\/1\.1 403 Forbidden\r\n[^]*"reason":"site"/,
      );
  });

  it('who asks before the acknowledgement is closed', async () => {
    const { url } = await start();
    const socket = await openSocket(url);
    socket.subscribe('q', '{ hello }');
    expect(await socket.closed).toEqual({ code: 4401, reason: 'Unauthorized' });
  });

  it('who says nothing, or too much, before the acknowledgement is closed', async () => {
    const { url } = await start({ limits: { initMs: 50, initBytes: 1000 } });
    expect((await (await openSocket(url)).closed).code).toBe(4408);
    const socket = await openSocket(url);
    socket.send({ type: 'connection_init', payload: { ...CREDENTIALS, x: 'x'.repeat(2000) } });
    expect((await socket.closed).code).toBe(4401);
  });

  it('who was refused and does not take it holds its place for a moment only', async () => {
    const { url, sockets } = await start({ limits: { closeMs: 100 } });
    const deaf = await openDeaf(url, [{ type: 'connection_init' }]);
    await eventually('the socket', () => sockets.size === 1);
    await eventually('the end', () => sockets.size === 0, 5000);
    deaf.destroy();
  });

  it('who goes on after too much is cut, and no more of it is kept', async () => {
    const { url, sockets } = await start({ limits: { initBytes: 1000, closeMs: 600_000 } });
    const deaf = await openDeaf(url, []);
    await eventually('the socket', () => sockets.size === 1);
    // The head of a frame of 4 MiB, of which the rest comes bit by bit.
    deaf.write(Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x3f, 0xff, 0xff, 0, 0, 0, 0]));
    await eventually(
      'the cut',
      () => {
        deaf.write(Buffer.alloc(300, 'x'));
        return sockets.size === 0;
      },
      5000,
    );
    expect(deaf.bytesWritten).toBeLessThan(100_000);
    deaf.destroy();
  });
});

describe('a client that takes nothing', () => {
  it('is given no more than its connection holds, and is cut when it stays silent', async () => {
    const { url, seen, sockets } = await start({ limits: { pingMs: 200, deadPings: 5 } });
    const size = 100_000;
    const socket = await openDeaf(url, [
      { type: 'connection_init', payload: CREDENTIALS },
      { id: 's', type: 'subscribe', payload: { query: `subscription { large(size: ${size}) }` } },
    ]);
    await eventually('the subscription', () => seen.pulled > 0);
    await eventually('the end', () => sockets.size === 0);
    expect(seen.pulled).toBeGreaterThan(1);
    expect(seen.pulled * size).toBeLessThan(50_000_000);
    expect(seen.ended).toBe(1);
    socket.destroy();
  });

  it('is not read from either', async () => {
    const { url, seen, sockets } = await start({
      limits: { pingMs: 200, deadPings: 5, sendBufferBytes: 10_000 },
    });
    const name = 'x'.repeat(50_000);
    const asks = Array.from({ length: 90 }, (_, i) => ({
      id: String(i),
      type: 'subscribe',
      payload: { query: `subscription { large(size: 1000000) }`, variables: { name } },
    }));
    const socket = await openDeaf(url, [{ type: 'connection_init', payload: CREDENTIALS }, ...asks]);
    await eventually('the end', () => seen.calls.length > 0 && sockets.size === 0);
    expect(seen.calls.length).toBeLessThan(90);
    socket.destroy();
  });

  it('is cut when the reader behind it gives up', async () => {
    const { url } = await start();
    const socket = await openSocket(url);
    await socket.init(CREDENTIALS);
    socket.subscribe('s', 'subscription { stalled }');
    expect((await socket.closed).code).toBe(1006);
  });

  it('is not taken for dead while it answers pings', async () => {
    const { url } = await start({ limits: { pingMs: 20, deadPings: 3 } });
    const socket = await openSocket(url);
    await socket.init(CREDENTIALS);
    let pings = 0;
    socket.socket.on('ping', () => (pings += 1));
    await eventually('many pings', () => pings > 20);
    socket.subscribe('q', '{ hello }');
    await socket.next('the answer');
  });
});

describe('a stop', () => {
  const of = (id: string, type: string) => (message: any) => message.id === id && message.type === type;

  it('ends subscriptions, lets queries and mutations finish, and begins nothing more', async () => {
    const { url, seen, sockets } = await start();
    const socket = await openSocket(url);
    await socket.init(CREDENTIALS);
    socket.subscribe('m', 'mutation { hold }');
    socket.subscribe('s', 'subscription { never }');
    await eventually('both', () => seen.held.length === 1 && seen.pulled === 1);
    const closed = sockets.close(60_000);
    await socket.next('the end of the subscription', of('s', 'complete'));
    socket.subscribe('late', '{ hello }');
    const { payload } = await socket.next('the refusal', of('late', 'error'));
    expect(payload[0].extensions).toMatchObject({ code: 'SERVER_SHUTTING_DOWN', retriable: true });
    expect(seen.calls[0]!.signal.aborted).toBe(false);
    seen.held[0]!();
    const answer = await socket.next('the answer of the mutation', of('m', 'next'));
    expect(answer.payload).toEqual({ data: { hold: 'held' } });
    expect(await socket.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect(await closed).toBe(true);
  });

  it('waits no longer than its grace', async () => {
    const { url, seen, sockets } = await start();
    const socket = await openSocket(url);
    await socket.init(CREDENTIALS);
    socket.subscribe('q', '{ wait }');
    await eventually('the query', () => seen.calls.length === 1);
    expect(await sockets.close(50)).toBe(false);
    expect((await socket.closed).code).toBe(1001);
    expect(seen.calls[0]!.signal.aborted).toBe(true);
  });

  it('closes every socket with 1001 and cuts those that do not answer', async () => {
    const { url, seen, sockets } = await start({ limits: { closeMs: 200 } });
    const socket = await openSocket(url);
    await socket.init(CREDENTIALS);
    socket.subscribe('s', 'subscription { never }');
    const deaf = await openDeaf(url, [{ type: 'connection_init', payload: CREDENTIALS }]);
    await eventually('both', () => sockets.size === 2 && seen.pulled === 1);
    await running!.stop();
    expect(await socket.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect(seen.ended).toBe(1);
    expect(seen.calls[0]!.signal.aborted).toBe(true);
    deaf.destroy();
    running = null;
  });
});
