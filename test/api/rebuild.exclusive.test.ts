import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { scopeRef } from '../../src/capture/scope-key.ts';
import { cli } from '../cli/host.ts';
import { query, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { statement } from '../support/facts.ts';
import { allDerived } from '../support/rebuild.ts';
import { message, TEST_KEY, type Answer } from '../support/client.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { eventually } from '../support/wait.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { expectProblem } from './problem.ts';

const SCOPE = 'org:again/ws:one';

let service: TestService;
let driver: Driver;
let before: string[];
const events: string[] = [];

beforeAll(async () => {
  service = await startTestService({ STRATA_V1_MINTER_ENABLE: '1' });
  driver = testDriver();
  const items = [
    statement(SCOPE, ['ent_ada', 'lives in', 'ent_paris']),
    statement(SCOPE, ['ent_ada', 'lives in', 'ent_london'], { valid_from: '2020-01-01' }),
    statement(SCOPE, ['ent_ada', 'likes', 'ent_tea']),
    message(SCOPE, 'good morning'),
    statement('org:again/ws:two', ['ent_bob', 'likes', 'ent_tea']),
  ];
  const written = await eventually('a capture', async () => {
    const answer = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    return answer.status === 202 && answer;
  });
  events.push(...written.json.results.map(({ event_id }: any) => event_id as string));
  await service.post(`/v1/lifecycle/memory-event/${events[2]}/cancel`);
  await allDerived(driver);
  before = await derivedDump(driver);
});
afterAll(async () => {
  await service.stop();
  await driver.close();
});

const rederive = (body: object, headers: Record<string, string | null> = {}): Promise<Answer> =>
  service.post('/v1/admin/derived/rederive', body, { headers });

async function unchanged(): Promise<void> {
  await allDerived(driver);
  expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
}

describe('a re-derivation', () => {
  it('is counted and not done when it is a dry run', async () => {
    const { status, json } = await rederive({ scope: SCOPE, dry_run: true });
    expect([status, json]).toEqual([202, { job_id: null, status: 'planned', eligible_events: 4 }]);
    expect(await query(driver, 'MATCH (j:Job) RETURN j')).toEqual([]);
  });

  it('of a scope is a job that tells how far it is, and leaves what was there', async () => {
    const { status, json } = await rederive({ scope: SCOPE });
    expect([status, json.status, json.eligible_events]).toEqual([202, 'queued', 4]);
    const job = await eventually('the job to be over', async () => {
      const { json: found } = await service.get(`/v1/admin/derived/rederive/${json.job_id}`);
      return found.status === 'completed' && found;
    });
    expect(job).toMatchObject({
      phase: 'done',
      scope: SCOPE,
      everything: null,
      scopes_done: 1,
      scopes_total: 1,
      events_done: 4,
      events_total: 4,
      events_stating: 2,
      events_taken_out: 1,
      events_held: 0,
      error: null,
    });
    await unchanged();
  });

  it('of some events leaves what was there', async () => {
    const { status, json } = await rederive({
      scope: SCOPE,
      event_ids: [events[1], events[0], events[2], events[4]],
    });
    expect([status, json.eligible_events]).toEqual([202, 2]);
    await unchanged();
  });

  it('of everything leaves what was there', async () => {
    const { status, json } = await rederive({ everything: 'store' });
    expect([status, json.eligible_events]).toEqual([202, null]);
    await unchanged();
  });

  it('is refused where it names nothing, or nothing that is there', async () => {
    const codes = async (body: object): Promise<unknown[]> => {
      const { status, json } = await rederive(body);
      return [status, json.error_code];
    };
    expect(await codes({})).toEqual([422, 'NO_TARGETS']);
    expect(await codes({ scope: SCOPE, event_ids: [] })).toEqual([422, 'NO_TARGETS']);
    expect(await codes({ scope: SCOPE, everything: 'tenant' })).toEqual([422, 'NO_TARGETS']);
    expect(await codes({ scope: 'org:nothing' })).toEqual([422, 'NO_ELIGIBLE_EVENTS']);
    expect(await codes({ scope: SCOPE, event_ids: [events[2], events[4], 'evt_x'] })).toEqual([
      422,
      'NO_ELIGIBLE_EVENTS',
    ]);
    expect(await codes({ scope: SCOPE, more: 1 })).toEqual([422, 'INVALID_BODY']);
  });

  it('of everything is for the operator key, and a job for whoever asked for it', async () => {
    const { token } = await mintFrom(service, { subject: 'user:ada' });
    const ada = bearer(token, 'user:ada');
    expect((await rederive({ everything: 'store' }, ada)).json.error_code).toBe('POLICY_DENIED');
    const { json } = await rederive({ scope: SCOPE }, ada);
    const path = `/v1/admin/derived/rederive/${json.job_id}`;
    expect((await service.get(path, { headers: ada })).status).toBe(200);
    expect((await service.get(path)).json.error_code).toBe('JOB_NOT_FOUND');
    await unchanged();
  });
});

describe('a build', () => {
  it('of beliefs says what there is, every time', async () => {
    const first = await service.post('/v1/beliefs/build', { scope: SCOPE });
    expect(first.json).toMatchObject({
      built: 2,
      facts_scanned: 2,
      groups_considered: 2,
      groups_rejected: 0,
      events_scanned: 4,
      belief_events_found: 2,
      reasons: { taken_out: 1, states_nothing: 1 },
    });
    expect(first.json.items).toEqual((await service.get(`/v1/beliefs?scope=${SCOPE}`)).json.items);
    const { json } = await service.post('/v1/beliefs/build', { scope: SCOPE });
    expect({ ...json, job_id: '' }).toEqual({ ...first.json, job_id: '' });
    await unchanged();
  });

  it('of episodes says what there is', async () => {
    const { status, json } = await service.post('/v1/episodes/build', { scope: SCOPE });
    expect([status, json.built, json.events_scanned]).toEqual([200, 1, 4]);
    expect(json.items).toHaveLength(1);
    await unchanged();
  });
});

describe('strata rebuild', () => {
  it('shows a job to its end', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'strata-rebuild-'));
    const where = { directory, environment: { STRATA_DATA_DIR: directory } };
    const address = ['--url', service.url, '--key', TEST_KEY];
    const one = await cli(['rebuild', '--scope', SCOPE, ...address], where);
    expect([one.code, one.stderr]).toEqual([
      0,
      expect.stringContaining('derived 4 events of 1 scopes again'),
    ]);
    const all = await cli(['rebuild', ...address], where);
    expect([all.code, all.stderr]).toEqual([
      0,
      expect.stringContaining('derived 5 events of 2 scopes again'),
    ]);
    const again = await cli(['rebuild', '--job', one.stdout.trim(), ...address], where);
    expect(again.code).toBe(0);
    expect((await cli(['rebuild', '--scope', 'org:nothing', ...address], where)).code).toBe(1);
    expect((await cli(['rebuild', '--scope', 'nothing', ...address], where)).code).toBe(64);
    expect((await cli(['rebuild', '--url', 'http://127.0.0.1:9', '--key', 'k'], where)).code).toBe(2);
    rmSync(directory, { recursive: true, force: true });
    await unchanged();
  });
});

