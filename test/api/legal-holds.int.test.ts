import type { Answer } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectCode, expectPlainText, expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

type Triple = readonly [string, string, string];

/** Captures a statement and waits until it is derived; answers the id of its event. */
async function stated(scope: string, triple: Triple, labels: readonly string[] = []): Promise<string> {
  const envelope = statement(scope, triple);
  const context = { ...(envelope.context as object), labels };
  const answer = await service.post('/v1/experience?wait=consolidated', { ...envelope, context });
  expect(answer.status).toBe(202);
  return answer.json.event_id;
}

const place = (hold: Record<string, unknown>): Promise<Answer> =>
  service.request('PUT', '/v1/legal-holds', { body: { reason: 'A dispute.', ...hold } });
const lift = (id: string): Promise<Answer> => service.request('DELETE', `/v1/legal-holds?id=${id}`);
const list = (query: string): Promise<Answer> => service.get(`/v1/legal-holds?${query}`);
const forget = (scope: string, body: Record<string, unknown>): Promise<Answer> =>
  service.post('/v1/forget', { scope, ...body });
const cancel = (id: string): Promise<Answer> => service.post(`/v1/lifecycle/memory-event/${id}/cancel`, {});
const isThere = async (id: string): Promise<boolean> =>
  (await service.get(`/v1/events/${id}`)).status === 200;

/** Expects a refusal that names holds and counts events. */
function expectHeld(answer: Answer, holds: readonly string[], events_held: number): void {
  expectCode(answer, 'LEGAL_HOLD');
  expect({ ...answer.json.details, holds: [...answer.json.details.holds].sort() }).toEqual({
    holds: [...holds].sort(),
    events_held,
  });
}

async function held(hold: Record<string, unknown>): Promise<any> {
  const answer = await place(hold);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json;
}

describe('a legal hold', () => {
  it('is kept, shown, said anew and removed', async () => {
    const scope = 'org:holds/ws:kept';
    const selector = { labels: ['lease'], valid_during: ['2026-01', '2026-02'] };
    const until = '2030-01-01T01:00:00+01:00';
    const first = await held({ id: 'kept/1', scope, selector, until });
    const kept = {
      id: 'kept/1',
      scope,
      selector,
      reason: 'A dispute.',
      until: '2030-01-01T00:00:00.000Z',
      active: true,
      created_at: first.created_at,
      created_by: 'user:local',
    };
    expect(first).toEqual(kept);
    expect((await service.get('/v1/legal-holds/kept%2F1')).json).toEqual(kept);
    expect((await list(`scope=${scope}`)).json).toEqual({ items: [kept], has_more: false });
    expect((await list('id=kept/1')).json).toEqual({ items: [kept], has_more: false });
    const again = { ...kept, selector: null, reason: 'Another one.', until: null };
    expect(await held({ id: 'kept/1', scope, selector: {}, reason: 'Another one.' })).toEqual(again);
    expectCode(await place({ id: 'kept/1', scope: `${scope}/app:other` }), 'IDEMPOTENCY_CONFLICT');
    expect((await service.get('/v1/legal-holds/kept%2F1')).json).toEqual(again);
    expect((await lift('kept/1')).status).toBe(204);
    for (const answer of [
      await lift('kept/1'),
      await list('id=kept/1'),
      await service.get('/v1/legal-holds/x'),
    ])
      expectProblem(answer, { status: 404, code: 'NOT_FOUND' });
  });

  it('is listed for its scope and those below, page by page', async () => {
    const scope = 'org:listed/ws:own';
    await held({ id: 'above', scope: 'org:listed' });
    await held({ id: 'own', scope, until: '2020-01-01T00:00:00Z' });
    await held({ id: 'below', scope: `${scope}/app:a` });
    const ids = (answer: Answer): string[] => answer.json.items.map(({ id }: { id: string }) => id);
    expect(ids(await list(`scope=${scope}`))).toEqual(['own', 'above']);
    expect(ids(await list(`scope=${scope}/app:a`))).toEqual(['below', 'own', 'above']);
    expect((await list('id=own')).json.items[0].active).toBe(false);
    expect(ids(await list(`id=above&scope=${scope}`))).toEqual(['above']);
    expectProblem(await list(`id=below&scope=${scope}`), { status: 404, code: 'NOT_FOUND' });
    const page = await list(`scope=${scope}/app:a&limit=2`);
    expect([ids(page), page.json.has_more]).toEqual([['below', 'own'], true]);
    const rest = await list(`scope=${scope}/app:a&limit=2&cursor=${page.json.next_cursor}`);
    expect([ids(rest), rest.json.has_more]).toEqual([['above'], false]);
    expectPlainText(await list(''), 400, /scope or id/);
    expect((await lift('above')).status).toBe(204);
  });

  it('is the same over GraphQL', async () => {
    const scope = 'org:holds/ws:graphql';
    const event = await stated(scope, ['ada', 'likes', 'tea'], ['lease']);
    const fields = 'id scope selector { labels memoryIds } reason until active createdBy';
    const input = `{id: "graphql", scope: "${scope}", reason: "A dispute.", selector: {labels: ["lease"]}}`;
    const put = await ask(service, `mutation { putLegalHold(input: ${input}) { ${fields} } }`);
    const hold = {
      id: 'graphql',
      scope,
      selector: { labels: ['lease'], memoryIds: null },
      reason: 'A dispute.',
      until: null,
      active: true,
      createdBy: 'user:local',
    };
    expect(put.data).toEqual({ putLegalHold: hold });
    const read = await ask(
      service,
      `{ legalHold(id: "graphql") { ${fields} } legalHolds(scope: "${scope}") { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } }`,
    );
    const [edge] = read.data.legalHolds.edges;
    expect([read.data.legalHold, edge.node, read.data.legalHolds.pageInfo]).toEqual([
      hold,
      { id: 'graphql' },
      { hasNextPage: false, endCursor: edge.cursor },
    ]);
    const refused = await ask(service, `mutation { cancelEvent(id: "${event}") { eventId } }`);
    expect(refused.errors?.[0].extensions).toMatchObject({
      code: 'LEGAL_HOLD',
      details: { holds: ['graphql'], events_held: 1 },
    });
    const removed = await ask(service, 'mutation { removeLegalHold(id: "graphql") }');
    expect(removed.data).toEqual({ removeLegalHold: true });
  });

  it.each([
    ['no id', { id: undefined }, 'id'],
    ['an empty id', { id: '' }, 'id'],
    ['an id with a blank', { id: 'a b' }, 'id'],
    ['an id of 129 characters', { id: 'x'.repeat(129) }, 'id'],
    ['an id beyond ASCII', { id: 'é' }, 'id'],
    ['no reason', { reason: undefined }, 'reason'],
    ['an empty reason', { reason: '' }, 'reason'],
    ['a scope that is none', { scope: 'org' }, 'scope'],
    ['an unknown key of the selector', { selector: { label: ['x'] } }, 'selector.label'],
    ['a date for an instant', { until: 'tomorrow' }, 'until'],
    ['an unknown field', { untill: '2030-01-01T00:00:00Z' }, 'untill'],
  ])('is refused with %s', async (_what, patch, field) => {
    const answer = await place({ id: 'bad', scope: 'org:holds/ws:bad', ...patch });
    expectProblem(answer, { status: 422, code: 'INVALID_BODY', field });
  });
});

