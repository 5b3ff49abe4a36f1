import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { RebuildReader } from '../../graph/rebuild-read.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { behind } from '../support/interpose.ts';
import { databaseSettings, patientDatabase, query, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { statement } from '../support/facts.ts';
import { startServiceProcess } from '../support/processes.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { message, TEST_KEY, TEST_TOKEN_KEY } from '../support/client.ts';
import { startTestService, startWarmService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { inDepth } from '../support/depth.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';

/** Events before a rebuild and during it. */
const BEFORE = inDepth(90, 200);
const MEANWHILE = inDepth(30, 60);

let service: TestService;
let driver: Driver;
let database: Database;

beforeAll(async () => {
  service = await startWarmService({ STRATA_PIPELINE_POLL_MS: '200', STRATA_PIPELINE_BATCH_EVENTS: '5' });
  driver = testDriver();
  database = patientDatabase();
});
afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
});

describe('a rebuild that is not left alone', () => {
  const scope = 'org:r/ws:alone';
  const texts = (from: number, count: number): object[] =>
    Array.from({ length: count }, (_, i) => {
      const n = from + i;
      return n % 3 === 0
        ? message(scope, `text ${n}`, { context: { observed_at: observedAt(n) } })
        : statement(scope, [`ent_${n % 5}`, n % 2 === 0 ? 'lives in' : 'likes', `ent_x${n % 7}`], {
            observed_at: observedAt(n),
          });
    });
  const observedAt = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 9 * 3_600_000).toISOString();
  const capture = async (from: number, count: number): Promise<void> => {
    expect((await service.post('/v1/experience/bulk', { items: texts(from, count) })).status).toBe(202);
  };
  const cursorOf = async (): Promise<number | undefined> => {
    const rows = await query<{ cursor: number }>(
      driver,
      "MATCH (r:Rebuild) WHERE r.phase = 'deriving' RETURN r.cursor AS cursor",
    );
    return rows[0]?.cursor;
  };

  it('derives what is captured meanwhile, with its frames, as if it had not gone on', async () => {
    await capture(0, BEFORE);
    await allDerived(driver);
    await askForRebuild(database, scope);
    await eventually(
      'the rebuild to be in the middle',
      async () => ((await cursorOf()) ?? 0) > 0,
      DERIVING_PATIENCE_MS,
    );
    await capture(BEFORE, MEANWHILE);
    const { json: during } = await service.get(`/v1/derivation/status?scope=${scope}`);
    expect(during).toMatchObject({ rebuilding: true, dirty: true, caught_up: false });
    await allDerived(driver);
    const { json: after } = await service.get(`/v1/derivation/status?scope=${scope}`);
    expect(after).toMatchObject({ rebuilding: false, dirty: false, caught_up: true });
    const framed = await query<{ id: string; frames: number }>(
      driver,
      `MATCH (e:Event {scope: $scope}) RETURN e.id AS id, COUNT { MATCH (f:LifecycleEvent {event_id: e.id, type: 'consolidated'}) } AS frames`,
      { scope },
    );
    expect(framed.filter(({ frames: count }) => count !== 1)).toEqual([]);
    expect(framed).toHaveLength(BEFORE + MEANWHILE);
    const found = await derivedDump(driver);
    await askForRebuild(database, scope);
    await allDerived(driver);
    expect(unlike(found, await derivedDump(driver))).toEqual({ lost: [], new: [] });
  });

  it('ends though captures come between whatever it reads and derives', async () => {
    const shard = BigInt(shardOf(scopeRef('default', scope)));
    let came = BEFORE + MEANWHILE;
    behind(RebuildReader.prototype, 'next', async () => {
      const { json } = await service.post('/v1/experience', texts(came, 1)[0]);
      came += 1;
      // As the stage does, which leaves it to the rebuild.
      const passed = 'MATCH (s:Shard {number: $shard}) SET s.consolidated = $offset';
      await query(driver, passed, { shard, offset: BigInt(json.wal_offset) });
    });
    const { id } = await askForRebuild(database, scope);
    const ended = async (): Promise<boolean> =>
      (await query(driver, "MATCH (j:Job {id: $id, state: 'completed'}) RETURN j.id AS id", { id })).length >
      0;
    await eventually('the rebuild to end', ended, DERIVING_PATIENCE_MS / 2);
    expect(came).toBeGreaterThan(BEFORE + MEANWHILE);
    await allDerived(driver);
    const found = await derivedDump(driver);
    await askForRebuild(database, scope);
    await allDerived(driver);
    expect(unlike(found, await derivedDump(driver))).toEqual({ lost: [], new: [] });
  });

  it('goes on where it was when its process is killed in the middle', async () => {
    const found = await derivedDump(driver);
    await service.stop();
    const data = mkdtempSync(join(tmpdir(), 'strata-rebuild-'));
    const settings = {
      ...databaseSettings(),
      STRATA_DATA_DIR: data,
      STRATA_API_KEY: TEST_KEY,
      STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
      STRATA_LOG_LEVEL: 'error',
      STRATA_PIPELINE_POLL_MS: '200',
      STRATA_PIPELINE_BATCH_EVENTS: '3',
      STRATA_PIPELINE_LEASE_MS: '2000',
    };
    const first = await startServiceProcess(settings);
    await askForRebuild(database, scope);
    const at = await eventually('the rebuild to be in the middle', cursorOf, DERIVING_PATIENCE_MS);
    await first.kill();
    expect(await derivedDump(driver)).not.toEqual(found);
    expect(await cursorOf()).toBeGreaterThanOrEqual(at);
    service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' }, { keepData: true });
    await allDerived(driver);
    expect(unlike(found, await derivedDump(driver))).toEqual({ lost: [], new: [] });
    rmSync(data, { recursive: true, force: true });
  });
});
