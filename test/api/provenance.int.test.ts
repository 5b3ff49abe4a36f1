import { bearer, mintFrom } from '../support/tokens.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';
import { expectCode, expectProblem } from './problem.ts';
import { buildWorld, edgesOf, HOME, type World } from './provenance-world.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

async function graphOf(id: string, query = '', headers: Record<string, string | null> = {}): Promise<any> {
  const { status, json, text } = await service.get(`/v1/provenance/${id}?${query}`, { headers });
  if (status !== 200) throw new Error(text);
  return json;
}

describe('the graph around a record', () => {
  let names: World['names'];
  let stranger: World['stranger'];
  let recorded: World['recorded'];

  beforeAll(async () => {
    ({ names, stranger, recorded } = await buildWorld(service));
  });

  it('leads down to the events', async () => {
    const graph = await graphOf(names.french_belief!);
    expect(edgesOf(graph, names)).toEqual([
      'french concluded_from paris',
      'french extracted_from french_said',
      'french_belief supported_by french',
      'paris extracted_from paris_said',
    ]);
    expect(graph.truncated).toBe(false);
    expect(graph.nodes[0]).toEqual({
      id: names.french_belief,
      type: 'belief',
      summary: 'ent_ada speaks ent_french (deprecated)',
    });
    expect(graph.nodes.find(({ id }: any) => id === names.paris)).toEqual({
      id: names.paris,
      type: 'fact',
      summary: 'ent_ada lives in ent_paris, from 2020-01-01T00:00:00.000Z to 2024-01-01T00:00:00.000Z',
    });
  });

  /** Just before the home was known to have changed. */
  const beforeLondon = (): string =>
    `as_of_recorded=${new Date(Date.parse(recorded[names.london_said!]!) - 1).toISOString()}`;

  it('leads up to all that rests on an event', async () => {
    const graph = await graphOf(names.paris_said!, `direction=up&${beforeLondon()}`);
    expect(edgesOf(graph, names)).toEqual([
      'ada_concept supported_by paris',
      'ada_concept supported_by paris_belief',
      'french concluded_from paris',
      'french_belief supported_by french',
      'french_concept supported_by french',
      'french_concept supported_by french_belief',
      'home_episode contains paris_said',
      'paris extracted_from paris_said',
      'paris_belief supported_by paris',
      'paris_concept supported_by paris',
      'paris_concept supported_by paris_belief',
      'payer_concept supported_by secret',
      'payer_concept supported_by secret_belief',
      'secret concluded_from paris',
      'secret_belief supported_by secret',
      'speaker_concept supported_by french',
      'speaker_concept supported_by french_belief',
      'taxes_concept supported_by secret',
      'taxes_concept supported_by secret_belief',
    ]);
    expect(graph.nodes.map(({ type }: any) => type)).toEqual([
      'event',
      'fact',
      'episode',
      'belief',
      'concept',
      'concept',
      'fact',
      'fact',
      'belief',
      'concept',
      'concept',
      'belief',
      'concept',
      'concept',
    ]);
  });

  it('leads up to no concept from a conclusion that has fallen', async () => {
    expect(edgesOf(await graphOf(names.paris_said!, 'direction=up'), names)).toEqual([
      'french concluded_from paris',
      'french_belief supported_by french',
      'home_episode contains paris_said',
      'paris extracted_from paris_said',
      'paris_belief supported_by paris',
      'secret concluded_from paris',
      'secret_belief supported_by secret',
    ]);
  });

  it('leads up by the edges that lead down, from every record', async () => {
    const around = (direction: string) =>
      Promise.all(Object.values(names).map((id) => graphOf(id, `direction=${direction}&depth=1`)));
    const edges = (graphs: any[]): Set<string> => new Set(graphs.flatMap((graph) => edgesOf(graph, names)));
    const [down, up, both] = [await around('down'), await around('up'), await around('both')];
    expect(edges(down).size).toBeGreaterThan(15);
    expect([...edges(up)].sort()).toEqual([...edges(down)].sort());
    // What is found both ways may have to do with one another too: a fact and its belief, which one concept cites.
    for (const [i, graph] of both.entries()) {
      const shown = edgesOf(graph, names);
      expect(shown).toEqual(expect.arrayContaining([...edgesOf(down[i], names), ...edgesOf(up[i], names)]));
      expect([...edges(down)]).toEqual(expect.arrayContaining(shown));
    }
  });

  it('leaves out what the caller may not read, and tells nothing of it', async () => {
    const seen = await graphOf(names.paris!, `direction=up&depth=12&${beforeLondon()}`, stranger);
    expect(edgesOf(seen, names)).toEqual([
      'ada_concept supported_by paris',
      'ada_concept supported_by paris_belief',
      'french concluded_from paris',
      'french_belief supported_by french',
      'french_concept supported_by french',
      'french_concept supported_by french_belief',
      'paris_belief supported_by paris',
      'paris_concept supported_by paris',
      'paris_concept supported_by paris_belief',
      'speaker_concept supported_by french',
      'speaker_concept supported_by french_belief',
    ]);
    expect(seen.truncated).toBe(false);
    expect((await graphOf(names.paris!, 'direction=up&depth=1', stranger)).truncated).toBe(true);
    for (const id of [names.secret!, names.secret_belief!, names.secret_said!])
      expectCode(await service.get(`/v1/provenance/${id}`, { headers: stranger }), 'NOT_FOUND');
    const owner = bearer((await mintFrom(service, { subject: 'user:owner' })).token, 'user:owner');
    expect(edgesOf(await graphOf(names.paris!, 'direction=up', owner), names)).toContain(
      'secret concluded_from paris',
    );
  });

  it('is what was known at another instant', async () => {
    const then = `as_of_recorded=${recorded[names.paris_said!]!}`;
    expect(edgesOf(await graphOf(names.paris!, `direction=up&${then}`), names)).toEqual([
      'ada_concept supported_by paris',
      'ada_concept supported_by paris_belief',
      'paris_belief supported_by paris',
      'paris_concept supported_by paris',
      'paris_concept supported_by paris_belief',
    ]);
    expectCode(await service.get(`/v1/provenance/${names.rome!}?${then}`), 'NOT_FOUND');
    // Held of 2022, and of now: London is what speaks against Paris now.
    const paris = (query: string): Promise<any> => graphOf(names.paris_belief!, `depth=1&${query}`);
    expect(edgesOf(await paris('as_of_valid=2022-01-01T00:00:00Z'), names)).toEqual([
      'paris_belief supported_by paris',
    ]);
    expect(edgesOf(await paris('as_of_valid=2024-06-01T00:00:00Z'), names)).toEqual([
      'paris_belief supersedes_against london',
    ]);
    expect(edgesOf(await paris(''), names)).toEqual([
      'paris_belief supersedes_against london',
      'paris_belief supported_by paris',
    ]);
  });

  it('leads from a concept to what it cites, and back, as it was understood at an instant', async () => {
    expect(edgesOf(await graphOf(names.ada_concept!), names)).toEqual([
      'ada_concept supported_by rome',
      'ada_concept supported_by rome_belief',
      'rome extracted_from rome_said',
      'rome_belief supported_by rome',
    ]);
    const then = `as_of_recorded=${recorded[names.paris_said!]!}`;
    const down = [
      'ada_concept supported_by paris',
      'ada_concept supported_by paris_belief',
      'paris extracted_from paris_said',
      'paris_belief supported_by paris',
    ];
    expect(edgesOf(await graphOf(names.ada_concept!, then), names)).toEqual(down);
    expect(edgesOf(await graphOf(names.paris_said!, `direction=up&${then}`), names)).toEqual(
      [
        ...down,
        'home_episode contains paris_said',
        'paris_concept supported_by paris',
        'paris_concept supported_by paris_belief',
      ].sort(),
    );
    // What followed is nothing of Paris any more.
    expect(edgesOf(await graphOf(names.paris_concept!), names)).toEqual([]);
    expectCode(await service.get(`/v1/provenance/${names.rome_concept!}?${then}`), 'NOT_FOUND');
    const { nodes } = await graphOf(names.ada_concept!, 'depth=1');
    expect(nodes[0]).toEqual({
      id: names.ada_concept,
      type: 'concept',
      summary: 'what is understood of ent_ada (supported)',
    });
  });

  it('follows what took the place of what, of facts and of beliefs', async () => {
    const chain = (id: string, query = ''): Promise<any> => graphOf(id, `relation=supersession&${query}`);
    expect(edgesOf(await chain(names.rome!), names)).toEqual([
      'london supersedes paris',
      'rome supersedes london',
    ]);
    expect(edgesOf(await chain(names.paris!, 'direction=up'), names)).toEqual([
      'london supersedes paris',
      'rome supersedes london',
    ]);
    expect(edgesOf(await chain(names.london_belief!, 'direction=both'), names)).toEqual([
      'london_belief supersedes paris_belief',
      'rome_belief supersedes london_belief',
    ]);
    const before = `direction=both&as_of_recorded=${recorded[names.london_said!]!}`;
    expect(edgesOf(await chain(names.paris!, before), names)).toEqual(['london supersedes paris']);
    const { nodes, truncated } = await chain(names.rome!, 'depth=1');
    expect([nodes.map(({ id }: any) => id), truncated]).toEqual([[names.rome, names.london], true]);
  });

  it('refuses what it cannot answer', async () => {
    expectCode(await service.get('/v1/provenance/nothing'), 'NOT_FOUND');
    expectCode(await service.get(`/v1/provenance/fact_${'0'.repeat(32)}`), 'NOT_FOUND');
    for (const [query, field] of [
      ['direction=sideways', 'direction'],
      ['relation=love', 'relation'],
      ['depth=deep', 'depth'],
      ['as_of=2020-01-01T00:00:00Z&as_of_valid=2020-01-01T00:00:00Z', 'as_of'],
    ] as const)
      expectProblem(await service.get(`/v1/provenance/${names.paris!}?${query}`), {
        status: 400,
        code: 'INVALID_QUERY',
        field,
      });
  });

  it('is the same over GraphQL, of a record and by its id', async () => {
    const rest = await graphOf(names.paris!, 'direction=both&depth=2');
    const GRAPH = '{ nodes { id type summary } edges { from to relation } truncated }';
    const { data, errors } = await ask(
      service,
      `query ($id: ID!) {
        provenance(id: $id, direction: both, depth: 2) ${GRAPH}
        fact(id: $id) { provenance(direction: both, depth: 2) ${GRAPH} }
        node(id: $id) { __typename id scope ... on Fact { predicate } provenance(relation: supersession, direction: up) { nodes { id record { id } } } }
      }`,
      { id: names.paris },
    );
    expect(errors).toBeUndefined();
    expect(data.provenance).toEqual(rest);
    expect(data.fact.provenance).toEqual(rest);
    expect(data.node).toMatchObject({ __typename: 'Fact', scope: HOME, predicate: 'lives_in' });
    expect(data.node.provenance.nodes.map(({ record }: any) => record.id)).toEqual([
      names.paris,
      names.london,
      names.rome,
    ]);
  });

  it('any record is found by its id alone', async () => {
    for (const [name, type, path] of [
      ['paris_said', 'Event', 'events'],
      ['home_episode', 'Episode', 'episodes'],
      ['paris', 'Fact', 'facts'],
      ['paris_belief', 'Belief', 'beliefs'],
      ['ada_concept', 'Concept', 'understanding'],
    ] as const) {
      const id = names[name]!;
      const record = await service.get(`/v1/records/${id}`);
      expect(record.json).toEqual((await service.get(`/v1/${path}/${id}`)).json);
      const { data } = await ask(service, `{ node(id: "${id}") { __typename id } }`);
      expect(data.node).toEqual({ __typename: type, id });
    }
    expectCode(await service.get('/v1/records/nothing'), 'NOT_FOUND');
    expectCode(await service.get(`/v1/records/${names.secret!}`, { headers: stranger }), 'NOT_FOUND');
    const before = 'as_of_recorded=2020-01-01T00:00:00Z';
    expectCode(await service.get(`/v1/records/${names.paris!}?${before}`), 'NOT_FOUND');
  });

  it('every record leads both ways, and back', async () => {
    const LINKS = 'derivedFrom { id } derives { id } supersedes { id } supersededBy { id }';
    const { data, errors } = await ask(
      service,
      `{ events(scope: "${HOME}") { nodes { id ${LINKS} } } facts(scope: "${HOME}", includeSuperseded: true) { nodes { id ${LINKS} } }
        beliefs(scope: "${HOME}") { nodes { id ${LINKS} } } concepts(scope: "${HOME}") { nodes { id ${LINKS} } } episodes(scope: "${HOME}") { nodes { id ${LINKS} } } }`,
    );
    expect(errors).toBeUndefined();
    const shown = new Map<string, any>(
      ['events', 'facts', 'beliefs', 'concepts', 'episodes'].flatMap((noun) =>
        data[noun].nodes.map((node: any) => [node.id, node] as const),
      ),
    );
    const named = (name: string, field: string): string[] => {
      const found = shown.get(names[name]!)[field];
      const ids: string[] = (Array.isArray(found) ? found : found === null ? [] : [found]).map(
        ({ id }: any) => id as string,
      );
      return ids.map((id) => Object.keys(names).find((key) => names[key] === id) ?? id).sort();
    };
    expect(named('paris', 'derivedFrom')).toEqual(['paris_said']);
    expect(named('paris', 'derives')).toEqual(['french', 'paris_belief', 'secret']);
    expect(named('london', 'supersedes')).toEqual(['paris']);
    expect(named('london', 'supersededBy')).toEqual(['rome']);
    expect(named('london', 'derives')).toEqual(['london_belief', 'paris_belief']);
    expect(named('paris_belief', 'derivedFrom')).toEqual(['london']);
    expect(named('paris_belief', 'supersededBy')).toEqual(['london_belief']);
    expect(named('rome_belief', 'supersedes')).toEqual(['london_belief']);
    expect(named('rome_belief', 'supersededBy')).toEqual([]);
    expect(named('rome', 'derives')).toEqual(['ada_concept', 'london_belief', 'rome_belief', 'rome_concept']);
    expect(named('rome_belief', 'derives')).toEqual(['ada_concept', 'rome_concept']);
    expect(named('ada_concept', 'derivedFrom')).toEqual(['rome', 'rome_belief']);
    expect([named('ada_concept', 'derives'), named('ada_concept', 'supersededBy')]).toEqual([[], []]);
    expect(named('home_episode', 'derivedFrom')).toEqual(['london_said', 'paris_said', 'rome_said']);
    expect(named('paris_said', 'derives')).toEqual(['home_episode', 'paris', 'paris_belief']);
    expect(named('paris_said', 'derivedFrom')).toEqual([]);
    for (const { id, derivedFrom } of shown.values())
      for (const source of derivedFrom) {
        const { derives } = shown.get(source.id as string);
        expect(derives.map((derived: any) => derived.id)).toContain(id);
      }
  });
});
