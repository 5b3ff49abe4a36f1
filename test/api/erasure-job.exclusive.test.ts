import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import type { NewErasure } from '../../graph/erasure/record.ts';
import { ForgetPlans, type ForgetPlan } from '../../graph/forget/plan.ts';
import { ForgetSteps } from '../../graph/forget/step.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { systemIds } from '../../src/ids.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import { startTestService, startWarmService, type TestService } from '../support/service.ts';
import { erasingOn } from './erasures.ts';

// An erasure that was cut short is gone on with by whatever process finds it, and one that is cancelled keeps what it had not come to.

let service: TestService;
let driver: Driver;
let database: Database;
const { stated, over } = erasingOn(() => service);

beforeAll(async () => {
  service = await startWarmService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
  database = patientDatabase();
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
});

/** An erasure of these events that was begun, and of which so many steps of one event each were done, by a process that is gone. */
async function begunErasure(
  scope: string,
  events: readonly string[],
  { done, empties = false }: { readonly done: number; readonly empties?: boolean },
): Promise<{ id: string; plan: ForgetPlan }> {
  const place = { tenant: 'default', scope, scope_ref: scopeRef('default', scope), actor: 'user:local' };
  const id = systemIds.erasure();
  const plan: ForgetPlan = {
    ...place,
    id: systemIds.audit(),
    cascade: 'redact_events',
    empties,
    erasure_id: id,
    suppression_id: null,
  };
  const erasure: NewErasure = {
    ...place,
    id,
    audit_id: plan.id,
    gone: { events: events.length, episodes: 0, facts: events.length, beliefs: 0, understanding: 0 },
    events_total: events.length,
    events_held: 0,
    key: null,
    request_hash: null,
    named: [],
    note: null,
    suppression_id: null,
    started_at: Date.now(),
  };
  const steps = new ForgetSteps(database, () => '');
  await steps.keep(
    plan.id,
    events.map((event) => ({ redacted: [event], wishes: [] })),
    Date.now(),
  );
  const beginning = { frame_data: '{}', previewId: null, hasSteps: true, erasure, holdsVersion: 0 };
  const begun = await new ForgetPlans(database).begin(plan, beginning, { batches: [], now: Date.now() });
  expect(begun.obstacle).toBeNull();
  for (let i = 0; i < done; i += 1) await steps.next(plan, { id: systemIds.entry(), now: Date.now() });
  return { id, plan };
}

/** Another process finds what nobody has worked on for a while. */
async function goneOnWith({ id, plan }: { id: string; plan: ForgetPlan }): Promise<any> {
  await query(driver, 'MATCH (p:ForgetPlan {id: $id}) SET p.touched_at = 0', { id: plan.id });
  await service.stop();
  service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' }, { keepData: true });
  return over(id);
}

it(
  'is gone on with after a stop, and ends once',
  async () => {
    const scope = 'org:erasures/ws:cut';
    const events = [];
    for (const thing of ['tea', 'milk', 'cake'])
      events.push((await stated(scope, ['dan', 'likes', thing])).event_id);
    const begun = await begunErasure(scope, events, { done: 1 });
    expect((await service.get(`/v1/erasures/${begun.id}`)).json).toMatchObject({
      status: 'running',
      phase: 'removing',
      counts: { events_done: 1, events_total: 3 },
      completed_at: null,
      receipt_url: null,
    });
    for (const path of ['receipt', 'verify'])
      expect(
        (await service[path === 'verify' ? 'post' : 'get'](`/v1/erasures/${begun.id}/${path}`, undefined))
          .status,
      ).toBe(404);
    expect(await goneOnWith(begun)).toMatchObject({ status: 'completed', counts: { events_done: 3 } });
    const frames = (await service.get(`/v1/lifecycle?job_id=${begun.id}&limit=100`)).json.items;
    expect(frames.filter(({ event }: any) => event === 'erasure_complete')).toHaveLength(1);
    expect((await service.get(`/v1/facts?scope=${scope}`)).json.items).toEqual([]);
    const { json } = await service.post(`/v1/erasures/${begun.id}/verify`, undefined);
    expect(json).toMatchObject({ verified: true, events_checked: 3 });
  },
  DERIVING_PATIENCE_MS,
);

it(
  'keeps what it had not come to when it is cancelled',
  async () => {
    const scope = 'org:erasures/ws:cancelled';
    const events = [];
    for (const thing of ['tea', 'milk', 'cake'])
      events.push((await stated(scope, ['eve', 'likes', thing])).event_id);
    const linked = { scope, entity: 'eve', same_as: 'eva' };
    expect((await service.post('/v1/entities/link', linked)).status).toBe(201);
    const links = async (): Promise<number> =>
      (await service.get(`/v1/entities/eve?scope=${scope}`)).json.links.length;
    const before = await links();
    // Everything was to go; what is there still keeps its links.
    const begun = await begunErasure(scope, events, { done: 1, empties: true });
    const cancelled = await service.post(`/v1/erasures/${begun.id}/cancel`, undefined);
    expect(cancelled.json).toMatchObject({ status: 'cancelled', counts: { events_done: 1 } });
    // An answer may be lost: it may be cancelled again until it is over.
    expect((await service.post(`/v1/erasures/${begun.id}/cancel`, undefined)).json.status).toBe('cancelled');
    expect(await goneOnWith(begun)).toMatchObject({ status: 'cancelled', phase: 'done' });
    expect((await service.get(`/v1/facts?scope=${scope}`)).json.items).toHaveLength(2);
    expect([before, await links()]).toEqual([1, 1]);
    const { json } = await service.get(`/v1/erasures/${begun.id}/receipt`);
    expect(json.claims).toMatchObject({
      status: 'cancelled',
      removed: { events: 1, facts: 0 },
      commitments: { count: 1 },
    });
    expect((await service.post(`/v1/erasures/${begun.id}/verify`, undefined)).json.verified).toBe(true);
  },
  DERIVING_PATIENCE_MS,
);

it('keeps a deletion of its scope out while it goes on', async () => {
  const scope = 'org:erasures/ws:deleted';
  expect((await service.post('/v1/scopes', { path: scope, owner: 'user:local' })).status).toBe(201);
  const { event_id: event } = await stated(scope, ['leo', 'likes', 'tea']);
  const begun = await begunErasure(scope, [event], { done: 0 });
  const remove = (): Promise<any> => service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`);
  expect((await remove()).json.error_code).toBe('DESTRUCTIVE_OPERATION_IN_PROGRESS');
  expect(await goneOnWith(begun)).toMatchObject({ status: 'completed' });
  expect((await remove()).status).toBe(204);
});
