import type { Driver } from 'neo4j-driver';

import { Database } from '../../graph/driver.ts';
import { asStrataError } from '../../graph/errors.ts';
import { DeferralStore } from '../../graph/deferral.ts';
import { EventReader } from '../../graph/event.ts';
import { ExtractionStore } from '../../graph/extraction.ts';
import { migrate } from '../../graph/migrate.ts';
import { ShardLeases, ShardReader } from '../../graph/shard.ts';
import { StageStore } from '../../graph/stage.ts';
import type { Params, Statement } from '../../graph/statement.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import { toEventRecord } from '../../src/capture/event-record.ts';
import { SHARD_COUNT } from '../../src/capture/scope-key.ts';
import { systemClock } from '../../src/clock.ts';
import { Committer } from '../../src/commit/committer.ts';
import { systemIds } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { JobRunner } from '../../src/jobs/runner.ts';
import { Metrics } from '../../src/metrics.ts';
import { Consolidator } from '../../src/pipeline/consolidator.ts';
import { Pipeline } from '../../src/pipeline/pipeline.ts';
import { ReplaySize } from '../../src/pipeline/replay-size.ts';
import { StageProgress } from '../../src/pipeline/stage-progress.ts';
import { query, testDatabase, testDriver, wipe } from '../support/database.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import { eventually } from '../support/wait.ts';
import { RETRIES_PATIENCE_MS } from '../support/patience.ts';

// Failures of a kind that says nothing of its cause. The database is a real one; its driver fails where a test says so.

const UNKNOWN = 'Neo.DatabaseError.General.UnknownError';
const INDEX = 'stage.intake';
const EVENTS = 30;

/** A driver whose statements fail where `breaks` says so. */
class FaultyDatabase extends Database {
  breaks: (name: string, params: Params) => boolean = () => false;
  broken = 0;

  override write<P extends Params, R>(statement: Statement<P, R>, params: P, extraMs?: number): Promise<R[]> {
    return this.#fails(statement.name, params) ?? super.write(statement, params, extraMs);
  }

  override read<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    const failure = this.#fails(statement.name, params)?.catch((error: unknown) => {
      throw asStrataError(error);
    });
    return failure ?? super.read(statement, params);
  }

  #fails(name: string, params: Params): Promise<never> | null {
    if (!this.breaks(name, params)) return null;
    this.broken += 1;
    return Promise.reject(Object.assign(new Error('something went wrong'), { code: UNKNOWN }));
  }
}

let driver: Driver;
let database: FaultyDatabase;
let pipeline: Pipeline;
let ids: string[];

beforeAll(() => {
  driver = testDriver();
});
afterAll(() => driver.close());

beforeEach(async () => {
  await wipe();
  const { uri, user, password, database: name, version } = testDatabase();
  const pool = {
    poolSize: 10,
    acquisitionTimeoutMs: 5000,
    connectTimeoutMs: 5000,
    statementTimeoutMs: 10_000,
  };
  database = new FaultyDatabase({ uri, user, password, database: name, ...pool });
  await migrate(database, version);
  ids = await captureEvents();
  pipeline = pipelineOn(database);
});
afterEach(async () => {
  await pipeline.stop();
  await database.close();
});

async function captureEvents(): Promise<string[]> {
  const metrics = new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' });
  const committer = new Committer({
    writer: database,
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    metrics,
    contentHash: () => '',
    limits: { groupEvents: 100, groupBytes: 1e6, queueEvents: 100, queueBytes: 1e6 },
    onCommit: () => undefined,
  });
  const inputs = Array.from({ length: EVENTS }, (_, i) => {
    const envelope = parseEnvelope({
      scope: `user:u${i % 5}`,
      modality: 'conversation',
      content: { text: `text ${i}` },
    });
    const made = { id: systemIds.event(), tenant: 'default', caller: 'user:local' };
    return { record: toEventRecord(envelope, made), batch_id: null };
  });
  const results = await committer.many(inputs);
  await committer.close();
  return results.map(({ event_id }) => event_id);
}

