import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { patientDatabase, query, testDatabase, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { factsOf, statement } from '../support/facts.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import type { Answer } from '../support/client.ts';
import { startWarmService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

// Scopes whose policy says that they are consolidated later: what waits, what ends the waiting, and what is told of it.

let service: TestService;
let driver: Driver;
let database: Database;

beforeAll(async () => {
  service = await startWarmService({
    STRATA_PIPELINE_POLL_MS: '200',
    STRATA_PIPELINE_BATCH_EVENTS: '4',
    STRATA_CONSOLIDATION_INTERVAL_SECONDS: '86400',
  });
  driver = testDriver();
  database = patientDatabase();
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
});

const statusOf = async (scope: string) => (await service.get(`/v1/derivation/status?scope=${scope}`)).json;

async function register(path: string, consolidation: string): Promise<void> {
  const { status } = await service.post('/v1/scopes', { path, policies: { consolidation } });
  expect(status).toBe(201);
}

function change(path: string, consolidation: string): Promise<Answer> {
  const body = { policies: { consolidation } };
  return service.request('PUT', `/v1/scopes?path=${encodeURIComponent(path)}`, { body });
}

async function capture(scope: string, objects: readonly string[], wait = 'accepted'): Promise<string[]> {
  const items = objects.map((object) => statement(scope, ['ent_a', 'likes', object]));
  const { status, json } = await service.post(`/v1/experience/bulk?wait=${wait}`, { items });
  expect(status).toBe(202);
  return json.results.map((one: { event_id: string }) => one.event_id);
}

/** Waits until so many events of a scope wait, and nothing else is to be done. */
function deferred(scope: string, count: number): Promise<Record<string, any>> {
  return eventually(`${count} events to wait in ${scope}`, async () => {
    const status = await statusOf(scope);
    return status.deferred === count && status.stages.consolidated.lag_events === 0 && status;
  });
}

const objectsOf = async (scope: string): Promise<string[]> =>
  (await factsOf(driver, scope)).map(({ object }) => (JSON.parse(object) as { id: string }).id).sort();

const framesOf = (ids: readonly string[]): Promise<{ id: string; frames: number }[]> =>
  query(
    driver,
    `UNWIND $ids AS id
     RETURN id, COUNT { MATCH (f:LifecycleEvent {event_id: id, type: 'consolidated'}) } AS frames`,
    { ids },
  );

describe('a scope that is consolidated when somebody asks', () => {
  const scope = 'org:later/ws:manual';
  let ids: string[];

  it('captures, indexes and lets events wait', async () => {
    await register(scope, 'manual');
    ids = await capture(scope, ['ent_1', 'ent_2', 'ent_3', 'ent_4', 'ent_5', 'ent_6'], 'indexed');
    expect(await deferred(scope, 6)).toMatchObject({ caught_up: false, dirty: true, held: 0, failed: 0 });
    expect(await objectsOf(scope)).toEqual([]);
    expect((await framesOf(ids)).map(({ frames }) => frames)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('tells of an event that it waits, and of no failure', async () => {
    const { json } = await service.get(`/v1/experience/status?event_id=${ids[0]}`);
    expect(json).toMatchObject({
      status: 'indexed',
      stage: 'indexed',
      stages_completed: ['captured', 'extracted', 'indexed'],
      note: 'The event is durable; the policy of its scope says that it is consolidated later.',
    });
    expect(json.failure_reason).toBeUndefined();
  });

  it('does not consolidate a cancelled event later', async () => {
    expect((await service.post(`/v1/lifecycle/memory-event/${ids[5]}/cancel`)).status).toBe(200);
    expect(await deferred(scope, 5)).toMatchObject({ held: 0 });
  });

  it('consolidates an event that is waited for, and all before it', async () => {
    const [waited] = await capture(scope, ['ent_7'], 'consolidated');
    expect(await objectsOf(scope)).toEqual(['ent_1', 'ent_2', 'ent_3', 'ent_4', 'ent_5', 'ent_7']);
    expect(await statusOf(scope)).toMatchObject({ caught_up: true, deferred: 0 });
    expect((await framesOf([...ids, waited ?? ''])).map(({ frames }) => frames)).toEqual([
      1, 1, 1, 1, 1, 0, 1,
    ]);
    await capture(scope, ['ent_8']);
    await deferred(scope, 1);
    expect(await objectsOf(scope)).not.toContain('ent_8');
  });

  it.each(['beliefs', 'episodes'])('consolidates what waits when %s are built', async (layer) => {
    const late = await capture(scope, [`ent_${layer}1`, `ent_${layer}2`]);
    const { status, json } = await service.post(`/v1/${layer}/build`, { scope });
    expect(status).toBe(200);
    expect(json.reasons).not.toHaveProperty('held');
    expect(await statusOf(scope)).toMatchObject({ caught_up: true, deferred: 0 });
    expect(await objectsOf(scope)).toEqual(
      expect.arrayContaining([`ent_${layer}1`, `ent_${layer}2`, 'ent_8']),
    );
    expect((await framesOf(late)).map(({ frames }) => frames)).toEqual([1, 1]);
  });

  it('is derived again to the same, and leaves what waits to wait', async () => {
    await capture(scope, ['ent_9']);
    await deferred(scope, 1);
    const before = await derivedDump(driver);
    await askForRebuild(database, scope);
    await allDerived(driver);
    expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
    expect(await statusOf(scope)).toMatchObject({ deferred: 1 });
  });
});

describe('a change of policy', () => {
  it('ends the waiting below a scope that becomes eager', async () => {
    const [above, below, other] = ['org:turns', 'org:turns/ws:a', 'org:turns/ws:b'] as const;
    await register(above, 'manual');
    await register(other, 'manual');
    await capture(below, ['ent_1']);
    await capture(other, ['ent_1']);
    await deferred(below, 1);
    await deferred(other, 1);
    expect((await change(above, 'eager')).status).toBe(200);
    await eventually('the scope below to be consolidated', async () => (await statusOf(below)).caught_up);
    expect(await objectsOf(below)).toEqual(['ent_1']);
    await capture(below, ['ent_2'], 'consolidated');
    expect(await statusOf(other)).toMatchObject({ deferred: 1 });
  });

  it('makes nothing wait that was captured before it', async () => {
    const scope = 'org:turned';
    await capture(scope, ['ent_0'], 'consolidated');
    const session = driver.session({ database: testDatabase().database });
    const lock = session.beginTransaction();
    try {
      await lock.run("MATCH (s:Shard {number: $number}) SET s.touched = 'a test'", {
        number: BigInt(shardOf(scopeRef('default', scope))),
      });
      await capture(scope, ['ent_1']);
      await register(scope, 'manual');
      await capture(scope, ['ent_2']);
    } finally {
      await lock.rollback();
      await session.close();
    }
    await deferred(scope, 1);
    expect(await objectsOf(scope)).toEqual(['ent_0', 'ent_1']);
  });
});

describe('a scope that is consolidated periodically', () => {
  const scope = 'org:later/ws:periodic';
  const dueOf = async (): Promise<number | null> => {
    const [row] = await query<{ due_at: number | null }>(
      driver,
      'MATCH (d:Deferral {scope_ref: $ref}) RETURN d.due_at AS due_at',
      { ref: scopeRef('default', scope) },
    );
    return row?.due_at ?? null;
  };

  it('lets events wait until the first of them is due, and then consolidates all', async () => {
    await register(scope, 'periodic');
    await capture(scope, ['ent_1']);
    await deferred(scope, 1);
    const due = await dueOf();
    expect(due).toBeGreaterThan(Date.now());
    await capture(scope, ['ent_2', 'ent_3']);
    await deferred(scope, 3);
    expect(await dueOf()).toBe(due);
    await query(driver, 'MATCH (d:Deferral {scope_ref: $ref}) SET d.due_at = 1', {
      ref: scopeRef('default', scope),
    });
    await eventually('the scope to be consolidated', async () => (await statusOf(scope)).caught_up);
    expect(await objectsOf(scope)).toEqual(['ent_1', 'ent_2', 'ent_3']);
    await capture(scope, ['ent_4']);
    await deferred(scope, 1);
    expect(await dueOf()).toBeGreaterThan(Date.now());
  });

  it('is due some time after it was one that has to be asked', async () => {
    const manual = 'org:later/ws:both';
    await register(manual, 'manual');
    await capture(manual, ['ent_1']);
    await deferred(manual, 1);
    expect((await change(manual, 'periodic')).status).toBe(200);
    await eventually('a time to be set', async () => {
      const [row] = await query<{ due_at: number | null }>(
        driver,
        'MATCH (d:Deferral {scope_ref: $ref}) RETURN d.due_at AS due_at',
        { ref: scopeRef('default', manual) },
      );
      return row?.due_at;
    });
    expect(await statusOf(manual)).toMatchObject({ deferred: 1 });
  });
});
