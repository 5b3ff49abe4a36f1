import type { Driver } from 'neo4j-driver';

import { Database } from '../../graph/driver.ts';
import { OVERDUE } from '../../graph/errors.ts';
import { EventReader } from '../../graph/event.ts';
import { migrate } from '../../graph/migrate.ts';
import { ShardLeases, STAGES } from '../../graph/shard.ts';
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
import { Backpressure } from '../../src/pipeline/backpressure.ts';
import { Consolidator } from '../../src/pipeline/consolidator.ts';
import type { Extraction } from '../../src/pipeline/extraction.ts';
import { LeaseKeeper } from '../../src/pipeline/lease-keeper.ts';
import { RecentEvents } from '../../src/pipeline/recent-events.ts';
import { StageOffsets } from '../../src/pipeline/stage-offsets.ts';
import { ReplaySize } from '../../src/pipeline/replay-size.ts';
import { StageRunner, type StageRunnerParts } from '../../src/pipeline/stage-runner.ts';
import { WriteScheduler } from '../../src/pipeline/write-scheduler.ts';
import { query, testDatabase, testDriver, wipe } from '../support/database.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import { eventually } from '../support/wait.ts';

/** Events that the memory of recent captures holds. */
const KEPT = 10;
/** How long the first of two transactions waits for the second, milliseconds: below the deadline of the lease that it holds. */
const BESIDE_MS = 10_000;

/** A database of which something happens elsewhere while it is read. */
class BusyDatabase extends Database {
  meanwhile: (() => Promise<void>) | null = null;
  /** Names of the statements that had a transaction of their own. */
  readonly alone: string[] = [];

