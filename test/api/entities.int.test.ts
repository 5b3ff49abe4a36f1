import { cancelled } from '../support/cancel.ts';
import { send } from '../support/client.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectCode, expectProblem } from './problem.ts';

const [OPEN, CLOSED] = ['org:ent/user:open', 'ws:entities'];

let service: SharedService;
let stranger: Record<string, string | null>;

const ADA = { type: 'entity', id: 'ent_ada', name: 'Ada' };

function envelope(scope: string, triple: Record<string, unknown>): Record<string, unknown> {
  return { scope, modality: 'observation', content: { kind: 'triple', triple } };
}

beforeAll(async () => {
  service = sharedService();
  await service.post('/v1/scopes', { path: CLOSED, members: [{ actor: 'user:owner', role: 'owner' }] });
  const paris = { type: 'entity', id: 'ent_paris', name: 'Paris' };
  const age = { type: 'literal', datatype: 'number', value: 36 };
  const items = [
    envelope(OPEN, { subject: ADA, predicate: 'lives_in', object: paris, valid_from: '2020-01-01' }),
    envelope(OPEN, { subject: ADA, predicate: 'age', object: age }),
    envelope(OPEN, { subject: { ...ADA, id: 'ent_bob', name: 'Bob' }, predicate: 'knows', object: ADA }),
    envelope(CLOSED, {
      subject: { ...ADA, name: 'Countess' },
      predicate: 'owns',
      object: { type: 'entity', id: 'ent_secret', name: 'Secret' },
    }),
    envelope(CLOSED, {
      subject: { ...ADA, id: 'ent_hidden', name: 'Hidden' },
      predicate: 'knows',
      object: ADA,
    }),
  ];
  const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect(status).toBe(202);
  stranger = bearer((await mintFrom(service, { subject: 'user:stranger' })).token, 'user:stranger');
});

const asStranger = (path: string) => send(service.url, 'GET', path, { headers: stranger });
const idsOf = ({ json }: { json: any }): string[] => json.items.map(({ id }: any) => id as string);

describe('entities', () => {
  it('of a scope are listed, newest first, by name and in pages', async () => {
    const all = await service.get(`/v1/entities?scope=${OPEN}`);
    expect(idsOf(all).sort()).toEqual(['ent_ada', 'ent_bob', 'ent_paris']);
    expect(idsOf(all)[0]).toBe('ent_bob');
    expect(idsOf(await service.get(`/v1/entities?scope=${OPEN}&q=PAR`))).toEqual(['ent_paris']);
    expect(idsOf(await service.get(`/v1/entities?scope=${OPEN}&type=person`))).toEqual([]);
    const first = await service.get(`/v1/entities?scope=${OPEN}&limit=2`);
    const rest = await service.get(`/v1/entities?scope=${OPEN}&limit=2&cursor=${first.json.next_cursor}`);
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(idsOf(all));
    expect(rest.json.has_more).toBe(false);
  });

  it('are put together from all scopes that may be read, and from no other', async () => {
    const whole = (await service.get('/v1/entities/ent_ada')).json;
    expect(whole).toEqual({
      id: 'ent_ada',
      name: 'Countess',
      aliases: ['Ada'],
      type: 'other',
      scopes: [OPEN, CLOSED],
      links: [],
    });
    const seen = await asStranger('/v1/entities/ent_ada');
    expect(seen.json).toEqual({
      id: 'ent_ada',
      name: 'Ada',
      aliases: [],
      type: 'other',
      scopes: [OPEN],
      links: [],
    });
    const narrow = await service.get(`/v1/entities/ent_ada?scope=${CLOSED}`);
    expect(narrow.json.scopes).toEqual([CLOSED]);
    expectCode(await asStranger('/v1/entities/ent_hidden'), 'NOT_FOUND');
    expectCode(await asStranger(`/v1/entities/ent_ada?scope=${CLOSED}`), 'NOT_FOUND');
  });

  it('go by the names of scopes that may be read only', async () => {
    const values = async (query: string) =>
      (await asStranger(`/v1/facts/timeline?${query}`)).json.timeline.map(({ value }: any) => value);
    expect(await values('subject=ada')).toEqual(['Paris', 36]);
    expect(await values('subject=countess')).toEqual([]);
    const operator = await service.get('/v1/facts/timeline?subject=countess');
    expect(operator.json.timeline).toHaveLength(3);
  });

  it('were not known before something named them', async () => {
    expectCode(await service.get('/v1/entities/ent_ada?as_of=2020-01-01T00:00:00Z'), 'NOT_FOUND');
    const before = await service.get(`/v1/entities?scope=${OPEN}&as_of_recorded=2020-01-01T00:00:00Z`);
    expect(before.json.items).toEqual([]);
  });

  it('have relations in both directions, as far as they may be read, and at an instant', async () => {
    const edges = ({ json }: { json: any }): unknown[] =>
      json.items.map(({ direction, predicate, entity }: any) => [direction, predicate, entity.name]);
    expect(edges(await asStranger('/v1/entities/ent_ada/edges'))).toEqual([
      ['in', 'knows', 'Bob'],
      ['out', 'lives_in', 'Paris'],
    ]);
    expect(edges(await service.get('/v1/entities/ent_ada/edges'))).toHaveLength(4);
    const then = await service.get('/v1/entities/ent_ada/edges?as_of_valid=2021-01-01T00:00:00Z');
    expect(edges(then)).toEqual([['out', 'lives_in', 'Paris']]);
    const page = await service.get('/v1/entities/ent_ada/edges?limit=1');
    expect(page.json).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    expectCode(await service.get('/v1/entities/ent_nobody/edges'), 'NOT_FOUND');
  });

  it.each([
    [`/v1/entities?scope=${OPEN}&type=animal`, 'type'],
    [`/v1/entities?scope=${OPEN}&view=descend`, 'view'],
    ['/v1/entities/ent_ada?as_of_valid=2020-01-01T00:00:00Z', 'as_of_valid'],
    ['/v1/entities/ent_ada/edges?scope=nowhere', 'scope'],
  ])('refuse %s', async (path, field) => {
    expectProblem(await service.get(path), { status: 400, code: 'INVALID_QUERY', field });
  });

  it('are the same by GraphQL', async () => {
    const { data, errors } = await ask(
      service,
      `{ entities(scope: "${OPEN}", first: 2) { nodes { id name } edges { cursor node { id } } pageInfo { hasNextPage endCursor } }
         entity(id: "ent_ada") { id name aliases type scopes links { linkId } }
         entityEdges(id: "ent_ada", first: 2) { nodes { factId direction predicate entity { id name } fact { id predicate } } edges { cursor } pageInfo { endCursor } } }`,
    );
    expect(errors).toBeUndefined();
    const [list, one, edges] = await Promise.all([
      service.get(`/v1/entities?scope=${OPEN}&limit=2`),
      service.get('/v1/entities/ent_ada'),
      service.get('/v1/entities/ent_ada/edges?limit=2'),
    ]);
    expect(data.entities.nodes.map(({ id }: any) => id)).toEqual(idsOf(list));
    expect(data.entities.pageInfo).toEqual({ hasNextPage: true, endCursor: list.json.next_cursor });
    expect(data.entity).toEqual(one.json);
    expect(data.entityEdges.nodes.map(({ factId }: any) => factId)).toEqual(
      edges.json.items.map(({ fact_id }: any) => fact_id),
    );
    for (const { factId, predicate, fact } of data.entityEdges.nodes)
      expect(fact).toEqual({ id: factId, predicate });
    expect(data.entityEdges.pageInfo.endCursor).toBe(edges.json.next_cursor);
  });
});

