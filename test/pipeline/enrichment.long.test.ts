import { EXTRACTION_TRIES } from '../../src/pipeline/extraction-outcome.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { databaseSettings, patientDatabase, query, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { factsOf } from '../support/facts.ts';
import { ModelEndpoint, SIMPLE_MIND } from '../support/model-endpoint.ts';
import { startServiceProcess } from '../support/processes.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { message, TEST_KEY, TEST_TOKEN_KEY } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { wish } from '../support/wish.ts';
import { eventually } from '../support/wait.ts';
import { RETRIES_PATIENCE_MS } from '../support/patience.ts';

// Enrichment: what came while extraction was off is extracted from later, by a model of its own.

let endpoint: ModelEndpoint;
let service: TestService;
let driver: Driver;
let database: Database;

const BASE = {
  STRATA_PIPELINE_POLL_MS: '200',
  STRATA_LLM_DISABLE: '1',
};
const lane = (more: Record<string, string> = {}): Record<string, string> => ({
  ...BASE,
  STRATA_ENRICHMENT_MODEL: 'rich-mind',
  STRATA_ENRICHMENT_URL: endpoint.url,
  STRATA_ENRICHMENT_DELAY_SECONDS: '0',
  STRATA_ENRICHMENT_DRAIN_INTERVAL_SECS: '1',
  STRATA_LLM_EXTRACTION_RETRY_MS: '50',
  ...more,
});

beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
  service = await startTestService(BASE);
  driver = testDriver();
  database = patientDatabase();
  // On a cold server the first statement of its kind may take longer than it is waited for.
  await eventually(
    'a capture',
    async () =>
      (await service.post('/v1/experience', message('user:warm', 'up', { modality: 'feedback' }))).status ===
      202,
  );
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
  await endpoint.stop();
});
beforeEach(() => {
  endpoint.script = SIMPLE_MIND;
  endpoint.requests.length = 0;
});

async function restart(settings: Record<string, string>): Promise<void> {
  await service.stop();
  service = await startTestService(settings, { keepData: true });
}

async function capture(scope: string, texts: readonly string[], more: object = {}): Promise<string[]> {
  const items = texts.map((text) => message(scope, text, { ...more }));
  const { status, json } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect(status).toBe(202);
  return json.results.map((one: { event_id: string }) => one.event_id);
}

const statusOf = async (scope: string): Promise<any> =>
  (await service.get(`/v1/derivation/status?scope=${scope}`)).json;
const predicatesOf = async (scope: string): Promise<string[]> =>
  (await factsOf(driver, scope)).map(({ subject, predicate }) => `${subject} ${predicate}`).sort();

/** Waits until so many events of a scope have an answer, and what they state is consolidated. */
function enriched(scope: string, answers: number): Promise<unknown> {
  return eventually(`${answers} answers in ${scope}`, async () => {
    const [row] = await query<{ answers: number }>(
      driver,
      'MATCH (x:Extraction)-[:OF]->(e:Event {scope: $scope}) RETURN count(x) AS answers',
      { scope },
    );
    const { caught_up, enrichment } = await statusOf(scope);
    return row?.answers === answers && caught_up === true && enrichment.open === false;
  });
}