  override async write<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    this.alone.push(statement.name);
    return super.write(statement, params);
  }

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

  override async apply(...[steps, events, now, beside, onThought]: Parameters<Consolidator['apply']>) {
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
      return await super.apply(steps, events, now, beside, onThought);
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
  consolidator = new WatchedConsolidator(database, worker, KEYED_IDS);
  const pace = new Backpressure(() => 0);
  parts = {
    store: new StageStore(database, worker),
    consolidator,
    replaySize: new ReplaySize(database, 2),
    rebuilds: { leave: () => Promise.resolve(false) },
    events: new EventReader(database),
    leases,
    recent,
    turns: new WriteScheduler(pace),
    pace,
    clock: systemClock,
    log: silentLog,
    metrics: new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' }),
    places: new StageOffsets(),
    batchEvents: 100,
    batchBytes: 1e7,
    tries: 3,
    awayTries: 5,
    pause: () => Promise.resolve(),
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
async function capture(
  scope: string,
  events: number,
  by: 'this process' | 'another',
  contentOf: (i: number) => unknown = (i) => ({ text: `${scope} ${i}` }),
): Promise<number> {
  const inputs = Array.from({ length: events }, (_, i) => {
    const envelope = parseEnvelope({ scope, modality: 'conversation', content: contentOf(i) });
    const made = { id: systemIds.event(), tenant: 'default', caller: 'user:local' };
    return { record: toEventRecord(envelope, made), batch_id: null };
  });
  const { results } = await captureGroupAlone(database, inputs, systemClock.now());
  if (by === 'this process') recent.add(inputs, results);
  head = results.at(-1)?.wal_offset ?? head;
  return inputs[0]?.record.shard ?? -1;
}

async function takeIn(): Promise<void> {
  const shards = leases.shards.map(({ number }) => number);
  for (const stage of ['extracted', 'indexed'] as const)
    while (await new StageRunner(stage, parts).batch(shards));
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
  await takeIn();
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

it('repeats what is queued in parts by what its claims say, and says while more waits', async () => {
  const one = await capture('user:moody', 3, 'another', moodOf('user:moody'));
  const two = await capture('user:calm', 3, 'another', moodOf('user:calm'));
  await takeIn();
  for (const shard of [one, two]) await consolidate(shard);
  await query(
    driver,
    `MATCH (e:Event)<-[:STATED_IN]-() WHERE e.shard IN $shards
     CREATE (:StageRetry {id: e.id + '/consolidated', event_id: e.id, shard: e.shard, stage: 'consolidated', state: 'queued'})`,
    { shards: [one, two].map(BigInt) },
  );
  consolidator.tries.length = 0;
  // The three statements of a claim are more than go together, and still go.
  const repeat = (): Promise<boolean> => new StageRunner('consolidated', parts).repeat();
  expect([await repeat(), await repeat()]).toEqual([true, false]);
  expect(consolidator.tries.map(({ events }) => events)).toEqual([3, 3]);
  expect(await query(driver, 'MATCH (h:StageRetry) RETURN h.id AS id')).toEqual([]);
});

/** What somebody is in. */
const moodOf = (scope: string) => (i: number) => ({
  kind: 'triple',
  triple: {
    subject: { type: 'entity', id: scope },
    predicate: 'mood',
    object: { type: 'entity', id: `m${i}` },
  },
});

/** The frames of events that stages wrote, in their order. */
async function stageFrames(offsets: readonly number[]): Promise<{ at: number; type: string }[]> {
  return query(
    driver,
    `MATCH (f:LifecycleEvent) WHERE f.wal_offset IN $offsets AND f.type <> 'captured'
     RETURN f.wal_offset AS at, f.type AS type ORDER BY f.sequence`,
    { offsets: offsets.map(BigInt) },
  );
}

const eachOnce = (offsets: readonly number[]): string[] =>
  offsets.flatMap((at) => STAGES.map((stage) => `${at} ${stage}`)).sort();

async function expectAllDone(shard: number, offsets: readonly number[]): Promise<void> {
  const frames = await stageFrames(offsets);
  expect(frames.map(({ at, type }) => `${at} ${type}`).sort()).toEqual(eachOnce(offsets));
  const at = offsets.at(-1) ?? 0;
  expect(leases.get(shard)?.watermarks).toEqual({ extracted: at, indexed: at, consolidated: at });
  const [stored] = await query<{ marks: number[]; passages: number; holds: number }>(
    driver,
    `MATCH (s:Shard {number: $shard}) MATCH (i:ShardIntake {number: $shard})
     RETURN [i.extracted, i.indexed, s.consolidated] AS marks, COUNT { MATCH (h:StageRetry) } AS holds,
       COUNT { MATCH (p:Passage {kind: 'turn'}) WHERE p.wal_offset IN $offsets } AS passages`,
    { shard: BigInt(shard), offsets: offsets.map(BigInt) },
  );
  expect(stored).toEqual({ marks: [at, at, at], holds: 0, passages: offsets.length });
}

/** Two new events of a scope that state something. */
async function stateTwice(scope: string): Promise<{ shard: number; offsets: number[] }> {
  const shard = await capture(scope, 2, 'another', moodOf(scope));
  return { shard, offsets: [head - 1, head] };
}

const consolidate = async (shard: number): Promise<void> => {
  while (await new StageRunner('consolidated', parts).batch([shard]));
};

it('indexing extracts too where no model is asked, in one transaction', async () => {
  const { shard, offsets } = await stateTwice('user:both');
  database.alone.length = 0;
  await new StageRunner('extracted', parts).batch([shard]);
  await runner.batch([shard]);
  expect(database.alone.filter((name) => name.startsWith('stage.'))).toEqual(['stage.intake']);
  const [one = 0, two = 0] = offsets;
  expect((await stageFrames(offsets)).map(({ at, type }) => `${at} ${type}`)).toEqual([
    ...[one, two].map((at) => `${at} extracted`),
    ...[one, two].map((at) => `${at} indexed`),
  ]);
  await consolidate(shard);
  await expectAllDone(shard, offsets);
});

it('extraction catches up by itself where indexing is ahead of it, and goes with it from there on', async () => {
  const { shard, offsets } = await stateTwice('user:behind');
  const [one = 0, two = 0] = offsets;
  // As after a process that asked a model, and had to wait for it.
  const asking = new StageRunner('indexed', { ...parts, extraction: {} as Extraction });
  await asking.batch([shard]);
  const behind = leases.get(shard)?.watermarks;
  expect(behind).toMatchObject({ indexed: two });
  expect(behind?.extracted).toBeLessThan(one);
  expect((await stageFrames(offsets)).map(({ type }) => type)).toEqual(['indexed', 'indexed']);
  await new StageRunner('extracted', parts).batch([shard]);
  await consolidate(shard);
  await expectAllDone(shard, offsets);
  database.alone.length = 0;
  const later = await stateTwice('user:behind');
  await runner.batch([shard]);
  expect(database.alone.filter((name) => name.startsWith('stage.'))).toEqual(['stage.intake']);
  await consolidate(shard);
  await expectAllDone(shard, later.offsets);
});

it('what comes before consolidation does not wait for it', async () => {
  const { shard, offsets } = await stateTwice('user:beside');
  const session = driver.session({ database: testDatabase().database });
  const lock = session.beginTransaction();
  try {
    await lock.run("MATCH (s:Shard {number: $number}) SET s.touched = 'a test'", { number: BigInt(shard) });
    await runner.batch([shard]);
    expect((await stageFrames(offsets)).map(({ type }) => type)).toEqual([
      'extracted',
      'extracted',
      'indexed',
      'indexed',
    ]);
  } finally {
    await lock.rollback();
    await session.close();
  }
  await consolidate(shard);
  await expectAllDone(shard, offsets);
});

it('a lease changes hands behind what its former owner is writing', async () => {
  const { shard } = await stateTwice('user:handed');
  const number = BigInt(shard);
  const session = driver.session({ database: testDatabase().database });
  const writing = session.beginTransaction();
  const other = new ShardLeases(database, systemIds.worker(), 60_000);
  try {
    // As a stage does it: it found the lease to be its own a moment before that ended.
    await writing.run('MATCH (i:ShardIntake {number: $number}) SET i.indexed = i.indexed + 1', { number });
    await query(driver, 'MATCH (s:Shard {number: $number}) SET s.expires_at = 0', { number });
    const before = leases.get(shard)?.watermarks.indexed ?? -1;
    const claimed = other.claim([shard]);
    await eventually('the claim to wait', async () => {
      const rows = await query(driver, "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked'");
      return rows.length > 0;
    });
    await writing.commit();
    expect((await claimed)[0]?.watermarks.indexed).toBe(before + 1);
  } finally {
    await session.close();
  }
  await query(driver, 'MATCH (i:ShardIntake {number: $number}) SET i.indexed = i.indexed - 1', { number });
  await other.release([shard]);
  leases.lost(shard, leases.get(shard)?.epoch ?? -1);
  await leases.round();
});

it('a lease that was lost and won again meanwhile is held anew, with how far its stages are', async () => {
  const worker = systemIds.worker();
  const own = new ShardLeases(database, worker, 60_000);
  await leases.stop();
  const keeper = new LeaseKeeper(own, SHARD_COUNT);
  await keeper.round();
  const before = keeper.get(0)?.epoch ?? -1;
  await own.release([0]);
  const [again] = await own.claim([0]);
  expect(again?.epoch).toBeGreaterThan(before);
  expect(await keeper.round()).toEqual([0]);
  expect(keeper.get(0)?.epoch).toBe(again?.epoch);
  await keeper.stop();
  await leases.round();
});

it('what comes before consolidation writes nothing of a shard whose lease was lost', async () => {
  const { shard, offsets } = await stateTwice('user:lost');
  const worker = systemIds.worker();
  // The lease ends, and another worker takes it while this one does not know.
  await query(driver, 'MATCH (s:Shard {number: $shard}) SET s.expires_at = 0', { shard: BigInt(shard) });
  const other = new ShardLeases(database, worker, 60_000);
  expect(await other.claim([shard])).toHaveLength(1);
  await runner.batch([shard]);
  expect(await stageFrames(offsets)).toEqual([]);
  expect(leases.get(shard)).toBeUndefined();
  await other.release([shard]);
  await leases.round();
  await runner.batch([shard]);
  await consolidate(shard);
  await expectAllDone(shard, offsets);
});
