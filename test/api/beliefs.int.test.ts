import { cancelled } from '../support/cancel.ts';
import { stateEach, statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const state = (...envelopes: Record<string, unknown>[]): Promise<string[]> => stateEach(service, envelopes);

async function beliefsOf(scope: string, query = ''): Promise<any[]> {
  const { json } = await service.get(`/v1/beliefs?scope=${scope}${query}`);
  return json.items;
}

const brief = (all: any[]): string[] =>
  all.map(({ object, stance, confidence }) => `${object.id} ${stance} ${confidence}`).sort();

describe('what is believed', () => {
  const scope = 'org:moves/user:ada';
  let events: string[];

  beforeAll(async () => {
    events = await state(
      statement(scope, ['ent_ada', 'lives in', 'ent_paris'], { valid_from: '2020-01-01' }),
      statement(scope, ['ent_ada', 'lives in', 'ent_london'], { valid_from: '2024-01-01' }),
    );
  });

  it('flips where a later value begins, and is as it was before', async () => {
    expect(brief(await beliefsOf(scope))).toEqual([
      'ent_london supported 0.75',
      'ent_paris contradicted 0.25',
    ]);
    expect(brief(await beliefsOf(scope, '&as_of_valid=2022-01-01T00:00:00Z'))).toEqual([
      'ent_paris supported 0.75',
    ]);
    expect(await beliefsOf(scope, '&as_of_valid=2019-01-01T00:00:00Z')).toEqual([]);
    const event = await service.get(`/v1/events/${events[0]}`);
    const then = encodeURIComponent(event.json.context.recorded_at as string);
    expect(brief(await beliefsOf(scope, `&as_of_recorded=${then}`))).toEqual(['ent_paris supported 0.75']);
  });

  it('shows what it rests on, since when and how often it was revised', async () => {
    const [paris] = (await beliefsOf(scope)).filter(({ object }) => object.id === 'ent_paris');
    expect(paris).toMatchObject({
      scope,
      claim: {
        subject: { type: 'entity', id: 'ent_ada' },
        predicate: 'lives_in',
        object: { id: 'ent_paris' },
      },
      predicate: 'lives_in',
      confidence_interval: { lower: 0.016952, upper: 0.631597, method: 'beta_posterior', level: 0.9 },
      supports: [{ type: 'fact', kind: 'fact', weight: 1, polarity: 'against' }],
      support_count: 1,
      valid_from: '2020-01-01T00:00:00.000Z',
      valid_to: '2024-01-01T00:00:00.000Z',
      recorded_to: null,
      revision_count: 2,
      why_url: `/v1/beliefs/why?belief_id=${paris.id}`,
    });
    const { json } = await service.get(`/v1/beliefs/${paris.id}`);
    expect(json).toEqual(paris);
  });

  it('is found by what it is about, by stance and by confidence', async () => {
    expect(brief(await beliefsOf(scope, '&about=ent_london'))).toEqual(['ent_london supported 0.75']);
    expect(await beliefsOf(scope, '&about=ENT_ADA')).toHaveLength(2);
    expect(await beliefsOf(scope, '&about=nobody')).toEqual([]);
    expect(brief(await beliefsOf(scope, '&stance=contradicted'))).toEqual(['ent_paris contradicted 0.25']);
    expect(brief(await beliefsOf(scope, '&min_confidence=0.5'))).toEqual(['ent_london supported 0.75']);
    expect(await beliefsOf('org:moves', '&view=descend')).toHaveLength(2);
    expect(await beliefsOf('org:moves', '&view=descend&about=ent_ada')).toHaveLength(2);
    expect(await beliefsOf('org:moves', '&about=ent_ada')).toEqual([]);
    expect(await beliefsOf(scope, '&view=raw')).toEqual([]);
    const one = await service.get(`/v1/beliefs?scope=${scope}&limit=1`);
    expect(one.json).toMatchObject({ has_more: true, items: [{ object: { id: 'ent_london' } }] });
    const next = await service.get(`/v1/beliefs?scope=${scope}&limit=1&cursor=${one.json.next_cursor}`);
    expect(next.json).toMatchObject({ has_more: false, items: [{ object: { id: 'ent_paris' } }] });
  });

  it('tells its revisions with their causes, oldest first', async () => {
    const [paris] = await beliefsOf(scope, '&about=ent_paris');
    const { json } = await service.get(`/v1/beliefs/history?belief_id=${paris.id}`);
    expect(json).toMatchObject({ current: paris, revision_count: 2, has_more: false });
    expect(json.versions.map((one: any) => [one.revision, one.stance, one.caused_by])).toEqual([
      [1, 'supported', events[0]],
      [2, 'contradicted', events[1]],
    ]);
    expect(json.items).toEqual(json.versions);
    const first = await service.get(`/v1/beliefs/history?belief_id=${paris.id}&limit=1`);
    expect(first.json).toMatchObject({ has_more: true, versions: [{ revision: 1 }] });
    const { next_cursor: cursor } = first.json;
    const rest = await service.get(`/v1/beliefs/history?belief_id=${paris.id}&limit=1&cursor=${cursor}`);
    expect(rest.json).toMatchObject({ has_more: false, versions: [{ revision: 2 }] });
  });

  it('says why, down to the events, at any instant', async () => {
    const [paris] = await beliefsOf(scope, '&about=ent_paris');
    const now = (await service.get(`/v1/beliefs/why?belief_id=${paris.id}`)).json;
    const against = now.belief.supports[0].id;
    expect(now.support_graph).toEqual({
      nodes: [
        { id: paris.id, type: 'belief', summary: 'ent_ada lives in ent_paris (contradicted)' },
        {
          id: against,
          type: 'fact',
          weight: 1,
          summary: 'ent_ada lives in ent_london, since 2024-01-01T00:00:00.000Z',
        },
        { id: events[1], type: 'event', summary: 'ent_ada lives in ent_london' },
      ],
      edges: [
        { from: paris.id, to: against, relation: 'supersedes_against' },
        { from: against, to: events[1], relation: 'extracted_from' },
      ],
      truncated: false,
    });
    expect(now.narrative).toBe(
      'That ent_ada lives in ent_paris is contradicted: confidence 0.25, with 90 % probability between 0.02 and 0.63. ' +
        'It held from 2020-01-01T00:00:00.000Z to 2024-01-01T00:00:00.000Z. ' +
        'Against it: “ent_ada lives in ent_london, since 2024-01-01T00:00:00.000Z”. ' +
        'What was said: “ent_ada lives in ent_london”.',
    );
    expect(now.narrative_model).toBeNull();
    const before = `as_of_valid=2022-01-01T00:00:00Z&depth=1`;
    const then = (await service.get(`/v1/beliefs/why?belief_id=${paris.id}&${before}`)).json;
    expect(then.belief.stance).toBe('supported');
    expect(then.support_graph.edges.map(({ relation }: any) => relation)).toEqual(['supported_by']);
    expect(then.support_graph.truncated).toBe(true);
  });

  it('answers the same over GraphQL', async () => {
    const [paris] = await beliefsOf(scope, '&about=ent_paris');
    const { data } = await ask(
      service,
      `query ($scope: String!, $id: ID!) {
        beliefs(scope: $scope, about: "ent_paris") { nodes { id stance confidence supportCount } pageInfo { hasNextPage } }
        belief(id: $id, asOf: { valid: "2022-01-01T00:00:00Z" }) { stance validTo }
        beliefHistory(beliefId: $id) { current { id } nodes { revision causedBy } revisionCount }
        beliefWhy(beliefId: $id) { narrative narrativeModel supportGraph { nodes { type } edges { relation } truncated } }
      }`,
      { scope, id: paris.id },
    );
    expect(data).toMatchObject({
      beliefs: {
        nodes: [{ id: paris.id, stance: 'contradicted', confidence: 0.25, supportCount: 1 }],
        pageInfo: { hasNextPage: false },
      },
      belief: { stance: 'supported', validTo: '2024-01-01T00:00:00.000Z' },
      beliefHistory: {
        current: { id: paris.id },
        nodes: [{ revision: 1 }, { revision: 2 }],
        revisionCount: 2,
      },
      beliefWhy: {
        narrativeModel: null,
        supportGraph: {
          nodes: [{ type: 'belief' }, { type: 'fact' }, { type: 'event' }],
          edges: [{ relation: 'supersedes_against' }, { relation: 'extracted_from' }],
        },
      },
    });
  });

  it('refuses what it cannot answer', async () => {
    const unknown = `belief_${'0'.repeat(32)}`;
    for (const path of [
      `/v1/beliefs/${unknown}`,
      `/v1/beliefs/history?belief_id=${unknown}`,
      `/v1/beliefs/why?belief_id=${unknown}`,
    ])
      expect(await service.get(path)).toMatchObject({ status: 404, json: { error_code: 'NOT_FOUND' } });
    const wrong = await service.get(`/v1/beliefs?scope=${scope}&stance=sure`);
    expect(wrong).toMatchObject({
      status: 400,
      json: { error_code: 'INVALID_QUERY', details: { field_path: 'stance' } },
    });
  });
});

describe('a conclusion', () => {
  const scope = 'user:concludes';
  const at = { valid_from: '2020-01-01' };

  it('falls with its premise, says so, and returns with it', async () => {
    const [home] = await state(statement(scope, ['ent_bo', 'lives in', 'ent_oslo'], at));
    const fact = (await service.get(`/v1/facts?scope=${scope}`)).json.items[0].id as string;
    const [said] = await state(
      statement(scope, ['ent_bo', 'speaks', 'ent_norwegian'], { ...at, derived_from: [fact] }),
    );
    const [belief] = await beliefsOf(scope, '&about=ent_norwegian');
    expect(belief).toMatchObject({ stance: 'supported', confidence: 0.75 });
    const why = (await service.get(`/v1/beliefs/why?belief_id=${belief.id}`)).json.support_graph;
    expect(why.edges).toContainEqual({ from: belief.supports[0].id, to: fact, relation: 'concluded_from' });
    expect(why.edges).toContainEqual({ from: fact, to: home, relation: 'extracted_from' });

    const gone = statement(scope, ['ent_bo', 'lives in', 'ent_oslo'], { polarity: 'negative' });
    const [denial] = await state(gone);
    expect((await service.get(`/v1/beliefs/${belief.id}`)).json).toMatchObject({
      stance: 'deprecated',
      supports: [],
    });
    const frames = await service.get(`/v1/lifecycle?event_id=${denial}`);
    const consolidated = frames.json.items.find(({ event }: any) => event === 'consolidated');
    expect(consolidated.data.beliefs_revised).toContainEqual({
      id: belief.id,
      confidence_before: 0.75,
      confidence_after: 0.5,
      stance_before: 'supported',
      stance_after: 'deprecated',
    });

    await state(statement(scope, ['ent_bo', 'lives in', 'ent_oslo'], at));
    expect((await service.get(`/v1/beliefs/${belief.id}`)).json).toMatchObject({ stance: 'supported' });
    await cancelled(service, said, scope);
    expect(await service.get(`/v1/beliefs/${belief.id}`)).toMatchObject({ status: 404 });
  });
});
