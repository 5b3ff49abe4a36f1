import type { Driver } from 'neo4j-driver';

import { Database } from '../../graph/driver.ts';
import { OVERDUE } from '../../graph/errors.ts';
import { EventReader } from '../../graph/event.ts';
import { migrate } from '../../graph/migrate.ts';
import { ShardLeases } from '../../graph/shard.ts';
import { StageStore } from '../../graph/stage.ts';
import type { Params, Statement } from '../../graph/statement.ts';
import { captureGroupAlone } from '../../graph/capture.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import { toEventRecord } from '../../src/capture/event-record.ts';
import { SHARD_COUNT } from '../../src/capture/scope-key.ts';
import { systemClock } from '../../src/clock.ts';
import { systemIds } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { Consolidator } from '../../src/pipeline/consolidator.ts';
import { LeaseKeeper } from '../../src/pipeline/lease-keeper.ts';
import { RecentEvents } from '../../src/pipeline/recent-events.ts';
import { StagePlaces } from '../../src/pipeline/stage-places.ts';
import { StageRunner, type StageRunnerParts } from '../../src/pipeline/stage-runner.ts';
import { Turns } from '../../src/pipeline/turns.ts';
import { query, testDatabase, testDriver, wipe } from '../support/database.ts';
import { eventually } from '../support/wait.ts';

/** Events that the memory of recent captures holds. */
const KEPT = 10;
/** How long the first of two transactions waits for the second, milliseconds: below the deadline of the lease that it holds. */
const BESIDE_MS = 10_000;

/** A database of which something happens elsewhere while it is read. */
class BusyDatabase extends Database {
  meanwhile: (() => Promise<void>) | null = null;

  override async read<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const { meanwhile } = this;
    if (statement.name === 'stage.pending' && meanwhile !== null) {
      this.meanwhile = null;
      await meanwhile();
    }
    return super.read(statement, params);
  }
}

/**
 * Consolidates, and notes how many transactions it does beside one another. When it is told to, it refuses one of two that run together: the
 * first waits for the second, so that they do.
 */
class WatchedConsolidator extends Consolidator {
  /** Events of each transaction that was tried, and how many ran then. */
  readonly tries: { events: number; beside: number }[] = [];
  /** Code of the failure by which it refuses the next one; null for none. */
  refuses: string | null = null;
  private running = 0;

  override async apply(...[steps, events, now, beside]: Parameters<Consolidator['apply']>) {
    this.running += 1;
    const { running } = this;
    this.tries.push({ events: events.length, beside: running });
    try {
      const code = this.refuses;
      if (code !== null && running === 2) {
        this.refuses = null;
        throw Object.assign(new Error('refused'), { code });
      }
      if (code !== null) await eventually('a second one beside it', () => this.refuses === null, BESIDE_MS);
      return await super.apply(steps, events, now, beside);
    } finally {
      this.running -= 1;
    }
  }
}

let driver: Driver;
let database: BusyDatabase;
let consolidator: WatchedConsolidator;
let recent: RecentEvents;
let leases: LeaseKeeper;
let parts: StageRunnerParts;
let runner: StageRunner;
let head = 0;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  const { uri, user, password, database: name, version } = testDatabase();
  database = new BusyDatabase({
    uri,
    user,
    password,
    database: name,
    poolSize: 5,
    acquisitionTimeoutMs: 5000,
    connectTimeoutMs: 5000,
    statementTimeoutMs: 10_000,
  });
  await migrate(database, version);
  const worker = systemIds.worker();
  recent = new RecentEvents({ events: KEPT, bytes: 1e9 });
  leases = new LeaseKeeper(new ShardLeases(database, worker, 60_000), SHARD_COUNT);
  await leases.round();
  consolidator = new WatchedConsolidator(database, worker);
  parts = {
    store: new StageStore(database, worker),
    consolidator,
    events: new EventReader(database),
    leases,
    recent,
    turns: new Turns(),
    clock: systemClock,
    log: silentLog,
    metrics: new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' }),
    places: new StagePlaces(),
    batchEvents: 100,
    batchBytes: 1e7,
    tries: 3,
    awayTries: 5,
    settledHead: () => head,
    onProgress: () => undefined,
  };
  runner = new StageRunner('indexed', parts);
});
afterAll(async () => {
  await database.close();
  await driver.close();
});

/** Captures so many events; those of another process are not in the memory of this one. */
async function capture(scope: string, events: number, by: 'this process' | 'another'): Promise<number> {
  const inputs = Array.from({ length: events }, (_, i) => {
    const envelope = parseEnvelope({ scope, modality: 'conversation', content: { text: `${scope} ${i}` } });
    const made = { id: systemIds.event(), tenant: 'default', caller: 'user:local' };
    return { record: toEventRecord(envelope, made), batch_id: null };
  });
  const { results } = await captureGroupAlone(database, inputs, systemClock.now());
  if (by === 'this process') recent.add(inputs, results);
  head = results.at(-1)?.wal_offset ?? head;
  return inputs[0]?.record.shard ?? -1;
}

const indexedOffsets = (): Promise<number[]> => offsetsOf('indexed');

async function offsetsOf(type: string): Promise<number[]> {
  const rows = await query<{ at: number }>(
    driver,
    'MATCH (f:LifecycleEvent {type: $type}) RETURN f.wal_offset AS at ORDER BY at',
    { type },
  );
  return rows.map(({ at }) => at);
}

it('a stage passes over no event that leaves the memory while the database is read', async () => {
  const idle = await capture('user:idle', 1, 'another');
  const busy = await capture('user:busy', 1, 'this process');
  await runner.batch([idle, busy]);
  // The busy shard is known from its watermark on, the idle one is not: its last event lies before the memory.
  await capture('user:busy', KEPT, 'this process');
  database.meanwhile = async () => {
    await capture('user:busy', KEPT - 1, 'this process');
  };
  for (let more = true; more;) {
    const before = (await indexedOffsets()).length;
    await runner.batch([idle, busy]);
    more = (await indexedOffsets()).length > before;
  }
  expect(database.meanwhile).toBeNull();
  expect(await indexedOffsets()).toEqual(Array.from({ length: head }, (_, i) => i + 1));
});

it.each([
  ['is refused', 'Neo.TransientError.Transaction.DeadlockDetected'],
  ['takes too long', OVERDUE],
])('consolidates two shards beside one another, and what %s of them once more by itself', async (_, code) => {
  consolidator.tries.length = 0;
  const [one, two] = [await capture('user:one', 3, 'another'), await capture('user:two', 2, 'another')];
  expect(one).not.toBe(two);
  const shards = leases.shards.map(({ number }) => number);
  for (const stage of ['extracted', 'indexed'] as const)
    while (await new StageRunner(stage, parts).batch(shards));
  consolidator.refuses = code;
  await new StageRunner('consolidated', parts).batch([one, two]);
  expect(consolidator.refuses).toBeNull();
  const [first, second, ...again] = consolidator.tries;
  expect([first?.beside, second?.beside]).toEqual([1, 2]);
  expect(again).toEqual([{ events: second?.events, beside: 1 }]);
  // Each once; another scope of the first test may lie in one of the two shards.
  const offsets = await offsetsOf('consolidated');
  expect(offsets).toEqual([...new Set(offsets)]);
  expect(offsets.slice(-5)).toEqual([4, 3, 2, 1, 0].map((back) => head - back));
});
