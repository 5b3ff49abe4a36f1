import { sharedService, type SharedService } from '../support/shared-service.ts';
import { graphOf as allPages, type Graph } from './graph-pages.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';
import { buildWorld, CLOSED, HOME, type World } from './provenance-world.ts';

let service: SharedService;
let world: World;

beforeAll(async () => {
  service = sharedService();
  world = await buildWorld(service);
});

async function pageOf(query: string, headers: Record<string, string | null> = {}): Promise<any> {
  const { status, json, text } = await service.get(`/v1/graph?${query}`, { headers });
  if (status !== 200) throw new Error(text);
  return json;
}

function graphOf(query: string, headers: Record<string, string | null> = {}): Promise<Graph> {
  return allPages(service, query, headers);
}

function nameOf(id: string): string {
  return Object.entries(world.names).find(([, known]) => known === id)?.[0] ?? id;
}

function namesOf({ nodes }: Graph): string[] {
  return nodes.map(({ id }) => nameOf(id)).sort();
}

/** A graph without what its edges bring from other scopes. */
function here({ nodes, edges }: Graph): Graph {
  return { nodes: nodes.filter(({ scope }) => scope === HOME), edges };
}

function edgesOf({ edges }: Graph, ...types: string[]): string[] {
  return edges
    .filter(({ type }) => types.includes(type))
    .map(({ from, type, to }) => `${nameOf(from)} ${type as string} ${nameOf(to)}`)
    .sort();
}

