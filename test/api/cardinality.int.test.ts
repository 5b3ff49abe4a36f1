import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

async function state(scope: string, predicate: string, values: readonly string[]): Promise<any[]> {
  const captured: any[] = [];
  for (const value of values) {
    const { status, json, text } = await service.post(
      '/v1/experience?wait=consolidated',
      statement(scope, ['ent_ada', predicate, `=${value}`]),
    );
    if (status !== 202) throw new Error(text);
    captured.push(json);
  }
  return captured;
}

const facts = async (scope: string, predicate: string): Promise<any[]> =>
  (await service.get(`/v1/facts?scope=${scope}&predicate=${predicate}`)).json.items;

const assumed = async (scope: string): Promise<any> =>
  (await service.get(`/v1/derivation/status?scope=${scope}`)).json.assumed_predicates;

const valuesOf = (items: readonly any[]): string[] => items.map(({ object }) => object.value).sort();

describe('a predicate that the vocabulary knows', () => {
  const scope = 'org:cardinality/user:known';

  it.each([
    'has_child',
    'has_pet',
    'plays',
    'takes_medicine',
    'has_email',
    'authored',
    'imports',
    'children',
    'hobbies',
    'has_gadgets',
    'likes_dish',
  ])('keeps its values beside one another: %s', async (predicate) => {
    const own = `${scope}_${predicate}`;
    await state(own, predicate, ['Bo', 'Mio']);
    const items = await facts(own, predicate);
    expect(valuesOf(items)).toEqual(['Bo', 'Mio']);
    for (const fact of items) expect(fact).not.toHaveProperty('cardinality_assumed');
    expect(await assumed(own)).toEqual({ count: 0, names: [] });
  });
});

describe('a predicate that nothing knows', () => {
  const scope = 'org:cardinality/user:unknown';
  let last: any;
  beforeAll(async () => {
    await state(scope, 'orbits', ['Earth']);
    [last] = await state(scope, 'orbits', ['Mars']);
    await state(scope, 'zooms', ['in']);
    await state(scope, 'lives_in', ['Paris']);
  });

  it('has one value, which fact, belief and frame say to be assumed', async () => {
    const [fact, ...more] = await facts(scope, 'orbits');
    expect(more).toEqual([]);
    expect(fact).toMatchObject({ cardinality_assumed: true, object: { value: 'Mars' } });
    const beliefs = (await service.get(`/v1/beliefs?scope=${scope}`)).json.items;
    const flags = beliefs.map(({ predicate, cardinality_assumed }: any) => [predicate, cardinality_assumed]);
    expect(new Map(flags)).toEqual(
      new Map<string, unknown>([
        ['orbits', true],
        ['zooms', true],
        ['lives_in', undefined],
      ]),
    );
    const frames = await service.get(`/v1/lifecycle?events=consolidated&event_id=${last.event_id}`);
    expect(frames.json.items[0].data).toMatchObject({
      cardinality_assumed: true,
      facts_superseded: [{ predicate: 'orbits', cardinality_assumed: true }],
    });
  });

  it('is counted by the status until it is declared', async () => {
    expect(await assumed(scope)).toEqual({ count: 2, names: ['orbits', 'zooms'] });
    await service.post('/v1/scopes', { path: scope, policies: { cardinality: { Orbits: 'many' } } });
    expect(await assumed(scope)).toEqual({ count: 1, names: ['zooms'] });
    await state(scope, 'orbits', ['Venus', 'Saturn']);
    const items = await facts(scope, 'orbits');
    expect(valuesOf(items)).toEqual(['Mars', 'Saturn', 'Venus']);
    expect(items.map(({ cardinality_assumed }) => cardinality_assumed)).toEqual([undefined, undefined, true]);
  });

  it('is told by GraphQL too', async () => {
    const { data, errors } = await ask(
      service,
      `query ($scope: String!) {
        facts(scope: $scope, predicate: "zooms") { nodes { cardinalityAssumed } }
        beliefs(scope: $scope, first: 50) { nodes { predicate cardinalityAssumed } }
        derivationStatus(scope: $scope) { assumedPredicates { count names } } }`,
      { scope },
    );
    expect(errors).toBeUndefined();
    expect(data.facts.nodes).toEqual([{ cardinalityAssumed: true }]);
    expect(data.beliefs.nodes).toContainEqual({ predicate: 'lives_in', cardinalityAssumed: null });
    expect(data.derivationStatus.assumedPredicates).toEqual({ count: 1, names: ['zooms'] });
  });
});
