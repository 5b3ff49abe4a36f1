import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { checkCaughtUp, checkFrames } from '../drill/check.ts';
import { databaseSettings, query, testDriver, wipe } from '../support/database.ts';
import { startServiceProcess, type ServiceProcess } from '../support/processes.ts';
import { message, send, TEST_KEY } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { inDepth } from '../support/depth.ts';

const SCOPE = 'org:resume';
const EVENTS = inDepth(250, 1000);

interface Frame {
  event_id: string;
  type: string;
  sequence: number;
}

const directory = mkdtempSync(join(tmpdir(), 'strata-resume-'));
let driver: Driver;
let service: ServiceProcess;

/** Small batches, so that the stages of a thousand events take a while. */
function start(): Promise<ServiceProcess> {
  return startServiceProcess({
    ...databaseSettings(),
    STRATA_API_KEY: TEST_KEY,
    STRATA_DATA_DIR: directory,
    STRATA_LOG_LEVEL: 'error',
    STRATA_PIPELINE_LEASE_MS: '1000',
    STRATA_PIPELINE_BATCH_EVENTS: '5',
  });
}

async function frames(): Promise<Frame[]> {
  return query<Frame>(
    driver,
    'MATCH (f:LifecycleEvent) RETURN f.event_id AS event_id, f.type AS type, f.sequence AS sequence ORDER BY f.sequence',
  );
}

const count = (all: readonly Frame[], type: string): number => all.filter((one) => one.type === type).length;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  service = await start();
});
afterAll(async () => {
  await service.kill();
  await driver.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('a process killed between the stages', () => {
  it('is continued at the watermarks, and no stage happens twice', async () => {
    const items = Array.from({ length: EVENTS }, (_, i) => message(SCOPE, `item ${i}`));
    const bulk = await send(service.url, 'POST', '/v1/experience/bulk', { body: { items } });
    expect(bulk.status).toBe(202);
    await eventually('the stages to be under way', async () => {
      const all = await frames();
      return count(all, 'indexed') > 20 && count(all, 'consolidated') > 5;
    });
    await service.kill();
    const before = await frames();
    expect(count(before, 'consolidated')).toBeLessThan(EVENTS);
    service = await start();
    expect(await checkCaughtUp(service.url, [SCOPE])).toEqual([]);
    expect(await checkFrames(driver)).toEqual([]);
    const after = await frames();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(3 * EVENTS);
  });
});
