import { ERROR_CODES } from '../../schemas/error.ts';
import { openRaw } from '../support/raw-http.ts';
import { eventually } from '../support/wait.ts';
import { message, TEST_KEY } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { expectProblem } from './problem.ts';

const NO_KEY = { headers: { authorization: null } };

describe('a keyed service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ STRATA_HEADER_ALIASES: 'Cortex,Legacy' });
  });
  afterAll(async () => {
    await service.stop();
  });

  it.each([
    ['/v1/health', { status: 'ok', version: expect.any(String) }],
    ['/v1/admin/health', { status: 'ok', version: expect.any(String) }],
    ['/v1/ready', { ready: true }],
  ])('answers %s to everybody', async (path, body) => {
    for (const options of [{}, NO_KEY, { headers: { authorization: 'Bearer wrong' } }]) {
      const answer = await service.get(path, options);
      expect([answer.status, answer.json]).toEqual([200, body]);
    }
  });

  it('tells everybody whether it is ready, lane by lane, and details to the operator', async () => {
    const open = await service.get('/v1/admin/ready', NO_KEY);
    const keyed = await service.get('/v1/admin/ready');
    for (const { status, json } of [open, keyed]) {
      expect(status).toBe(200);
      expect(json).toMatchObject({ ready: true, degraded: false, embedding_provider: 'none' });
      expect(json.checks.database).toMatchObject({ ok: true, status: 'up' });
      expect(json.checks.pipeline).toMatchObject({ ok: true, status: 'up' });
      for (const lane of [
        'embeddings',
        'extraction',
        'enrichment',
        'content_processors',
        'answer',
        'verifier',
      ]) {
        expect([lane, json.checks[lane]]).toMatchObject([lane, { ok: true, status: 'off' }]);
      }
    }
    expect(open.text).not.toContain('detail');
    expect(keyed.json.checks.extraction.detail).toMatch(/\S/);
  });

  it('says what it is and what it can', async () => {
    const { status, json } = await service.get('/v1/admin/version', NO_KEY);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      crate_version: json.version,
      git_sha: expect.any(String),
      built_at: expect.any(String),
      stability: expect.any(Object),
    });
    expect(json.capabilities).toEqual(
      expect.arrayContaining([
        'capture_language_v1',
        'recall_language_v1',
        'query_variants_v1',
        'temporal_lenient_v1',
        'refers_to_v1',
        'recall_diagnostics_v1',
        'matched_fragments_v1',
        'budget_excerpt_v1',
        'event_scope_filter_v1',
        'on_conflict_replace_v1',
        'metadata_v1',
        'graphql_v1',
      ]),
    );
    expect(json.capabilities).not.toContain('blob_text_decode_v1');
  });

  it('hands out its contract', async () => {
    const { status, json } = await service.get('/v1/openapi.json', NO_KEY);
    expect(status).toBe(200);
    expect(json.openapi).toMatch(/^3\.1/);
    expect(Object.keys(json.paths)).toEqual(
      expect.arrayContaining(['/v1/experience', '/v1/events/{id}', '/v1/derivation/status', '/v1/health']),
    );
    expect(json.paths['/v1/experience'].post.responses).toHaveProperty('202');
    for (const name of Object.keys(json.components.schemas)) {
      expect([name, (await service.get(`/v1/schemas/${name}`, NO_KEY)).status]).toEqual([name, 200]);
    }
    const envelope = (await service.get('/v1/schemas/experience_envelope', NO_KEY)).json;
    expect(envelope.required.sort()).toEqual(['content', 'modality', 'scope']);
    expect(envelope.additionalProperties).toBe(false);
    expectProblem(await service.get('/v1/schemas/nothing'), { status: 404, code: 'NOT_FOUND' });
  });

  it('sends every family of headers and reads any of them', async () => {
    for (const family of ['Strata', 'Cortex', 'Legacy', 'STRATA', 'cortex']) {
      const { json, headers } = await service.post('/v1/experience', message('org:o', 'hello'), {
        headers: { [`X-${family}-Actor`]: 'user:header' },
      });
      const event = await service.get(`/v1/events/${json.event_id as string}`);
      expect([family, event.json.caller]).toEqual([family, 'user:header']);
      for (const name of ['request-id', 'stability', 'policy', 'token-expires-in', 'token-expires-at']) {
        const values = ['strata', 'cortex', 'legacy'].map((alias) => headers.get(`x-${alias}-${name}`));
        expect([name, new Set(values).size, values[0] !== null]).toEqual([name, 1, true]);
      }
    }
  });

  it('accepts headers that agree, and any actor', async () => {
    const answer = await service.get('/v1/lifecycle', {
      headers: { 'x-strata-actor': 'user:+15551234567', 'x-cortex-actor': 'user:+15551234567' },
    });
    expect(answer.status).toBe(200);
  });

  it('names the capability that was looked for', async () => {
    const policy = async (path: string): Promise<string | null> =>
      (await service.get(path)).headers.get('x-strata-policy');
    expect(await policy('/v1/events?scope=org:o')).toBe(
      'tier=operator; decision=allow; capability=scope.read.local',
    );
    expect(await policy('/v1/lifecycle')).toBe(
      'tier=operator; decision=allow; capability=lifecycle.subscribe',
    );
    expect(await policy('/v1/health')).toBeNull();
  });

  it.each([
    ['/v1/health', 200],
    ['/v1/events?scope=org:o', 200],
    ['/v1/events/evt_0', 404],
    ['/v1/nothing', 404],
  ])('sends X-Request-Id of %s back, beside its own', async (path, status) => {
    const answer = await service.get(path, { headers: { 'x-request-id': 'mine-42' } });
    expect([answer.status, answer.headers.get('x-request-id')]).toEqual([status, 'mine-42']);
    const own = answer.headers.get('x-strata-request-id');
    expect(own).toMatch(/^req_/);
    expect((await service.get(path)).headers.get('x-strata-request-id')).not.toBe(own);
    expect((await service.get(path)).headers.get('x-request-id')).toBeNull();
  });

  it('sends X-Request-Id back with a 401 too', async () => {
    const answer = await service.get('/v1/lifecycle', {
      headers: { authorization: null, 'x-request-id': 'mine-43' },
    });
    expectProblem(answer, { status: 401, code: 'MISSING_TOKEN' });
    expect(answer.headers.get('x-request-id')).toBe('mine-43');
  });

  it('answers HEAD as GET without a body', async () => {
    const answer = await service.request('HEAD', '/v1/health');
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it('lets no page of a browser in unless its origin is named', async () => {
    const answer = await service.get('/v1/health', { headers: { origin: 'https://app.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('uses no code that is not in its list', async () => {
    const { json } = await service.get('/v1/nothing');
    expect(Object.keys(ERROR_CODES)).toContain(json.error_code);
  });
});

describe('an open service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ STRATA_API_KEY: '', STRATA_INSECURE_NO_AUTH: '1' });
  });
  afterAll(async () => {
    await service.stop();
  });

  it.each([
    ['no bearer', null],
    ['any bearer', 'Bearer whatever'],
    ['something else', 'Basic dXNlcjpwYXNz'],
  ])('serves a caller with %s', async (_what, authorization) => {
    const answer = await service.post('/v1/experience', message('org:o', 'open'), {
      headers: { authorization },
    });
    expect(answer.status).toBe(202);
    const event = await service.get(`/v1/events/${answer.json.event_id as string}`, NO_KEY);
    expect([event.status, event.json.caller]).toEqual([200, 'user:local']);
  });

  it('takes the actor from the header', async () => {
    const answer = await service.post('/v1/experience', message('org:o', 'open'), {
      headers: { authorization: null, 'x-cortex-actor': 'user:someone' },
    });
    const event = await service.get(`/v1/events/${answer.json.event_id as string}`, NO_KEY);
    expect(event.json.caller).toBe('user:someone');
  });
});

