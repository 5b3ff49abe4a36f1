import { request } from 'node:http';

import { EXPORT_FORMATS, GRAPH_EXPORT_FORMATS } from '../../schemas/graph-export.ts';
import { operatorHeaders } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { eventually } from '../support/wait.ts';
import { graphOf, textsOf, type Graph } from './graph-pages.ts';
import { expectProblem } from './problem.ts';
import { buildWorld, CLOSED, HOME, type World } from './provenance-world.ts';

// The formats themselves are held by test/graph-export, and read back by other tools in graph-export.long.

let service: SharedService;
let world: World;

beforeAll(async () => {
  service = sharedService();
  world = await buildWorld(service);
});

type Headers = Record<string, string | null>;

async function exported(query: string, headers: Headers = {}): Promise<any> {
  const { status, text } = await service.get(`/v1/graph/export?format=cytoscape&${query}`, { headers });
  if (status !== 200) throw new Error(text);
  return JSON.parse(text);
}

/** What a Cytoscape file has, as the interface answers it. */
function graphIn({ elements }: any): Graph {
  const nodes = elements.nodes.map(({ data }: any) => ({
    id: data.id,
    type: data.type,
    scope: data.scope,
    summary: data.summary,
    valid_from: data.valid_from ?? null,
    valid_to: data.valid_to ?? null,
    recorded_from: data.recorded_from ?? null,
    ...(data.confidence === undefined ? {} : { confidence: data.confidence }),
    ...(data.stance === undefined ? {} : { stance: data.stance }),
  }));
  const edges = elements.edges.map(({ data }: any) => {
    const { id: _id, key: _key, source, target, interaction: _same, span_start, span_end, ...said } = data;
    const span = span_start === undefined ? {} : { span: { start: span_start, end: span_end } };
    return { from: source, to: target, ...said, ...span };
  });
  return { nodes, edges };
}

/** The edges with their properties in one order. */
function sorted({ nodes, edges }: Graph): ReturnType<typeof textsOf> {
  const inOrder = (edge: any): any => Object.fromEntries(Object.entries(edge).sort());
  return textsOf({ nodes, edges: edges.map(inOrder) });
}

/** The edges of all pages, each once: that entities are linked comes with each page. */
function once({ nodes, edges }: Graph): Graph {
  return { nodes, edges: [...new Map(edges.map((edge) => [JSON.stringify(edge), edge])).values()] };
}

const NOW = `as_of_valid=${encodeURIComponent('2027-01-01T00:00:00Z')}`;