describe('what is held', () => {
  it('is not forgotten by redact_events, whoever selects it, and a preview says so', async () => {
    const scope = 'org:holds/ws:forget';
    const kept = await stated(scope, ['ada', 'likes', 'tea'], ['lease']);
    const free = await stated(scope, ['bob', 'likes', 'tea']);
    await held({ id: 'forget', scope, selector: { labels: ['lease'] } });
    const all = { confirm_all: true, cascade: 'redact_events' };
    const shown = await service.post('/v1/forget/preview', { scope, ...all });
    expect(shown.json).toMatchObject({ matched: expect.any(Number), events_under_legal_hold: 1 });
    expectHeld(await forget(scope, all), ['forget'], 1);
    expectHeld(await forget(scope, { from_preview_id: shown.json.preview_id }), ['forget'], 1);
    // A fact takes the events along that it rests on.
    const [fact] = (await service.get(`/v1/facts?scope=${scope}&subject=ada`)).json.items;
    const byFact = { selector: { memory_ids: [fact.id] }, cascade: 'redact_events' };
    expectHeld(await forget(scope, byFact), ['forget'], 1);
    expect([await isThere(kept), await isThere(free)]).toEqual([true, true]);
    const other = await forget(scope, { selector: { memory_ids: [free] }, cascade: 'redact_events' });
    expect([other.status, await isThere(free)]).toEqual([200, false]);
    // The preview was not taken by the refusals.
    expect((await lift('forget')).status).toBe(204);
    const later = await service.post('/v1/forget/preview', { scope, ...all });
    expect(later.json.events_under_legal_hold).toBe(0);
    expect((await forget(scope, { from_preview_id: later.json.preview_id })).status).toBe(200);
    expect(await isThere(kept)).toBe(false);
  });

  it('may lose what was derived from it, unless it is named', async () => {
    const scope = 'org:holds/ws:derived';
    const event = await stated(scope, ['ada', 'likes', 'tea']);
    await held({ id: 'derived', scope });
    for (const cascade of ['derived_only', 'none'])
      expectHeld(await forget(scope, { selector: { memory_ids: [event] }, cascade }), ['derived'], 1);
    const layers = ['facts'];
    expectHeld(await forget(scope, { layers, selector: { memory_ids: [event] } }), ['derived'], 1);
    const shown = await service.post('/v1/forget/preview', { scope, selector: { memory_ids: [event] } });
    expect(shown.json.events_under_legal_hold).toBe(1);
    expectHeld(await forget(scope, { from_preview_id: shown.json.preview_id }), ['derived'], 1);
    const unknown = await forget(scope, { selector: { memory_ids: ['evt_of_nobody'] } });
    expect([unknown.status, unknown.json.matched]).toEqual([200, 0]);
    const done = await forget(scope, { selector: { about_subject: 'ada' } });
    expect([done.status, done.json.deleted.facts]).toEqual([200, 1]);
    expect(await isThere(event)).toBe(true);
  });

  it('lies below the scope of the hold too, and neither above nor beside it', async () => {
    const scope = 'org:holds/ws:tree/app:a';
    const events = await Promise.all(
      [scope, 'org:holds/ws:tree', 'org:holds/ws:tree2', `${scope}/app:b`].map((one) =>
        stated(one, ['ada', 'likes', 'tea']),
      ),
    );
    await held({ id: 'tree', scope });
    const answers = await Promise.all(events.map(cancel));
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 200, 409]);
    for (const answer of [answers[0], answers[3]]) expectHeld(answer!, ['tree'], 1);
    await held({ id: 'tree', scope, until: '2020-01-01T00:00:00Z' });
    expect((await cancel(events[0]!)).status).toBe(200);
  });

  it.each([
    ['what it is about', { about_subject: 'Ada' }],
    ['a predicate', { predicate: 'lives_in' }],
    ['its id', null],
    ['when it was observed', { valid_during: ['2026-01-01', '2026-02-01'] }],
  ])('is told by %s, at once', async (what, selector) => {
    const scope = `org:holds/ws:by-${what.replaceAll(' ', '-')}`;
    const capture = async (triple: Triple, observed_at: string): Promise<string> => {
      const answer = await service.post('/v1/experience', statement(scope, triple, { observed_at }));
      return answer.json.event_id;
    };
    const kept = await capture(['Ada', 'lives_in', 'oslo'], '2026-01-15T00:00:00Z');
    const free = await capture(['Bob', 'likes', 'tea'], '2026-03-15T00:00:00Z');
    await held({ id: `by-${what.length}`, scope, selector: selector ?? { memory_ids: [kept] } });
    expectHeld(await cancel(kept), [`by-${what.length}`], 1);
    expect((await cancel(free)).status).toBe(200);
  });

  it('names every hold that keeps something, and counts each event once', async () => {
    const scope = 'org:holds/ws:several';
    await stated(scope, ['ada', 'likes', 'tea'], ['lease']);
    await stated(scope, ['bob', 'likes', 'tea'], ['tax']);
    await held({ id: 'several-1', scope });
    await held({ id: 'several-2', scope, selector: { labels: ['lease'] } });
    await held({ id: 'several-3', scope, selector: { labels: ['nothing'] } });
    const refused = await forget(scope, { confirm_all: true, cascade: 'redact_events' });
    expectHeld(refused, ['several-1', 'several-2'], 2);
  });

  it('is not deleted with its scope, whose holds outlive it', async () => {
    const path = 'org:holds/ws:deleted';
    const remove = (records: string): Promise<Answer> =>
      service.request('DELETE', `/v1/scopes?path=${path}&records=${records}`);
    const owner = 'user:local';
    expect((await service.post('/v1/scopes', { path: 'org:holds', owner })).status).toBe(201);
    expect((await service.post('/v1/scopes', { path, owner })).status).toBe(201);
    const kept = await stated(path, ['ada', 'likes', 'tea'], ['lease']);
    await stated(path, ['bob', 'likes', 'tea']);
    await held({ id: 'deleted', scope: path, selector: { about_entity: 'lease' } });
    expectHeld(await remove('forget'), ['deleted'], 1);
    expect(await isThere(kept)).toBe(true);
    expect((await remove('keep')).status).toBe(204);
    expect((await list('id=deleted')).json.items).toHaveLength(1);
    expect((await service.post('/v1/scopes', { path, owner })).status).toBe(201);
    expectHeld(await remove('forget'), ['deleted'], 1);
    expect((await lift('deleted')).status).toBe(204);
    expect((await remove('forget')).status).toBe(204);
    expect(await isThere(kept)).toBe(false);
  });

  it('is of its tenant alone', async () => {
    const scope = 'org:holds/ws:tenants';
    const headers = { 'x-strata-tenant': service.anotherTenant() };
    const body = { id: 'tenants', scope, reason: 'A dispute.' };
    expect((await service.request('PUT', '/v1/legal-holds', { body, headers })).status).toBe(200);
    expect((await list('id=tenants')).status).toBe(404);
    expect((await service.get('/v1/legal-holds/tenants')).status).toBe(404);
    const event = await stated(scope, ['ada', 'likes', 'tea']);
    expect((await cancel(event)).status).toBe(200);
    // The id is free here.
    await held({ ...body, scope: `${scope}/app:other` });
  });
});

it('of a hold that is placed and removed the audit log tells', async () => {
  const scope = 'org:holds/ws:audit';
  await held({ id: 'audit', scope });
  expect((await lift('audit')).status).toBe(204);
  const rows = await service.get(`/v1/audit?scope=${scope}&limit=10`);
  expect(rows.json.items.map(({ endpoint }: { endpoint: string }) => endpoint).sort()).toEqual([
    'DELETE /v1/legal-holds',
    'PUT /v1/legal-holds',
  ]);
});
