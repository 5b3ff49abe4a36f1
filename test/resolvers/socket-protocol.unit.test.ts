import { MAX_JSON_VALUES } from '../../src/capture/json-scan.ts';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { MAX_GRAPHQL_TOKENS } from '../../src/limits.ts';
import { silentLog } from '../../src/log.ts';
import { BodyBudget } from '../../src/services/body-budget.ts';
import { eventually } from '../support/wait.ts';
import { openSocket, type RawSocket } from './socket-client.ts';
import { KEY, startSocketServer, type SocketServer } from './socket-server.ts';

const CREDENTIALS = { authorization: `Bearer ${KEY}` };

let running: SocketServer | null = null;

async function start(options: Parameters<typeof startSocketServer>[0] = {}): Promise<SocketServer> {
  running = await startSocketServer(options);
  return running;
}

async function connected(options: Parameters<typeof startSocketServer>[0] = {}): Promise<RawSocket> {
  const { url } = await start(options);
  const socket = await openSocket(url);
  await socket.init(CREDENTIALS);
  return socket;
}

afterEach(async () => {
  await running?.stop();
  running = null;
});

const of = (id: string, type: string) => (message: any) => message.id === id && message.type === type;

describe('operations over a socket', () => {
  it('are queries, mutations and subscriptions', async () => {
    const socket = await connected();
    socket.subscribe('q', 'query($n: String) { hello(name: $n) }', { n: 'Ada' });
    socket.subscribe('m', 'mutation { store(body: "kept") }');
    socket.subscribe('s', 'subscription { count(to: 3) }');
    expect((await socket.next('the query', of('q', 'next'))).payload).toEqual({
      data: { hello: 'hello Ada' },
    });
    expect((await socket.next('the mutation', of('m', 'next'))).payload.data).toEqual({ store: 'kept' });
    await socket.next('the end', of('s', 'complete'));
    const counted = socket.received.filter(of('s', 'next')).map(({ payload }) => payload.data.count);
    expect(counted).toEqual([1, 2, 3]);
    const ids = running!.seen.calls.map(({ requestId }) => requestId);
    expect(new Set(ids).size).toBe(3);
  });

  it('give each event of a subscription a context of its own', async () => {
    const socket = await connected();
    socket.subscribe('s', 'subscription { count(to: 5) }');
    await socket.next('the end', of('s', 'complete'));
    expect(running!.seen.contexts).toBe(6);
    expect(running!.seen.calls).toHaveLength(1);
  });

  it('work with the client of graphql-ws', async () => {
    const { url } = await start();
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: CREDENTIALS,
    });
    const counted: unknown[] = [];
    for await (const { data } of client.iterate({ query: 'subscription { count(to: 4) }' })) {
      counted.push(data?.count);
    }
    expect(counted).toEqual([1, 2, 3, 4]);
    await client.dispose();
  });

  it('leave the others alive when one is refused, invalid, too large or fails', async () => {
    const socket = await connected();
    socket.subscribe('alive', 'subscription { never }');
    socket.subscribe('syntax', 'subscription {');
    socket.subscribe('unknown', '{ nothingLikeIt }');
    socket.subscribe('tokens', `{ ${'hello '.repeat(MAX_GRAPHQL_TOKENS)} }`);
    socket.subscribe('refused', 'subscription { refused }');
    socket.subscribe('no operation', 'fragment F on Query { hello }');
    socket.subscribe('variables', 'subscription($to: Int!) { count(to: $to) }', { to: 'many' });
    socket.subscribe('broken', 'subscription { broken }');
    const codes = {
      syntax: 'GRAPHQL_PARSE_FAILED',
      unknown: 'GRAPHQL_VALIDATION_FAILED',
      tokens: 'INVALID_QUERY',
      'no operation': 'GRAPHQL_VALIDATION_FAILED',
      variables: 'INVALID_QUERY',
    };
    for (const [id, code] of Object.entries(codes)) {
      const { payload } = await socket.next(id, of(id, 'error'));
      expect([id, payload[0].extensions.code]).toEqual([id, code]);
    }
    const { payload } = await socket.next('refused', of('refused', 'error'));
    expect(payload).toMatchObject([
      {
        message: 'no such cursor',
        extensions: {
          code: 'INVALID_QUERY',
          request_id: expect.stringMatching(/^req_/),
          details: { field_path: 'cursor' },
        },
      },
    ]);
    const broken = await socket.next('broken', of('broken', 'error'));
    expect(broken.payload[0].extensions.code).toBe('DATABASE_UNAVAILABLE');
    socket.subscribe('q', '{ hello }');
    await socket.next('the query', of('q', 'next'));
    expect(running!.seen.ended).toBe(0);
    socket.send({ id: 'alive', type: 'complete' });
    await eventually('the end of the subscription', () => running!.seen.ended === 1);
  });

  it('leave the others alive when values are nested deeply, alone or in fields that are compared', async () => {
    const socket = await connected();
    socket.subscribe('alive', 'subscription { never }');
    const field = (depth: number) => `a: hello(name: ${'['.repeat(depth)}${']'.repeat(depth)})`;
    const documents = { alone: `{ ${field(900)} }`, compared: `{ ${field(450)} ${field(450)} }` };
    for (const [id, document] of Object.entries(documents)) {
      socket.subscribe(id, document);
      const { payload } = await socket.next(id, of(id, 'error'));
      expect([id, payload[0].extensions.code]).toEqual([id, 'INVALID_QUERY']);
    }
    socket.subscribe('q', '{ hello }');
    await socket.next('the query', of('q', 'next'));
    expect(running!.seen.ended).toBe(0);
  });

  it('are refused when the document does not say which one, and the log hears nothing', async () => {
    const faults: unknown[] = [];
    const log = { ...silentLog, error: (...fault: unknown[]) => faults.push(fault) };
    const socket = await connected({ log });
    const query = 'query A { hello } query B { hello }';
    const names: [string, unknown, string][] = [
      ['none', undefined, 'names none'],
      ['null', null, 'names none'],
      ['another', 'C', 'no operation of the name'],
      ['empty', '', 'no operation of the name'],
    ];
    for (const [id, operationName, message] of names) {
      socket.send({ id, type: 'subscribe', payload: { query, operationName } });
      const { payload } = await socket.next(id, of(id, 'error'));
      expect(payload).toMatchObject([
        {
          message: expect.stringContaining(message),
          extensions: { code: 'INVALID_QUERY', details: { field_path: 'operationName' } },
        },
      ]);
    }
    socket.send({ id: 'b', type: 'subscribe', payload: { query, operationName: 'B' } });
    await socket.next('the answer', of('b', 'complete'));
    expect(faults).toEqual([]);
  });

  it('end with complete, and with the socket', async () => {
    const socket = await connected();
    socket.subscribe('a', 'subscription { never }');
    socket.subscribe('b', '{ wait }');
    socket.subscribe('c', '{ wait }');
    socket.subscribe('d', 'subscription { never }');
    await eventually('four operations', () => running!.seen.calls.length === 4);
    socket.send({ id: 'a', type: 'complete' });
    socket.send({ id: 'b', type: 'complete' });
    await eventually('two ends', () => running!.seen.ended === 2);
    const signals = running!.seen.calls.map(({ signal }) => signal.aborted);
    expect(signals).toEqual([true, true, false, false]);
    socket.socket.terminate();
    await eventually('all ends', () => running!.seen.ended === 4);
    expect(running!.seen.calls.every(({ signal }) => signal.aborted)).toBe(true);
    await eventually('the socket to be forgotten', () => running!.sockets.size === 0);
  });

  it('may use an id again once it is complete', async () => {
    const socket = await connected();
    socket.subscribe('x', '{ wait }');
    await eventually('the first', () => running!.seen.calls.length === 1);
    socket.send({ id: 'x', type: 'complete' });
    socket.subscribe('x', 'subscription { never }');
    await eventually('the second', () => running!.seen.pulled === 1);
    socket.subscribe('y', '{ hello }');
    await socket.next('another', of('y', 'complete'));
    expect(socket.received.filter(({ id }) => id === 'x')).toEqual([]);
    expect(running!.seen.calls[1]!.signal.aborted).toBe(false);
  });

  it('are bounded in bytes, with what comes over HTTP', async () => {
    const bodies = new BodyBudget({ actor: 2000 });
    const socket = await connected({ bodies });
    const name = 'x'.repeat(1200);
    socket.subscribe('1', '{ wait }', { name });
    await eventually('the first', () => bodies.bytes > 1200);
    socket.subscribe('2', 'query ($name: String) { hello(name: $name) }', { name });
    const { payload } = await socket.next('the refusal', of('2', 'error'));
    expect(payload[0].extensions).toMatchObject({
      code: 'SERVER_BUSY',
      details: { reason: 'actor_bodies' },
    });
    socket.send({ id: '1', type: 'complete' });
    await eventually('the room to be free', () => bodies.bytes === 0);
    socket.subscribe('3', 'query ($name: String) { hello(name: $name) }', { name });
    await socket.next('the answer', of('3', 'next'));
    await eventually('the room to be free', () => bodies.bytes === 0);
  });

  it('are bounded in number', async () => {
    const socket = await connected({ limits: { operations: 3 } });
    for (const id of ['1', '2', '3']) socket.subscribe(id, 'subscription { never }');
    socket.subscribe('4', '{ hello }');
    const { payload } = await socket.next('the refusal', of('4', 'error'));
    expect(payload[0].extensions.code).toBe('SERVER_BUSY');
    socket.send({ id: '1', type: 'complete' });
    await eventually('one to end', () => running!.seen.ended === 1);
    socket.subscribe('5', '{ hello }');
    await socket.next('the answer', of('5', 'next'));
  });
});

