import { ErasureStore } from '../../graph/erasure/record.ts';
import { ForgetPlans } from '../../graph/forget/plan.ts';
import { ForgetSteps } from '../../graph/forget/step.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { StrataError } from '../../src/errors.ts';
import { FORGET_NAMED_ENTITIES } from '../../src/limits/forget.ts';
import { query } from '../support/database.ts';
import { around, before, behind } from '../support/interpose.ts';
import { ownService } from '../support/own-service.ts';
import { erasingOn } from './erasures.ts';
import { expectCode, expectProblem } from './problem.ts';

// What becomes of forgets and erasures whose caller loses the right meanwhile, of those that fail, and of those that are refused.

const own = ownService();
const { stated, over } = erasingOn(() => own.service);

afterEach(() => {
  jest.restoreAllMocks();
});

/** What is kept of forgets that have not ended. */
const KEPT = 'RETURN COUNT { (:ForgetStep) } AS steps, COUNT { (:ForgetPlan) } AS plans';

const DOORS = [
  ['/v1/forget', { cascade: 'redact_events' }, 'forget.cascade.redact_events'],
  ['/v1/erasures', {}, 'forget.gdpr'],
] as const;

describe.each(DOORS)('%s', (path, more, capability) => {
  const scopeOf = (name: string): string => `org:rights/ws:${name}-${capability.replaceAll(/\W/g, '-')}`;

  it('does nothing for a caller who loses the right before it is on record', async () => {
    const scope = scopeOf('lost');
    const { event_id: event } = await stated(scope, ['max', 'likes', 'tea']);
    before(ForgetPlans.prototype, 'begin', async () => {
      const policies = { capabilities: { deny: [capability] } };
      expect((await own.service.post('/v1/scopes', { path: scope, policies })).status).toBe(201);
    });
    expectCode(
      await own.service.post(path, { scope, selector: { memory_ids: [event] }, ...more }),
      'POLICY_DENIED',
    );
    expect(await query(own.driver, KEPT)).toEqual([{ steps: 0, plans: 0 }]);
    expect((await own.service.get(`/v1/events/${event}`)).status).toBe(200);
  });

  it('goes on where something else changed meanwhile, and gives up where that does not end', async () => {
    const scope = scopeOf('changed');
    const { event_id: event } = await stated(scope, ['max', 'likes', 'tea']);
    const selector = { memory_ids: [event] };
    let changes = 0;
    around(ForgetPlans.prototype, 'begin', async (begin, ...args) => {
      changes += 1;
      const other = { path: `${scope}/user:other${changes}` };
      expect((await own.service.post('/v1/scopes', other)).status).toBe(201);
      return begin(...args);
    });
    const refused = await own.service.post(path, { scope, selector, ...more });
    expectCode(refused, 'AUTHORIZATION_STATE_CHANGED');
    expect([refused.status, refused.headers.get('retry-after'), changes]).toEqual([409, '1', 5]);
    expect(await query(own.driver, KEPT)).toEqual([{ steps: 0, plans: 0 }]);
    jest.restoreAllMocks();
    before(ForgetPlans.prototype, 'begin', () =>
      own.service.post('/v1/scopes', { path: `${scope}/user:last` }),
    );
    const answer = await own.service.post(path, { scope, selector, ...more });
    expect([200, 202]).toContain(answer.status);
    expect((await own.service.get(`/v1/events/${event}`)).status).toBe(404);
  });
});

it('answers at once where nothing is to go, whatever the scope is busy with since', async () => {
  const scope = 'org:rights/ws:nothing';
  const ref = scopeRef('default', scope);
  await stated(scope, ['max', 'likes', 'tea']);
  behind(ForgetPlans.prototype, 'begin', () =>
    query(
      own.driver,
      `MERGE (r:Rebuild {scope_ref: $ref}) SET r.job_id = 'a test', r.phase = 'deriving'
       MERGE (p:EpisodeProgress {scope_ref: $ref}) SET p.postponed_shard = -1`,
      { ref },
    ),
  );
  const left = jest.spyOn(ForgetPlans.prototype, 'left');
  try {
    const selector = { predicate: 'no_such' };
    const answer = await own.service.post('/v1/forget', { scope, selector, cascade: 'redact_events' });
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        deleted: { events: 0, episodes: 0, facts: 0, beliefs: 0, understanding: 0 },
        requested: 0,
        matched: 0,
        audit_id: expect.any(String),
        suppression_id: null,
      },
    ]);
    expect(left).not.toHaveBeenCalled();
    expect((await own.service.get(`/v1/audit/${answer.json.audit_id}`)).json).toMatchObject({ scope });
    expect(await query(own.driver, KEPT)).toEqual([{ steps: 0, plans: 0 }]);
  } finally {
    await query(
      own.driver,
      `MATCH (p:EpisodeProgress {scope_ref: $ref}) REMOVE p.postponed_shard
       WITH count(*) AS progressed
       MATCH (r:Rebuild {scope_ref: $ref}) DELETE r`,
      { ref },
    );
  }
});

