import { jest } from '@jest/globals';

import { ErasureStore } from '../../graph/erasure/record.ts';
import { ForgetPlans } from '../../graph/forget/plan.ts';
import { query } from '../support/database.ts';
import { around, before } from '../support/interpose.ts';
import { ownService } from '../support/own-service.ts';
import { erasingOn } from './erasures.ts';
import { expectCode } from './problem.ts';

// What becomes of forgets and erasures whose caller loses the right meanwhile, and of those that fail.

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
