import { NO_AUDIT } from '../support/auditing.ts';
import { atEase } from '../support/load.ts';
import { OPERATION_IDS, operationOf, SERVED_IDS } from '../../schemas/operation.ts';
import { routesOf } from '../../rest/app.ts';
import { BODY_LIMITS } from '../../rest/body.ts';
import { HeaderFamilies } from '../../rest/headers.ts';
import { mountRoutes } from '../../rest/mount.ts';
import { StrataError } from '../../src/errors.ts';
import { BodyBudget } from '../../src/services/body-budget.ts';
import { echoServices, NOW, startRig, type Rig } from './harness.ts';

/** A path of the operation that names something. */
function pathOf(id: (typeof OPERATION_IDS)[number]): string {
  return operationOf(id)
    .path.replace('{name}', 'error')
    .replaceAll(/\{\w+\}/g, 'evt_1');
}

describe('routes', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  it.each(SERVED_IDS)('%s is served with a status of the table', async (id) => {
    const operation = operationOf(id);
    const answer = await rig.send(
      operation.method,
      pathOf(id),
      operation.body || operation.bytes ? { body: '{}' } : {},
    );
    expect(Object.keys(operation.answers)).toContain(String(answer.status));
  });

  it.each(OPERATION_IDS)('%s refuses other methods on its path with 405 and Allow', async (id) => {
    const path = pathOf(id);
    const methods = OPERATION_IDS.map(operationOf)
      .filter((operation) => operation.path === operationOf(id).path)
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'OPTIONS', 'DELETE'];
    for (const method of others.filter((name) => !methods.includes(name))) {
      const answer = await rig.send(method, path);
      expect(answer.status).toBe(405);
      expect(answer.json).toMatchObject({ error_code: 'METHOD_NOT_ALLOWED', retriable: false });
      expect(answer.headers.allow).toBe(methods.join(', '));
    }
  });

  it.each(['/v1/ready', '/v1/events', '/graphql'])('bounds the query parameters of %s', async (path) => {
    const many = Array.from({ length: 4300 }, (_, i) => `p${i}`).join('&');
    for (const query of [many, `${'p&'.repeat(100)}p`]) {
      const { status, json } = await rig.send('GET', `${path}?${query}`);
      const { code = json.error_code, details = json.details } = json.errors?.[0].extensions ?? {};
      expect([status, code, details]).toEqual([400, 'INVALID_QUERY', { reason: 'parameters', limit: 100 }]);
    }
    const allowed = await rig.send('GET', `${path}?${'p&'.repeat(100)}`);
    expect(JSON.stringify(allowed.json)).not.toContain('"parameters"');
  });

  it.each([
    '/',
    '/v1',
    '/v2/events',
    '/v1/Events',
    '/v1/events/',
    '/v1/events/evt_1/more',
    '/v1//events',
    '/v1/lifecycle/memory-event//cancel',
    '/v1/lifecycle/memory-event',
    '/v1/schemas/nothing',
    '/v1/schemas/__proto__',
    '/v1/schemas/toString',
  ])('answers 404 for %s', async (path) => {
    const answer = await rig.send('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.json.error_code).toBe('NOT_FOUND');
  });

  it('answers HEAD like GET, without a body', async () => {
    const answer = await rig.send('HEAD', '/v1/health');
    expect([answer.status, answer.text]).toEqual([200, '']);
  });

  it('decodes ids, and finds nothing under one of more than 256 characters', async () => {
    await rig.send('GET', '/v1/events/a%2Fb%20%C3%A9%00');
    expect(rig.asked.at(-1)?.input[0]).toBe('a/b é\u0000');
    expect((await rig.send('GET', `/v1/events/${'x'.repeat(256)}`)).status).toBe(200);
    expect((await rig.send('GET', `/v1/events/${'x'.repeat(257)}`)).json.error_code).toBe('NOT_FOUND');
    const job = await rig.send('GET', `/v1/admin/derived/rederive/${'x'.repeat(257)}`);
    expect([job.status, job.json.error_code]).toEqual([404, 'JOB_NOT_FOUND']);
  });

  it.each(['/v1/events/%zz', '/v1/events/%ff', '/v1/events?scope=%', '/v1/events?scope=%c3%28', '/v1/none%'])(
    'refuses the broken percent-encoding of %s',
    async (path) => {
      const answer = await rig.send('GET', path);
      expect(answer.status).toBe(400);
      expect(answer.json.error_code).toBe('INVALID_QUERY');
    },
  );

  it('hands query parameters on as sent, a repeated one as a list', async () => {
    await rig.send('GET', '/v1/events?scope=org:a&labels=x&labels=y,z&empty=&plus=a+b%2Bc&__proto__=p');
    expect(Object.entries(rig.asked.at(-1)?.input[0] as object)).toEqual([
      ['scope', 'org:a'],
      ['labels', ['x', 'y,z']],
      ['empty', ''],
      ['plus', 'a b+c'],
      ['__proto__', 'p'],
    ]);
  });

  it('refuses parameters on operations that take none', async () => {
    for (const id of SERVED_IDS.filter((id) => operationOf(id).query === undefined)) {
      const { method, body } = operationOf(id);
      const answer = await rig.send(method, `${pathOf(id)}?verbose=1`, body ? { body: '{}' } : {});
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ error_code: 'INVALID_QUERY', details: { allowed: [] } });
    }
  });

  it('answers 207 for a bulk that is partial, and 503 while the service is not ready', async () => {
    const other = await startRig({
      answers: {
        'experience.captureBulk': () => ({ partial: true, accepted: 0 }),
        'health.ready': () => {
          throw new StrataError('DATABASE_UNAVAILABLE', 'away');
        },
      },
    });
    expect((await other.send('POST', '/v1/experience/bulk', { body: '{}' })).status).toBe(207);
    const ready = await other.send('GET', '/v1/ready');
    expect(ready.status).toBe(503);
    expect(ready.json).toMatchObject({ error_code: 'DATABASE_UNAVAILABLE', retriable: true });
    expect(ready.headers['retry-after']).toBe('2');
    expect((await other.send('GET', '/v1/health')).status).toBe(200);
    await other.stop();
  });

  it('does not start when table and handlers differ', () => {
    const unused = () => Promise.reject(new Error('unused'));
    const options = {
      access: { authenticate: unused, admit: unused },
      rates: { take: () => Promise.resolve(), signupGate: () => Promise.resolve() },
      auditing: NO_AUDIT,
      families: new HeaderFamilies([]),
      clock: { now: () => NOW },
      readJson: () => Promise.resolve({}),
      bodyLimits: BODY_LIMITS,
      bodies: new BodyBudget(),
      shedder: atEase(),
      streams: { heartbeatMs: 15_000, ending: new AbortController().signal },
    };
    const routes = routesOf(echoServices([]), '0.0.0');
    const { health: _, ...fewer } = routes;
    expect(() => mountRoutes(fewer as typeof routes, options)).toThrow('without a handler: health;');
    const more = { ...routes, surprise: routes.health };
    expect(() => mountRoutes(more, options)).toThrow('without an operation: surprise');
    const off = { ...routes, codeMatrix: routes.health };
    expect(() => mountRoutes(off, options)).toThrow('without an operation: codeMatrix');
    expect(() => mountRoutes(routes, options)).not.toThrow();
  });
});

describe('pages of other origins', () => {
  const preflight = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' };

  it('are not let in unless they are named', async () => {
    const rig = await startRig();
    const answer = await rig.send('GET', '/v1/health', { headers: { Origin: 'https://app.example.com' } });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect((await rig.send('OPTIONS', '/v1/experience', { headers: preflight })).status).toBe(405);
    await rig.stop();
  });

  it('are let in when they are', async () => {
    const rig = await startRig({ app: { corsOrigins: ['https://app.example.com'] } });
    const asked = await rig.send('OPTIONS', '/v1/experience', { headers: preflight, anonymous: true });
    expect(asked.status).toBe(204);
    expect(asked.headers['access-control-allow-headers']).toContain('X-Cortex-Actor');
    const refused = await rig.send('GET', '/v1/events', { headers: preflight, anonymous: true });
    expect(refused.status).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe('https://app.example.com');
    expect(refused.headers.vary).toContain('Origin');
    const stranger = await rig.send('GET', '/v1/health', { headers: { Origin: 'https://evil.example' } });
    expect(stranger.headers).not.toHaveProperty('access-control-allow-origin');
    await rig.stop();
  });
});
