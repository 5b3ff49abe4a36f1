import type { Driver } from 'neo4j-driver';

import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { query, testDatabase, testDriver } from '../support/database.ts';
import { ModelEndpoint } from '../support/model-endpoint.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

// What a worker asked and could not write down, as when it dies in between, is asked once more by whoever has the shard next. What was
// written down is never asked again, even where the stage goes over the event anew.

const SCOPE = 'user:resumed';
const SHARD = BigInt(shardOf(scopeRef('default', SCOPE)));

let endpoint: ModelEndpoint;
let service: TestService;
let driver: Driver;

const settings = (): Record<string, string> => ({
  STRATA_PIPELINE_POLL_MS: '200',
  STRATA_LLM_URL: endpoint.url,
  STRATA_LLM_MODEL: 'simple-mind',
});

beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
  service = await startTestService(settings());
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
  await endpoint.stop();
});

const extractions = (id: unknown): Promise<unknown[]> =>
  query(driver, 'MATCH (x:Extraction {event_id: $id}) RETURN x.answer AS answer', { id });
const framesOf = async (id: unknown): Promise<string[]> =>
  (
    await query<{ type: string }>(
      driver,
      "MATCH (f:LifecycleEvent {event_id: $id}) WHERE f.type = 'extracted' RETURN f.type AS type",
      { id },
    )
  ).map(({ type }) => type);
const caughtUp = (): Promise<unknown> =>
  eventually('the scope to be caught up', async () => {
    const { json } = await service.get(`/v1/derivation/status?scope=${SCOPE}`);
    return json.caught_up === true;
  });

/** Takes the lease of the shard away from whoever has it, with its intake held; `also` changes more. */
const TAKE = (also = ''): string =>
  `MATCH (i:ShardIntake {number: $number}) SET i.touched = 'a test'
   WITH i MATCH (s:Shard {number: i.number}) SET s.epoch = s.epoch + 1, s.owner = 'nobody', s.expires_at = 0 ${also}`;

let id = '';

it('is asked again when its worker lost the shard before it was written down', async () => {
  // Passes once the shard is leased.
  await service.post('/v1/experience?wait=consolidated', message(SCOPE, 'x', { modality: 'feedback' }));
  const session = driver.session({ database: testDatabase().database });
  const lock = session.beginTransaction();
  try {
    await lock.run(TAKE(), { number: SHARD });
    const { json } = await service.post('/v1/experience', message(SCOPE, 'Ada likes Opera'));
    id = json.event_id;
    await eventually('the model to be asked', () => endpoint.requests.length === 1);
    await lock.commit();
  } finally {
    await session.close();
  }
  await caughtUp();
  expect(endpoint.texts).toEqual(['Ada likes Opera', 'Ada likes Opera']);
  expect(await extractions(id)).toHaveLength(1);
  expect(await framesOf(id)).toHaveLength(1);
});

it('is not asked again once it is written down, though the stage goes over it anew', async () => {
  await query(driver, TAKE(', i.extracted = 0'), { number: SHARD });
  await eventually('the stage to have gone over it', async () => {
    const [row] = await query<{ extracted: number }>(
      driver,
      'MATCH (i:ShardIntake {number: $number}) RETURN i.extracted AS extracted',
      { number: SHARD },
    );
    return row !== undefined && row.extracted > 0;
  });
  expect(endpoint.requests).toHaveLength(2);
  expect(await extractions(id)).toHaveLength(1);
});

it('is not asked again by a process that starts later', async () => {
  await service.stop();
  service = await startTestService(settings(), { keepData: true });
  const later = await service.post('/v1/experience?wait=consolidated', message(SCOPE, 'Ada owns Boat'));
  expect(later.status).toBe(202);
  expect(endpoint.texts).toEqual(['Ada likes Opera', 'Ada likes Opera', 'Ada owns Boat']);
});

it('passes events over that wait for a model when extraction is turned off', async () => {
  endpoint.script = () => ({ status: 401 });
  const { json } = await service.post('/v1/experience', message(SCOPE, 'Ada likes Chess'));
  await eventually('the event to be held', async () => {
    const found = await service.get(`/v1/experience/status?event_id=${json.event_id}`);
    return found.json.stage === 'held';
  });
  await service.stop();
  // It may be due again only after a while.
  await query(driver, 'MATCH (h:StageRetry {event_id: $id}) SET h.retry_at = 0', { id: json.event_id });
  service = await startTestService({ ...settings(), STRATA_LLM_DISABLE: '1' }, { keepData: true });
  await caughtUp();
  const { json: status } = await service.get(`/v1/derivation/status?scope=${SCOPE}`);
  expect(status.lanes).toEqual([
    { name: 'extraction', status: 'off', fix: expect.stringContaining('STRATA_LLM_DISABLE') },
    { name: 'enrichment', status: 'off', fix: expect.stringContaining('STRATA_ENRICHMENT_MODEL') },
    { name: 'embeddings', status: 'off', fix: expect.stringContaining('STRATA_EMBEDDING_PROVIDER') },
  ]);
  const { json: ready } = await service.get('/v1/admin/ready');
  expect(ready.checks.extraction).toMatchObject({
    ok: true,
    status: 'off',
    fix: expect.stringContaining('STRATA_LLM_DISABLE'),
  });
  expect(await extractions(json.event_id)).toEqual([]);
});
