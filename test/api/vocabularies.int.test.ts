import type { Answer, RequestOptions } from '../support/client.ts';
import { message } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const patch = (name: string, body: object, options: RequestOptions = {}): Promise<Answer> =>
  service.request('PATCH', `/v1/vocabularies/${name}`, { ...options, body });
const done = (answer: Answer, status = 200): any => {
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return answer.json;
};
const get = async (path: string, options: RequestOptions = {}): Promise<any> =>
  done(await service.get(path, options));
const state = async (scope: string, ...said: [string, string, string]): Promise<void> => {
  done(await service.post('/v1/experience?wait=consolidated', statement(scope, said)), 202);
};
const predicatesOf = async (filter: string): Promise<string[]> =>
  (await get(`/v1/facts?${filter}`)).items.map(({ predicate }: any) => predicate);
const by = async (actor: string, narrowed: object = {}): Promise<RequestOptions> => {
  const { token } = await mintFrom(service, { subject: actor, ...narrowed });
  return { headers: bearer(token, actor) };
};

describe('a vocabulary', () => {
  it('is made, changed by ids, read and removed, over both transports', async () => {
    const made = done(
      await patch('crm', {
        description: 'Sales.',
        terms: [{ id: 'arr', term: 'annual recurring revenue', aliases: ['ARR'] }],
        predicates: [{ id: 'renews_on', aliases: ['renewal date'], cardinality: 'one' }],
      }),
    );
    expect(made).toMatchObject({
      name: 'crm',
      scope: null,
      relations: [],
      revision: 1,
      created_by: 'user:local',
    });
    expect(made.counts_after).toBeGreaterThanOrEqual(0);
    const changed = done(await patch('crm', { terms: [{ id: 'arr', definition: 'A year of contracts.' }] }));
    expect(changed).toEqual({
      ...made,
      terms: [{ ...made.terms[0], definition: 'A year of contracts.' }],
      revision: 2,
      updated_at: changed.updated_at,
    });
    expect(done(await patch('crm', { description: 'Sales.' }))).toEqual(changed);
    expect(await get('/v1/vocabularies/crm')).toEqual(changed);
    const { data, errors } = await ask(
      service,
      `mutation M { updateVocabulary(name: "crm", input: {description: null, predicates: [{id: "renews_on", validTo: "2040-01-01"}]}) {
         description predicates { id aliases cardinality validTo } revision countsAfter } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.updateVocabulary).toMatchObject({
      description: null,
      predicates: [
        {
          id: 'renews_on',
          aliases: ['renewal date'],
          cardinality: 'one',
          validTo: '2040-01-01T00:00:00.000Z',
        },
      ],
      revision: 3,
    });
    expect((await service.request('DELETE', '/v1/vocabularies/crm')).status).toBe(204);
    expectProblem(await service.get('/v1/vocabularies/crm'), { status: 404, code: 'NOT_FOUND' });
    expectProblem(await service.request('DELETE', '/v1/vocabularies/crm'), {
      status: 404,
      code: 'NOT_FOUND',
    });
  });

  it('is listed, those first that were made last, over both transports', async () => {
    const there = { headers: { 'x-strata-tenant': service.anotherTenant() } };
    for (const name of ['first', 'second']) done(await patch(name, {}, there));
    const page = await get('/v1/vocabularies?limit=1', there);
    expect([page.items[0].name, page.has_more]).toEqual(['second', true]);
    const rest = await get(`/v1/vocabularies?cursor=${page.next_cursor}`, there);
    expect([rest.items.map(({ name }: any) => name), rest.has_more]).toEqual([['first'], false]);
    const listed = await service.post(
      '/graphql',
      {
        query:
          '{ vocabularies(first: 1) { nodes { name } edges { cursor } pageInfo { hasNextPage endCursor } } }',
      },
      there,
    );
    expect(listed.json.data.vocabularies).toMatchObject({
      nodes: [{ name: 'second' }],
      pageInfo: { hasNextPage: true },
    });
  });

  it('says what is told by a predicate in its scope and below, from then on, and nothing that was derived changes', async () => {
    const [scope, below, beside] = ['org:words', 'org:words/team:a', 'org:other'];
    await state(scope, 'ann', 'toils_for', '=Acme');
    const made = done(
      await patch('jobs', {
        scope,
        relations: [{ id: 'serves', aliases: ['toils for'], cardinality: 'many' }],
      }),
    );
    for (const path of [scope, below, beside]) await state(path, 'bob', 'Toils-For', '=Acme');
    await state(below, 'bob', 'serves', '=Initech');
    expect(await predicatesOf(`scope=${scope}`)).toEqual(['serves', 'toils_for']);
    expect(await predicatesOf(`scope=${below}`)).toEqual(['serves', 'serves']);
    expect(await predicatesOf(`scope=${beside}`)).toEqual(['toils_for']);
    const offset = (await get(`/v1/events?scope=${scope}`)).items.at(-1).wal_offset;
    expect(made.counts_after).toBeGreaterThanOrEqual(offset);
    // What was told before has got its own name, and is found by the new one too, by whatever name it is asked for.
    for (const asked of ['serves', 'toils for'])
      expect((await predicatesOf(`scope=${scope}&predicate=${encodeURIComponent(asked)}`)).sort()).toEqual([
        'serves',
        'toils_for',
      ]);
    done(await service.post('/v1/beliefs/build', { scope }));
    expect(await predicatesOf(`scope=${scope}`)).toEqual(['serves', 'toils_for']);
    const line = await get(`/v1/facts/timeline?subject=bob&predicate=toils_for&scope=${below}`);
    expect([line.predicate, line.items.length]).toEqual(['serves', 2]);
    const gone = done(
      await service.post('/v1/forget', { scope: below, selector: { predicate: 'toils_for' } }),
    );
    expect(gone.deleted.facts).toBe(2);
    done(await patch('jobs', { relations: [{ id: 'serves', active: false }] }));
    await state(scope, 'cyd', 'toils_for', '=Acme');
    expect(await predicatesOf(`scope=${scope}&subject=cyd`)).toEqual(['toils_for']);
  });

  it('goes behind the cardinality that a scope states, and before what the service knows', async () => {
    const scope = 'org:counted';
    done(await service.post('/v1/scopes', { path: scope, policies: { cardinality: { likes: 'one' } } }), 201);
    done(
      await patch('counted', {
        scope,
        predicates: [
          { id: 'likes', cardinality: 'exclusive' },
          { id: 'works_at', cardinality: 'many' },
        ],
      }),
    );
    await state(scope, 'ann', 'likes', '=tea');
    await state(scope, 'ann', 'likes', '=coffee');
    await state(scope, 'ann', 'works_at', '=Acme');
    await state(scope, 'ann', 'works_at', '=Initech');
    expect(await predicatesOf(`scope=${scope}`)).toEqual(['works_at', 'works_at', 'likes']);
  });

  it('lets a recall for one name find what says another', async () => {
    const scope = 'org:terms';
    done(
      await service.post(
        '/v1/experience?wait=indexed',
        message(scope, 'Our annual recurring revenue doubled.'),
      ),
      202,
    );
    done(await service.post('/v1/experience?wait=indexed', message(scope, 'We had soup on Monday.')), 202);
    const found = async (query: string): Promise<string[]> => {
      const pack = done(
        await service.post('/v1/recall', { scope, view: 'local', query, include: ['events'] }),
      );
      return pack.layers.events.map(({ content }: any) => content.text);
    };
    expect(await found('How is the GXARR?')).not.toContain('Our annual recurring revenue doubled.');
    done(
      await patch('terms', {
        scope,
        terms: [{ id: 'gxarr', term: 'annual recurring revenue', aliases: ['GXARR'] }],
      }),
    );
    expect((await found('How is the GXARR?'))[0]).toBe('Our annual recurring revenue doubled.');
    done(await patch('terms', { terms: [{ id: 'gxarr', valid_to: '2020-01-01' }] }));
    expect(await found('How is the GXARR?')).not.toContain('Our annual recurring revenue doubled.');
  });

  it('goes with its scope when that is deleted', async () => {
    const scope = 'org:leaving';
    done(await service.post('/v1/scopes', { path: scope }), 201);
    done(await patch('leaving', { scope, predicates: [{ id: 'serves', aliases: ['toils_for'] }] }));
    await state(scope, 'ann', 'toils_for', '=Acme');
    expect((await service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`)).status).toBe(204);
    expectProblem(await service.get('/v1/vocabularies/leaving'), { status: 404, code: 'NOT_FOUND' });
    await state(scope, 'ann', 'toils_for', '=Acme');
    expect(await predicatesOf(`scope=${scope}`)).toEqual(['toils_for']);
  });
});

