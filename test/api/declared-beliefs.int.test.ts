import { beliefItem } from '../../schemas/belief.ts';
import { eventItem } from '../../schemas/event.ts';
import { cancelled } from '../support/cancel.ts';
import { current, declare, factsIn, say } from '../support/declared.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

describe('a declared belief', () => {
  it('may say what is no name, and what it is answered in says so', async () => {
    const scope = 'org:declared/user:said';
    const said = `Line one\n\u0013 ${'and so on '.repeat(40)}`;
    const { id } = await declare(service, scope, { statement: said });
    const [event] = (await service.get(`/v1/events?scope=${scope}`)).json.items;
    expect(eventItem.parse(event).content).toMatchObject({ declared_belief: { statement: said } });
    expect(beliefItem.parse(await current(service, id)).claim.object).toMatchObject({ value: said });
  });

  it('is derived when it is answered, with the statement as its object and as its subject', async () => {
    const scope = 'org:declared';
    const belief = await declare(service, scope, { statement: 'The team prefers to write.' });
    expect(belief).toMatchObject({
      id: expect.stringMatching(/^belief_[0-9a-f]{28}$/),
      scope,
      predicate: 'asserts',
      claim: {
        subject: { type: 'entity', name: 'The team prefers to write.' },
        predicate: 'asserts',
        object: { type: 'literal', datatype: 'string', value: 'The team prefers to write.' },
      },
      stance: 'supported',
      confidence: 0.736842,
      valid_to: null,
      support_count: 1,
      revision_count: 1,
    });
    const [support] = belief.supports;
    expect(support).toMatchObject({ type: 'event', kind: 'event', weight: 0.9, polarity: 'supports' });
    expect(await current(service, belief.id)).toEqual(belief);
    const event = (await service.get(`/v1/events/${support.id}`)).json;
    expect(event).toMatchObject({
      modality: 'feedback',
      content: {
        kind: 'declared_belief',
        declared_belief: { statement: 'The team prefers to write.', confidence: 0.9 },
      },
    });
    expect((await service.get(`/v1/beliefs?scope=${scope}`)).json.items).toEqual([belief]);
    const why = (await service.get(`/v1/beliefs/why?belief_id=${belief.id}`)).json;
    expect(why.support_graph.edges).toEqual([{ from: belief.id, to: support.id, relation: 'supported_by' }]);
    expect(why.narrative).toContain('For it: “The team prefers to write.”');
  });

  it('of nothing but itself is a fact, and makes no entity known', async () => {
    const scope = 'org:declared-alone';
    const belief = await declare(service, scope, {
      statement: 'The team prefers to write.',
      confidence: 0.7,
    });
    const [fact, ...others] = await factsIn(service, scope);
    expect(others).toEqual([]);
    expect(fact).toMatchObject({
      extractor: 'declared',
      confidence: 0.7,
      predicate: 'asserts',
      object: belief.claim.object,
      supports: [belief.supports[0].id],
    });
    expect(fact).not.toHaveProperty('cardinality_assumed');
    expect((await service.get(`/v1/facts/${fact.id}`)).json).toEqual(fact);
    const listed = async (path: string): Promise<unknown> =>
      (await service.get(`/v1/${path}?scope=${scope}`)).json.items;
    expect([await listed('entities'), await listed('understanding')]).toEqual([[], []]);
    const frames = await service.get(`/v1/lifecycle?events=consolidated&event_id=${fact.supports[0]}`);
    expect(frames.json.items[0].data.derived).toEqual({
      entities: [],
      facts: [fact.id],
      beliefs: [belief.id],
    });
  });

  it('makes known what it is about, by its name', async () => {
    const scope = 'org:declared-known';
    const { id } = await declare(service, scope, {
      subject: 'Zoë Young',
      predicate: 'lives in',
      statement: 'Oslo',
    });
    const [entity, ...others] = (await service.get(`/v1/entities?scope=${scope}`)).json.items;
    expect([entity.name, others]).toEqual(['Zoë Young', []]);
    const found = (await service.get(`/v1/facts?scope=${scope}&subject=${encodeURIComponent('zoë young')}`))
      .json.items;
    expect(found.map(({ object }: any) => object.value)).toEqual(['Oslo']);
    const [concept] = (await service.get(`/v1/understanding?scope=${scope}`)).json.items;
    expect(concept).toMatchObject({ name: 'Zoë Young', coverage_score: 1 });
    const [fact] = found;
    await cancelled(service, fact.supports[0], scope);
    for (const path of [`facts/${fact.id}`, `beliefs/${id}`, `entities/${entity.id}`])
      expect([path, (await service.get(`/v1/${path}`)).status]).toEqual([path, 404]);
  });

  it('is found by the name of its subject, of which nothing else is known', async () => {
    const scope = 'org:declared-named';
    const { id } = await declare(service, scope, {
      subject: 'Zoë Young',
      predicate: 'lives in',
      statement: 'In Oslo.',
    });
    await declare(service, scope, { subject: 'Zed', predicate: 'lives in', statement: 'In Bergen.' });
    for (const about of ['Zoë Young', ' zoë  YOUNG']) {
      const path = `scope=${scope}&about=${encodeURIComponent(about)}`;
      const found = (await service.get(`/v1/beliefs?${path}`)).json.items;
      expect(found.map((belief: any) => belief.id)).toEqual([id]);
    }
    const rows = await ask(
      service,
      `{ beliefs(scope: "${scope}", about: "Zed") { nodes { claim { subject { name } } } } }`,
    );
    expect(rows.data.beliefs.nodes.map(({ claim }: any) => claim.subject.name)).toEqual(['Zed']);
  });

  it('is recalled by every name of what it is about', async () => {
    const scope = 'org:declared-recalled';
    const about = { predicate: 'lives in', valid_from: '2026-01-01' };
    const oslo = await declare(service, scope, {
      ...about,
      subject: 'Zed',
      statement: 'A house by the sea.',
    });
    const bergen = await declare(service, scope, {
      ...about,
      subject: 'ent_zoe',
      statement: 'A flat uptown.',
    });
    for (const name of ['Zoe Young', 'Zoe Olsen']) {
      const subject = { type: 'entity', id: 'ent_zoe', name };
      const sent = statement(scope, ['ent_zoe', 'knows', 'ent_una'], { subject });
      expect((await service.post('/v1/experience?wait=consolidated', sent)).status).toBe(202);
    }
    const recalled = async (query: string): Promise<string[]> => {
      const { json } = await service.post('/v1/recall', { scope, query, include: ['beliefs'] });
      return json.layers.beliefs
        .filter(({ predicate }: any) => predicate === 'lives_in')
        .map(({ id }: any) => id);
    };
    expect((await recalled('Where does Zed live?'))[0]).toBe(oslo.id);
    expect(await recalled('Zoe Young')).toContain(bergen.id);
    expect(await recalled('Zoe Olsen')).toContain(bergen.id);
    const { data } = await ask(
      service,
      `{ recall(input: {scope: "${scope}", query: "Where does Zed live?", include: [beliefs]}) { layers { beliefs { id } } } }`,
    );
    expect(data.recall.layers.beliefs.map(({ id }: any) => id)).toContain(oslo.id);
  });

  it('is recalled by what it is about for a time in which it held and nothing was said', async () => {
    const scope = 'org:declared-before';
    const { id } = await declare(service, scope, {
      subject: 'Zora',
      predicate: 'lives in',
      statement: 'A mill by the river.',
      valid_from: '2020-01-01',
    });
    const recalled = async (natural: string): Promise<[number, string[]]> => {
      const asked = { scope, query: 'Zora', include: ['events', 'beliefs'], temporal: { natural } };
      const { layers } = (await service.post('/v1/recall', asked)).json;
      return [layers.events.length, layers.beliefs.map((belief: any) => belief.id)];
    };
    expect(await recalled('in 2022')).toEqual([0, [id]]);
    expect(await recalled('in 2019')).toEqual([0, []]);
  });

  it('closes the one before it about the same subject and predicate', async () => {
    const scope = 'org:declared-newer';
    const about = { subject: 'Ada', predicate: 'Prefers' };
    const tea = await declare(service, scope, { ...about, statement: 'Tea.', valid_from: '2020-01-01' });
    const other = await declare(service, scope, { subject: 'Ada', predicate: 'drinks', statement: 'Tea.' });
    const coffee = await declare(service, scope, {
      ...about,
      statement: 'Coffee.',
      valid_from: '2023-06-01',
    });
    expect(coffee).toMatchObject({ stance: 'supported', valid_from: '2023-06-01T00:00:00.000Z' });
    expect(await current(service, tea.id)).toMatchObject({
      stance: 'contradicted',
      valid_to: '2023-06-01T00:00:00.000Z',
    });
    expect(await current(service, tea.id, '?as_of_valid=2022-01-01T00:00:00Z')).toMatchObject({
      stance: 'supported',
    });
    expect(await current(service, other.id)).toMatchObject({ stance: 'supported', valid_to: null });
  });

  it('weighs more when it is declared again', async () => {
    const scope = 'org:declared-again';
    const first = await declare(service, scope, { confidence: 0.6 });
    const second = await declare(service, scope, { confidence: 0.6 });
    expect(second.id).toBe(first.id);
    expect(second.confidence).toBeGreaterThan(first.confidence);
    expect(second.support_count).toBe(2);
  });

  it('loses the weight of a reason with it, and its own word with its event', async () => {
    const scope = 'org:declared-reasons';
    const event = await say(service, scope, 'ent_london', { valid_from: '2020-01-01' });
    const [fact] = await factsIn(service, scope);
    const belief = await declare(service, scope, { supports: [fact.id, event], valid_from: '2021-01-01' });
    const weights = async (query = ''): Promise<any> =>
      Object.fromEntries(
        (await current(service, belief.id, query)).supports.map(({ id, weight }: any) => [id, weight]),
      );
    const word = belief.supports.find(({ id }: any) => id !== fact.id && id !== event).id;
    expect(await weights()).toEqual({ [fact.id]: 0.3, [event]: 0.3, [word]: 0.3 });
    expect(belief.stance).toBe('supported');

    const moved = await say(service, scope, 'ent_paris', { valid_from: '2023-01-01' });
    expect(await weights()).toEqual({ [event]: 0.3, [word]: 0.3 });
    expect(await weights('?as_of_valid=2022-01-01T00:00:00Z')).toEqual({
      [fact.id]: 0.3,
      [event]: 0.3,
      [word]: 0.3,
    });
    await cancelled(service, moved, scope);
    expect(await weights()).toEqual({ [fact.id]: 0.3, [event]: 0.3, [word]: 0.3 });
    await cancelled(service, event, scope);
    expect(await weights()).toEqual({ [word]: 0.3 });
    expect((await current(service, belief.id)).stance).toBe('uncertain');
    await cancelled(service, word, scope);
    expect((await service.get(`/v1/beliefs/${belief.id}`)).status).toBe(404);
  });

  it('carries conclusions, which fall with it', async () => {
    const scope = 'org:declared-premise';
    const belief = await declare(service, scope, {
      subject: 'Ada',
      predicate: 'is',
      statement: 'At home.',
      valid_from: '2020-01-01',
    });
    await say(service, scope, 'ent_home', { derived_from: [belief.id], valid_from: '2020-01-01' });
    const rows = async (): Promise<unknown> =>
      (await service.get(`/v1/facts?scope=${scope}&predicate=lives_in`)).json.items.length;
    expect(await rows()).toBe(1);
    const [fact] = await factsIn(service, scope);
    const circle = await service.post('/v1/beliefs', {
      scope,
      subject: 'Ada',
      predicate: 'is',
      statement: 'At home.',
      confidence: 1,
      supports: [fact.id],
    });
    expectProblem(circle, { status: 422, code: 'INVALID_BODY', field: 'supports[0]' });
    // By another name of what it is about, too.
    const named = (name: string): object => ({ subject: { type: 'entity', id: 'ent_ada', name } });
    for (const name of ['Ada', 'Augusta'])
      await say(service, scope, 'ent_home', { predicate: 'knows', ...named(name) });
    const about = { scope, predicate: 'is', statement: 'At home.', confidence: 1, supports: [fact.id] };
    for (const subject of ['Ada', 'Augusta', 'ent_ada'])
      expectProblem(await service.post('/v1/beliefs', { ...about, subject }), {
        status: 422,
        code: 'INVALID_BODY',
        field: 'supports[0]',
      });
    await declare(service, scope, {
      subject: 'Ada',
      predicate: 'is',
      statement: 'Away.',
      valid_from: '2021-01-01',
    });
    expect(await rows()).toBe(0);
  });

  it.each<[string, object, string]>([
    ['without a statement', { statement: undefined }, 'statement'],
    ['with a blank one', { statement: ' ' }, 'statement'],
    ['with too long a one', { statement: 'x'.repeat(4097) }, 'statement'],
    ['without a confidence', { confidence: undefined }, 'confidence'],
    ['with one above 1', { confidence: 1.01 }, 'confidence'],
    ['with an unknown reason', { supports: ['evt_none'] }, 'supports[0]'],
    ['with a belief as a reason', { supports: ['belief_1'] }, 'supports[0]'],
    ['with a subject that is a term', { subject: { type: 'entity', id: 'ent_a' } }, 'subject'],
    ['with an unknown field', { polarity: 'negative' }, 'polarity'],
    ['without a scope', { scope: undefined }, 'scope'],
    ['since no time', { valid_from: 'yesterday' }, 'valid_from'],
  ])('is refused %s', async (_what, patch, field) => {
    const body = { scope: 'org:declared-bad', statement: 'It is so.', confidence: 0.5, ...patch };
    expectProblem(await service.post('/v1/beliefs', body), { status: 422, code: 'INVALID_BODY', field });
  });

  it('names reasons of its own scope only', async () => {
    const event = await say(service, 'org:declared-elsewhere', 'ent_london');
    const body = { scope: 'org:declared-here', statement: 'It is so.', confidence: 0.5, supports: [event] };
    expectProblem(await service.post('/v1/beliefs', body), {
      status: 422,
      code: 'INVALID_BODY',
      field: 'supports[0]',
    });
  });

  it('is not taken by capture under its kind', async () => {
    const answer = await service.post('/v1/experience', {
      scope: 'org:declared-kind',
      modality: 'feedback',
      content: { kind: 'declared_belief', declared_belief: { statement: 'x' } },
    });
    expectProblem(answer, { status: 422, code: 'INVALID_BODY', field: 'content.kind' });
  });

  it('is declared and read over GraphQL, its event too', async () => {
    const { data, errors } = await ask(
      service,
      `mutation { declareBelief(input: {scope: "org:declared-graphql", statement: "It is so.", confidence: 0.8, subject: "Ada"})
        { id stance claim { subject { name } object { ... on LiteralTerm { value } } } supports { id } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.declareBelief).toMatchObject({
      stance: 'supported',
      claim: { subject: { name: 'Ada' }, object: { value: 'It is so.' } },
    });
    const event = await ask(
      service,
      `{ event(id: "${data.declareBelief.supports[0].id}") { content { ... on DeclaredBeliefContent { declaredBelief { statement subject { name } } } } } }`,
    );
    expect(event.data.event.content.declaredBelief).toEqual({
      statement: 'It is so.',
      subject: { name: 'Ada' },
    });
  });
});
