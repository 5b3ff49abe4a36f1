import { metricsReading } from '../../schemas/health.ts';
import { METRICS } from '../../src/metrics/catalogue.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { expectProblem } from './problem.ts';

const STAGES = ['extracted', 'indexed', 'consolidated'];
const TENANTS = ['northwind', 'southwind'];

/** The value of one series, 0 where it is not there. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

describe('the metrics of a running service', () => {
  let service: TestService;
  const read = async (): Promise<string> => (await service.get('/v1/admin/metrics')).text;

  beforeAll(async () => {
    service = await startTestService({ STRATA_TENANTS: TENANTS.join(',') });
  });
  afterAll(() => service.stop());

  it('are refused without a key', async () => {
    for (const authorization of [null, 'Bearer wrong']) {
      const answer = await service.get('/v1/admin/metrics', { headers: { authorization } });
      const code = authorization === null ? 'MISSING_TOKEN' : 'INVALID_TOKEN_SIGNATURE';
      expectProblem(answer, { status: 401, code });
    }
  });

  it('come as text of Prometheus or as JSON, and in no other form', async () => {
    const text = await service.get('/v1/admin/metrics');
    expect([text.status, text.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(text.headers.get('x-strata-request-id')).toMatch(/^req_/);
    const json = await service.get('/v1/admin/metrics?format=json');
    expect(json.status).toBe(200);
    const names = metricsReading.parse(json.json).metrics.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([...text.text.matchAll(/^# TYPE (\S+)/gm)].map((m) => m[1])),
    );
    for (const query of ['?format=text', '?format=', '?format=json&format=json', '?shape=json'])
      expectProblem(await service.get(`/v1/admin/metrics${query}`), { status: 400, code: 'INVALID_QUERY' });
  });

  it('have every metric of the catalogue', async () => {
    const text = await read();
    const missing = Object.keys(METRICS).filter((name) => !text.includes(`# TYPE ${name} `));
    expect(missing).toEqual([]);
  });

  it('add up after traffic', async () => {
    const before = await read();
    for (let i = 0; i < 5; i += 1) await service.post('/v1/experience', message('user:ann', `note ${i}`));
    const keyed = message('user:ann', 'keyed', { idempotency_key: 'metrics-1' });
    await service.post('/v1/experience', keyed);
    await service.post('/v1/experience', keyed);
    await service.post('/v1/experience', message('user:ann', 'other', { idempotency_key: 'metrics-1' }));
    const items = Array.from({ length: 20 }, (_, i) => message(`user:u${i}`, `bulk ${i}`));
    await service.post('/v1/experience/bulk?wait=consolidated', { items });
    await service.get('/v1/nothing-here');
    const after = await read();
    const grown = (series: string) => valueOf(after, series) - valueOf(before, series);
    expect(grown('strata_captures_total{outcome="captured"}')).toBe(26);
    expect(grown('strata_captures_total{outcome="replayed"}')).toBe(1);
    expect(grown('strata_captures_total{outcome="conflict"}')).toBe(1);
    expect(grown('strata_commit_events_sum')).toBe(28);
    expect(grown('strata_commit_events_count')).toBe(9);
    expect(grown('strata_commit_seconds_count')).toBe(9);
    const requests = (operation: string, status: string) =>
      grown(`strata_request_seconds_count{operation="${operation}",transport="rest",status="${status}"}`);
    expect(requests('captureExperience', '2xx')).toBe(7);
    expect(requests('captureExperience', '4xx')).toBe(1);
    expect(requests('captureExperienceBulk', '2xx')).toBe(1);
    expect(requests('unmatched', '4xx')).toBe(1);
    expect(grown('strata_log_head_offset')).toBe(26);
    expect(valueOf(after, 'strata_leases')).toBe(64);
    expect(valueOf(after, 'strata_commit_queue_events')).toBe(0);
    expect(valueOf(after, 'strata_commit_queue_bytes')).toBe(0);
  });

  it('show stages that fall behind and catch up', async () => {
    const before = await read();
    const items = Array.from({ length: 600 }, (_, i) => message(`user:lag${i % 40}`, `event ${i}`));
    await service.post('/v1/experience/bulk', { items });
    const behind = await read();
    expect(valueOf(behind, 'strata_stage_lag_events{stage="consolidated"}')).toBeGreaterThan(0);
    expect(valueOf(behind, 'strata_stage_waiting_shards{stage="consolidated"}')).toBeGreaterThan(0);
    const text = await eventually('no stage to be behind', async () => {
      const now = await read();
      const lags = STAGES.map((stage) => valueOf(now, `strata_stage_lag_events{stage="${stage}"}`));
      return lags.every((lag) => lag === 0) && now;
    });
    for (const stage of STAGES) {
      const series = `strata_stage_events_total{stage="${stage}"}`;
      expect(valueOf(text, series) - valueOf(before, series)).toBe(600);
      expect(valueOf(text, `strata_stage_lag_seconds{stage="${stage}"}`)).toBe(0);
      expect(valueOf(text, `strata_stage_waiting_shards{stage="${stage}"}`)).toBe(0);
    }
    expect(valueOf(text, 'strata_database_waiting{pool="work"}')).toBe(0);
  });

  it('tell nothing of one tenant to another', async () => {
    const ids: string[] = [];
    for (const tenant of TENANTS) {
      const headers = { 'x-strata-tenant': tenant, 'x-strata-actor': `user:${tenant}-actor` };
      const captured = await service.post(
        '/v1/experience?wait=indexed',
        message(`org:${tenant}-scope`, 'secret'),
        {
          headers,
        },
      );
      expect(captured.status).toBe(202);
      ids.push(captured.json.event_id as string);
      for (const path of [`/v1/events?scope=org:${tenant}-scope`, `/v1/events/${captured.json.event_id}`])
        expect((await service.get(path, { headers })).status).toBe(200);
    }
    for (const query of ['', '?format=json']) {
      const { text } = await service.get(`/v1/admin/metrics${query}`, {
        headers: { 'x-strata-tenant': TENANTS[0] ?? '' },
      });
      for (const word of [
        ...TENANTS,
        ...ids,
        'secret',
        'tenant=',
        'scope=',
        'actor=',
        'evt_',
        'req_',
        'user:',
      ])
        expect([word, text.includes(word)]).toEqual([word, false]);
    }
  });

  it('answer a caller of one tenant the same series as a caller of another', async () => {
    const series = async (tenant: string) => {
      const { json } = await service.get('/v1/admin/metrics?format=json', {
        headers: { 'x-strata-tenant': tenant },
      });
      return metricsReading
        .parse(json)
        .metrics.filter(({ name }) => name.startsWith('strata_'))
        .flatMap(({ values }) => values.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`));
    };
    // A statement's first run adds its series, whoever reads: only a moment in which none came can tell.
    const [other, own] = await eventually('no series to come between two readings', async () => {
      const before = await series('northwind');
      const between = await series('southwind');
      const after = await series('northwind');
      return before.length === after.length && [between, after];
    });
    expect(other).toEqual(own);
  });
});
