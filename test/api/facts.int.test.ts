import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectCode, expectPlainText, expectProblem } from './problem.ts';

const SCOPE = 'org:facts/user:ada';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

type Triple = readonly [string, string, string];

async function say(triple: Triple, more: Record<string, unknown> = {}, scope = SCOPE): Promise<any> {
  const { status, json, text } = await service.post(
    '/v1/experience?wait=consolidated',
    statement(scope, triple, more),
  );
  if (status !== 202) throw new Error(text);
  return json;
}

async function facts(query: string, scope = SCOPE): Promise<any> {
  const answer = await service.get(`/v1/facts?scope=${scope}&${query}`);
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json;
}

const objects = ({ items }: any): unknown[] => items.map(({ object }: any) => object.value ?? object.id);

describe('a value that changes', () => {
  let first: any;
  let second: any;
  beforeAll(async () => {
    first = await say(['ent_ada', 'lives in', 'ent_paris'], { valid_from: '2020-01-01' });
    second = await say(['ent_ada', 'lives in', 'ent_london'], { valid_from: '2023-01-01' });
  });

  it('is what is true now, with all that is known of it', async () => {
    const { items, has_more } = await facts('subject=ent_ada&predicate=lives_in');
    expect(has_more).toBe(false);
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^fact_[0-9a-f]{32}$/),
        scope: SCOPE,
        subject: { type: 'entity', id: 'ent_ada' },
        predicate: 'lives_in',
        object: { type: 'entity', id: 'ent_london' },
        supports: [second.event_id],
        valid_from: '2023-01-01T00:00:00.000Z',
        valid_to: null,
        recorded_from: second.recorded_at,
        recorded_to: null,
        confidence: 1,
        extractor: 'triple',
      },
    ]);
  });

  it.each([
    ['as_of_valid=2021-06-01T00:00:00Z', ['ent_paris']],
    ['as_of_valid=2022-12-31T23:59:59.999Z', ['ent_paris']],
    ['as_of_valid=2023-01-01T00:00:00Z', ['ent_london']],
    ['as_of_valid=2019-12-31T23:59:59.999Z', []],
    ['include_superseded=true', ['ent_london', 'ent_paris']],
    ['as_of=2021-06-01T00:00:00Z', []],
  ])('%s', async (query, values) => {
    for (const which of [
      'predicate=lives_in&',
      'subject=ent_ada&',
      'subject=ENT_ADA&predicate=LIVES-IN&',
      '',
    ])
      expect([which, objects(await facts(`${which}${query}`))]).toEqual([which, values]);
  });

  it('was another one as it was known before', async () => {
    const query = `subject=ent_ada&predicate=lives%20in&as_of_recorded=${first.recorded_at}`;
    const known = await facts(query);
    if (first.recorded_at !== second.recorded_at) expect(objects(known)).toEqual(['ent_paris']);
    expect(known.items[0]).toMatchObject({ valid_to: null, recorded_to: null });
    expect(known.items[0]).not.toHaveProperty('superseded_by');
  });

  it('keeps what it superseded, by id too, also as it was known then', async () => {
    const { items } = await facts('include_superseded=1');
    const [now, before] = items;
    expect(before).toMatchObject({
      valid_to: '2023-01-01T00:00:00.000Z',
      recorded_to: second.recorded_at,
      superseded_by: now.id,
    });
    expect((await service.get(`/v1/facts/${before.id}`)).json).toEqual(before);
    const then = (await service.get(`/v1/facts/${before.id}?as_of_recorded=${first.recorded_at}`)).json;
    expect(then).toMatchObject({ id: before.id, valid_to: null, recorded_to: null });
    const at = (valid: string) => service.get(`/v1/facts/${before.id}?as_of_valid=${valid}`);
    expect((await at('2022-01-01T00:00:00Z')).status).toBe(200);
    expectCode(await at('2024-01-01T00:00:00Z'), 'NOT_FOUND');
    expectCode(await service.get(`/v1/facts/${before.id}?as_of_recorded=2020-01-01T00:00:00Z`), 'NOT_FOUND');
  });

  it('has a timeline with effective ends, under both names', async () => {
    const { json } = await service.get('/v1/facts/timeline?subject=ent_ada&predicate=lives%20in');
    expect(json.subject).toEqual({ id: 'ent_ada', name: null });
    expect(json.predicate).toBe('lives_in');
    expect(json.items).toEqual(json.timeline);
    expect(json.timeline).toEqual([
      {
        fact_id: expect.any(String),
        scope: SCOPE,
        predicate: 'lives_in',
        value: 'ent_paris',
        object: { type: 'entity', id: 'ent_paris' },
        valid_from: '2020-01-01T00:00:00.000Z',
        valid_to: '2023-01-01T00:00:00.000Z',
        recorded_at: first.recorded_at,
      },
      expect.objectContaining({
        value: 'ent_london',
        valid_from: '2023-01-01T00:00:00.000Z',
        valid_to: null,
      }),
    ]);
    const clipped = await service.get('/v1/facts/timeline?subject=ent_ada&as_of_valid=2022-01-01T00:00:00Z');
    expect(clipped.json.timeline.map(({ value }: any) => value)).toEqual(['ent_paris']);
    const elsewhere = await service.get('/v1/facts/timeline?subject=ent_ada&scope=org:facts');
    expect(elsewhere.json).toMatchObject({ timeline: [], subject: { id: 'ent_ada', name: null } });
  });

  it('tells of each event what it brought', async () => {
    const { json } = await service.get(`/v1/events?scope=${SCOPE}&limit=2`);
    const { items } = await facts('include_superseded=true');
    const ids = async (noun: string): Promise<any[]> =>
      (await service.get(`/v1/${noun}?scope=${SCOPE}`)).json.items.map(({ id }: any) => id as string);
    const [london, paris] = await ids('beliefs');
    const [episode] = await ids('episodes');
    // What London is said to be speaks against Paris too.
    expect(json.items.map(({ derives }: any) => derives)).toEqual([
      [...[london, paris].sort(), episode, items[0].id],
      [paris, episode, items[1].id],
    ]);
    const { derives } = (await service.get(`/v1/events/${first.event_id}`)).json;
    expect(derives).toEqual(json.items[1].derives);
    const trace = await service.get(`/v1/lifecycle/memory-event/${first.event_id}`);
    expect(trace.json.derived).toEqual({
      facts: [items[1].id],
      beliefs: [paris],
      episodes: [episode],
      entities: ['ent_ada', 'ent_paris'],
    });
  });

  it('a statement that repeats it joins it, and its id leads to it', async () => {
    const again = await say(['ent_ada', 'lives in', 'ent_london'], { valid_from: '2024-01-01' });
    const { items } = await facts('subject=ent_ada');
    expect(items[0].supports).toEqual([second.event_id, again.event_id]);
    const { json } = await service.get(`/v1/events/${again.event_id}`);
    expect(json.derives).toContain(items[0].id);
  });
});

