import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { LifecycleReader } from '../../graph/lifecycle.ts';
import { LifecycleRemover } from '../../graph/lifecycle-retention.ts';
import { frameHeadSource, VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { HeadSettler, ShardReader } from '../../graph/shard.ts';
import { frameFilter } from '../../src/lifecycle/frame-filter.ts';
import { FrameRetention, FRAME_SWEEP_BATCH } from '../../src/lifecycle/frame-retention.ts';
import { Outbox } from '../../src/lifecycle/outbox.ts';
import { silentLog } from '../../src/log.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { closeEvents, openEvents } from '../support/event-stream.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { expectProblem } from '../api/problem.ts';
import { NO_RULES } from '../support/principals.ts';

const DAY_MS = 86_400_000;
const SCOPE = 'org:kept/user:u';

let service: TestService;
let driver: Driver;
let databases: Database[];

beforeAll(async () => {
  service = await startTestService();
  driver = testDriver();
  databases = [1, 2].map(() => patientDatabase());
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await driver.close();
  await service.stop();
});

/** Makes every frame that is kept, or those up to a number, so many days older. */
async function age(days: number, upTo = Number.MAX_SAFE_INTEGER): Promise<void> {
  await query(driver, 'MATCH (f:LifecycleEvent) WHERE f.sequence <= $upTo SET f.ts = f.ts - $by', {
    upTo: BigInt(upTo),
    by: BigInt(days * DAY_MS),
  });
}

/** The job of one of two processes, with a clock that may be some days ahead. */
function retention(process = 0, daysAhead = 0): FrameRetention {
  const [database] = databases.slice(process);
  if (!database) throw new Error('there are two processes');
  const now = service.context.clock.now() + daysAhead * DAY_MS;
  return new FrameRetention({
    remover: new LifecycleRemover(database),
    clock: { now: () => now },
    log: silentLog,
    days: 30,
  });
}

/** Everything that may go now, removed batch by batch; answers how many frames went. */
async function sweep(process = 0, daysAhead = 0): Promise<number> {
  const job = retention(process, daysAhead);
  for (let removed = 0; ;) {
    const batch = await job.batch();
    removed += batch;
    if (batch < FRAME_SWEEP_BATCH) return removed;
  }
}

async function capture(text: string): Promise<any> {
  const answer = await service.post('/v1/experience?wait=consolidated', message(SCOPE, text));
  expect(answer.status).toBe(202);
  return answer.json;
}

async function kept(): Promise<number[]> {
  const rows = await query<{ n: number }>(
    driver,
    'MATCH (f:LifecycleEvent) RETURN f.sequence AS n ORDER BY n',
  );
  return rows.map(({ n }) => n);
}

const id = (sequence: number): string => `lce_${String(sequence).padStart(16, '0')}`;

/** Removes what may go right after it has said what the oldest frame is. */
class SweptBehind extends LifecycleReader {
  override async oldest(): Promise<number | null> {
    const oldest = await super.oldest();
    await sweep();
    return oldest;
  }
}

// The steps build on each other: what one removes is gone for the next.
afterEach(closeEvents);

describe('frames that are kept long enough', () => {
  it('stay while they are young', async () => {
    for (let i = 0; i < 4; i += 1) await capture(`old ${i}`);
    await age(29);
    expect(await sweep()).toBe(0);
    expect(await kept()).toHaveLength(12);
  });

  it('stay while they are young by the clock of the database, or by that of the process', async () => {
    expect(await sweep(0, 40)).toBe(0);
    await age(2);
    expect(await sweep(0, -40)).toBe(0);
    expect(await kept()).toHaveLength(12);
  });

  it('stay, with all behind them, while their event is not consolidated or is to be tried again', async () => {
    const third = (await capture('third')).event_id as string;
    await capture('behind');
    await query(
      driver,
      `CREATE (:StageRetry {id: $id + '/indexed', event_id: $id, state: 'queued', stage: 'none', shard: -1})`,
      {
        id: third,
      },
    );
    await age(31);
    expect(await sweep()).toBe(12);
    const [oldest] = await kept();
    expect(oldest).toBe(13);
    await query(driver, 'MATCH (h:StageRetry {event_id: $id}) DELETE h', { id: third });
    const lower =
      'MATCH (e:Event {id: $id}) MATCH (s:Shard {number: e.shard}) SET s.consolidated = e.wal_offset - $by';
    await query(driver, lower, { id: third, by: 1n });
    expect(await sweep()).toBe(0);
    await query(driver, lower, { id: third, by: -1n });
  });

  it('are told of to whoever comes with an older cursor, and the oldest kept ones follow', async () => {
    const stream = await openEvents(service.url, { scope: SCOPE, since_lifecycle_id: id(3) });
    const [notice, ...frames] = await stream.atLeast(7);
    expect(notice).toEqual({
      id: id(12),
      event: 'lagging',
      data: {
        ts: expect.any(String),
        scope: null,
        resume_from: id(12),
        reason: expect.stringContaining('older'),
      },
    });
    expect(frames.map(({ id: one }) => one)).toEqual((await kept()).map(id));
    await capture('live');
    await stream.atLeast(10);
    stream.close();
    const exact = await openEvents(service.url, { scope: SCOPE, since_lifecycle_id: id(12) });
    expect((await exact.atLeast(9))[0]?.id).toBe(id(13));
    exact.close();
    expectProblem(await service.get(`/v1/lifecycle/event/${id(12)}`), { status: 404, code: 'NOT_FOUND' });
  });

  it('go all, each once, when two processes remove them at once, and numbers are not used again', async () => {
    for (let i = 0; i < 300; i += 1) {
      await query(
        driver,
        `MATCH (c:Counter {name: 'lifecycle'}) SET c.value = c.value + 10 WITH c.value AS top UNWIND range(0, 9) AS i
         CREATE (:LifecycleEvent {sequence: top - i, type: 'captured', tenant: 'default', scope: 'org:x', scope_ref: 'x', ts: 0})`,
      );
    }
    await age(31);
    const before = await kept();
    const removed = await Promise.all([sweep(), sweep(1)]);
    expect(removed[0] + removed[1]).toBe(before.length);
    expect(await kept()).toEqual([]);
    const stream = await openEvents(service.url, { since_lifecycle_id: id(14) });
    expect((await stream.atLeast(1))[0]).toMatchObject({ event: 'lagging', id: id(before.at(-1) ?? 0) });
    await capture('new');
    expect((await kept())[0]).toBe((before.at(-1) ?? 0) + 1);
    expect((await stream.atLeast(4))[1]?.id).toBe(id((before.at(-1) ?? 0) + 1));
    stream.close();
  });

  it('are told of when they go between the answer that they are kept and the page that should have them', async () => {
    for (let i = 0; i < 3; i += 1) await capture(`late ${i}`);
    const all = await kept();
    const [first = 0] = all;
    await age(31, first + 5);
    const [database] = databases;
    if (!database) throw new Error('there are two processes');
    const { clock } = service.context;
    const shards = new ShardReader(database);
    const outbox = new Outbox({
      frames: new SweptBehind(database),
      places: NO_RULES,
      head: new VisibleHighWatermark(frameHeadSource(shards, new HeadSettler(database), clock)),
      clock,
      log: silentLog,
      pollMs: 1000,
      maxReaders: 1,
      stallMs: 60_000,
    });
    const filter = frameFilter('default', {}, () => true);
    const { signal } = new AbortController();
    const reader = await outbox.subscribe({ filter, after: first - 1, signal });
    const given: unknown[] = [];
    for (let i = 0; i < 7; i += 1) given.push((await reader.next()).value);
    await outbox.close();
    expect(given[0]).toMatchObject({ event: 'lagging', data: { resume_from: id(first + 5) } });
    expect(given.slice(1)).toEqual(
      all.slice(6).map((sequence) => expect.objectContaining({ lifecycle_id: id(sequence) })),
    );
  });
});
