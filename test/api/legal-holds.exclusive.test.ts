import type { Database } from '../../graph/driver.ts';
import { EventWriter } from '../../graph/event.ts';
import { ForgetPlans } from '../../graph/forget/plan.ts';
import { ForgetSteps } from '../../graph/forget/step.ts';
import { HoldChanges } from '../../graph/legal-hold/write.ts';
import { ScopeStore } from '../../graph/scope-record.ts';
import { before } from '../support/interpose.ts';
import { beginForget } from '../support/begun-forget.ts';
import { message, type Answer } from '../support/client.ts';
import { patientDatabase } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { expectCode } from './problem.ts';

// A hold that was answered is never passed by: whatever was planned before it is planned again.

let service: TestService;
let database: Database;

beforeAll(async () => {
  service = await startTestService({ STRATA_DESTRUCTIVE_LEASE_WAIT_SECS: '2' });
  database = patientDatabase();
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(async () => {
  await database.close();
  await service.stop();
});

const place = (id: string, scope: string, more: object = {}): Promise<Answer> =>
  service.request('PUT', '/v1/legal-holds', { body: { id, scope, reason: 'A dispute.', ...more } });
const forget = (scope: string): Promise<Answer> =>
  service.post('/v1/forget', { scope, confirm_all: true, cascade: 'redact_events' });
const cancel = (id: string): Promise<Answer> => service.post(`/v1/lifecycle/memory-event/${id}/cancel`, {});
const visible = async (scope: string): Promise<string[]> =>
  (await service.get(`/v1/events?scope=${scope}&limit=1000`)).json.items.map(({ id }: any) => id);

async function captured(scope: string, labels: readonly string[] = []): Promise<string> {
  const body = message(scope, 'something', { context: { labels } });
  const answer = await service.post('/v1/experience?wait=consolidated', body);
  expect(answer.status).toBe(202);
  return answer.json.event_id;
}

describe('a hold that is placed meanwhile', () => {
  it('keeps what a forget had planned to redact', async () => {
    const scope = 'org:races/ws:forget';
    const event = await captured(scope);
    before(ForgetSteps.prototype, 'keep', async () => {
      expect((await place('forget', scope)).status).toBe(200);
    });
    expectCode(await forget(scope), 'LEGAL_HOLD');
    expect(await visible(scope)).toEqual([event]);
  });

  it('of something else leaves a forget as it was', async () => {
    const scope = 'org:races/ws:other';
    await captured(scope);
    before(ForgetSteps.prototype, 'keep', async () => {
      expect((await place('other', 'org:races/ws:nothing')).status).toBe(200);
    });
    const { status, json } = await forget(scope);
    expect([status, json.deleted.events]).toEqual([200, 1]);
  });

  it('keeps what was to be cancelled', async () => {
    const scope = 'org:races/ws:cancel';
    const event = await captured(scope);
    before(EventWriter.prototype, 'cancel', async () => {
      expect((await place('cancel', scope)).status).toBe(200);
    });
    expectCode(await cancel(event), 'LEGAL_HOLD');
    expect(await visible(scope)).toEqual([event]);
  });

  it('keeps what was to be deleted with its scope', async () => {
    const scope = 'org:races/ws:delete';
    expect((await service.post('/v1/scopes', { path: scope, owner: 'user:local' })).status).toBe(201);
    const event = await captured(scope);
    before(ScopeStore.prototype, 'changing', async () => {
      expect((await place('delete', scope)).status).toBe(200);
    });
    expectCode(await service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`), 'LEGAL_HOLD');
    expect(await visible(scope)).toEqual([event]);
  });
});

it('what is captured into a scope that is to be deleted is held as soon as it is there', async () => {
  const scope = 'org:races/ws:newer';
  expect((await service.post('/v1/scopes', { path: scope, owner: 'user:local' })).status).toBe(201);
  await captured(scope);
  expect((await place('newer', scope, { selector: { labels: ['lease'] } })).status).toBe(200);
  let newer = '';
  before(ScopeStore.prototype, 'changing', async () => {
    newer = await captured(scope, ['lease']);
  });
  const answer = await service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`);
  expectCode(answer, 'LEGAL_HOLD');
  expect(answer.json.details).toEqual({ holds: ['newer'], events_held: 1 });
  expect(await visible(scope)).toContain(newer);
});

it('a hold waits for a forget below it that has begun, and is refused when that takes too long', async () => {
  const scope = 'org:races/ws:waits';
  const plan = await beginForget(database, { scope, events: [await captured(scope)] });
  expectCode(await place('waits', 'org:races'), 'DESTRUCTIVE_OPERATION_IN_PROGRESS');
  expect((await place('waits', 'org:races/ws:waits2')).status).toBe(200);
  const looks = jest.spyOn(HoldChanges.prototype, 'forgetting');
  const placed = place('waits-2', scope);
  await eventually('a look at what is being forgotten', () => looks.mock.results.length > 0);
  await new ForgetPlans(database).finish(plan, Date.now());
  expect((await placed).status).toBe(200);
});

it('what is there when a hold is answered stays, whatever is cancelled at the same time', async () => {
  const scope = 'org:races/ws:storm';
  const ids: string[] = [];
  for (let i = 0; i < 24; i += 1) ids.push(await captured(scope));
  const cancels = ids.map(async (id, i) => {
    if (i >= 12) await eventually('the first to be gone', async () => (await visible(scope)).length < 24);
    return cancel(id);
  });
  await eventually('the first to be gone', async () => (await visible(scope)).length < 24);
  expect((await place('storm', scope)).status).toBe(200);
  const left = await visible(scope);
  const answers = await Promise.all(cancels);
  for (const answer of answers) if (answer.status !== 200) expectCode(answer, 'LEGAL_HOLD');
  expect(await visible(scope)).toEqual(left);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(24 - left.length);
});
