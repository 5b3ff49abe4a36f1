import { message, type Answer } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { auditRows } from './audit-rows.ts';
import { ask } from './graphql/ask.ts';

// What a scope states of how it is read and recorded acts, on it and on what lies below.

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const at = (path: string): string => `/v1/scopes?path=${encodeURIComponent(path)}`;
const done = (answer: Answer, status = 200): any => {
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return answer.json;
};
const register = async (path: string, policies: object, more: object = {}): Promise<void> => {
  done(await service.post('/v1/scopes', { path, policies, ...more }), 201);
};
const state = async (path: string, policies: object): Promise<void> => {
  done(await service.request('PUT', at(path), { body: { policies } }));
};
const capture = async (scope: string, text: string): Promise<string> =>
  done(await service.post('/v1/experience?wait=consolidated', message(scope, text)), 202).event_id;

describe('default_view', () => {
  const listed = async (path: string, by = {}): Promise<string[]> =>
    done(await service.get(path, by)).items.map(({ scope }: any) => scope);

  it('is the view of listings and recalls that name none, over both transports', async () => {
    const [top, below] = ['org:view', 'org:view/team:a'];
    await register(top, { default_view: 'descend' });
    await capture(top, 'The lantern hangs in the hall.');
    await capture(below, 'The lantern stands in the yard.');
    const stated = statement(below, ['lantern', 'stands_in', 'yard']);
    done(await service.post('/v1/experience?wait=consolidated', stated), 202);
    expect(await listed(`/v1/events?scope=${top}`)).toEqual([below, below, top]);
    expect(await listed(`/v1/events?scope=${top}&view=local`)).toEqual([top]);
    for (const layer of ['facts', 'beliefs', 'understanding'])
      expect(await listed(`/v1/${layer}?scope=${top}`)).toContain(below);
    expect(await listed(`/v1/episodes?scope=${top}`)).toEqual(expect.arrayContaining([top, below]));
    const graph = done(await service.get(`/v1/graph?scope=${top}&types=event`));
    expect(graph.nodes).toHaveLength(3);
    const { data } = await ask(
      service,
      `{ events(scope: "${top}") { nodes { scope } }
      local: events(scope: "${top}", view: local) { nodes { scope } } }`,
    );
    expect(data.events.nodes).toHaveLength(3);
    expect(data.local.nodes).toHaveLength(1);
    await state(top, { default_view: 'raw' });
    const pack = done(await service.post('/v1/recall', { scope: top, query: 'lantern' }));
    expect(pack.layers.events.map(({ scope }: any) => scope)).toEqual([top]);
    expect(pack.layers.facts).toEqual([]);
    expect(await listed(`/v1/facts?scope=${top}`)).toEqual([]);
    const wide = done(await service.post('/v1/recall', { scope: top, query: 'lantern', view: 'holistic' }));
    expect(wide.layers.events).toHaveLength(3);
  });

  it('is inherited as other policies are, and the change of a scope that is named counts at once', async () => {
    const [style, own] = ['org:viewstyle', 'org:viewer/team:a'];
    await register(style, { default_view: 'lineage' });
    await register('org:viewer', { default_view: 'local' });
    await register(own, { inherit_from: [style] });
    await capture('org:viewer', 'above');
    await capture(own, 'here');
    expect(await listed(`/v1/events?scope=${own}`)).toEqual(['org:viewer']);
    await state(style, {});
    expect(await listed(`/v1/events?scope=${own}`)).toEqual([own]);
    await state(style, { default_view: 'holistic' });
    expect(await listed(`/v1/events?scope=${own}`)).toEqual([own, 'org:viewer']);
  });

  it('asks nothing of a caller that he may not have: he reads the scope alone', async () => {
    const [top, below] = ['org:viewcap', 'org:viewcap/team:a'];
    await register(top, { default_view: 'descend', capabilities: { deny: ['scope.read.descend'] } });
    await capture(top, 'here');
    await capture(below, 'below');
    expect(await listed(`/v1/events?scope=${top}`)).toEqual([top]);
    expect((await service.get(`/v1/events?scope=${top}&view=descend`)).status).toBe(403);
  });

  it('says nothing to who may not read the scope', async () => {
    const [top, below] = ['org:viewhidden', 'org:viewhidden/team:a'];
    await register(top, { default_view: 'descend' });
    await register(below, {}, { members: [{ actor: 'user:guest', role: 'reader' }] });
    await capture(below, 'below');
    const { token } = await mintFrom(service, { subject: 'user:guest' });
    const by = { headers: bearer(token, 'user:guest') };
    expect(await listed(`/v1/events?scope=${top}`, by)).toEqual([]);
    expect(await listed(`/v1/events?scope=${top}&view=descend`, by)).toEqual([below]);
  });
});