describe('a service that is told to stop', () => {
  const body = JSON.stringify(message('org:o/user:drain', 'in flight'));
  const head = [
    'POST /v1/experience?wait=indexed HTTP/1.1',
    'Host: strata',
    `Authorization: Bearer ${TEST_KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    '',
  ].join('\r\n');

  it('finishes what is in flight, refuses the rest, and ends', async () => {
    const service = await startTestService();
    const inFlight = await openRaw(service.url);
    inFlight.write(head + body.slice(0, 10));
    const late = await openRaw(service.url);
    late.write('GET /v1/lifecycle HTTP/1.1\r\nHost: strata\r\n');
    // Both have to have reached the server: an answer on a third connection that came after them shows it.
    await service.get('/v1/ready');
    await service.get('/v1/ready');

    const stopped = service.stop();
    await eventually('new connections to be refused', async () => {
      try {
        (await openRaw(service.url)).destroy();
        return false;
      } catch (error) {
        return (error as { code?: string }).code === 'ECONNREFUSED';
      }
    });
    late.write(`Authorization: Bearer ${TEST_KEY}\r\n\r\n`);
    const refused = await late.answer;
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toMatch(/\r\nRetry-After: 5\r\n/i);
    expect(refused).toMatch(/\r\nConnection: close\r\n/i);
    const problem = JSON.parse(refused.slice(refused.indexOf('{')));
    expect(problem).toMatchObject({ error_code: 'SERVER_SHUTTING_DOWN', retriable: true });

    inFlight.write(body.slice(10));
    const answered = await inFlight.answer;
    expect(answered).toMatch(/^HTTP\/1\.1 202 /);
    await stopped;

    const next = await startTestService({}, { keepData: true });
    try {
      const { items } = (await next.get('/v1/events?scope=org:o/user:drain')).json;
      expect(items).toHaveLength(1);
      expect(answered).toContain(items[0].id);
    } finally {
      await next.stop();
    }
  });

  it('ends when the grace is over, though a client keeps a request open', async () => {
    const service = await startTestService({ STRATA_HTTP_SHUTDOWN_GRACE_MS: '300' });
    const stuck = await openRaw(service.url);
    stuck.write(head + body.slice(0, 10));
    await service.get('/v1/ready');
    await service.get('/v1/ready');
    await service.stop();
    expect(await stuck.answer).toBe('');
  });
});
