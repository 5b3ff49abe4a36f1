import { cancelled } from '../support/cancel.ts';
import { message, type Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

const SCOPE = 'user:episodes';
let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

/** Captures what somebody says in a session on a day of March 2026, and waits until it is consolidated; answers its id. */
async function said(text: string, day: number, more: Record<string, unknown> = {}): Promise<string> {
  const { session = 's', subject = 'user:x', scope = SCOPE, ...context } = more;
  const at = new Date(Date.UTC(2026, 2, 1) + day * 86_400_000).toISOString();
  const envelope = message(scope as string, text, {
    observed_actor: { id: 'agent:a', session },
    subject: { id: subject },
    context: { observed_at: at, ...context },
  });
  const { status, json } = await service.post('/v1/experience?wait=consolidated', envelope);
  expect(status).toBe(202);
  return json.event_id as string;
}

async function listed(query = ''): Promise<any[]> {
  const { status, json } = await service.get(`/v1/episodes?scope=${SCOPE}${query}`);
  expect(status).toBe(200);
  expect(json.episodes).toEqual(json.items);
  return json.items;
}

async function asked(query: string): Promise<any> {
  const { json } = await service.post('/graphql', { query });
  expect(json.errors).toBeUndefined();
  return json.data;
}

describe('episodes', () => {
  let ids: string[];
  let between: string;

  it('gather what belongs together, with what each event is in them', async () => {
    ids = [
      await said('We had a problem with the oxygen tank.', 0),
      await said('The pressure is falling.', 1, { intent: 'complication' }),
      await said('We will use the lunar module.', 2, { intent: 'decision', subject: 'user:y' }),
    ];
    between = new Date().toISOString();
    const [episode, ...others] = await listed('&with_causal_chain=true');
    expect(others).toEqual([]);
    expect(episode).toMatchObject({
      scope: SCOPE,
      name: 'We had a problem with the oxygen tank.',
      summary: 'We had a problem with the oxygen tank.',
      events: ids,
      started_at: '2026-03-01T00:00:00.000Z',
      ended_at: null,
      valid_from: '2026-03-01T00:00:00.000Z',
      valid_to: null,
      centrality_score: 0.5,
      _partial: false,
    });
    expect(episode.causal_chain.map(({ role }: { role: string }) => role)).toEqual([
      'trigger',
      'complication',
      'decision',
    ]);
    expect(episode).not.toHaveProperty('follows');
    expect((await listed())[0]).not.toHaveProperty('causal_chain');
  });

  it('end where the next related event is more than a week later, and are gone on from', async () => {
    const later = await said('Splashdown.', 12);
    const [next, first] = await listed();
    expect(first).toMatchObject({
      ended_at: '2026-03-03T00:00:00.000Z',
      valid_to: '2026-03-03T00:00:00.000Z',
      summary: 'We had a problem with the oxygen tank. … We will use the lunar module.',
    });
    expect(next).toMatchObject({ name: 'Splashdown.', events: [later], ended_at: null, follows: first.id });
    const late = await said('Somebody remembers.', 3);
    const [newest] = await listed();
    expect(newest).toMatchObject({ events: [late], follows: first.id });
  });

  it('are told in the frame of the event that touched them', async () => {
    const [, next, first] = await listed();
    const frames = await service.get(`/v1/lifecycle?scope=${SCOPE}&events=consolidated&limit=100`);
    const data = frames.json.items.map(({ data: of }: { data: Record<string, unknown> }) => of);
    expect(data.find(({ event_id }: { event_id: string }) => event_id === ids[0])).toMatchObject({
      episodes_touched: [first.id],
    });
    expect(data.find(({ event_id }: { event_id: string }) => event_id === next.events[0])).toMatchObject({
      episodes_touched: [next.id, first.id],
    });
  });

  it('can be read as they were known, and as far as they had gone', async () => {
    const [known, ...others] = await listed(`&as_of_recorded=${between}`);
    expect(others).toEqual([]);
    expect(known).toMatchObject({
      events: ids,
      ended_at: null,
      summary: 'We had a problem with the oxygen tank.',
    });
    const { json } = await service.get(`/v1/episodes/${known.id}?as_of_valid=2026-03-02T12:00:00Z`);
    expect(json).toMatchObject({ events: ids.slice(0, 2), ended_at: null });
    expect(json.causal_chain).toHaveLength(2);
    const now = await service.get(`/v1/episodes/${known.id}`);
    expect(now.json.causal_chain.at(-1)).toMatchObject({ event: ids[2], role: 'decision' });
    expect(await listed('&as_of=2020-01-01T00:00:00Z')).toEqual([]);
    expect((await service.get(`/v1/episodes/${known.id}?as_of=2020-01-01T00:00:00Z`)).status).toBe(404);
  });

  it('are found by the time that they overlap, each side open or not', async () => {
    const names = async (stretch: string): Promise<string[]> =>
      (await listed(`&overlapping=${stretch}`)).map(({ name }: { name: string }) => name);
    expect(await names('2026-03-01..2026-03-03')).toEqual(['We had a problem with the oxygen tank.']);
    expect(await names('..2026-03-01T00:00:00Z')).toEqual([]);
    expect(await names('2026-03-04..')).toEqual(['Somebody remembers.', 'Splashdown.']);
    expect((await listed()).length).toBe(3);
  });

  it('go on as if a cancelled event had never been said', async () => {
    const before = await listed();
    const [, , first] = before;
    await cancelled(service, ids[0], SCOPE);
    const [, next, begun] = await listed();
    expect(begun).toMatchObject({ name: 'The pressure is falling.', events: ids.slice(1) });
    expect(begun.id).not.toBe(first.id);
    expect(next.follows).toBe(begun.id);
    expect((await service.get(`/v1/episodes/${first.id}`)).status).toBe(404);
    expect((await listed(`&as_of_recorded=${between}`))[0]).toMatchObject({
      id: begun.id,
      events: ids.slice(1),
    });
  });

  it('page by cursor, by offset and over the scopes below', async () => {
    for (const n of [1, 2, 3])
      await said(`Number ${n}`, n, { scope: `${SCOPE}/project:p${n}`, session: `n${n}` });
    const all = await listed('&view=descend');
    expect(all).toHaveLength(6);
    const pages: any[] = [];
    let cursor = '';
    for (let more = true; more;) {
      const { json } = await service.get(`/v1/episodes?scope=${SCOPE}&view=descend&limit=2${cursor}`);
      pages.push(...json.items);
      more = json.has_more;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(pages).toEqual(all);
    expect(await listed('&view=descend&offset=4')).toEqual(all.slice(4));
    expect(await listed('&view=raw')).toEqual([]);
    expect(await listed('&source=slack&episode_type=chat')).toHaveLength(3);
  });

  it('are the same over GraphQL, with the events and the episode before', async () => {
    const [, next, first] = await listed('&with_causal_chain=true');
    const { episodes } = await asked(`{ episodes(scope: "${SCOPE}", withCausalChain: true) {
      nodes { id scope name summary events startedAt endedAt validFrom validTo recordedFrom centralityScore _partial
        causalChain { event role summary } follows { id endedAt } }
      edges { cursor node { id } } pageInfo { hasNextPage endCursor } withheldScopes } }`);
    expect(episodes.nodes[1]).toMatchObject({
      id: next.id,
      centralityScore: 0,
      causalChain: next.causal_chain,
      follows: { id: first.id, endedAt: first.ended_at },
    });
    expect(episodes.nodes[2]).toMatchObject({
      summary: first.summary,
      events: first.events,
      _partial: false,
    });
    const after = await asked(
      `{ episodes(scope: "${SCOPE}", after: "${episodes.edges[1].cursor}") { nodes { id } } }`,
    );
    expect(after.episodes.nodes).toEqual([{ id: first.id }]);
    const { episode } = await asked(`{ episode(id: "${first.id}") { derivedFrom { id } follows { id } } }`);
    expect(episode).toEqual({ derivedFrom: first.events.map((id: string) => ({ id })), follows: null });
  });

  it.each([
    ['overlapping=2026-03-01', 'overlapping'],
    ['overlapping=..', 'overlapping'],
    ['overlapping=2026-03-02..2026-03-01', 'overlapping'],
    ['overlapping=yesterday..', 'overlapping'],
    ['with_causal_chain=perhaps', 'with_causal_chain'],
    ['offset=-1', 'offset'],
    ['offset=1&cursor=2', 'offset'],
    ['as_of=2026-01-01T00:00:00Z&as_of_valid=2026-01-01T00:00:00Z', 'as_of'],
    ['cursor=e%21', 'cursor'],
    ['colour=red', 'colour'],
  ])('refuse %s, naming the field', async (query, field) => {
    const { status, json }: Answer = await service.get(`/v1/episodes?scope=${SCOPE}&${query}`);
    expect([status, json.error_code]).toEqual([400, 'INVALID_QUERY']);
    expect(json.details.field_path).toBe(field);
  });

  it('answer 404 for what is unknown, and 422 for a wrong view', async () => {
    const unknown = await service.get(`/v1/episodes/ep_${'0'.repeat(32)}`);
    expect([unknown.status, unknown.json.error_code]).toEqual([404, 'NOT_FOUND']);
    expect((await service.get(`/v1/episodes?scope=${SCOPE}&view=all`)).status).toBe(422);
  });
});
