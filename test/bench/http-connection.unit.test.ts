import { createServer, type Server } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { HttpConnection, Requests } from './http-connection.ts';

let server: Server;
let peer: Socket | null = null;
let got = '';
let answer: (socket: Socket) => void = () => undefined;
let url = '';

beforeAll(async () => {
  server = createServer((socket) => {
    peer = socket;
    socket.on('data', (chunk) => {
      got += chunk.toString();
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  peer?.destroy();
  await new Promise((resolve) => server.close(resolve));
});

const WHOLE = 'HTTP/1.1 202 Accepted\r\nX-A: b\r\ncontent-length: 5\r\n\r\nhello';

describe('a connection of the load generator', () => {
  let connection: HttpConnection;

  beforeEach(async () => {
    got = '';
    connection = await HttpConnection.open(url);
  });

  afterEach(() => {
    connection.close();
  });

  it('sends what was made and answers status and body, again and again', async () => {
    answer = (socket) => socket.write(WHOLE);
    const requests = new Requests(url, 'secret');
    const reply = await connection.send(requests.post('/v1/x', { a: 'ä' }));
    expect([reply.status, reply.body.toString()]).toEqual([202, 'hello']);
    expect((await connection.send(requests.get('/v1/y'))).status).toBe(202);
    expect(got).toMatch(
      /^POST \/v1\/x HTTP\/1\.1\r\n(.+\r\n)*Content-Length: 10\r\n\r\n\{"a":"ä"\}GET \/v1\/y HTTP/,
    );
    expect(got.match(/Authorization: Bearer secret\r\n/g)).toHaveLength(2);
  });

  it('puts an answer together that comes in pieces', async () => {
    answer = (socket) => {
      const pieces = WHOLE.split('');
      const next = (): void => {
        const piece = pieces.shift();
        if (piece !== undefined) socket.write(piece, () => setImmediate(next));
      };
      next();
    };
    expect((await connection.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).body.toString()).toBe('hello');
  });

  it('refuses an answer without a length', async () => {
    answer = (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n');
    await expect(connection.send(Buffer.from('x'))).rejects.toThrow('an answer without a length');
  });

  it('fails when the other side hangs up in the middle', async () => {
    answer = (socket) => socket.end('HTTP/1.1 200 OK\r\n');
    await expect(connection.send(Buffer.from('x'))).rejects.toThrow('in the middle of an answer');
    await expect(connection.send(Buffer.from('x'))).rejects.toThrow('closed the connection');
  });
});
