import { message, type Answer, type RequestOptions } from '../support/client.ts';
import { passagesFound } from '../support/passages.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectPlainText, expectProblem } from './problem.ts';

let service: SharedService;
/** The other tenant, and what leads a request there. */
let other: string;
let theirTenant: RequestOptions;

beforeAll(() => {
  service = sharedService();
  other = service.anotherTenant();
  theirTenant = { headers: { 'x-strata-tenant': other } };
});

async function captured(scope: string, text: string, options: RequestOptions = {}): Promise<string> {
  const answer = await service.post('/v1/experience', message(scope, text), options);
  expect(answer.status).toBe(202);
  return answer.json.event_id;
}

const get = (id: string, parameters = ''): Promise<Answer> => service.get(`/v1/events/${id}${parameters}`);
const cancelPath = (id: string): string => `/v1/lifecycle/memory-event/${id}/cancel`;
const cancel = (id: string): Promise<Answer> => service.request('POST', cancelPath(id));

describe('one event by id', () => {
  const scope = 'org:g/user:me';
  let id: string;

  beforeAll(async () => {
    // What is derived from it is a part of it: two readings are alike once that is there.
    id = (await service.post('/v1/experience?wait=consolidated', message(scope, 'here'))).json.event_id;
    await captured('org:g', 'in the ancestor');
    await captured('org:g/user:sibling', 'in the sibling');
  });

  it('is found without and with its exact scope', async () => {
    const answer = await get(id);
    expect([answer.status, answer.json.id, answer.json.scope]).toEqual([200, id, scope]);
    expect((await get(id, `?scope=${encodeURIComponent(scope)}`)).json).toEqual(answer.json);
  });

  it('is the same 404 outside of the scope filter as when it does not exist', async () => {
    const answers = [
      await get('evt_00000000000000000000000000000000'),
      await get(id, '?scope=org:g'),
      await get(id, '?scope=org:g/user:sibling'),
      await get(id, '?scope=org:g/user:me/ws:below'),
      await get(id, '?scope=org:g/user:nobody'),
      await get('anything'),
      await get('x'.repeat(300)),
    ];
    for (const answer of answers) {
      expectProblem(answer, { status: 404, code: 'NOT_FOUND' });
      expect({ ...answer.json, request_id: '' }).toEqual({ ...answers[0]?.json, request_id: '' });
    }
    expect(answers[0]?.json.message).toBe('event not found');
  });

  it.each(['', '%20', 'org', 'org:g/', 'org:g/user', 'Org:g', 'org:%00', 'org:g/user:a%20b'])(
    'refuses the filter scope=%s',
    async (filter) => {
      const answer = await get(id, `?scope=${filter}`);
      expectProblem(answer, { status: 422, code: 'INVALID_SCOPE_GRAMMAR', field: 'scope' });
    },
  );

  it('refuses a repeated filter in plain text', async () => {
    expectPlainText(await get(id, '?scope=org:g&scope=org:g'), 400, /scope/);
  });

  it('refuses an unknown parameter', async () => {
    const answer = await get(id, '?view=local');
    expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field: 'view' });
    expect(answer.json.details.allowed).toEqual(['scope', 'as_of', 'as_of_valid', 'as_of_recorded']);
  });
});

describe('cancel', () => {
  it('takes an event out of every reading, and may be repeated', async () => {
    const scope = 'org:cancel/user:me';
    const kept = await captured(scope, 'kept');
    const { json } = await service.post('/v1/experience?wait=consolidated', message(scope, 'gone'));
    const id: string = json.event_id;
    const answer = await cancel(id);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      event_id: id,
      stages_cancelled: [],
      stages_already_completed: expect.arrayContaining(['captured', 'indexed', 'consolidated']),
      excluded_from_recall: true,
    });
    expectProblem(await get(id), { status: 404, code: 'NOT_FOUND' });
    for (const view of ['local', 'holistic', 'descend', 'raw']) {
      const page = await service.get(`/v1/events?scope=${scope}&view=${view}`);
      expect(page.json.items.map((item: any) => item.id)).toEqual([kept]);
    }
    const again = await cancel(id);
    expect([again.status, again.json]).toEqual([200, answer.json]);
    const trace = await service.get(`/v1/lifecycle?event_id=${id}&events=cancelled`);
    expect(trace.json.items).toHaveLength(1);
  });

  it('keeps the words of a cancelled event out of the search', async () => {
    const scope = 'org:g/user:words';
    const { json } = await service.post('/v1/experience?wait=indexed', message(scope, 'ephemeral'));
    await cancel(json.event_id);
    expect(await passagesFound(service, scope, 'ephemeral')).toEqual([]);
  });

  it('of an unknown event is 404', async () => {
    expectProblem(await cancel('evt_unknown'), { status: 404, code: 'NOT_FOUND' });
  });

  it.each<[string, string | undefined, string | null, number, string]>([
    ['no body, no label', undefined, null, 200, ''],
    ['{} labelled JSON', '{}', 'application/json', 200, ''],
    ['{} with a charset', ' {} ', 'application/json; charset=utf-8', 200, ''],
    ['an empty body labelled JSON', undefined, 'application/json', 400, 'INVALID_BODY'],
    [
      'an empty body labelled as a form',
      undefined,
      'application/x-www-form-urlencoded',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a form', 'a=1', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['an unknown field', '{"reason":"x"}', 'application/json', 422, 'INVALID_BODY'],
    ['a list', '[]', 'application/json', 422, 'INVALID_BODY'],
    ['null', 'null', 'application/json', 422, 'INVALID_BODY'],
    ['no JSON', '{', 'application/json', 422, 'INVALID_BODY'],
  ])('takes %s as it should', async (_what, raw, type, status, code) => {
    const id = await captured('org:g/user:bodies', 'body');
    const answer = await service.request('POST', cancelPath(id), {
      ...(raw === undefined ? {} : { raw }),
      headers: { 'content-type': type },
    });
    if (status === 200) expect(answer.status).toBe(200);
    else expectProblem(answer, { status, code });
    expect((await get(id)).status).toBe(status === 200 ? 404 : 200);
  });
});