function pipelineOn(writer: Database): Pipeline {
  const worker = systemIds.worker();
  const shards = new ShardReader(writer);
  const metrics = new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' });
  return new Pipeline({
    jobs: new JobRunner({ log: silentLog, metrics }),
    episodes: { round: () => Promise.resolve(false) },
    replays: { round: () => Promise.resolve(false) },
    rebuilder: { round: () => Promise.resolve(false), stop: () => Promise.resolve() },
    deferrals: new DeferralStore(writer),
    rebuilds: { leave: () => Promise.resolve(false) },
    deferralWatch: { round: () => Promise.resolve(false) },
    syntheses: { due: () => Promise.resolve([]), part: () => Promise.resolve(false) },
    links: { due: () => Promise.resolve([]), part: () => Promise.resolve(false) },
    leases: new ShardLeases(writer, worker, 10_000),
    store: new StageStore(writer, worker),
    replaySize: new ReplaySize(writer),
    consolidator: new Consolidator(writer, worker, KEYED_IDS),
    events: new EventReader(writer),
    progress: new StageProgress(shards, silentLog),
    extractions: new ExtractionStore(writer),
    clock: systemClock,
    log: silentLog,
    metrics,
    shardCount: SHARD_COUNT,
    batchEvents: 200,
    batchBytes: 8_000_000,
    pollMs: 50,
    renewMs: 1000,
    gatherMs: 5,
    recent: { events: 0, bytes: 0 },
    tries: 3,
    awayTries: 5,
    settledHead: () => EVENTS,
    refreshHead: () => Promise.resolve(false),
  });
}

const holds = () =>
  query<{ id: string; stage: string; state: string; reason: string }>(
    driver,
    'MATCH (h:StageRetry) RETURN h.event_id AS id, h.stage AS stage, h.state AS state, h.reason AS reason',
  );

async function framesOfType(type: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    driver,
    'MATCH (f:LifecycleEvent {type: $type}) RETURN f.event_id AS id ORDER BY f.wal_offset',
    { type },
  );
  return rows.map(({ id }) => id);
}

const indexed = (count: number) =>
  eventually(
    `${count} events to be indexed`,
    async () => (await framesOfType('indexed')).length === count,
    // A suspect is tried several times with growing pauses before it is given up.
    RETRIES_PATIENCE_MS,
  );

/** Whether a stage statement carries the event. */
const carries = (params: Params, id: string): boolean =>
  (params.rows as readonly (readonly unknown[])[]).some((row) => row.includes(id));

describe('a failure of an unknown kind', () => {
  it('that one event causes gives that event up, and no other waits for it', async () => {
    const culprit = ids[17] ?? '';
    database.breaks = (name, params) => name === INDEX && carries(params, culprit);
    pipeline.start();
    await indexed(EVENTS - 1);
    const reason = `indexed failed 5 times: ${UNKNOWN}`;
    const found = await eventually('the event to be given up', async () => {
      const rows = await holds();
      return rows.length > 0 && rows;
    });
    expect(found).toEqual([{ id: culprit, stage: 'indexed', state: 'failed', reason }]);
    expect(await framesOfType('indexed')).toEqual(ids.filter((id) => id !== culprit));
  });

  it('that all work of a stage meets blames no event, however long it lasts', async () => {
    database.breaks = (name) => [INDEX, 'stage.pass_index', 'stage.pass_intake'].includes(name);
    pipeline.start();
    await eventually('many failures', () => database.broken >= 12);
    expect(await holds()).toEqual([]);
    database.breaks = () => false;
    await indexed(EVENTS);
    expect(await holds()).toEqual([]);
  });

  it('of reading that passes blames no event', async () => {
    let left = 4;
    database.breaks = (name) => name === 'event.envelopes' && (left -= 1) >= 0;
    pipeline.start();
    await indexed(EVENTS);
    expect(left).toBeLessThan(0);
    expect(await holds()).toEqual([]);
  });
});