describe('GET /v1/facts', () => {
  const OTHER = 'org:facts/user:bob';
  beforeAll(async () => {
    const likes = ['ent_tea', 'ent_milk', 'ent_jam', 'ent_rain'].map((what) =>
      statement(OTHER, ['ent_bob', 'likes', what], { confidence: what === 'ent_tea' ? 0.4 : 0.9 }),
    );
    const named = statement(OTHER, ['ent_b2', 'height', '=1.80 m'], {
      subject: { type: 'entity', id: 'ent_b2', name: 'Bob Ross' },
    });
    const below = statement(`${OTHER}/agent:x`, ['ent_bob', 'likes', 'ent_tea']);
    await service.post('/v1/experience/bulk?wait=consolidated', { items: [...likes, named, below] });
  });

  it('pages newest first, without a repeat or a gap, by cursors of its own and by decimal ones', async () => {
    const all = objects(await facts('limit=1000', OTHER));
    expect(all).toEqual(['1.80 m', 'ent_rain', 'ent_jam', 'ent_milk', 'ent_tea']);
    const found: unknown[] = [];
    let cursor = '';
    for (;;) {
      const page = await facts(`limit=2${cursor}`, OTHER);
      found.push(...objects(page));
      if (page.has_more !== true) break;
      cursor = `&cursor=${page.next_cursor as string}`;
    }
    expect(found).toEqual(all);
    expect(objects(await facts('limit=2&cursor=3', OTHER))).toEqual(all.slice(3));
    expect((await facts('limit=0', OTHER)).items).toHaveLength(1);
  });

  it.each([
    ['subject=bob%20ross', ['1.80 m']],
    ['subject=BOB%20ROSS&predicate=Height', ['1.80 m']],
    ['object=ent_jam', ['ent_jam']],
    ['object=1.80%20M', ['1.80 m']],
    ['min_confidence=0.95', ['1.80 m']],
    ['subject=ent_bob&predicate=enjoys&min_confidence=0.5', ['ent_rain', 'ent_jam', 'ent_milk']],
    ['predicate=likes&object=ENT_TEA', ['ent_tea']],
    ['subject=nobody', []],
    ['view=raw', []],
    ['view=structured&subject=ent_b2', ['1.80 m']],
    ['view=descend&object=ent_tea', ['ent_tea', 'ent_tea']],
    ['view=descend&subject=ent_bob&object=ent_tea', ['ent_tea', 'ent_tea']],
    ['view=descend&subject=bob%20ross', ['1.80 m']],
  ])('filters by %s', async (query, values) => {
    expect(objects(await facts(query, OTHER))).toEqual(values);
  });

  it('looks up and down the tree by its view', async () => {
    const below = `${OTHER}/agent:x`;
    expect(objects(await facts('view=lineage', below))).toHaveLength(5);
    expect(objects(await facts('view=holistic', below))).toHaveLength(6);
    expect(objects(await facts('view=descend', 'org:facts'))).toHaveLength(
      6 + objects(await facts('')).length,
    );
  });

  it.each([
    ['/v1/facts?scope=user:a&as_of=yesterday', 'as_of', 400],
    ['/v1/facts?scope=user:a&as_of=2020-01-01T00:00:00Z&as_of_valid=2020-01-01T00:00:00Z', 'as_of', 400],
    ['/v1/facts?scope=user:a&min_confidence=much', 'min_confidence', 400],
    ['/v1/facts?scope=user:a&min_confidence=2', 'min_confidence', 400],
    ['/v1/facts?scope=user:a&include_superseded=maybe', 'include_superseded', 400],
    ['/v1/facts?scope=user:a&view=sideways', 'view', 422],
    ['/v1/facts?scope=user:a&limit=ten', 'limit', 400],
    ['/v1/facts?scope=user:a&cursor=nonsense', 'cursor', 400],
    ['/v1/facts?scope=user:a&cursor=20001', 'cursor', 400],
    ['/v1/facts?scope=user:a&about=x', 'about', 400],
    ['/v1/facts?scope=user:a&subject=', 'subject', 400],
    ['/v1/facts?scope=nonsense', 'scope', 400],
    ['/v1/facts/fact_1?scope=user:a', 'scope', 400],
    ['/v1/facts/timeline?subject=x&as_of_recorded=2020', 'as_of_recorded', 400],
  ])('refuses %s', async (path, field, status) => {
    expectProblem(await service.get(path), { status, code: 'INVALID_QUERY', field });
  });

  it('asks for what is needed in plain text, and knows nothing of what is unknown', async () => {
    expectPlainText(await service.get('/v1/facts'), 400, /scope/);
    expectPlainText(await service.get('/v1/facts/timeline'), 400, /subject/);
    expectCode(await service.get('/v1/facts/fact_00000000000000000000000000000000'), 'NOT_FOUND');
    expectCode(await service.get('/v1/facts/evt_1'), 'NOT_FOUND');
  });
});