it('takes what still names something in a scope where nothing is left to go', async () => {
  const scope = 'org:rights/ws:emptied';
  const { event_id: event } = await stated(scope, ['max', 'likes', 'tea']);
  const forget = (selector: object) =>
    own.service.post('/v1/forget', { scope, cascade: 'redact_events', ...selector });
  expect((await forget({ selector: { memory_ids: [event] } })).status).toBe(200);
  // As a store has it that was written before topics went with what they name.
  await query(
    own.driver,
    `CREATE (:LogEntry:Synthesis {id: 'syn_left', scope: $scope, scope_ref: $ref, topics: ['ent_max'], recorded_at: datetime()})`,
    { scope, ref: scopeRef('default', scope) },
  );
  expect((await forget({ confirm_all: true })).json).toMatchObject({ matched: 0 });
  const topics = "MATCH (s:LogEntry {id: 'syn_left'}) RETURN s.topics AS topics";
  expect(await query(own.driver, topics)).toEqual([{ topics: [] }]);
});

it('refuses a name that too many entities go by, and what a legal hold by such a name may keep', async () => {
  const scope = 'org:rights/ws:crowded';
  const { event_id: event } = await stated(scope, ['max', 'likes', 'tea']);
  const ref = scopeRef('default', scope);
  const crowd = { ref, key: 'crowd', most: BigInt(FORGET_NAMED_ENTITIES + 1) };
  await query(
    own.driver,
    `UNWIND range(1, $most) AS i
     CREATE (:EntityName {entity_key: $key + i, id: 'ent_' + i, scope_ref: $ref, normalised_name: $key, position: 0, given: true})`,
    crowd,
  );
  try {
    const selector = { about_entity: 'Crowd' };
    for (const path of ['/v1/forget', '/v1/forget/preview', '/v1/erasures'])
      expectProblem(await own.service.post(path, { scope, selector }), {
        status: 422,
        code: 'INVALID_BODY',
        field: 'selector.about_entity',
      });
    const body = { scope, id: 'crowd', selector, reason: 'a test' };
    expect((await own.service.request('PUT', '/v1/legal-holds', { body })).status).toBe(200);
    const cancelled = await own.service.post(`/v1/lifecycle/memory-event/${event}/cancel`);
    expectCode(cancelled, 'LEGAL_HOLD');
    expect(cancelled.json.details).toEqual({ holds: ['crowd'] });
    expect((await own.service.request('DELETE', '/v1/legal-holds?id=crowd')).status).toBe(204);
  } finally {
    await query(own.driver, 'MATCH (m:EntityName {scope_ref: $ref, normalised_name: $key}) DELETE m', crowd);
  }
});

it('tells which events are left where consolidation gave them up', async () => {
  const scope = 'org:rights/ws:given-up';
  const { event_id: event } = await stated(scope, ['max', 'likes', 'tea']);
  around(ForgetPlans.prototype, 'left', () => Promise.resolve({ queued: 0, failed: [event] }));
  const answer = await own.service.post('/v1/forget', { scope, selector: { memory_ids: [event] } });
  expect([answer.status, answer.json]).toMatchObject([
    502,
    { error_code: 'FORGET_BACKEND_FAILED', retriable: true, details: { events_left: [event] } },
  ]);
  expect(answer.json).not.toHaveProperty('deleted');
});