describe('what came while extraction was off', () => {
  const scope = 'org:rich/user:a';
  const other = 'org:rich/user:b';
  let ids: string[];

  it('stays as it is while enrichment is off, and the service says what would turn it on', async () => {
    ids = await capture(scope, ['Ada lives_in Turin', 'Ada likes Opera', 'nothing to see']);
    await capture(other, ['Bob owns Boat']);
    expect(await predicatesOf(scope)).toEqual([]);
    expect((await service.get('/v1/admin/ready')).json.checks.enrichment).toMatchObject({
      status: 'off',
      fix: expect.stringContaining('STRATA_ENRICHMENT_DELAY_SECONDS'),
    });
  });

  it('is extracted from once a model and a delay are set', async () => {
    await restart(lane());
    await enriched(scope, 3);
    await enriched(other, 1);
    expect(await predicatesOf(scope)).toEqual(['ent_ada likes', 'ent_ada lives_in']);
    expect(await predicatesOf(other)).toEqual(['ent_bob owns']);
    expect(new Set(endpoint.requests.map(({ model }) => model))).toEqual(new Set(['rich-mind']));
    expect((await service.get('/v1/admin/ready')).json.checks.enrichment).toMatchObject({
      ok: true,
      status: 'up',
    });
  });

  it('is told of by frames, and its facts name who extracted them', async () => {
    const frames = await query<{ type: string }>(
      driver,
      'MATCH (f:LifecycleEvent {event_id: $id}) RETURN f.type AS type ORDER BY f.sequence',
      { id: ids[0] },
    );
    expect(frames.map(({ type }) => type)).toEqual([
      'captured',
      'indexed',
      'consolidated',
      'extracted',
      'consolidated',
    ]);
    const { json } = await service.get(`/v1/facts?scope=${scope}&predicate=likes`);
    expect(json.items).toMatchObject([{ extractor: 'rich-mind/extract-2', supports: [ids[1]] }]);
    expect((await service.get(`/v1/experience/status?event_id=${ids[0]}`)).json.stages_completed).toEqual([
      'captured',
      'extracted',
      'indexed',
      'consolidated',
    ]);
  });

  it('is paid for under the role of enrichment', async () => {
    const { json } = await service.get(`/v1/admin/usage?period=day&role=enrichment`);
    expect(JSON.stringify(json)).toContain('rich-mind');
    const { json: none } = await service.get(`/v1/admin/usage?period=day&role=extraction`);
    expect(JSON.stringify(none)).not.toContain('rich-mind');
  });

  it('is understood anew: a synthesis of what was named stands in the log', async () => {
    const entries = await query<{ topics: string[]; actor: string }>(
      driver,
      'MATCH (s:Synthesis {scope: $scope}) RETURN s.topics AS topics, s.actor AS actor',
      { scope },
    );
    expect(entries).toEqual([{ topics: ['ent_ada', 'ent_opera', 'ent_turin'], actor: 'system:enrichment' }]);
  });

  it('is not asked about again after a restart, nor by a rebuild, which comes to the same', async () => {
    await restart(lane());
    await eventually('the synthesis to be over', async () => {
      const [row] = await query<{ open: number }>(
        driver,
        'MATCH (s:Synthesis) WHERE s.pending_shard IS NOT NULL RETURN count(s) AS open',
      );
      return row?.open === 0;
    });
    const before = await derivedDump(driver);
    await askForRebuild(database, null);
    await allDerived(driver);
    expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
    expect(endpoint.requests).toEqual([]);
  });

  it('waits for the delay', async () => {
    await restart(lane({ STRATA_ENRICHMENT_DELAY_SECONDS: '3600' }));
    const young = 'org:rich/user:young';
    await capture(young, ['Cid likes Chess']);
    await query(driver, 'MATCH (e:Event {scope: $young}) RETURN e', { young });
    const seen = async (): Promise<number> => {
      const [row] = await query<{ seen: number }>(
        driver,
        'MATCH (e:Event {scope: $young}) MATCH (s:Shard {number: e.shard}) RETURN count(CASE WHEN s.enriched >= e.wal_offset THEN 1 END) AS seen',
        { young },
      );
      return row?.seen ?? 0;
    };
    expect(await seen()).toBe(0);
    await restart(lane());
    await enriched(young, 1);
    expect(await seen()).toBe(1);
  });
});

describe('an event that the database refuses', () => {
  it('is given up with the reason, asked about once, and others go on', async () => {
    const scope = 'org:rich/user:refused';
    // No answer may be that of another event.
    await query(driver, 'CREATE CONSTRAINT refused FOR (x:Extraction) REQUIRE x.answer IS UNIQUE');
    const ids = await capture(scope, [
      'Kim likes Rain',
      'Kim likes Snow',
      'Kim likes Rain',
      'Kim likes Wind',
    ]);
    await enriched(scope, 3);
    await query(driver, 'DROP CONSTRAINT refused');
    const reason = 'enrichment failed 3 times: Neo.ClientError.Schema.ConstraintValidationFailed';
    expect(
      await query(
        driver,
        `MATCH (h:EnrichmentRetry) RETURN h.event_id AS id, h.state AS state, h.reason AS reason`,
      ),
    ).toEqual([{ id: ids[2], state: 'failed', reason }]);
    expect(await statusOf(scope)).toMatchObject({ caught_up: true, enrichment: { held: 0, failed: 1 } });
    expect(endpoint.texts.filter((text) => text.includes('Kim'))).toHaveLength(4);
  });
});

describe('directives and kinds', () => {
  it('keep events away from the model that do not want to be extracted from', async () => {
    const scope = 'org:rich/user:private';
    await capture(scope, ['Dan likes Secrets'], { directives: { extract: [] } });
    await capture(scope, ['Dan likes Gossip'], { modality: 'feedback' });
    await capture(scope, ['Dan likes Jazz']);
    await enriched(scope, 1);
    expect(endpoint.texts).toEqual(['Dan likes Jazz']);
  });
});