describe('a JSON label on requests without a body', () => {
  it.each(['/v1/events?scope=org:g', '/v1/lifecycle', '/v1/health'])('is normal on GET %s', async (path) => {
    const answer = await service.get(path, { headers: { 'content-type': 'application/json' } });
    expect(answer.status).toBe(200);
  });
});

describe('two tenants', () => {
  const scope = 'org:t/user:same';

  it('never see each other in listings, whatever the view', async () => {
    const ours = await captured(scope, 'ours');
    const theirs = await captured(scope, 'theirs', theirTenant);
    await captured('org:t', 'theirs above', theirTenant);
    await captured(`${scope}/ws:below`, 'theirs below', theirTenant);
    for (const view of ['local', 'raw', 'holistic', 'descend', 'lineage']) {
      const page = await service.get(`/v1/events?scope=${scope}&view=${view}`);
      const ids = page.json.items.map((item: any) => item.id);
      expect([view, ids]).toEqual([view, view === 'lineage' ? [] : [ours]]);
    }
    const page = await service.get(`/v1/events?scope=${scope}`, theirTenant);
    expect(page.json.items.map((item: any) => [item.id, item.scope_key])).toEqual([[theirs, other]]);
  });

  it('see none of the frames, the progress and the keys of each other', async () => {
    const body = message('org:t/user:frames', 'mine', { idempotency_key: 'tenant-key' });
    const { json } = await service.post('/v1/experience?wait=consolidated', body);
    const frames = await service.get('/v1/lifecycle?scope=org:t/user:frames', theirTenant);
    expect(frames.json.items).toEqual([]);
    const progress = await service.get('/v1/derivation/status?scope=org:t/user:frames', theirTenant);
    expect(progress.json.head_offset).toBe(0);
    const status = await service.get('/v1/experience/status?idempotency_key=tenant-key', theirTenant);
    expect(status.json.found).toBe(false);
    const theirs = await service.post('/v1/experience', body, theirTenant);
    expect(theirs.json.replayed_from_idempotency).toBe(false);
    expect(theirs.json.event_id).not.toBe(json.event_id);
  });

  it('are one to the operator who reads by id', async () => {
    const theirs = await captured(scope, 'by id', theirTenant);
    const answer = await get(theirs);
    expect([answer.status, answer.json.scope_key]).toEqual([200, other]);
    expect((await get(theirs, `?scope=${scope}`)).status).toBe(200);
    const trace = await service.get(`/v1/lifecycle/memory-event/${theirs}`);
    expect(trace.status).toBe(200);
    const status = await service.get(`/v1/experience/status?event_id=${theirs}`);
    expect(status.json).toMatchObject({ found: true, event_id: theirs });
  });

  it('are two to the operator who writes: a cancel needs the tenant of the event', async () => {
    const theirs = await captured(scope, 'to be cancelled', theirTenant);
    expectProblem(await cancel(theirs), { status: 404, code: 'NOT_FOUND' });
    expect((await service.request('POST', cancelPath(theirs), theirTenant)).status).toBe(200);
    expectProblem(await get(theirs), { status: 404, code: 'NOT_FOUND' });
  });

  it('are named: an unknown one is refused', async () => {
    const answer = await service.get(`/v1/events?scope=${scope}`, {
      headers: { 'x-strata-tenant': 'nobody' },
    });
    expectProblem(answer, { status: 401, code: 'WRONG_TENANT' });
  });
});