describe('messages', () => {
  it('that may not be stored are answered for their id', async () => {
    const socket = await connected();
    const deep = `${'['.repeat(70)}${']'.repeat(70)}`;
    const bad = ['"a\\u0000b"', '"\\ud800"', deep, '12345678901234567890'];
    for (const [i, value] of bad.entries()) {
      socket.send(
        `{"id":"${i}","type":"subscribe","payload":{"query":"{ hello }","variables":{"n":${value}}}}`,
      );
      const { payload } = await socket.next(value, of(String(i), 'error'));
      expect(payload[0].extensions.code).toBe('INVALID_BODY');
    }
    socket.subscribe('q', '{ hello }');
    await socket.next('the query', of('q', 'next'));
  });

  const rows: [string, unknown, number][] = [
    ['malformed JSON', '{"type":', 4400],
    ['no object', '[]', 4400],
    ['null', 'null', 4400],
    ['no type', {}, 4400],
    ['an unknown type', { type: 'start', id: '1' }, 4400],
    ['a type that is a member of every object', { type: 'constructor' }, 4400],
    ['an empty id', { type: 'subscribe', id: '', payload: { query: '{ hello }' } }, 4400],
    ['a numeric id', { type: 'subscribe', id: 7, payload: { query: '{ hello }' } }, 4400],
    ['a long id', { type: 'subscribe', id: 'x'.repeat(129), payload: { query: '{ hello }' } }, 4400],
    ['no query', { type: 'subscribe', id: '1', payload: {} }, 4400],
    ['variables in a list', { type: 'subscribe', id: '1', payload: { query: '{a}', variables: [] } }, 4400],
    ['a message of the server', { type: 'connection_ack' }, 4400],
    ['a second connection_init', { type: 'connection_init' }, 4429],
    ['a ping with a NUL', '{"type":"ping","payload":{"a":"\\u0000"}}', 4400],
  ];
  it.each(rows)('%s closes the socket by the protocol', async (_name, message, code) => {
    const socket = await connected();
    socket.send(message);
    expect((await socket.closed).code).toBe(code);
  });

  it('in binary frames, above the size and of broken UTF-8 close the socket', async () => {
    const { url } = await start({ limits: { messageBytes: 5000 } });
    const codes: number[] = [];
    const sends: ((socket: RawSocket) => void)[] = [
      ({ socket }) => {
        socket.send(Buffer.from('{"type":"ping"}'));
      },
      (socket) => {
        socket.send({ type: 'ping', payload: { text: 'x'.repeat(5000) } });
      },
      ({ socket }) => {
        socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false });
      },
    ];
    for (const send of sends) {
      const socket = await openSocket(url);
      await socket.init(CREDENTIALS);
      send(socket);
      codes.push((await socket.closed).code);
    }
    expect(codes).toEqual([4400, 1009, 1007]);
  });

  it('with an id that runs close the socket', async () => {
    const socket = await connected();
    socket.subscribe('x', 'subscription { never }');
    socket.subscribe('x', '{ hello }');
    expect(await socket.closed).toEqual({ code: 4409, reason: 'Subscriber for x already exists' });
  });

  it('ping is answered by pong with its payload', async () => {
    const socket = await connected();
    socket.send({ type: 'ping', payload: { a: 1 } });
    expect(await socket.next('pong')).toEqual({ type: 'pong', payload: { a: 1 } });
  });
});

describe('a message with more values than are taken apart', () => {
  it('closes its socket as one with too many bytes does', async () => {
    const socket = await connected();
    const ended = socket.closed;
    socket.subscribe('x', '{ hello }', { list: Array(MAX_JSON_VALUES).fill(0) });
    expect(await ended).toMatchObject({
      code: 1009,
      reason: expect.stringContaining(String(MAX_JSON_VALUES)),
    });
  });
});