describe('a scope that is being derived again', () => {
  const scope = 'org:again/ws:forgotten';
  const path = `/v1/scopes?path=${scope}&records=forget`;

  beforeAll(async () => {
    expect((await service.post('/v1/scopes', { path: scope })).status).toBe(201);
    const said = statement(scope, ['ent_eve', 'likes', 'ent_tea']);
    expect((await service.post('/v1/experience?wait=consolidated', said)).status).toBe(202);
  });

  it('is not forgotten before that is over', async () => {
    const ref = scopeRef('default', scope);
    await query(driver, "CREATE (:Rebuild {scope_ref: $ref, job_id: 'a test', phase: 'deriving'})", { ref });
    const refused = await service.request('DELETE', path);
    expectProblem(refused, { status: 409, code: 'REDERIVE_IN_PROGRESS', retriable: true });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect((await service.get(`/v1/events?scope=${scope}`)).json.items).toHaveLength(1);
    await query(driver, 'MATCH (r:Rebuild {scope_ref: $ref}) DELETE r', { ref });
  });

  it('is not derived again before it is forgotten', async () => {
    const ref = scopeRef('default', scope);
    const mark = (text: string): Promise<unknown> =>
      query(driver, `MATCH (s:Scope {ref: $ref}) ${text}`, { ref });
    await mark('SET s.deleting_through = 0');
    const { json } = await rederive({ scope });
    const jobPath = `/v1/admin/derived/rederive/${json.job_id}`;
    await eventually('a try of the job', async () => {
      const [job] = await query<{ tried: boolean }>(
        driver,
        'MATCH (j:Job {id: $id}) RETURN j.epoch > 0 AND j.owner IS NULL AS tried',
        { id: json.job_id },
      );
      return job?.tried;
    });
    expect(await query(driver, 'MATCH (r:Rebuild {scope_ref: $ref}) RETURN r', { ref })).toEqual([]);
    await mark('REMOVE s.deleting_through');
    await allDerived(driver);
    expect((await service.get(jobPath)).json.status).toBe('completed');
    expect((await service.request('DELETE', path)).status).toBe(204);
    await allDerived(driver);
    await unchanged();
  });
});