describe('facts of a subtree of which some may not be read', () => {
  it('leave those out, name them as withheld, and never go by their names', async () => {
    const root = 'org:mixed';
    const inner = `${root}/team:inner`;
    const members = [{ actor: 'user:owner', role: 'owner' }];
    expect((await service.post('/v1/scopes', { path: inner, members })).status).toBe(201);
    const items = [root, inner].map((scope, i) =>
      envelope(scope, {
        subject: { ...ADA, id: 'ent_m', name: `Name ${i}` },
        predicate: 'likes',
        object: ADA,
      }),
    );
    await service.post('/v1/experience/bulk?wait=consolidated', { items });
    const page = await asStranger(`/v1/facts?scope=${root}&view=descend`);
    expect(page.json.items.map(({ scope }: any) => scope)).toEqual([root]);
    expect(page.json.withheld_scopes).toBe(1);
    const named = await asStranger(`/v1/facts?scope=${root}&view=descend&subject=name%201`);
    expect(named.json.items).toEqual([]);
    const whole = await service.get(`/v1/facts?scope=${root}&view=descend&subject=name%201`);
    expect(whole.json.items).toHaveLength(2);
  });
});

describe('names of an entity', () => {
  const scope = 'org:ent/user:named';
  const items: Record<string, unknown>[] = [
    envelope(scope, { subject: { type: 'entity', id: 'ent_rob' }, predicate: 'likes', object: ADA }),
    envelope(scope, {
      subject: { type: 'entity', id: 'ent_rob', name: 'Robert' },
      predicate: 'lives_in',
      object: { type: 'entity', id: 'ent_paris' },
    }),
    envelope(scope, {
      subject: { type: 'entity', id: 'ent_rob', name: 'Bob Smith' },
      predicate: 'speaks',
      object: { type: 'literal', datatype: 'string', value: 'Frisian' },
    }),
    envelope(scope, { subject: ADA, predicate: 'knows', object: { type: 'entity', id: 'ent_rob' } }),
  ];
  const events: string[] = [];
  const instants: string[] = [];

  beforeAll(async () => {
    for (const item of items) {
      const { json } = await service.post('/v1/experience?wait=consolidated', item);
      events.push(json.event_id);
      const read = await service.get(`/v1/events/${json.event_id}`);
      instants.push(read.json.context.recorded_at);
    }
  });

  const subjects = async (query: string): Promise<string[]> =>
    (await service.get(`/v1/facts?scope=${scope}&${query}`)).json.items.map(
      ({ subject }: any) => subject.name,
    );
  const at = (i: number): string => `as_of_recorded=${encodeURIComponent(instants[i] ?? '')}`;

  it.each(['Robert', 'robert', 'Bob Smith', 'BOB  SMITH', 'ent_rob'])('find it by %s', async (name) => {
    const text = encodeURIComponent(name);
    expect(await subjects(`subject=${text}`)).toEqual(['Bob Smith', 'Bob Smith', 'Bob Smith']);
    expect(await subjects(`object=${text}`)).toEqual(['Ada']);
    const beliefs = await service.get(`/v1/beliefs?scope=${scope}&about=${text}`);
    expect(beliefs.json.items).toHaveLength(4);
    for (const { claim } of beliefs.json.items)
      expect([claim.subject, claim.object]).toContainEqual({
        type: 'entity',
        id: 'ent_rob',
        name: 'Bob Smith',
      });
    const concepts = await service.get(`/v1/understanding?scope=${scope}&topic=${text}`);
    expect(concepts.json.items.map((one: any) => one.name)).toContain('Bob Smith');
    const timeline = await service.get(`/v1/facts/timeline?scope=${scope}&subject=${text}`);
    expect(timeline.json.subject).toEqual({ id: 'ent_rob', name: 'Bob Smith' });
    expect(timeline.json.items).toHaveLength(3);
  });

  it('are its aliases, the newest its name', async () => {
    const { json } = await service.get(`/v1/entities/ent_rob?scope=${scope}`);
    expect(json).toMatchObject({ name: 'Bob Smith', aliases: ['Robert'] });
    for (const q of ['smith', 'ROB', 'robert'])
      expect(idsOf(await service.get(`/v1/entities?scope=${scope}&q=${q}`))).toEqual(['ent_rob']);
    const { data } = await ask(
      service,
      `{ entities(scope: "${scope}", q: "robert") { nodes { name aliases } }
         facts(scope: "${scope}", subject: "Robert") { nodes { subject { id name } } } }`,
    );
    expect(data.entities.nodes).toEqual([{ name: 'Bob Smith', aliases: ['Robert'] }]);
    expect(data.facts.nodes).toHaveLength(3);
  });

  it('are in lines of a recall whatever the statement calls it, and find it there', async () => {
    const { json } = await service.post('/v1/recall', {
      scope,
      query: 'What does Robert speak?',
      include: ['facts'],
    });
    expect(json.context_block).toContain('Bob Smith speaks Frisian');
    expect(json.context_block).not.toContain('ent_rob');
  });

  it('are known from when they were given on', async () => {
    expect(await subjects(at(0))).toEqual([undefined]);
    expect(await subjects(`subject=Robert&${at(0)}`)).toEqual([]);
    expect(await subjects(`subject=Robert&${at(1)}`)).toEqual(['Robert', 'Robert']);
    expect(await subjects(`subject=Bob%20Smith&${at(1)}`)).toEqual([]);
    const then = await service.get(`/v1/entities?scope=${scope}&q=smith&${at(1)}`);
    expect(then.json.items).toEqual([]);
    const entity = await service.get(`/v1/entities/ent_rob?scope=${scope}&${at(1)}`);
    expect(entity.json).toMatchObject({ name: 'Robert', aliases: [] });
    const none = await service.get(`/v1/entities/ent_rob?scope=${scope}&${at(0)}`);
    expect(none.json).toMatchObject({ name: null, aliases: [] });
  });

  it('stay where something is stated of it without a name behind them', async () => {
    const own = 'org:ent/user:nameless';
    const named = { type: 'entity', id: 'ent_rob', name: 'Robert' };
    const nameless = { type: 'entity', id: 'ent_rob' };
    for (const triple of [
      { subject: named, predicate: 'likes', object: ADA },
      { subject: nameless, predicate: 'lives_in', object: { type: 'entity', id: 'ent_paris' } },
      { subject: ADA, predicate: 'knows', object: nameless },
    ])
      expect((await service.post('/v1/experience?wait=consolidated', envelope(own, triple))).status).toBe(
        202,
      );
    const { json } = await service.get(`/v1/facts?scope=${own}&subject=Robert`);
    expect(json.items.map(({ predicate, subject }: any) => [predicate, subject.name])).toEqual([
      ['lives_in', 'Robert'],
      ['likes', 'Robert'],
    ]);
    const known = (await service.get(`/v1/facts?scope=${own}&object=Robert`)).json.items;
    expect(known.map(({ object }: any) => object.name)).toEqual(['Robert']);
    const entity = await service.get(`/v1/entities/ent_rob?scope=${own}`);
    expect(entity.json).toMatchObject({ name: 'Robert', aliases: [] });
  });

  it('go with the event that gave them', async () => {
    await cancelled(service, events[2], scope);
    expect(await subjects('subject=Bob%20Smith')).toEqual([]);
    expect(await subjects('subject=ent_rob')).toEqual(['Robert', 'Robert']);
    expect(idsOf(await service.get(`/v1/entities?scope=${scope}&q=smith`))).toEqual([]);
  });
});
