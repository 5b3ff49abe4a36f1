import { closeEvents, openEvents, type SentEvent } from '../support/event-stream.ts';
import { testDatabase } from '../support/database.ts';
import { startProxy } from '../support/proxy.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { expectProblem } from '../api/problem.ts';

/** How long a stop waits for requests in flight, milliseconds: longer than a test may take, since a stream that is not taken is nothing to wait for. */
const GRACE_MS = 600_000;

const ids = (events: readonly SentEvent[]): (string | undefined)[] => events.map(({ id }) => id);

const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  closeEvents();
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(...given: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...given);
  undo.push(() => service.stop());
  return service;
}

describe('a quiet stream', () => {
  it('is kept open by comments', async () => {
    const service = await start({ STRATA_LIFECYCLE_HEARTBEAT_MS: '100' });
    const stream = await openEvents(service.url);
    await eventually('three comments', () => stream.comments.length >= 3);
    expect(new Set(stream.comments)).toEqual(new Set(['heartbeat']));
    expect(stream.events).toEqual([]);
  });
});

describe('a server that stops', () => {
  it('ends its streams at once, one that does not take what it is sent included', async () => {
    const service = await start({ STRATA_HTTP_SHUTDOWN_GRACE_MS: String(GRACE_MS) });
    const streams = await Promise.all([1, 2, 3].map(() => openEvents(service.url)));
    const stuck = await openEvents(service.url, { since_lifecycle_id: 'lce_0000000000000000' });
    stuck.pause();
    for (let bulk = 0; bulk < 8; bulk += 1) {
      const items = Array.from({ length: 1000 }, (_, i) => message('org:stop', `${bulk} ${i}`));
      expect((await service.post('/v1/experience/bulk?wait=indexed', { items })).status).toBe(202);
    }
    const stopped = service.stop();
    // Alone what the others see is at once: derivation finishes what it is doing, which takes as long as it takes.
    await eventually('the ends', () => streams.every(({ ended }) => ended === 'end'));
    await stopped;
  });
});

describe('a database that is away', () => {
  it('leaves streams open, and they go on without loss when it is back', async () => {
    const address = testDatabase();
    const proxy = await startProxy(Number(new URL(address.uri).port));
    undo.push(() => proxy.close());
    const service = await start({
      NEO4J_URI: `bolt://127.0.0.1:${proxy.port}`,
      STRATA_LIFECYCLE_HEARTBEAT_MS: '100',
    });
    const other = await start({}, { keepData: true });
    const scope = 'org:away/user:u';
    const live = await openEvents(service.url, { scope });
    await other.post('/v1/experience?wait=consolidated', message(scope, 'before'));
    await live.atLeast(3);
    await proxy.refuse();
    await other.post('/v1/experience', message(scope, 'meanwhile'));
    const { length } = live.comments;
    await eventually('comments', () => live.comments.length > length + 5);
    expect([live.ended, live.events.length]).toEqual([null, 3]);
    expectProblem(await service.get('/v1/lifecycle/stream'), {
      status: 503,
      code: 'DATABASE_UNAVAILABLE',
      retriable: true,
    });
    await proxy.restore();
    await other.post('/v1/experience?wait=consolidated', message(scope, 'after'));
    await live.atLeast(9);
    const { json } = await other.get(`/v1/lifecycle?scope=${scope}`);
    expect(ids(live.events)).toEqual(json.items.map((item: any) => item.lifecycle_id));
  });
});
