import { closeEvents, openEvents, type SentEvent } from '../support/event-stream.ts';
import { message, startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { expectProblem } from './problem.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
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
