import { connect, type Socket } from 'node:net';

import { closeEvents, openEvents, type SentEvent } from '../support/event-stream.ts';
import { message, TEST_KEY } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { expectProblem } from '../api/problem.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';

const READERS = 50;
const BULKS = 12;
const SHORT = 120;
const LONG = 60;
const SHORT_SCOPE = 'org:many/user:all';
// Frames carry their scope: with a long one a few thousand are more than two kernels keep for a connection nobody reads.
const LONG_SCOPE = `org:many/${Array.from({ length: 30 }, (_, i) => `ws:${String(i).padEnd(120, 'x')}`).join('/')}`;
const SHORT_FRAMES = BULKS * SHORT * 3;
const LONG_FRAMES = BULKS * LONG * 3;

let service: TestService;

const sockets: Socket[] = [];
afterEach(async () => {
  closeEvents();
  for (const socket of sockets.splice(0)) socket.destroy();
  await eventually('all readers to be gone', () => service.context.outbox.readers === 0);
});
afterAll(async () => {
  await service.stop();
});

/** Captures into both scopes; a bulk that a busy machine refuses is sent again, which its keys make safe. */
async function ingest(): Promise<void> {
  const several = (scope: string, bulk: number, count: number): object[] =>
    Array.from({ length: count }, (_, i) => message(scope, `${i}`, { idempotency_key: `${bulk}-${i}` }));
  for (let bulk = 0; bulk < BULKS; bulk += 1) {
    const items = [...several(SHORT_SCOPE, bulk, SHORT), ...several(LONG_SCOPE, bulk, LONG)];
    await eventually('a bulk', async () => {
      const { status } = await service.post('/v1/experience/bulk', { items });
      expect([202, 503]).toContain(status);
      return status === 202;
    });
  }
}

const ids = (events: readonly SentEvent[]): (string | undefined)[] => events.map(({ id }) => id);

/** A stream on a bare socket that is opened and then not read. */
async function openUnread(query: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect({ host: hostname, port: Number(port) });
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.pause();
  socket.write(
    `GET /v1/lifecycle/stream?${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`,
  );
  return socket;
}

describe('fifty readers during an ingest', () => {
  beforeAll(async () => {
    service = await startTestService({
      STRATA_LIFECYCLE_STALL_MS: '4000',
      STRATA_LIFECYCLE_MAX_READERS: String(4 * (READERS + 1)),
    });
  });

  it('lose no frame; one that stalls is told where to resume and resumes without loss', async () => {
    const { outbox } = service.context;
    const query = { scope: SHORT_SCOPE };
    const others = await Promise.all(
      Array.from({ length: READERS - 1 }, () => openEvents(service.url, query)),
    );
    const all = { scope: 'org:many/*' };
    const stalled = await openEvents(service.url, all);
    stalled.pause();
    let mostHeld = 0;
    const watch = setInterval(() => (mostHeld = Math.max(mostHeld, outbox.heldFrames)), 5);
    // Beside the ingest: one that has stalled for twice as long as it may is cut off, which a slow ingest would outlast.
    await Promise.all([
      ingest(),
      eventually('the reader to stall', () => outbox.stalledReaders === 1, DERIVING_PATIENCE_MS).then(() => {
        stalled.resume();
      }),
    ]);
    await eventually('its end', () => stalled.ended);
    clearInterval(watch);
    expect(mostHeld).toBeLessThanOrEqual(READERS * 1000);

    const expected = ids((await others[0]?.atLeast(SHORT_FRAMES, DERIVING_PATIENCE_MS)) ?? []);
    for (const stream of others)
      expect(ids(await stream.atLeast(SHORT_FRAMES, DERIVING_PATIENCE_MS))).toEqual(expected);
    expect(new Set(expected).size).toBe(SHORT_FRAMES);

    const last = stalled.events.at(-1);
    expect([stalled.ended, last?.event, last?.data.resume_from]).toEqual(['end', 'lagging', last?.id]);
    const taken = stalled.events.slice(0, -1);
    const missing = SHORT_FRAMES + LONG_FRAMES - taken.length;
    expect(missing).toBeGreaterThan(0);
    const again = await openEvents(service.url, all, { 'last-event-id': last?.id ?? '' });
    await again.atLeast(missing, DERIVING_PATIENCE_MS);
    const got = ids([...taken, ...again.events]);
    expect(got).toEqual([...new Set(got)].sort());
    expect(got).toHaveLength(SHORT_FRAMES + LONG_FRAMES);
  });

  it('are cut off when they do not even come for that', async () => {
    const { outbox } = service.context;
    const socket = await openUnread('since_lifecycle_id=lce_0000000000000000');
    await eventually('the reader', () => outbox.readers === 1);
    await eventually('its end', () => outbox.readers === 0);
    // What the kernel still holds is read, and then the connection turns out to be broken off.
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('error', (error: { code?: string }) => {
      expect(error.code).toBe('ECONNRESET');
    });
    socket.resume();
    await closed;
    expect(text).not.toContain('event: lagging');
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
  });

  it('are as many as the setting says', async () => {
    const streams = await Promise.all(
      Array.from({ length: READERS + 1 }, () => openEvents(service.url, { scope: 'org:quiet' })),
    );
    const expected = { status: 503, code: 'SERVER_BUSY', retriable: true };
    expectProblem(await service.get('/v1/lifecycle/stream'), expected);
    streams[0]?.close();
    await eventually('room', () => service.context.outbox.readers === READERS);
    await openEvents(service.url);
  });
});

describe('a reader that is slow', () => {
  beforeAll(async () => {
    await service.stop();
    // It is slow, and does not stall, however long the ingest takes.
    service = await startTestService({ STRATA_LIFECYCLE_STALL_MS: '600000' });
  });

  it('holds no more than it may, reads on from the database, and loses none', async () => {
    const { outbox } = service.context;
    const slow = await openEvents(service.url, { scope: LONG_SCOPE });
    slow.pause();
    await ingest();
    await eventually('the reader to fall back', () => outbox.lagFrames > 1500 && outbox.heldFrames === 0);
    slow.resume();
    await slow.atLeast(LONG_FRAMES / 2, DERIVING_PATIENCE_MS);
    await service.post('/v1/experience?wait=consolidated', message(LONG_SCOPE, 'live again'));
    const got = await slow.atLeast(LONG_FRAMES + 3, DERIVING_PATIENCE_MS);
    expect(ids(got)).toEqual([...new Set(ids(got))].sort());
    expect(got).toHaveLength(LONG_FRAMES + 3);
    expect(got.some(({ event }) => event === 'lagging')).toBe(false);
  });
});
