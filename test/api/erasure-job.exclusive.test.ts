import { ErasureStore } from '../../graph/erasure/record.ts';
import { ForgetPlans, type ForgetPlan } from '../../graph/forget/plan.ts';
import { ForgetSteps } from '../../graph/forget/step.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { before } from '../support/interpose.ts';
import { beginForget, doStep, type ForgetAsked } from '../support/begun-forget.ts';
import { query } from '../support/database.ts';
import { ownService } from '../support/own-service.ts';
import { erasingOn } from './erasures.ts';
import { expectCode } from './problem.ts';

// An erasure that was cut short is gone on with by whatever process finds it, and one that is cancelled keeps what it had not come to.

const own = ownService();
const { stated, erased, over } = erasingOn(() => own.service);

/** What is kept of erasures that are to begin. */
const KEPT = `RETURN COUNT { MATCH (:ForgetStep) } AS steps, COUNT { MATCH (:ErasureManifest) } AS manifests,
  COUNT { MATCH (:ErasureManifestPart) } AS parts`;

afterEach(() => {
  jest.restoreAllMocks();
});

/** An erasure that was begun, and of which so many steps were done, by a process that is gone. */
async function begunErasure(
  asked: Omit<ForgetAsked, 'erases'>,
  done: number,
): Promise<{ id: string; plan: ForgetPlan }> {
  const plan = await beginForget(own.database, { ...asked, erases: true });
  for (let i = 0; i < done; i += 1) await doStep(own.database, plan);
  return { id: plan.erasure_id ?? '', plan };
}

/** Another process finds what nobody has worked on for a while. */
async function goneOnWith({ id, plan }: { id: string; plan: ForgetPlan }): Promise<any> {
  await query(own.driver, 'MATCH (p:ForgetPlan {id: $id}) SET p.touched_at = 0', { id: plan.id });
  await own.restart();
  return over(id);
}

it('is gone on with after a stop, and ends once', async () => {
  const scope = 'org:erasures/ws:cut';
  const events = [];
  for (const thing of ['tea', 'milk', 'cake'])
    events.push((await stated(scope, ['dan', 'likes', thing])).event_id);
  const begun = await begunErasure({ scope, events }, 1);
  expect((await own.service.get(`/v1/erasures/${begun.id}`)).json).toMatchObject({
    status: 'running',
    phase: 'removing',
    counts: { events_done: 1, events_total: 3 },
    completed_at: null,
    receipt_url: null,
  });
  for (const path of ['receipt', 'verify'])
    expect(
      (await own.service[path === 'verify' ? 'post' : 'get'](`/v1/erasures/${begun.id}/${path}`, undefined))
        .status,
    ).toBe(404);
  expect(await goneOnWith(begun)).toMatchObject({ status: 'completed', counts: { events_done: 3 } });
  const frames = (await own.service.get(`/v1/lifecycle?job_id=${begun.id}&limit=100`)).json.items;
  expect(frames.filter(({ event }: any) => event === 'erasure_complete')).toHaveLength(1);
  expect((await own.service.get(`/v1/facts?scope=${scope}`)).json.items).toEqual([]);
  const { json } = await own.service.post(`/v1/erasures/${begun.id}/verify`, undefined);
  expect(json).toMatchObject({ verified: true, events_checked: 3 });
});

it('keeps what it had not come to when it is cancelled', async () => {
  const scope = 'org:erasures/ws:cancelled';
  const events = [];
  for (const thing of ['tea', 'milk', 'cake'])
    events.push((await stated(scope, ['eve', 'likes', thing])).event_id);
  const linked = { scope, entity: 'eve', same_as: 'eva' };
  expect((await own.service.post('/v1/entities/link', linked)).status).toBe(201);
  const links = async (): Promise<number> =>
    (await own.service.get(`/v1/entities/eve?scope=${scope}`)).json.links.length;
  const before = await links();
  // Everything was to go; what is there still keeps its links.
  const begun = await begunErasure({ scope, events, empties: true }, 1);
  const cancelled = await own.service.post(`/v1/erasures/${begun.id}/cancel`, undefined);
  expect(cancelled.json).toMatchObject({ status: 'cancelled', counts: { events_done: 1 } });
  // An answer may be lost: it may be cancelled again until it is over.
  expect((await own.service.post(`/v1/erasures/${begun.id}/cancel`, undefined)).json.status).toBe(
    'cancelled',
  );
  expect(await goneOnWith(begun)).toMatchObject({ status: 'cancelled', phase: 'done' });
  expect((await own.service.get(`/v1/facts?scope=${scope}`)).json.items).toHaveLength(2);
  expect([before, await links()]).toEqual([1, 1]);
  const { json } = await own.service.get(`/v1/erasures/${begun.id}/receipt`);
  expect(json.claims).toMatchObject({
    status: 'cancelled',
    removed: { events: 1, facts: 0 },
    commitments: { count: 1 },
  });
  expect((await own.service.post(`/v1/erasures/${begun.id}/verify`, undefined)).json.verified).toBe(true);
});