describe('a model that misbehaves', () => {
  const scope = 'org:rich/user:bad';
  const holdOf = async (id: string | undefined) =>
    (
      await query<{ state: string; reason: string; attempts: number }>(
        driver,
        'MATCH (h:EnrichmentRetry {event_id: $id}) RETURN h.state AS state, h.reason AS reason, h.attempts AS attempts',
        { id },
      )
    )[0];

  it('has its event parked with the reason and given up in the end, and others go on', async () => {
    endpoint.script = (request, number) =>
      request.items.some(({ text }) => text.includes('poison'))
        ? { words: 'no structure at all' }
        : SIMPLE_MIND(request, number);
    const more = { idempotency_key: 'poison' };
    const [bad] = await capture(scope, ['Eve likes poison'], more);
    await capture(scope, ['Eve likes Tea']);
    await eventually(
      'the event to be given up',
      async () => {
        // Others succeed meanwhile, so that it is the event that is to blame.
        await capture('org:rich/user:bystander', ['Ada likes Opera']);
        return (await holdOf(bad))?.state === 'failed';
      },
      RETRIES_PATIENCE_MS,
    );
    expect((await holdOf(bad))?.attempts).toBeGreaterThanOrEqual(EXTRACTION_TRIES);
    await enriched(scope, 1);
    expect(await predicatesOf(scope)).toEqual(['ent_eve likes']);
    expect(await statusOf(scope)).toMatchObject({
      caught_up: true,
      held: 0,
      failed: 0,
      enrichment: { held: 0, failed: 1 },
    });
    endpoint.script = SIMPLE_MIND;
    expect(
      (await service.post('/v1/experience', message(scope, 'Eve likes poison', more))).json,
    ).toMatchObject({
      replayed_from_idempotency: true,
    });
    await enriched(scope, 2);
    expect(await holdOf(bad)).toBeUndefined();
  });

  it('is asked again when it is back', async () => {
    endpoint.script = () => ({ status: 503 });
    const [id] = await capture('org:rich/user:outage', ['Fay likes Rain']);
    await eventually('the event to be held', async () => (await holdOf(id))?.state === 'held');
    expect(await statusOf('org:rich/user:outage')).toMatchObject({ enrichment: { held: 1, failed: 0 } });
    endpoint.script = SIMPLE_MIND;
    await enriched('org:rich/user:outage', 1);
    expect(await predicatesOf('org:rich/user:outage')).toEqual(['ent_fay likes']);
  });
});

describe('many scopes and processes', () => {
  const texts = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, i) => `${name} likes Thing${i}`);

  it('are served in turn, and go on where a process stopped', async () => {
    await restart(BASE);
    const [large, small] = ['org:turn/user:large', 'org:turn/user:small'];
    await capture(large, texts('Gil', 60));
    await capture(small, texts('Hal', 3));
    await restart(lane({ STRATA_LLM_EXTRACTION_CALLS: '2' }));
    await enriched(small, 3);
    await eventually('the large one to be begun', () =>
      endpoint.texts.some((text) => text.startsWith('Gil')),
    );
    await restart(lane({ STRATA_LLM_EXTRACTION_CALLS: '2' }));
    await enriched(large, 60);
    expect((await factsOf(driver, large)).length).toBe(60);
    const first = endpoint.texts.findIndex((text) => text.startsWith('Hal'));
    expect(endpoint.texts.slice(0, first).filter((text) => text.startsWith('Gil')).length).toBeLessThan(60);
  });

  it('of two processes each event is answered for once', async () => {
    await restart(BASE);
    const scopes = Array.from({ length: 12 }, (_, i) => `org:both/user:u${i}`);
    for (const scope of scopes) await capture(scope, texts('Ivo', 9));
    const directory = mkdtempSync(join(tmpdir(), 'strata-rich-'));
    const second = await startServiceProcess({
      ...databaseSettings(),
      ...lane(),
      STRATA_API_KEY: TEST_KEY,
      STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
      STRATA_DATA_DIR: directory,
      STRATA_LOG_LEVEL: 'error',
    });
    try {
      await restart(lane());
      for (const scope of scopes) await enriched(scope, 9);
      const [row] = await query<{ frames: number; events: number }>(
        driver,
        `MATCH (e:Event) WHERE e.scope STARTS WITH 'org:both/'
         MATCH (f:LifecycleEvent {event_id: e.id, type: 'extracted'})
         RETURN count(f) AS frames, count(DISTINCT e) AS events`,
      );
      expect(row).toEqual({ frames: 9 * scopes.length, events: 9 * scopes.length });
    } finally {
      await second.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('what is forgotten of an event', () => {
  it('is not asked about, and a stored answer counts for nothing', async () => {
    const scope = 'org:rich/user:forgotten';
    await restart(BASE);
    const [answered = '', never = ''] = await capture(scope, ['Jon lives_in Turin', 'Jon likes Opera']);
    await wish(database, [{ event_id: never, layer: 'facts', ids: null }]);
    await restart(lane());
    await enriched(scope, 1);
    expect(await predicatesOf(scope)).toEqual(['ent_jon lives_in']);
    expect(endpoint.texts).toContain('Jon lives_in Turin');
    expect(endpoint.texts).not.toContain('Jon likes Opera');
    await wish(database, [{ event_id: answered, layer: 'facts', ids: null }]);
    await allDerived(driver);
    expect(await predicatesOf(scope)).toEqual([]);
    await askForRebuild(database, scope);
    await allDerived(driver);
    expect(await predicatesOf(scope)).toEqual([]);
  });
});
