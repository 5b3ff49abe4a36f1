import { message, TEST_KEY } from '../support/client.ts';
import { startTestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { openDeaf, openSocket } from './socket-client.ts';

const CREDENTIALS = { authorization: `Bearer ${TEST_KEY}` };
const FOLLOW =
  'subscription { lifecycle(scope: "org:e") { lifecycleId event data memoryEvent { content { ... on MessageContent { text } } } } }';
const INIT = { type: 'connection_init', payload: CREDENTIALS };

/** More than the buffers of a connection hold, at 200 kB each. */
const CAPTURES = 60;

describe('a service with sockets', () => {
  it('cuts one that takes nothing, and loses nothing for the others', async () => {
    const service = await startTestService({ STRATA_LIFECYCLE_STALL_MS: '3000' });
    try {
      const reading = await openSocket(service.url);
      await reading.init(CREDENTIALS);
      reading.subscribe('f', FOLLOW);
      const deaf = await openDeaf(service.url, [
        INIT,
        { id: 'f', type: 'subscribe', payload: { query: FOLLOW } },
      ]);
      const readers = async (): Promise<number> => {
        const { text } = await service.get('/v1/admin/metrics');
        return Number(/^strata_lifecycle_readers (\d+)$/m.exec(text)?.[1]);
      };
      await eventually('both readers', async () => (await readers()) === 2);
      const text = 'x'.repeat(200_000);
      for (let i = 1; i <= CAPTURES; i += 1) {
        await service.post('/v1/experience', message('org:e', `${i} ${text}`));
      }
      await eventually('the deaf socket to be cut', async () => (await readers()) === 1);
      deaf.destroy();
      const captured = (): any[] =>
        reading.received.filter(({ payload }) => payload?.data?.lifecycle.event === 'captured');
      await eventually('every capture', () => captured().length === CAPTURES);
      const texts = captured().map(
        ({ payload }) => payload.data.lifecycle.memoryEvent.content.text.split(' ')[0],
      );
      expect(texts).toEqual(Array.from({ length: CAPTURES }, (_, i) => String(i + 1)));
      reading.socket.close();
    } finally {
      await service.stop();
    }
  });

  it('stops at once and tells them so', async () => {
    // Longer than a test may take: a socket that only listens is nothing to wait for.
    const service = await startTestService({ STRATA_HTTP_SHUTDOWN_GRACE_MS: '600000' });
    const socket = await openSocket(service.url);
    await socket.init(CREDENTIALS);
    socket.subscribe('f', FOLLOW);
    socket.subscribe('q', '{ health { status } }');
    await socket.next('an answer', ({ id }) => id === 'q');
    await service.stop();
    expect(await socket.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect(socket.received.at(-1)).toEqual({ id: 'f', type: 'complete' });
  });
});
