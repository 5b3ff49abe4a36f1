import { MAX_REPLAYED_STATEMENTS } from '../../src/pipeline/long-claim.ts';
import type { Driver } from 'neo4j-driver';

import { OPEN_END } from '../../schemas/time.ts';
import { query, testDriver } from '../support/database.ts';
import { factsOf, statement } from '../support/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { unrefused } from '../support/resend.ts';
import { eventually } from '../support/wait.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';

// A claim with more statements than are replayed in one transaction.

const STATES = MAX_REPLAYED_STATEMENTS + 100;
const BEGAN = Date.parse('2026-01-01T00:00:00Z');

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const at = (i: number): string => new Date(BEGAN + i * 60_000).toISOString();

function state(scope: string, i: number, value = `=state ${i}`, pump = 'pump-1'): Record<string, unknown> {
  const more = { observed_at: at(i), idempotency_key: `${pump} k${i}` };
  return statement(scope, [pump, 'status', value], more);
}

/** Tells the states of a pump; answers the ids of the events. */
async function told(scope: string, pump = 'pump-1'): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < STATES; from += 550) {
    const items = Array.from({ length: Math.min(550, STATES - from) }, (_, i) =>
      state(scope, from + i, undefined, pump),
    );
    const { status, json } = await service.post('/v1/experience/bulk', { items });
    expect(status).toBe(202);
    ids.push(...json.results.map(({ event_id }: { event_id: string }) => event_id));
  }
  await derived(scope);
  return ids;
}

/** Waits until nothing is left to derive of a scope, nor to be derived again. */
async function derived(scope: string): Promise<void> {
  await eventually(
    `${scope} is derived`,
    async () => {
      const { json } = await service.get(`/v1/derivation/status?scope=${scope}`);
      expect(json.failed).toBe(0);
      const [rest] = await query<{ rest: number }>(
        driver,
        `RETURN COUNT { MATCH (:StageRetry) } + COUNT { MATCH (:Rebuild) } AS rest`,
      );
      return json.caught_up === true && rest?.rest === 0;
    },
    DERIVING_PATIENCE_MS,
  );
}

/** The states that stand now, in the order of time, with where each begins and ends. */
async function standing(scope: string): Promise<string[]> {
  const facts = await factsOf(driver, scope);
  return facts
    .flatMap(({ object, rows }) => {
      const last = rows.at(-1);
      const holds = last !== undefined && last.valid_from < last.valid_to;
      return holds ? [{ value: JSON.parse(object).value as string, ...last }] : [];
    })
    .sort((a, b) => a.valid_from - b.valid_from)
    .map(
      ({ value, valid_from, valid_to }) =>
        `${value} ${(valid_from - BEGAN) / 60_000} ${(valid_to - BEGAN) / 60_000}`,
    );
}

const rebuilds = (scope: string): Promise<{ jobs: number }[]> =>
  query<{ jobs: number }>(
    driver,
    `RETURN COUNT { MATCH (:Job {scope: $scope, actor: 'system:derivation'}) } AS jobs`,
    {
      scope,
    },
  );

it('is rebuilt with its scope where an event of it is cancelled or replaced, and goes on meanwhile', async () => {
  const scope = 'org:long/ws:a';
  const ids = await told(scope);
  expect(await rebuilds(scope)).toEqual([{ jobs: 0 }]);
  const cancelled = await service.post(`/v1/lifecycle/memory-event/${ids[500]}/cancel`);
  expect(cancelled.status).toBe(200);
  const more = await service.post('/v1/experience', state(scope, STATES));
  expect(more.status).toBe(202);
  await derived(scope);
  expect(await rebuilds(scope)).toEqual([{ jobs: 1 }]);
  const now = await standing(scope);
  expect(now.slice(498, 502)).toEqual([
    'state 498 498 499',
    'state 499 499 501',
    'state 501 501 502',
    'state 502 502 503',
  ]);
  expect(now).toHaveLength(STATES);
  const replaced = await service.post('/v1/experience', {
    ...state(scope, 700, '=other'),
    on_conflict: 'replace',
  });
  expect(replaced.status).toBe(202);
  await derived(scope);
  expect(await rebuilds(scope)).toEqual([{ jobs: 2 }]);
  const then = await standing(scope);
  expect(then.filter((one) => one.startsWith('other'))).toEqual(['other 700 701']);
  expect(then).toHaveLength(STATES);
  const before = await factsOf(driver, scope);
  expect((await service.post('/v1/beliefs/build', { scope })).status).toBe(200);
  expect(await factsOf(driver, scope)).toEqual(before);
});

it('is gone on with where statements come a little late, and where one comes far too late', async () => {
  const scope = 'org:long/ws:b';
  const late = (i: number): Record<string, unknown> =>
    statement(scope, ['pump-1', 'status', `=late ${i}`], {
      observed_at: new Date(BEGAN + i * 60_000 + 30_000).toISOString(),
    });
  await told(scope);
  for (const i of [STATES - 5, STATES - 40, 3]) {
    expect((await service.post('/v1/experience', late(i))).status).toBe(202);
    await derived(scope);
  }
  const now = await standing(scope);
  const lines = [3, STATES - 40, STATES - 5].flatMap((i) => [
    `state ${i} ${i} ${i + 0.5}`,
    `late ${i} ${i + 0.5} ${i + 1}`,
  ]);
  expect(now).toEqual(expect.arrayContaining(lines));
  expect(now).toHaveLength(STATES + 3);
  expect(await rebuilds(scope)).toEqual([{ jobs: 0 }]);
});