describe('the export of the graph of a scope', () => {
  it.each([
    '',
    '&include_superseded=true',
    '&types=fact,entity',
    '&types=entity',
    '&entity=ent_paris&include_superseded=true',
    '&q=LIVES%20in%20ent_rome,',
    '&as_of_valid=2024-06-01T00:00:00Z',
    '&view=raw',
  ])('has what all pages of the interface have: %s', async (asked) => {
    const query = `scope=${HOME}${asked.includes('as_of_valid') ? '' : `&${NOW}`}${asked}`;
    const file = await exported(query);
    const pages = await graphOf(service, `${query}&limit=3`);
    expect(file.elements.nodes.length).toBeGreaterThan(0);
    expect(sorted(graphIn(file))).toEqual(sorted(once(pages)));
  });

  it('has it of several scopes, each entity once', async () => {
    const query = `scope=org:why&view=descend&include_superseded=true&${NOW}`;
    const { elements } = await exported(query);
    const ids = elements.nodes.map(({ data }: any) => data.id);
    expect(new Set(ids).size).toBe(ids.length);
    const pages = await graphOf(service, `${query}&limit=1000`);
    expect(ids.sort()).toEqual(pages.nodes.map(({ id }) => id).sort());
    expect(elements.edges).toHaveLength(once(pages).edges.length);
  });

  it('says what it is the graph of, at instants by which it can be had again', async () => {
    const first = await exported(`scope=${HOME}`);
    expect(first.data).toEqual({
      name: HOME,
      scope: HOME,
      view: 'local',
      include_superseded: false,
      as_of_valid: expect.any(String),
      as_of_recorded: expect.any(String),
      withheld_scopes: 0,
    });
    const { as_of_valid, as_of_recorded } = first.data;
    const again = await exported(`scope=${HOME}&as_of_valid=${as_of_valid}&as_of_recorded=${as_of_recorded}`);
    expect(again).toEqual(first);
  });

  it.each(GRAPH_EXPORT_FORMATS)('comes as a file of its format: %s', async (format) => {
    const { status, headers, text } = await service.get(`/v1/graph/export?format=${format}&scope=${HOME}`);
    const { mediaType, extension } = EXPORT_FORMATS[format];
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(`${mediaType}; charset=utf-8`);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="org-why-user-ada.${extension}"`);
    expect(text).toContain(world.names.rome);
    const head = await service.request('HEAD', `/v1/graph/export?format=${format}&scope=${HOME}`);
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      200,
      `${mediaType}; charset=utf-8`,
      '',
    ]);
  });

  it('takes the right to export, in each scope that it has', async () => {
    const closed = { path: 'org:exp/ws:closed', policies: { capabilities: { deny: ['export'] } } };
    expect((await service.post('/v1/scopes', closed)).status).toBe(201);
    for (const scope of ['org:exp/ws:open', closed.path])
      await service.post(
        '/v1/experience?wait=consolidated',
        statement(scope, ['ent_ann', 'likes', `ent_${scope.slice(-4)}`]),
      );
    const all = await exported('scope=org:exp&view=descend');
    expect(all.data.withheld_scopes).toBe(1);
    expect(JSON.stringify(all)).toContain('ent_open');
    expect(JSON.stringify(all)).not.toContain('ent_osed');
    expectProblem(await service.get(`/v1/graph/export?format=dot&scope=${closed.path}`), {
      status: 403,
      code: 'POLICY_DENIED',
    });
    const { token } = await mintFrom(service, { subject: 'user:reader', capabilities: ['scope.read'] });
    const reader = { headers: bearer(token, 'user:reader') };
    for (const path of [
      `/v1/graph/export?format=dot&scope=${HOME}`,
      `/v1/provenance/${world.names.rome!}/export?format=dot`,
    ])
      expectProblem(await service.get(path, reader), { status: 403, code: 'POLICY_DENIED' });
  });

  it('leaves out what the caller may not read, as if it were not there', async () => {
    const open = await exported(`scope=${HOME}&include_superseded=true`, world.stranger);
    expect(JSON.stringify(open)).not.toContain(world.names.secret);
    const closed = await exported(`scope=${CLOSED}`, world.stranger);
    expect(closed.elements).toEqual({ nodes: [], edges: [] });
    const secret = `/v1/provenance/${world.names.secret!}/export?format=dot`;
    expectProblem(await service.get(secret, { headers: world.stranger }), { status: 404, code: 'NOT_FOUND' });
  });

  it('says what is wrong with a request', async () => {
    const refused = async (query: string, code: string, status: number, field?: string): Promise<void> => {
      const answer = await service.get(`/v1/graph/export?${query}`);
      expectProblem(answer, { status, code, ...(field === undefined ? {} : { field }) });
    };
    await refused(`scope=${HOME}&format=svg`, 'INVALID_QUERY', 400, 'format');
    await refused(`scope=${HOME}&format=mermaid`, 'INVALID_QUERY', 400, 'format');
    await refused(`scope=${HOME}&format=dot&limit=3`, 'INVALID_QUERY', 400, 'limit');
    await refused(`scope=${HOME}&format=dot&view=wide`, 'INVALID_QUERY', 422, 'view');
  });
});

describe('GEXF', () => {
  const scope = 'org:spells/ws:one';

  it('has a spell for each interval of a fact that others interrupted', async () => {
    await service.post(
      '/v1/experience?wait=consolidated',
      statement(scope, ['ent_ann', 'lives in', 'ent_trieste'], { valid_from: '2015-01-10' }),
    );
    const brief = { valid_from: '2016-03-01', valid_to: '2016-05-01' };
    await service.post(
      '/v1/experience?wait=consolidated',
      statement(scope, ['ent_ann', 'lives in', 'ent_udine'], brief),
    );
    const { items } = (await service.get(`/v1/facts?scope=${scope}&include_superseded=true`)).json;
    const factOf = (city: string): string => items.find((fact: any) => fact.object.id === city).id;
    const [trieste, udine] = [factOf('ent_trieste'), factOf('ent_udine')];
    const files = [
      `/v1/graph/export?scope=${scope}&format=gexf&include_superseded=true`,
      `/v1/provenance/${trieste}/export?format=gexf`,
    ];
    for (const path of files) {
      const { text } = await service.get(path);
      const spellsOf = (id: string): string[] =>
        new RegExp(`<node id="${id}".*`).exec(text)?.[0].match(/<spell [^>]*>/g) ?? [];
      expect(spellsOf(trieste)).toEqual([
        '<spell start="2015-01-10T00:00:00.000Z" end="2016-03-01T00:00:00.000Z"/>',
        '<spell start="2016-05-01T00:00:00.000Z"/>',
      ]);
      if (path.includes('graph'))
        expect(spellsOf(udine)).toEqual([
          '<spell start="2016-03-01T00:00:00.000Z" end="2016-05-01T00:00:00.000Z"/>',
        ]);
    }
  });
});

describe('the export of the graph around a record', () => {
  const get = (id: string, query: string) => service.get(`/v1/provenance/${id}/export?${query}`);

  it('has what the interface has', async () => {
    const id = world.names.rome!;
    for (const reach of ['direction=both&depth=6', 'relation=supersession&direction=both']) {
      const file = JSON.parse((await get(id, `format=cytoscape&${reach}`)).text);
      const graph = (await service.get(`/v1/provenance/${id}?${reach}`)).json;
      expect(file.elements.nodes.map(({ data }: any) => data.id)).toEqual(
        graph.nodes.map((node: any) => node.id),
      );
      expect(file.elements.nodes.map(({ data }: any) => data.summary)).toEqual(
        graph.nodes.map((node: any) => node.summary),
      );
      expect(file.elements.edges).toHaveLength(graph.edges.length);
      expect(file.data).toMatchObject({ record: id, truncated: graph.truncated });
    }
  });

  it('leads as edges lead in the database', async () => {
    const file = JSON.parse((await get(world.names.rome!, 'format=cytoscape&relation=supersession')).text);
    expect(file.elements.edges.map(({ data }: any) => [data.source, data.type, data.target])).toContainEqual([
      world.names.london,
      'SUPERSEDED_BY',
      world.names.rome,
    ]);
  });

  it('is a flowchart of Mermaid too, of up to 500 edges', async () => {
    const { status, headers, text } = await get(world.names.rome!, 'format=mermaid');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/vnd.mermaid; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${world.names.rome!}.mmd"`);
    expect(text).toContain('-->|DERIVED_FROM|');
  });

  it('is not cut where the interface cuts, and refuses Mermaid beyond 500 edges', async () => {
    const scope = 'org:exp/ws:talk';
    const said = (i: number): object => ({
      modality: 'conversation',
      content: { kind: 'message', role: 'user', text: `Turn ${i}` },
    });
    const items = Array.from({ length: 501 }, (_, i) => said(i));
    expect((await service.post('/v1/experience/bulk?wait=consolidated', { scope, items })).status).toBe(202);
    const episodes = await eventually('the episode', async () => {
      const { json } = await service.get(`/v1/episodes?scope=${scope}`);
      return json.items.length === 1 ? json.items : false;
    });
    const id = episodes[0].id as string;
    const file = JSON.parse((await get(id, 'format=cytoscape')).text);
    expect(file.elements.edges).toHaveLength(501);
    expect(file.data.truncated).toBe(false);
    const whole = await exported(`scope=${scope}`);
    expect(whole.elements.edges.filter(({ data }: any) => data.type === 'CONTAINS')).toHaveLength(501);
    expectProblem(await get(id, 'format=mermaid'), { status: 422, code: 'INVALID_QUERY', field: 'format' });
  });

  it('says what is wrong with a request', async () => {
    expectProblem(await get('fact_none', 'format=dot'), { status: 404, code: 'NOT_FOUND' });
    expectProblem(await get(world.names.rome!, 'format=svg'), {
      status: 400,
      code: 'INVALID_QUERY',
      field: 'format',
    });
    expectProblem(await get(world.names.rome!, 'format=dot&direction=left'), {
      status: 400,
      code: 'INVALID_QUERY',
      field: 'direction',
    });
  });
});

it('lets go of an export whose client went away, and goes on with others', async () => {
  // So many that the process would refuse the next one if it held those.
  for (let i = 0; i < 10; i += 1)
    await new Promise<void>((resolve, reject) => {
      const sent = request(`${service.url}/v1/graph/export?format=prov-json&scope=${HOME}`, {
        headers: operatorHeaders(),
      });
      sent.on('response', (answer) => {
        answer.destroy();
        resolve();
      });
      sent.on('error', reject);
      sent.end();
    });
  await eventually('an export', async () => {
    const { status } = await service.get(`/v1/graph/export?format=dot&scope=${HOME}`);
    return status === 200;
  });
});
