import { testDatabase } from '../support/database.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { inDepth } from '../support/depth.ts';
import { ANSWER_PATIENCE_MS } from '../support/patience.ts';
import { eventually, within } from '../support/wait.ts';
import { expectProblem } from './problem.ts';

/** How long the service waits for a statement, milliseconds. */
const STATEMENT_MS = 10_000;

let service: TestService;
let proxy: Proxy;

beforeAll(async () => {
  proxy = await startProxy(Number(new URL(testDatabase().uri).port));
  service = await startTestService({
    // bolt, because neo4j:// would ask the server for its own address and go past the proxy.
    NEO4J_URI: `bolt://127.0.0.1:${proxy.port}`,
    STRATA_NEO4J_STATEMENT_TIMEOUT_MS: String(STATEMENT_MS),
    STRATA_PIPELINE_LEASE_MS: '2000',
    STRATA_LOG_LEVEL: 'silent',
  });
});
afterAll(async () => {
  await service.stop();
  await proxy.close();
});

const scope = 'org:away';
const REQUESTS: [what: string, send: () => Promise<Answer>][] = [
  ['capture', () => service.post('/v1/experience', message(scope, 'during', { idempotency_key: 'during' }))],
  ['capture with wait', () => service.post('/v1/experience?wait=indexed', message(scope, 'waiting'))],
  ['bulk', () => service.post('/v1/experience/bulk', { items: [message(scope, 'bulk')] })],
  ['status', () => service.get('/v1/experience/status?idempotency_key=before')],
  ['listing', () => service.get(`/v1/events?scope=${scope}`)],
  ['one event', () => service.get('/v1/events/evt_1')],
  ['cancel', () => service.request('POST', '/v1/lifecycle/memory-event/evt_1/cancel')],
  ['frames', () => service.get('/v1/lifecycle')],
  ['trace', () => service.get('/v1/lifecycle/memory-event/evt_1')],
  ['derivation status', () => service.get(`/v1/derivation/status?scope=${scope}`)],
  ['ready', () => service.get('/v1/ready')],
];

/**
 * How long an answer is waited for while the database is away, milliseconds. A request waits in vain for a look at who may do what, which may
 * be under way, or for its own statement after that: a long run, which has the machine to itself, holds the service to that.
 */
const AWAY_MS = inDepth(ANSWER_PATIENCE_MS, 2 * STATEMENT_MS + 5_000);

const soon = (answer: Promise<Answer>): Promise<Answer> => within('an answer', answer, AWAY_MS);

/** Everything that is asked while the database is away. */
async function expectAway(): Promise<void> {
  for (const path of ['/v1/health', '/v1/admin/health', '/v1/admin/version', '/v1/openapi.json']) {
    expect([path, (await soon(service.get(path))).status]).toEqual([path, 200]);
  }
  const answers = await Promise.all(
    REQUESTS.map(async ([what, send]) => [what, await soon(send())] as const),
  );
  for (const [what, answer] of answers) {
    expect([what, answer.status]).toEqual([what, 503]);
    expectProblem(answer, { status: 503, code: 'DATABASE_UNAVAILABLE', retriable: true });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  const admin = await soon(service.get('/v1/admin/ready'));
  expect([admin.status, admin.json.ready, admin.json.degraded]).toEqual([200, false, true]);
  expect(admin.json.checks.database).toMatchObject({ ok: false, status: 'down' });
  expect(admin.json.checks.database.fix).toMatch(/NEO4J_URI/);
  // Neither credentials nor input need a database to be judged.
  expectProblem(await service.get('/v1/lifecycle', { headers: { authorization: null } }), {
    status: 401,
    code: 'MISSING_TOKEN',
  });
  expectProblem(await service.post('/v1/experience', {}), { status: 422, code: 'INVALID_BODY' });
}

async function expectBack(): Promise<void> {
  await eventually('the service to be ready', async () => (await service.get('/v1/ready')).status === 200);
  const answer = await service.post('/v1/experience?wait=consolidated', message(scope, 'after'));
  expect(answer.status).toBe(202);
  const admin = await eventually('a sound pipeline', async () => {
    const { json } = await service.get('/v1/admin/ready');
    return json.degraded === false && json;
  });
  expect(admin.ready).toBe(true);
}

describe.each<[string, () => Promise<void> | void]>([
  ['refuses', () => proxy.refuse()],
  [
    'swallows everything',
    () => {
      proxy.swallow();
    },
  ],
])('while the database %s', (_how, leave) => {
  afterAll(() => proxy.restore());

  it('says so everywhere, soon, and works again when it is back', async () => {
    const before = await service.post(
      '/v1/experience?wait=consolidated',
      message(scope, 'before', { idempotency_key: 'before' }),
    );
    expect(before.status).toBe(202);
    await leave();
    await expectAway();
    await proxy.restore();
    await expectBack();
    const again = await service.post(
      '/v1/experience',
      message(scope, 'during', { idempotency_key: 'during' }),
    );
    expect(again.status).toBe(202);
    const { items } = (await service.get(`/v1/events?scope=${scope}&limit=1000`)).json;
    const texts: string[] = items.map((item: any) => item.content.text);
    expect(texts.filter((text) => text === 'during')).toHaveLength(1);
    expect(texts.filter((text) => text === 'before')).toHaveLength(1);
  });
});