it('is derived again from the beginning where something is taken out that its rebuild has passed', async () => {
  const scope = 'org:long/ws:d';
  await told(scope);
  const asked = await service.post('/v1/admin/derived/rederive', { scope });
  expect(asked.status).toBe(202);
  await eventually('the rebuild to go on', async () => {
    const { json } = await service.get(`/v1/admin/derived/rederive/${asked.json.job_id}`);
    return json.events_done > 100;
  });
  const replaced = { ...state(scope, 10, '=other'), on_conflict: 'replace' };
  expect((await service.post('/v1/experience', replaced)).status).toBe(202);
  await derived(scope);
  const now = await standing(scope);
  expect(now.slice(9, 12)).toEqual(['state 9 9 10', 'other 10 11', 'state 11 11 12']);
  expect(now).toHaveLength(STATES);
});

it('is rebuilt with its scope where an event of it is asked to be derived again', async () => {
  const scope = 'org:long/ws:e';
  const ids = await told(scope);
  const before = await factsOf(driver, scope);
  const asked = await service.post('/v1/admin/derived/rederive', { scope, event_ids: [ids[3]] });
  expect(asked.status).toBe(202);
  const job = await eventually(
    'the job to be over',
    async () => {
      const { json } = await service.get(`/v1/admin/derived/rederive/${asked.json.job_id}`);
      return json.status === 'completed' && json;
    },
    DERIVING_PATIENCE_MS,
  );
  expect(job).toMatchObject({ events_done: STATES, events_total: STATES });
  expect(await factsOf(driver, scope)).toEqual(before);
});

it('takes no other of its length in by a link, but what says nothing like it', async () => {
  const scope = 'org:long/ws:f';
  await told(scope);
  await told(scope, 'pump-2');
  const link = (entity: string) => service.post('/v1/entities/link', { scope, entity, same_as: 'pump-1' });
  const refused = await link('pump-2');
  expect(refused.status).toBe(409);
  expect(refused.json.error_code).toBe('LINK_CONFLICT');
  expect(refused.json.message).toContain('2000 statements');
  const named = statement(scope, ['pump-3', 'colour', '=red']);
  expect((await service.post('/v1/experience', named)).status).toBe(202);
  await derived(scope);
  const first = await link('pump-3');
  expect(first.status).toBe(201);
  expect((await service.request('DELETE', `/v1/entities/link/${first.json.link_id}`)).status).toBe(200);
  expect((await link('pump-3')).status).toBe(201);
  await derived(scope);
  const colours = (await factsOf(driver, scope)).filter(({ predicate }) => predicate === 'color');
  expect(colours.map(({ subject, rows }) => [subject, rows.at(-1)?.valid_to])).toContainEqual([
    'pump-1',
    OPEN_END,
  ]);
  expect(await rebuilds(scope)).toEqual([{ jobs: 0 }]);
});

it('does not have its values linked, where it would say each of them twice', async () => {
  const scope = 'org:long/ws:g';
  for (const part of [0, 1]) {
    const items = Array.from({ length: STATES / 2 }, (_, i) =>
      statement(scope, ['pump-1', 'located_in', 'hall'], { observed_at: at(part * STATES + i) }),
    );
    expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
  }
  await derived(scope);
  const refused = await service.post('/v1/entities/link', { scope, entity: 'hall', same_as: 'hall-2' });
  expect([refused.status, refused.json.error_code]).toEqual([409, 'LINK_CONFLICT']);
  const taken = await service.post('/v1/entities/link', { scope, entity: 'hall-2', same_as: 'hall' });
  expect(taken.status).toBe(201);
});

it('leaves nothing behind when its scope is forgotten', async () => {
  const scope = 'org:long/ws:c';
  await told(scope);
  let sent = 0;
  const forgotten = await unrefused('the removal', () => {
    sent += 1;
    return service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`);
  });
  // One that was refused may have been done all the same.
  expect(sent === 1 ? [204] : [204, 404]).toContain(forgotten.status);
  await eventually(
    'what was derived is gone',
    async () => {
      const [left] = await query<{ left: number }>(
        driver,
        `RETURN COUNT { MATCH (s:Statement {scope: $scope}) } + COUNT { MATCH (b:Belief {scope: $scope}) }
             + COUNT { MATCH (x:FactVersion)<-[:HAS_VERSION]-({scope: $scope}) } + COUNT { MATCH (:StageRetry) } AS left`,
        { scope },
      );
      return left?.left === 0;
    },
    DERIVING_PATIENCE_MS,
  );
});

it.each(['redact_events', 'derived_only'] as const)(
  'is forgotten in part by %s, which waits for the rebuild that it brings about',
  async (cascade) => {
    const scope = `org:long/ws:${cascade}`;
    await told(scope);
    const selector = { valid_during: [at(100), at(200)] };
    const { status } = await service.post('/v1/forget', { scope, layers: ['events'], selector, cascade });
    // A rebuild may take longer than a forget is waited for.
    expect([200, 502]).toContain(status);
    await eventually(
      'the end of the forget',
      async () => (await query(driver, 'MATCH (p:ForgetPlan) RETURN p')).length === 0,
      DERIVING_PATIENCE_MS,
    );
    await derived(scope);
    expect(await standing(scope)).toHaveLength(STATES - 100);
  },
);