describe('the graph of a scope', () => {
  it('has what is true now as known now, and how it hangs together', async () => {
    const graph = await graphOf(`scope=${HOME}`);
    expect(namesOf(graph)).toEqual(
      [
        ...['paris_said', 'london_said', 'rome_said', 'rome', 'home_episode'],
        ...['paris_belief', 'london_belief', 'rome_belief'],
        ...['ada_concept', 'rome_concept', 'paris_concept', 'concept of London'],
        ...['ent_ada', 'ent_paris', 'ent_london', 'ent_rome'],
      ]
        .map((name) => (name === 'concept of London' ? londonConcept(graph) : name))
        .sort(),
    );
    expect(edgesOf(graph, 'DERIVED_FROM', 'SUBJECT', 'OBJECT', 'CONTAINS')).toEqual([
      'home_episode CONTAINS london_said',
      'home_episode CONTAINS paris_said',
      'home_episode CONTAINS rome_said',
      'rome DERIVED_FROM rome_said',
      'rome OBJECT ent_rome',
      'rome SUBJECT ent_ada',
    ]);
    expect(edgesOf(graph, 'SUPPORTED_BY')).toContain('rome_belief SUPPORTED_BY rome');
    expect(edgesOf(graph, 'ABOUT')).toContain('ada_concept ABOUT ent_ada');
  });

  const londonConcept = ({ nodes }: Graph): string =>
    nodes.find(({ type, summary }) => type === 'concept' && summary.includes('ent_london'))?.id ?? 'none';

  it('says of a node what it says, and when that is so', async () => {
    const { nodes } = await graphOf(`scope=${HOME}`);
    const fact = await service.get(`/v1/facts/${world.names.rome!}`);
    expect(nodes.find(({ id }) => id === world.names.rome)).toEqual({
      id: world.names.rome,
      type: 'fact',
      scope: HOME,
      summary: 'ent_ada lives in ent_rome, since 2025-01-01T00:00:00.000Z',
      valid_from: fact.json.valid_from,
      valid_to: null,
      recorded_from: fact.json.recorded_from,
      confidence: fact.json.confidence,
      more: expect.any(Number),
    });
    const belief = await service.get(`/v1/beliefs/${world.names.paris_belief!}`);
    expect(nodes.find(({ id }) => id === world.names.paris_belief)).toMatchObject({
      stance: belief.json.stance,
      confidence: belief.json.confidence,
    });
    expect(nodes.find(({ id }) => id === 'ent_ada')).toEqual({
      id: 'ent_ada',
      type: 'entity',
      scope: HOME,
      summary: expect.any(String),
      valid_from: null,
      valid_to: null,
      recorded_from: null,
      more: 0,
    });
  });

  it('shows what was superseded where that is asked for', async () => {
    const graph = await graphOf(`scope=${HOME}&include_superseded=true&types=fact`);
    expect(namesOf(here(graph))).toEqual(['london', 'paris', 'rome']);
    expect(edgesOf(graph, 'SUPERSEDED_BY')).toEqual([
      'london SUPERSEDED_BY rome',
      'paris SUPERSEDED_BY london',
    ]);
    const [edge] = graph.edges.filter(({ type }) => type === 'SUPERSEDED_BY');
    expect(edge).toMatchObject({ valid_at: expect.any(String), recorded_from: expect.any(String) });
  });

  it('is that of any two instants', async () => {
    const before = new Date(Date.parse(world.recorded[world.names.london_said!]!) - 1).toISOString();
    const known = await graphOf(`scope=${HOME}&types=fact,event&as_of_recorded=${before}`);
    expect(namesOf(here(known))).toEqual(['paris', 'paris_said']);
    expect(edgesOf(known, 'DERIVED_FROM')).toEqual(['paris DERIVED_FROM paris_said']);
    const then = await graphOf(`scope=${HOME}&types=fact&as_of_valid=2024-06-01T00:00:00Z`);
    expect(namesOf(then)).toEqual(['london']);
  });

  it('has the same in pages of one node, each edge once', async () => {
    const query = `scope=${HOME}&include_superseded=true`;
    const [whole, paged] = [await graphOf(query), await graphOf(`${query}&limit=1`)];
    const inOrder = (list: readonly any[]): string[] => list.map((one) => JSON.stringify(one)).sort();
    expect(inOrder(paged.edges)).toEqual(inOrder(whole.edges));
    expect(namesOf(paged)).toEqual(namesOf(whole));
  });

  it('counts the edges that an answer does not show', async () => {
    const { nodes, edges } = await graphOf(`scope=${HOME}&types=fact&include_superseded=true`);
    expect(nodes.map(({ more }) => more)).toEqual(nodes.map(() => 0));
    expect(edges).toHaveLength(4);
    const one = await pageOf(`scope=${HOME}&types=fact&include_superseded=true&limit=1`);
    // The one before leads to it.
    expect(one.nodes).toEqual([expect.objectContaining({ id: world.names.rome, more: 1 })]);
  });

  it('has only what is said of an entity, with the ends of its edges', async () => {
    const graph = await graphOf(
      `scope=${HOME}&entity=ent_paris&types=entity,event,fact&include_superseded=true`,
    );
    expect(namesOf(here(graph))).toEqual(['ent_ada', 'ent_paris', 'london', 'paris', 'paris_said']);
    expect(edgesOf(graph, 'DERIVED_FROM', 'SUPERSEDED_BY', 'OBJECT')).toEqual([
      'paris DERIVED_FROM paris_said',
      'paris OBJECT ent_paris',
      'paris SUPERSEDED_BY london',
    ]);
  });

  it('has only what holds a text, with the ends of its edges', async () => {
    const graph = await graphOf(`scope=${HOME}&q=LIVES%20in%20ent_rome,&types=event,fact`);
    expect(namesOf(graph)).toEqual(['rome', 'rome_said']);
  });

  it('has entities alone where these are asked for', async () => {
    const graph = await graphOf(`scope=${HOME}&types=entity`);
    expect(namesOf(graph)).toEqual(['ent_ada', 'ent_london', 'ent_paris', 'ent_rome']);
    expect(graph.edges).toEqual([]);
  });

  it('brings what lies in other scopes with the edges to it, but for what may not be read', async () => {
    const all = await graphOf(`scope=${HOME}&types=fact&include_superseded=true`);
    expect(namesOf(all)).toEqual(['french', 'london', 'paris', 'rome', 'secret']);
    const open = await graphOf(`scope=${HOME}&types=fact&include_superseded=true`, world.stranger);
    expect(namesOf(open)).toEqual(['french', 'london', 'paris', 'rome']);
    expect(JSON.stringify(open)).not.toContain(world.names.secret);
  });

  it('is withheld as every view is', async () => {
    const view = await pageOf(`scope=${CLOSED}`, world.stranger);
    const none = { t_min: null, t_max: null, changes: [] };
    expect(view).toEqual({ nodes: [], edges: [], times: { valid: none, recorded: none }, has_more: false });
  });

  it('tells what it has become on either axis', async () => {
    const before = new Date(Date.parse(world.recorded[world.names.london_said!]!) - 1).toISOString();
    const namesIn = (nodes: any[]): string[] => namesOf(here({ nodes, edges: [] }));
    const learned = (await service.get(`/v1/graph/diff?scope=${HOME}&types=fact,event&from=${before}`)).json;
    expect(namesIn(learned.appeared.nodes)).toEqual(['london_said', 'rome', 'rome_said']);
    expect(namesIn(learned.gone.nodes)).toEqual(['paris']);
    expect(learned.unchanged.nodes).toBe(1);
    const came = (
      await service.get(
        `/v1/graph/diff?scope=${HOME}&types=fact&axis=valid&from=2021-01-01T00:00:00Z&to=2024-06-01T00:00:00Z`,
      )
    ).json;
    expect([namesIn(came.appeared.nodes), namesIn(came.gone.nodes)]).toEqual([['london'], ['paris']]);
    const ended = (
      await service.get(`/v1/graph/diff?scope=${HOME}&types=fact&include_superseded=1&from=${before}`)
    ).json;
    expect(ended.changed.nodes.filter(({ after }: any) => after.scope === HOME)).toEqual([
      {
        before: expect.objectContaining({ id: world.names.paris, valid_to: null }),
        after: expect.objectContaining({ id: world.names.paris, valid_to: '2024-01-01T00:00:00.000Z' }),
      },
    ]);
  });

  it('leads from a node to its neighbours, in pages, and back', async () => {
    const read = async (id: string, query: string): Promise<any> =>
      (await service.get(`/v1/graph/${id}/neighbours?${query}`)).json;
    const rome = await read(world.names.rome!, 'types=entity,event,belief');
    expect(namesOf(rome)).toEqual(
      expect.arrayContaining(['ent_ada', 'ent_rome', 'rome_belief', 'rome_said']),
    );
    expect(edgesOf(rome, 'DERIVED_FROM', 'SUBJECT', 'OBJECT')).toEqual([
      'rome DERIVED_FROM rome_said',
      'rome OBJECT ent_rome',
      'rome SUBJECT ent_ada',
    ]);
    const first = await read(world.names.rome!, 'types=entity,event&limit=2');
    const second = await read(world.names.rome!, `types=entity,event&limit=2&cursor=${first.next_cursor}`);
    expect(namesOf({ nodes: [...first.nodes, ...second.nodes], edges: [] })).toEqual([
      'ent_ada',
      'ent_rome',
      'rome_said',
    ]);
    const ada = await read('ent_ada', `scope=${HOME}&types=fact,concept`);
    expect(namesOf(ada)).toEqual(expect.arrayContaining(['ada_concept', 'rome']));
    expect(edgesOf(ada, 'SUBJECT', 'ABOUT')).toEqual(['ada_concept ABOUT ent_ada', 'rome SUBJECT ent_ada']);
    const hidden = { headers: world.stranger };
    const secret = await service.get(`/v1/graph/${world.names.secret!}/neighbours`, hidden);
    expectProblem(secret, { status: 404, code: 'NOT_FOUND' });
    const ofNone = await service.get('/v1/graph/ent_ada/neighbours');
    expectProblem(ofNone, { status: 400, code: 'INVALID_QUERY', field: 'scope' });
  });

  it('says which parameter is wrong', async () => {
    expectProblem(await service.get(`/v1/graph?scope=${HOME}&types=thing`), {
      status: 400,
      code: 'INVALID_QUERY',
      field: 'types[0]',
    });
    expectProblem(await service.get(`/v1/graph?scope=${HOME}&view=wide`), {
      status: 422,
      code: 'INVALID_QUERY',
      field: 'view',
    });
    const twice = await service.get(
      `/v1/graph/diff?scope=${HOME}&from=2026-01-01T00:00:00Z&as_of_recorded=2026-01-01T00:00:00Z`,
    );
    expectProblem(twice, { status: 400, code: 'INVALID_QUERY', field: 'as_of_recorded' });
  });

  it('is the same over GraphQL', async () => {
    const { data, errors } = await ask(
      service,
      `{ graph(scope: "${HOME}", includeSuperseded: true, first: 100) {
           nodes { id type summary validFrom validTo recordedFrom confidence stance more record { id } }
           edges { from to type weight polarity relation role validAt recordedFrom }
           pageInfo { hasNextPage endCursor } withheldScopes } }`,
    );
    expect(errors).toBeUndefined();
    const { graph } = data;
    const { nodes, edges } = await graphOf(`scope=${HOME}&include_superseded=true&limit=100`);
    expect(graph.nodes.map(({ id, more, record }: any) => [id, more, record?.id ?? null])).toEqual(
      nodes.map(({ id, type, more }) => [id, more, type === 'entity' ? null : id]),
    );
    expect(graph.edges.map(({ from, to, type }: any) => [from, to, type])).toEqual(
      edges.map(({ from, to, type }) => [from, to, type]),
    );
    const more = await ask(
      service,
      `{ graphDiff(scope: "${HOME}", axis: valid, from: "2021-01-01T00:00:00Z", types: [fact]) {
           appeared { nodes { id } edges { type } } gone { nodes { id } } changed { nodes { before { id } after { id } } }
           unchanged { nodes edges } pageInfo { hasNextPage } withheldScopes }
         neighbours(id: "${world.names.rome!}", types: [event]) { nodes { id } edges { type from to } } }`,
    );
    expect(more.errors).toBeUndefined();
    expect(more.data.graphDiff.appeared.nodes).toContainEqual({ id: world.names.rome });
    expect(more.data.neighbours.edges).toEqual([
      { type: 'DERIVED_FROM', from: world.names.rome, to: world.names.rome_said },
    ]);
  });
});
