import { closeEvents, openEvents, type SentEvent } from '../support/event-stream.ts';
import { message } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const STAGES = ['captured', 'indexed', 'consolidated'];

async function capture(scope: string, text: string, actor = 'user:local'): Promise<any> {
  const answer = await service.post('/v1/experience?wait=consolidated', message(scope, text), {
    headers: { 'x-strata-actor': actor },
  });
  expect(answer.status).toBe(202);
  return answer.json;
}

const idsOf = (events: readonly SentEvent[]): (string | undefined)[] => events.map(({ id }) => id);

/** The list's frames of a filter, as the stream prints them. */
async function listed(query: Record<string, string> = {}): Promise<SentEvent[]> {
  const { json } = await service.get(
    `/v1/lifecycle?${new URLSearchParams({ limit: '1000', ...query }).toString()}`,
  );
  return json.items.map(({ lifecycle_id: id, event, ts, scope, data }: any) => ({
    id,
    event,
    data: { ts, scope, ...data },
  }));
}

afterEach(closeEvents);

describe('a stream', () => {
  it('of one event, as its capture links it, shows everything that happened to it', async () => {
    const ack = await capture('org:s/user:link', 'link');
    const query = Object.fromEntries(new URL(ack.lifecycle_stream, service.url).searchParams);
    const stream = await openEvents(service.url, query);
    const events = await stream.atLeast(3);
    expect(events).toEqual(await listed({ event_id: ack.event_id }));
    expect(events.map(({ event }) => event)).toEqual(STAGES);
    expect(events[0]?.data).toEqual({
      ts: ack.recorded_at,
      scope: 'org:s/user:link',
      event_id: ack.event_id,
      wal_offset: ack.wal_offset,
      actor: 'user:local',
      modality: 'conversation',
    });
    stream.close();
  });

  it('says what it is at once, before anything happens', async () => {
    const stream = await openEvents(service.url, { scope: 'org:nothing' });
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-strata-stability': 'stable',
      'x-cortex-stability': 'stable',
      'x-strata-policy': 'tier=operator; decision=allow; capability=lifecycle.subscribe',
    });
    expect(stream.headers['x-strata-request-id']).toBe(stream.headers['x-cortex-request-id']);
    await eventually('the retry line', () => stream.retry === 2000);
    expect(stream.events).toEqual([]);
    stream.close();
  });

  it('without a cursor begins now and goes on live', async () => {
    await capture('org:s/user:live', 'before');
    const stream = await openEvents(service.url, { scope: 'org:s/user:live' });
    const { event_id: id } = await capture('org:s/user:live', 'after');
    const events = await stream.atLeast(3);
    expect(events).toEqual(await listed({ event_id: id }));
    stream.close();
  });

  it('resumes after the id that was seen last, by header and by parameter', async () => {
    const scope = 'org:s/user:resume';
    for (const text of ['a', 'b', 'c']) await capture(scope, text);
    const all = await listed({ scope });
    const seen = all[3]?.id ?? '';
    const byParameter = await openEvents(service.url, { scope, since_lifecycle_id: seen });
    const byHeader = await openEvents(
      service.url,
      { scope, since_lifecycle_id: all[0]?.id ?? '' },
      { 'last-event-id': seen },
    );
    expect(await byParameter.atLeast(5)).toEqual(all.slice(4));
    expect(await byHeader.atLeast(5)).toEqual(all.slice(4));
    await capture(scope, 'd');
    expect(idsOf(await byHeader.atLeast(8))).toEqual(idsOf((await listed({ scope })).slice(4)));
    for (const stream of [byParameter, byHeader]) stream.close();
  });
});