describe('audit: off', () => {
  const quietly = async (path: string, work: () => Promise<unknown>): Promise<any[]> => {
    const count = async () => (await auditRows(service, `scope=${path}/*`)).length;
    const before = await count();
    await work();
    const rows = await auditRows(service, `scope=${path}/*`);
    return rows.slice(0, rows.length - before);
  };

  it('leaves no rows of reads and writes of the scope and of what lies below, over both transports', async () => {
    const path = 'org:quiet';
    await register(path, { audit: 'off' });
    const rows = await quietly(path, async () => {
      const event = await capture(path, 'The kettle boils.');
      await capture(`${path}/team:a`, 'The kettle cools.');
      done(
        await service.post('/v1/experience/bulk', { items: [message(path, 'one'), message(path, 'two')] }),
        202,
      );
      done(
        await service.post('/v1/beliefs', {
          scope: path,
          statement: 'kettles boil',
          confidence: 0.9,
          supports: [event],
        }),
        201,
      );
      done(await service.post('/v1/beliefs/build', { scope: path }));
      done(await service.post('/v1/understanding/synthesize', { scope: path }), 202);
      done(await service.get(`/v1/graph/export?scope=${path}&format=cytoscape`));
      done(await service.get(`/v1/provenance/${event}/export?format=cytoscape`));
      const { errors } = await ask(
        service,
        `mutation M($e: ExperienceInput!) { capture(input: $e) { eventId } }`,
        { e: { scope: path, modality: 'conversation', content: { text: { text: 'by GraphQL' } } } },
      );
      expect(errors).toBeUndefined();
    });
    expect(rows).toEqual([]);
  });

  it('goes by what the scope inherits, and ends where a scope states otherwise', async () => {
    await register('org:quietstyle', { audit: 'off' });
    await register('org:loud', { inherit_from: ['org:quietstyle'] });
    await register('org:loud/team:a', { audit: 'on' });
    expect(await quietly('org:loud', () => capture('org:loud', 'x'))).toEqual([]);
    expect(await quietly('org:loud', () => capture('org:loud/team:a', 'x'))).toHaveLength(1);
    await state('org:quietstyle', {});
    expect(await quietly('org:loud', () => capture('org:loud', 'x'))).toHaveLength(1);
  });

  it('leaves the row of what is about another scope too', async () => {
    const members = [{ actor: 'user:halfway', role: 'owner' }];
    await register('org:half', { audit: 'off' }, { members });
    const items = [message('org:half', 'one'), message('org:halfother', 'two')];
    const { token } = await mintFrom(service, { subject: 'user:halfway' });
    const by = { headers: bearer(token, 'user:halfway') };
    done(await service.post('/v1/experience/bulk', { items }, by), 202);
    done(await service.post('/v1/experience/bulk', { items: items.slice(0, 1) }, by), 202);
    done(await service.get('/v1/graph/export?scope=org:half&view=holistic&format=cytoscape', by));
    const told = await auditRows(service, 'actor=user:halfway');
    expect(told.map(({ endpoint }) => endpoint)).toEqual([
      'GET /v1/graph/export',
      'POST /v1/experience/bulk',
    ]);
  });

  it('leaves the rows of refusals, of changes of the scope, and of what takes something away', async () => {
    const path = 'org:kept';
    await register(path, { audit: 'off' });
    const event = await capture(path, 'to be cancelled');
    await capture(path, 'to be derived again');
    const { token } = await mintFrom(service, { subject: 'user:stranger' });
    const by = { headers: bearer(token, 'user:stranger') };
    const told = await quietly(path, async () => {
      expect((await service.post('/v1/experience', message(path, 'x'), by)).status).toBe(403);
      done(await service.post(`/v1/lifecycle/memory-event/${event}/cancel`, {}));
      done(await service.post('/v1/forget', { scope: path, selector: { labels: ['none'] } }));
      done(await service.post('/v1/erasures', { scope: path, selector: { labels: ['none'] } }), 202);
      done(await service.post('/v1/admin/derived/rederive', { scope: path }), 202);
      await state(path, { audit: 'off', default_view: 'local' });
      await state(path, {});
      await capture(path, 'told again');
    });
    expect(told.map(({ endpoint, decision }) => [endpoint, decision]).reverse()).toEqual([
      ['POST /v1/experience', 'deny'],
      ['POST /v1/lifecycle/memory-event/{id}/cancel', 'allow'],
      ['POST /v1/forget', 'allow'],
      ['POST /v1/erasures', 'allow'],
      ['POST /v1/admin/derived/rederive', 'allow'],
      ['PUT /v1/scopes', 'allow'],
      ['PUT /v1/scopes', 'allow'],
      ['POST /v1/experience', 'allow'],
    ]);
  });
});