it('tries an erasure with a key again that failed, when it is sent again', async () => {
  const scope = 'org:rights/ws:again';
  const { event_id: event } = await stated(scope, ['max', 'likes', 'tea']);
  const body = { scope, selector: { memory_ids: [event] }, idempotency_key: 'once' };
  around(ErasureStore.prototype, 'finish', (finish, plan, id, end) => {
    const error = { error_code: 'ERASURE_BACKEND_FAILED', message: 'something is left' };
    return finish(plan, id, { ...end, status: 'failed', error });
  });
  const failed = await own.service.post('/v1/erasures', body);
  expectCode(failed, 'ERASURE_BACKEND_FAILED');
  jest.restoreAllMocks();
  const again = await own.service.post('/v1/erasures', body);
  expect(again.status).toBe(202);
  expect(again.json.erasure_id).not.toBe(failed.json.details.erasure_id);
  expect(await over(again.json.erasure_id)).toMatchObject({ status: 'completed' });
  expect((await own.service.post('/v1/erasures', body)).json.erasure_id).toBe(again.json.erasure_id);
});

it.each(['/v1/forget', '/v1/forget/preview', '/v1/erasures', '/v1/erasures/preview'])(
  'says when to come again to a scope that is derived again: %s',
  async (path) => {
    const scope = 'org:rights/ws:rebuilt';
    await stated(scope, ['max', 'likes', 'tea']);
    const ref = scopeRef('default', scope);
    await query(own.driver, "CREATE (:Rebuild {scope_ref: $ref, job_id: 'a test', phase: 'deriving'})", {
      ref,
    });
    try {
      const answer = await own.service.post(path, { scope, confirm_all: true });
      expectCode(answer, 'REDERIVE_IN_PROGRESS');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '30']);
    } finally {
      await query(own.driver, 'MATCH (r:Rebuild {scope_ref: $ref}) DELETE r', { ref });
    }
  },
);

it.each([
  ['is over', 'SET p.expires_at = 0'],
  ['another caller made', "SET p.actor = 'user:other'"],
])('knows no preview that %s', async (_what, change) => {
  const scope = 'org:rights/ws:previewed';
  await stated(scope, ['max', 'likes', 'tea']);
  const shown = await own.service.post('/v1/forget/preview', { scope, confirm_all: true });
  const { preview_id } = shown.json;
  await query(own.driver, `MATCH (p:ForgetPreview {id: $preview_id}) ${change}`, { preview_id });
  expectCode(
    await own.service.post('/v1/forget', { scope, from_preview_id: preview_id }),
    'UNKNOWN_PREVIEW_ID',
  );
});

it('goes on with a preview that is being executed, for the same caller and what he asked for', async () => {
  const scope = 'org:rights/ws:resent';
  const { event_id: event } = await stated(scope, ['max', 'likes', 'tea']);
  const asked = { scope, selector: { memory_ids: [event] }, cascade: 'redact_events' };
  const shown = await own.service.post('/v1/forget/preview', asked);
  const body = { scope, from_preview_id: shown.json.preview_id };
  around(ForgetSteps.prototype, 'next', () =>
    Promise.reject(new StrataError('DATABASE_UNAVAILABLE', 'a test')),
  );
  expectCode(await own.service.post('/v1/forget', body), 'DATABASE_UNAVAILABLE');
  jest.restoreAllMocks();
  const ref = scopeRef('default', scope);
  const [plan] = await query<{ id: string }>(
    own.driver,
    'MATCH (p:ForgetPlan {scope_ref: $ref}) RETURN p.id AS id',
    { ref },
  );
  expectCode(await own.service.post('/v1/forget', { ...body, suppress: true }), 'UNKNOWN_PREVIEW_ID');
  const actorIs = (actor: string) =>
    query(own.driver, 'MATCH (p:ForgetPlan {scope_ref: $ref}) SET p.actor = $actor', { ref, actor });
  await actorIs('user:other');
  expectCode(await own.service.post('/v1/forget', body), 'UNKNOWN_PREVIEW_ID');
  await actorIs('user:local');
  expect((await own.service.get(`/v1/events/${event}`)).status).toBe(200);
  const again = await own.service.post('/v1/forget', body);
  expect([again.status, again.json]).toEqual([
    200,
    {
      deleted: shown.json.estimated_deleted,
      requested: 1,
      matched: 1,
      audit_id: plan?.id,
      suppression_id: null,
    },
  ]);
  expect((await own.service.get(`/v1/events/${event}`)).status).toBe(404);
  expectCode(await own.service.post('/v1/forget', body), 'UNKNOWN_PREVIEW_ID');
});