describe('who may change a vocabulary', () => {
  it('is an owner of its scope, and for the whole tenant who has admin', async () => {
    const path = 'org:owned';
    const members = [
      { actor: 'user:boss', role: 'owner' },
      { actor: 'user:reader', role: 'reader' },
    ];
    done(await service.post('/v1/scopes', { path, members }), 201);
    const [boss, reader, stranger] = [
      await by('user:boss'),
      await by('user:reader'),
      await by('user:stranger'),
    ];
    done(await patch('owned', { scope: path, description: 'x' }, boss));
    expect((await get('/v1/vocabularies/owned', reader)).description).toBe('x');
    expectProblem(await patch('owned', { description: 'y' }, reader), { status: 403, code: 'NOT_A_MEMBER' });
    expectProblem(await patch('owned', { scope: 'org:mine' }, reader), { status: 403, code: 'NOT_A_MEMBER' });
    expectProblem(await patch('fresh', { scope: path }, stranger), { status: 403, code: 'NOT_A_MEMBER' });
    for (const answer of [
      await service.get('/v1/vocabularies/owned', stranger),
      await patch('owned', { scope: 'org:mine' }, stranger),
    ])
      expectProblem(answer, { status: 404, code: 'NOT_FOUND' });
    expect((await get('/v1/vocabularies', stranger)).items.map(({ name }: any) => name)).not.toContain(
      'owned',
    );
    const narrowed = await by('user:boss', { caps: ['scope.*'] });
    expectProblem(await patch('owned', { scope: null }, narrowed), { status: 403, code: 'POLICY_DENIED' });
    done(await patch('owned', { scope: null }, boss));
    expectProblem(await patch('owned', { scope: path }, narrowed), { status: 403, code: 'POLICY_DENIED' });
    const rows = (await get('/v1/audit?actor=user:boss&limit=3')).items;
    expect(rows.map(({ endpoint, decision, scope }: any) => [endpoint, decision, scope])).toContainEqual([
      'PATCH /v1/vocabularies/{name}',
      'allow',
      null,
    ]);
  });

  it('is told nothing by one of a scope that he may not read', async () => {
    const [open, shut] = ['org:ajar', 'org:ajar/team:shut'];
    done(
      await service.post('/v1/scopes', { path: shut, members: [{ actor: 'user:boss', role: 'owner' }] }),
      201,
    );
    done(await patch('shut', { scope: shut, predicates: [{ id: 'serves', aliases: ['hushes_for'] }] }));
    await state(open, 'eve', 'serves', '=Acme');
    await state(shut, 'eve', 'hushes_for', '=Initech');
    const stranger = await by('user:stranger');
    const asked = async (query: string, options?: RequestOptions): Promise<any> =>
      get(`/v1/${query}&subject=eve&predicate=hushes_for`, options);
    expect((await asked(`facts?scope=${open}&view=descend`)).items).toHaveLength(2);
    expect((await asked(`facts?scope=${open}&view=descend`, stranger)).items).toEqual([]);
    expect((await asked('facts/timeline?')).predicate).toBe('serves');
    for (const scope of ['', `scope=${shut}`])
      expect((await asked(`facts/timeline?${scope}`, stranger)).predicate).toBe('hushes_for');
    expect((await asked(`claims/history?scope=${shut}`)).claim.predicate).toBe('serves');
    expect((await asked(`claims/history?scope=${shut}`, stranger)).claim.predicate).toBe('hushes_for');
    // What a scope calls a thing is no name of it beside that scope, to forget by least of all.
    expect((await asked(`facts?scope=${open}`)).items).toEqual([]);
    const gone = done(
      await service.post('/v1/forget', { scope: open, selector: { predicate: 'hushes_for' } }),
    );
    expect(gone.deleted.facts).toBe(0);
  });

  it('finds no more than 64 of a tenant', async () => {
    const tenant = service.anotherTenant();
    const there = { headers: { 'x-strata-tenant': tenant } };
    for (let i = 0; i < 64; i += 1) done(await patch(`v${i}`, {}, there));
    expectProblem(await patch('more', {}, there), { status: 422, code: 'INVALID_BODY', field: 'name' });
    done(await patch('v0', { description: 'still' }, there));
    expect((await get('/v1/vocabularies?limit=1000', there)).items).toHaveLength(64);
  });
});
