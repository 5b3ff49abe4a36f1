import type { Driver } from 'neo4j-driver';

import { Database, type Transaction } from '../../graph/driver.ts';
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
import { Consolidator } from '../../src/pipeline/consolidator.ts';
import { JointWorks } from '../../src/pipeline/joint-work.ts';
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

/** A database of which something happens elsewhere while it is read, and that refuses a statement when it is told to. */
class BusyDatabase extends Database {
  meanwhile: (() => Promise<void>) | null = null;
  /** Name of a statement that it refuses within a transaction; null for none. */
  refused: string | null = null;
  /** Names of the statements that had a transaction of their own. */
  readonly alone: string[] = [];

  override async write<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    this.alone.push(statement.name);
    return super.write(statement, params);
  }

  override async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return super.transaction((transaction) =>
      work({
        run: (statement, params) => {
          const code = 'Neo.ClientError.Statement.ArgumentError';
          if (statement.name === this.refused)
            return Promise.reject(Object.assign(new Error('refused'), { code }));
          return transaction.run(statement, params);
        },
        send: (statement, params) => {
          transaction.send(statement, params);
        },
      }),
    );
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
  /** What happens before the next one begins. */
  before: (() => Promise<void>) | null = null;
  private running = 0;

  override async apply(...[steps, events, now, beside, joint]: Parameters<Consolidator['apply']>) {
    const { before } = this;
    this.before = null;
    await before?.();
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
      return await super.apply(steps, events, now, beside, joint);
    } finally {
      this.running -= 1;
    }
  }
}

/** Counts the batches that began to wait for their turn. */
class WatchedJointWorks extends JointWorks {
  begun = 0;

  override take(...given: Parameters<JointWorks['take']>): ReturnType<JointWorks['take']> {
    this.begun += 1;
    return super.take(...given);
  }
}

let driver: Driver;
let joint: WatchedJointWorks;
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
  const turns = new Turns();
  joint = new WatchedJointWorks(turns);
  parts = {
    store: new StageStore(database, worker),
    consolidator,
    rebuilds: { leave: () => Promise.resolve(false) },
    events: new EventReader(database),
    leases,
    recent,
    turns,
    joint,
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

/** What somebody is in. */
const moodOf = (scope: string) => (i: number) => ({
  kind: 'triple',
  triple: {
    subject: { type: 'entity', id: scope },
    predicate: 'mood',
    object: { type: 'entity', id: `m${i}` },
  },
});

/**
 * Two events of a scope are consolidated while the other stages wait to do the next two, and whatever is new in `further` shards. Answers
 * the offsets of all four, and the statements that had a transaction of their own meanwhile.
 */
async function consolidateWhileOthersWait(scope: string, further: readonly number[] = []) {
  const state = (): Promise<number> => capture(scope, 2, 'another', moodOf(scope));
  const shard = await state();
  const runners = (['extracted', 'indexed'] as const).map((stage) => new StageRunner(stage, parts));
  for (const one of runners) while (await one.batch([shard]));
  await state();
  database.alone.length = 0;
  const waiting: Promise<boolean>[] = [];
  consolidator.before = async () => {
    const { begun } = joint;
    waiting.push(...runners.map((one) => one.batch([shard, ...further])));
    await eventually('both to wait for their turn', () => joint.begun === begun + 2);
  };
  await new StageRunner('consolidated', parts).batch([shard]);
  await Promise.all(waiting);
  const alone = database.alone.filter((name) => name.startsWith('stage.'));
  while (await new StageRunner('consolidated', parts).batch([shard]));
  return { shard, offsets: [3, 2, 1, 0].map((back) => head - back), alone };
}

/** The frames of events that stages wrote, by offset and stage, and when. */
async function stageFrames(offsets: readonly number[]): Promise<{ at: number; type: string; ts: number }[]> {
  return query(
    driver,
    `MATCH (f:LifecycleEvent) WHERE f.wal_offset IN $offsets AND f.type <> 'captured'
     RETURN f.wal_offset AS at, f.type AS type, f.ts AS ts ORDER BY f.sequence`,
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
    `MATCH (s:Shard {number: $shard})
     RETURN [s.extracted, s.indexed, s.consolidated] AS marks, COUNT { MATCH (h:Hold) } AS holds,
       COUNT { MATCH (p:Passage {kind: 'turn'}) WHERE p.wal_offset IN $offsets } AS passages`,
    { shard: BigInt(shard), offsets: offsets.map(BigInt) },
  );
  expect(stored).toEqual({ marks: [at, at, at], holds: 0, passages: offsets.length });
}

it('a consolidation takes along what other stages wait to write', async () => {
  const { shard, offsets, alone } = await consolidateWhileOthersWait('user:joint');
  expect(alone).toEqual([]);
  await expectAllDone(shard, offsets);
  const [one = 0, two = 0, three = 0, four = 0] = offsets;
  const together = (await stageFrames(offsets)).slice(4, 10);
  expect(together.map(({ at, type }) => `${at} ${type}`)).toEqual([
    ...[three, four].map((at) => `${at} extracted`),
    ...[three, four].map((at) => `${at} indexed`),
    ...[one, two].map((at) => `${at} consolidated`),
  ]);
  expect(new Set(together.map(({ ts }) => ts)).size).toBe(1);
});

it('a consolidation that fails with what it took along is done once more without, and that has its own turn', async () => {
  database.refused = 'stage.index_unframed';
  const { shard, offsets, alone } = await consolidateWhileOthersWait('user:apart');
  database.refused = null;
  expect(alone).toEqual(['stage.extract', 'stage.index']);
  await expectAllDone(shard, offsets);
  // In its own turn, before the others had theirs: nothing of it was halved or held up for what others brought.
  const consolidated = (await stageFrames(offsets)).filter(({ type }) => type === 'consolidated');
  expect(new Set(consolidated.slice(0, 2).map(({ ts }) => ts)).size).toBe(1);
});

it('a consolidation takes nothing along that needs a shard of others', async () => {
  const other = await capture('user:elsewhere', 1, 'another', moodOf('user:elsewhere'));
  const { shard, offsets, alone } = await consolidateWhileOthersWait('user:here', [other]);
  expect(other).not.toBe(shard);
  expect(alone).toEqual(['stage.extract', 'stage.index']);
  await expectAllDone(shard, offsets);
});
