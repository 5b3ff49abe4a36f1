import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { gatherWritesTo } from '../../graph/gathered-writes.ts';
import { othersTurn } from '../../src/wakeup.ts';
import fc from '../support/property.ts';

let servers: Server[] = [];

/** A server that answers, at the end of a connection, what came in. */
async function listen(): Promise<{ port: number; received: Promise<Buffer> }> {
  let tell: (all: Buffer) => void = () => undefined;
  const received = new Promise<Buffer>((resolve) => {
    tell = resolve;
  });
  const server = createServer((socket) => {
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', () => {
      tell(Buffer.concat(parts));
      socket.end();
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, received };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

afterEach(async () => {
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  servers = [];
});

it('sends in one go what is written in one turn, and large parts of it before', async () => {
  const { port, received } = await listen();
  gatherWritesTo(`bolt://127.0.0.1:${port}`);
  const socket = await open(port);
  socket.write('a'.repeat(1_400));
  socket.write('b'.repeat(1_400));
  expect([socket.writableCorked, socket.writableLength]).toEqual([1, 2_800]);
  for (let i = 0; i < 100; i += 1) socket.write('c'.repeat(1_400));
  expect(socket.bytesWritten - socket.writableLength).toBeGreaterThanOrEqual(65_536);
  expect(socket.writableCorked).toBe(1);
  await othersTurn();
  expect(socket.writableCorked).toBe(0);
  socket.end();
  expect((await received).length).toBe(102 * 1_400);
});

it('leaves connections to other ports as they are', async () => {
  const { port } = await listen();
  const socket = await open(port);
  socket.write('a');
  expect(socket.writableCorked).toBe(0);
  socket.end();
  await once(socket, 'close');
});

it('whatever is written arrives, in its order', async () => {
  const turns = fc.array(fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 8 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(turns, async (lengths) => {
      const { port, received } = await listen();
      gatherWritesTo(`bolt://127.0.0.1:${port}`);
      const socket = await open(port);
      const sent: Buffer[] = [];
      for (const turn of lengths) {
        for (const length of turn) {
          const part = Buffer.alloc(length, sent.length % 256);
          sent.push(part);
          socket.write(part);
        }
        await othersTurn();
      }
      socket.end();
      expect(Buffer.concat(sent).equals(await received)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