describe('filters of a stream', () => {
  let batch: string;
  let event: string;

  beforeAll(async () => {
    for (const scope of ['org:f', 'org:f/user:a', 'org:f/user:a/ws:w', 'org:f/user:ab', 'org:ff']) {
      event = (await capture(scope, scope, `agent:${scope.length}`)).event_id;
    }
    const items = [1, 2].map((n) => message('org:f/user:bulk', `${n}`));
    batch = (await service.post('/v1/experience/bulk?wait=consolidated', { items })).json.batch_id;
  });

  const filters: [string, () => Record<string, string>, number][] = [
    ['scope', () => ({ scope: 'org:f' }), 3],
    ['subtree', () => ({ scope: 'org:f/user:a/*' }), 6],
    ['event', () => ({ event_id: event }), 3],
    ['bulk', () => ({ batch_id: batch }), 6],
    ['actor', () => ({ actor: 'agent:12' }), 3],
    ['names', () => ({ scope: 'org:f/*', events: 'captured,consolidated' }), 12],
    ['several', () => ({ scope: 'org:f/*', actor: 'agent:5', events: 'indexed' }), 1],
  ];

  it.each(filters)('%s: the past is what the list shows', async (_name, query, count) => {
    const stream = await openEvents(service.url, {
      ...query(),
      since_lifecycle_id: 'lce_0000000000000000',
    });
    const events = await stream.atLeast(count);
    expect(events).toHaveLength(count);
    expect(events).toEqual(await listed(query()));
  });

  it.each([
    ['scope', { scope: 'org:g' }, ['org:g']],
    ['subtree', { scope: 'org:g/user:a/*' }, ['org:g/user:a', 'org:g/user:a/ws:w']],
    ['actor', { actor: 'agent:g' }, ['org:g/user:a/ws:w']],
  ])('%s: live frames are confined too', async (_name, query, scopes) => {
    const stream = await openEvents(service.url, { ...query, events: 'consolidated' });
    const end = await openEvents(service.url, { scope: 'org:h' });
    for (const scope of ['org:g', 'org:g/user:a', 'org:g/user:a/ws:w', 'org:gg', 'org:g/user:ab']) {
      await capture(scope, 'live', scope.endsWith('ws:w') ? 'agent:g' : 'agent:other');
    }
    await capture('org:h', 'end');
    await end.until(({ event }) => event === 'consolidated');
    await stream.atLeast(scopes.length);
    expect(stream.events.map(({ data }) => data.scope)).toEqual(scopes);
  });

  it('bulk: live frames are confined too', async () => {
    const stream = await openEvents(service.url, {
      batch_id: batch,
      since_lifecycle_id: 'lce_0000000000000000',
    });
    await stream.atLeast(6);
    const end = await openEvents(service.url, { scope: 'org:i/user:end' });
    await capture('org:i', 'of no bulk');
    const items = [message('org:i', 'another')];
    const other = (await service.post('/v1/experience/bulk?wait=consolidated', { items })).json.batch_id;
    expect(other).not.toBe(batch);
    await capture('org:i/user:end', 'end');
    await end.until(({ event }) => event === 'consolidated');
    expect(stream.events).toHaveLength(6);
  });

  it.each([
    ['scope', 'org'],
    ['scope', '*'],
    ['limit', '5'],
    ['offset', '0'],
  ])('refuse %s=%s', async (field, value) => {
    const answer = await service.get(`/v1/lifecycle/stream?${field}=${value}`);
    expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field });
  });

  it('refuse a name that no frame has', async () => {
    const answer = await service.get('/v1/lifecycle/stream?events=captured,bogus');
    expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field: 'events[1]' });
    expect(answer.json.message).toMatch(/must be one of captured, /);
  });
});

describe('a stream of one tenant', () => {
  it('shows nothing of another, in its past and live', async () => {
    const theirs = { 'x-strata-tenant': service.anotherTenant() };
    const since = { since_lifecycle_id: 'lce_0000000000000000' };
    const write = async (): Promise<void> => {
      const body = message('org:s/user:theirs', 'of the other');
      const answer = await service.post('/v1/experience?wait=consolidated', body, { headers: theirs });
      expect(answer.status).toBe(202);
    };
    await write();
    const own = await openEvents(service.url, since, theirs);
    const other = await openEvents(service.url, since);
    await own.atLeast(3);
    await write();
    await own.atLeast(6);
    const { event_id: id } = await capture('org:s/user:ours', 'of this one');
    await other.until(({ data, event }) => data.event_id === id && event === 'consolidated');
    expect(own.events.map(({ data }) => data.scope)).toEqual(Array(6).fill('org:s/user:theirs'));
    expect(other.events.filter(({ data }) => data.scope === 'org:s/user:theirs')).toEqual([]);
  });
});

describe('cursors that name nothing', () => {
  it.each(['lce_9999999999999999', 'lce_0000000009999999', 'lce_1', 'evt_1', 'x'])('%s', async (cursor) => {
    const expected = { status: 400, code: 'INVALID_QUERY', field: 'since_lifecycle_id' };
    const path = '/v1/lifecycle/stream';
    expectProblem(await service.get(`${path}?since_lifecycle_id=${cursor}`), expected);
    expectProblem(await service.get(path, { headers: { 'last-event-id': cursor } }), expected);
  });
});

describe('one frame', () => {
  it('is found by its id, whatever its tenant, and is what the list shows', async () => {
    await capture('org:s/user:one', 'one');
    const { json } = await service.get('/v1/lifecycle?scope=org:s/user:one');
    const [frame] = json.items;
    const answer = await service.get(`/v1/lifecycle/event/${frame.lifecycle_id}`);
    expect([answer.status, answer.json]).toEqual([200, frame]);
  });

  it.each(['lce_9999999999999999', 'lce_1', 'evt_1'])('%s is not there', async (id) => {
    expectProblem(await service.get(`/v1/lifecycle/event/${id}`), { status: 404, code: 'NOT_FOUND' });
  });
});