describe('what is taken out', () => {
  const GONE = 'org:facts/user:gone';
  it('is gone from every reading, and the value before it is back', async () => {
    await say(['ent_c', 'lives in', 'ent_rome'], { valid_from: '2020-01-01' }, GONE);
    const wrong = await say(['ent_c', 'lives in', 'ent_oslo'], { valid_from: '2022-01-01' }, GONE);
    const [fact] = (await facts('', GONE)).items;
    expect(fact.object.id).toBe('ent_oslo');
    expect((await service.post(`/v1/lifecycle/memory-event/${wrong.event_id}/cancel`)).status).toBe(200);
    await say(['ent_c', 'likes', 'ent_tea'], {}, GONE);
    expect(objects(await facts('predicate=lives_in&include_superseded=true', GONE))).toEqual(['ent_rome']);
    expectCode(await service.get(`/v1/facts/${fact.id}`), 'NOT_FOUND');
    const entities = (await service.get(`/v1/entities?scope=${GONE}`)).json.items;
    expect(entities.map(({ id }: any) => id).sort()).toEqual(['ent_c', 'ent_rome', 'ent_tea']);
  });
});

describe('by GraphQL', () => {
  const FIELDS = `id scope subject { type id name } predicate object { type ... on EntityTerm { id name } ... on LiteralTerm { datatype value } }
    supports supportsCapped validFrom validTo recordedFrom recordedTo confidence extractor premises`;

  it('facts are the same, with the same cursors', async () => {
    const rest = await facts('include_superseded=true&limit=2');
    const { data, errors } = await ask(
      service,
      `{ facts(scope: "${SCOPE}", includeSuperseded: true, first: 2) { nodes { ${FIELDS} supersededBy { id } }
        edges { cursor node { id } } pageInfo { hasNextPage endCursor } withheldScopes } }`,
    );
    expect(errors).toBeUndefined();
    const shown = data.facts.nodes.map(({ recordedFrom, supersededBy, ...node }: any) => [
      node.id,
      node.validTo,
      recordedFrom,
      supersededBy?.id,
    ]);
    expect(shown).toEqual(
      rest.items.map((fact: any) => [fact.id, fact.valid_to, fact.recorded_from, fact.superseded_by]),
    );
    const { cursor } = data.facts.edges[0];
    expect(objects(await facts(`include_superseded=true&cursor=${cursor as string}`))).toEqual(
      objects(await facts('include_superseded=true')).slice(1),
    );
  });

  it('facts lead both ways: to their events, to what they superseded, and back', async () => {
    const { data, errors } = await ask(
      service,
      `{ facts(scope: "${SCOPE}", subject: "ent_ada") { nodes { id derivedFrom { id derives { __typename id ... on Fact { predicate } } }
        supersedes { id validTo derivedFrom { id } supersededBy { id } } } } }`,
    );
    expect(errors).toBeUndefined();
    const [node] = data.facts.nodes;
    expect(node.derivedFrom).toHaveLength(2);
    for (const event of node.derivedFrom)
      expect(event.derives).toContainEqual({ __typename: 'Fact', id: node.id, predicate: 'lives_in' });
    expect(node.supersedes).toMatchObject([
      { validTo: '2023-01-01T00:00:00.000Z', supersededBy: { id: node.id } },
    ]);
  });

  it('what hangs on a fact is read when the fact is read', async () => {
    const { items } = await facts('include_superseded=true');
    const old = items.at(-1);
    const text = `query ($at: DateTime, $none: DateTime) { fact(id: "${old.id as string}", asOf: { recorded: $at }) { validTo supersededBy { id } supersedes { id }
      derivedFrom { id derives { id } } now: supersededBy(asOf: { recorded: $none }) { id } } }`;
    const then = await ask(service, text, { at: old.recorded_from });
    expect(then.errors).toBeUndefined();
    if (old.recorded_from !== old.recorded_to)
      expect(then.data.fact).toMatchObject({ validTo: null, supersededBy: null });
    const now = await ask(service, text, { none: '2020-01-01T00:00:00Z' });
    expect(now.data.fact).toMatchObject({ supersededBy: { id: items[0].id }, now: null });
  });

  it('a fact by id, an unknown one, and wrong instants are told as over REST', async () => {
    const { items } = await facts('subject=ent_ada');
    const known = await ask(service, `{ fact(id: "${items[0].id as string}") { id validFrom } }`);
    expect(known.data.fact).toEqual({ id: items[0].id, validFrom: items[0].valid_from });
    const unknown = await ask(service, '{ fact(id: "fact_0") { id } }');
    expect(unknown.errors?.[0].extensions.code).toBe('NOT_FOUND');
    const wrong = await ask(service, `{ facts(scope: "${SCOPE}", asOf: { at: "soon" }) { nodes { id } } }`);
    expect(wrong.errors?.[0].extensions).toMatchObject({
      code: 'INVALID_QUERY',
      details: { field_path: 'asOf.at' },
    });
  });

  it('a timeline is the same', async () => {
    const rest = await service.get('/v1/facts/timeline?subject=ent_ada&predicate=lives_in&limit=1');
    const text = `query ($after: String) { factTimeline(subject: "ent_ada", predicate: "lives in", first: 1, after: $after) {
      subject { id } predicate nodes { factId value validFrom validTo fact { id } } pageInfo { hasNextPage endCursor } } }`;
    const { data, errors } = await ask(service, text);
    expect(errors).toBeUndefined();
    const [row] = rest.json.timeline;
    expect(data.factTimeline).toEqual({
      subject: { id: 'ent_ada' },
      predicate: 'lives_in',
      nodes: [
        {
          factId: row.fact_id,
          value: row.value,
          validFrom: row.valid_from,
          validTo: row.valid_to,
          fact: { id: row.fact_id },
        },
      ],
      pageInfo: { hasNextPage: true, endCursor: rest.json.next_cursor },
    });
    const next = await ask(service, text, { after: rest.json.next_cursor });
    expect(next.data.factTimeline.nodes.map(({ value }: any) => value)).toEqual(['ent_london']);
  });
});

describe('a conclusion', () => {
  it('cannot rest on anything of another tenant', async () => {
    const headers = { 'x-strata-tenant': service.anotherTenant() };
    const triple: Triple = ['ent_theirs', 'is', 'ent_theirs_too'];
    const path = '/v1/experience?wait=consolidated';
    const { event_id: event } = (await service.post(path, statement(SCOPE, triple), { headers })).json;
    const first = async (layer: string): Promise<string> =>
      (await service.get(`/v1/${layer}?scope=${SCOPE}`, { headers })).json.items[0].id;
    for (const premise of [event, await first('facts'), await first('beliefs')]) {
      const answer = await service.post(path, statement(SCOPE, triple, { derived_from: [premise] }));
      expectProblem(answer, { status: 422, code: 'INVALID_BODY', field: 'content.triple.derived_from[0]' });
    }
  });
});
