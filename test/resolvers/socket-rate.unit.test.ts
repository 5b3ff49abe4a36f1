import { openSocket } from './socket-client.ts';
import { KEY, startSocketServer } from './socket-server.ts';

const of = (id: string) => (message: any) => message.id === id;

describe('a socket whose caller has a rate', () => {
  it('counts queries and subscriptions as reads and mutation fields as writes, and goes on after a refusal', async () => {
    const server = await startSocketServer({ rates: { read: 2, write: 2 } });
    try {
      const socket = await openSocket(server.url);
      await socket.init({ authorization: `Bearer ${KEY}` });
      const ask = async (id: string, query: string): Promise<any> => {
        socket.subscribe(id, query);
        return socket.next(id, of(id));
      };
      expect((await ask('q1', '{ hello }')).type).toBe('next');
      expect((await ask('s1', 'subscription { count(to: 1) }')).type).toBe('next');
      for (const [id, query] of [
        ['q2', '{ hello }'],
        ['s2', 'subscription { count(to: 1) }'],
        ['m1', 'mutation { a: store(body: "a") b: store(body: "b") c: store(body: "c") }'],
      ] as const) {
        const { type, payload } = await ask(id, query);
        expect([id, type, payload[0].extensions.code]).toEqual([id, 'error', 'RATE_LIMITED']);
        expect(payload[0].extensions).toMatchObject({
          retriable: true,
          retry_after_seconds: expect.any(Number),
        });
      }
      expect(socket.socket.readyState).toBe(1);
    } finally {
      await server.stop();
    }
  });
});
