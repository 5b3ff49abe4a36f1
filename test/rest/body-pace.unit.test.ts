import { BODY_CROWDED_PACE_MS } from '../../src/services/byte-budget.ts';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

import { readBody } from '../../rest/body.ts';
import { BodyBudget } from '../../src/services/body-budget.ts';
import { collectGarbage } from '../support/garbage.ts';
import { eventually } from '../support/wait.ts';
import { KEY, startRig } from './harness.ts';

const MIB = 1024 * 1024;

/** What a connection was answered, once it has been closed by the other side. */
function answerOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return once(socket, 'close').then(() => text);
}

/** A packed body whose last byte is kept back. */
function held(port: number, path: string, bytes: number): { socket: Socket; answer: Promise<string> } {
  const packed = gzipSync(`{${' '.repeat(bytes)}`);
  const socket = connect(port, '127.0.0.1');
  const answer = answerOf(socket);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n` +
      `Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`,
  );
  socket.write(packed.subarray(0, -1));
  return { socket, answer };
}

describe('a body that comes slowly', () => {
  it.each(['/v1/experience/bulk', '/graphql', '/v1/experience'])(
    'to %s loses its room to others, and its connection',
    async (path) => {
      let ms = 0;
      const bodies = new BodyBudget({ actor: MIB + 1000 }, () => ms);
      const rig = await startRig({ bodies });
      const { answer } = held(rig.port, path, MIB - 1000);
      await eventually('the body to be held', () => bodies.bytes >= MIB - 1000);
      const small = () =>
        rig.send('POST', '/v1/experience', {
          body: `{"text":"${'x'.repeat(10_000)}"}`,
          headers: { 'Content-Type': 'application/json' },
        });
      expect((await small()).status).toBe(503);
      ms += BODY_CROWDED_PACE_MS;
      expect((await small()).status).toBe(202);
      const told = await answer;
      expect(told).toMatch(/^HTTP\/1.1 408 /);
      expect(told).toMatch(/\r\nconnection: close\r\n/i);
      expect(told).toContain('REQUEST_TIMEOUT');
      expect(bodies.bytes).toBe(0);
      await rig.stop();
    },
  );
});

describe('the pace of a body', () => {
  const outcomes: unknown[] = [];
  let port: number;
  let everyMs = 20;
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    readBody(request, MIB, undefined, { everyMs, leastBytesASecond: 1000 }).then(
      (bytes) => {
        outcomes.push(bytes.length);
        response.end();
      },
      (error: unknown) => {
        outcomes.push(error);
        response.end();
      },
    );
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  it.each(['', 'Content-Encoding: gzip\r\n'])('may not fall below the least: %s', async (packing) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${packing}Content-Length: 900\r\n\r\n`);
    socket.write(gzipSync('{"a":1}').subarray(0, 15));
    await eventually('the refusal', () => outcomes.length > 0);
    expect(outcomes.splice(0)).toEqual([
      expect.objectContaining({
        code: 'REQUEST_TIMEOUT',
        details: { reason: 'pace', least_bytes_per_second: 1000 },
      }),
    ]);
    socket.destroy();
  });

  it('is not looked at once all has come', async () => {
    everyMs = 600_000;
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc');
    await eventually('the body', () => outcomes.length > 0);
    expect(outcomes.splice(0)).toEqual([3]);
    socket.destroy();
  });
});

describe('a body that comes in single bytes', () => {
  const PIECES = 100_000;

  it.each([
    ['as it is', Buffer.alloc(PIECES, ' ')],
    ['packed', gzipSync(randomBytes(PIECES), { level: 0 }).subarray(0, PIECES)],
  ])('takes as much memory as its bytes, %s', async (what, bytes) => {
    const came = { bytes: 0 };
    const bodies = new BodyBudget();
    const room = bodies.enter(null, '192.0.2.1');
    const server = createServer((request) => {
      const counting = {
        ...room,
        came: (more: number) => {
          came.bytes += more;
        },
      };
      readBody(request, MIB, counting).then(noted, noted);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const packing = what === 'packed' ? 'Content-Encoding: gzip\r\n' : '';
    const pieces = Buffer.concat(
      [...bytes].flatMap((byte) => [Buffer.from('1\r\n'), Buffer.of(byte, 13, 10)]),
    );
    const before = memoryBytes();
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\n${packing}Transfer-Encoding: chunked\r\n\r\n`);
    socket.write(pieces);
    await eventually('the bytes', () => came.bytes === PIECES && bodies.bytes >= PIECES * 0.9);
    expect(memoryBytes() - before).toBeLessThan(4 * MIB);
    expect(bodies.bytes).toBeLessThanOrEqual(2 * PIECES);
    socket.destroy();
    server.close();
  });
});

/** The body is never whole: it ends, as its test does, with the connection. */
const noted = (): undefined => undefined;

/** Bytes of what is not garbage. */
function memoryBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