it('keeps a deletion of its scope out while it goes on', async () => {
  const scope = 'org:erasures/ws:deleted';
  expect((await own.service.post('/v1/scopes', { path: scope, owner: 'user:local' })).status).toBe(201);
  const { event_id: event } = await stated(scope, ['leo', 'likes', 'tea']);
  const begun = await begunErasure({ scope, events: [event] }, 0);
  const remove = (): Promise<any> => own.service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`);
  expect((await remove()).json.error_code).toBe('DESTRUCTIVE_OPERATION_IN_PROGRESS');
  expect(await goneOnWith(begun)).toMatchObject({ status: 'completed' });
  expect((await remove()).status).toBe(204);
});

it('leaves nothing behind where it is refused when it would begin', async () => {
  const scope = 'org:erasures/ws:refused';
  const events = [];
  for (const thing of ['tea', 'milk']) events.push((await stated(scope, ['max', 'likes', thing])).event_id);
  const ref = scopeRef('default', scope);
  before(ForgetPlans.prototype, 'begin', async () => {
    const [there] = await query(own.driver, KEPT);
    expect(there).toMatchObject({ steps: 1, manifests: 1 });
    expect(there?.parts).toBeGreaterThan(1);
    await query(own.driver, "CREATE (:Rebuild {scope_ref: $ref, job_id: 'a test', phase: 'deriving'})", {
      ref,
    });
  });
  await query(own.driver, 'MATCH (n:ErasureManifest|ErasureManifestPart) DELETE n');
  expectCode(await own.service.post('/v1/erasures', { scope, confirm_all: true }), 'REDERIVE_IN_PROGRESS');
  const [left] = await query(own.driver, KEPT);
  expect(left).toEqual({ steps: 0, manifests: 0, parts: 0 });
  await query(own.driver, 'MATCH (r:Rebuild {scope_ref: $ref}) DELETE r', { ref });
  expect(await erased(scope, { confirm_all: true })).toMatchObject({
    status: 'completed',
    counts: { events: 2 },
  });
});

it('takes again what was given the name of something that is gone while it went on', async () => {
  const scope = 'org:erasures/ws:named';
  const { event_id: gone } = await stated(scope, ['ent_quill', 'likes', 'tea']);
  await stated(scope, ['ent_bo', 'likes', 'tea']);
  const linked = { scope, entity: 'ent_quill', same_as: 'ent_bo' };
  const asked = { scope, topics: ['ent_quill', 'ent_bo'] };
  before(ErasureStore.prototype, 'seal', async () => {
    expect((await own.service.post('/v1/entities/link', linked)).status).toBe(201);
    expect((await own.service.post('/v1/understanding/synthesize', asked)).status).toBe(202);
  });
  const selector = { memory_ids: [gone] };
  expect(await erased(scope, { selector })).toMatchObject({ status: 'completed', error: null });
  expect(await query(own.driver, 'MATCH (m:LinkedEntity {scope: $scope}) RETURN m', { scope })).toEqual([]);
});

it('discards as many steps as there are', async () => {
  const steps = new ForgetSteps(own.database, () => '');
  const many = Array.from({ length: 45 }, (_, i) => ({ redacted: [`evt_${i}`], wishes: [] }));
  await steps.keep('audit_of_many', many, Date.now());
  await steps.keep('audit_of_another', many.slice(0, 1), Date.now());
  await steps.discard('audit_of_many');
  const left = await query(own.driver, 'MATCH (s:ForgetStep) RETURN s.plan_id AS plan');
  expect(left).toEqual([{ plan: 'audit_of_another' }]);
  await steps.discard('audit_of_another');
});
