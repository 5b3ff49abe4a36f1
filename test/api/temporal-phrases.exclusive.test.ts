import type { Driver } from 'neo4j-driver';

import { MAX_TEMPORAL_PHRASES } from '../../src/limits/temporal.ts';
import { query, testDriver } from '../support/database.ts';
import { loseAnswerOf } from '../support/lost-answer.ts';
import type { Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { auditRows } from './audit-rows.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

const SETTINGS = { STRATA_TENANTS: 'other,paged,full' };
const PATH = '/v1/temporal/phrases';
const DAY_MS = 86_400_000;
const SPRINT = { name: 'last sprint', anchor: 'today', expression: '-P14D..P0D' };

let service: TestService;

beforeAll(async () => {
  service = await startTestService(SETTINGS);
});
afterAll(async () => {
  await service.stop();
});
afterEach(() => {
  jest.restoreAllMocks();
});

const as = (actor: string) => ({ headers: { 'x-strata-actor': actor } });
const of = (tenant: string) => ({ headers: { 'x-strata-tenant': tenant } });
const define = (body: unknown, options = {}): Promise<Answer> => service.post(PATH, body, options);
const remove = (name: string, options = {}): Promise<Answer> =>
  service.request('DELETE', `${PATH}/${encodeURIComponent(name)}`, options);

/** The phrases of a tenant in the order of their list. */
async function listed(tenant = 'default'): Promise<any[]> {
  const { status, json } = await service.get(`${PATH}?limit=1000`, of(tenant));
  expect([status, json.has_more]).toEqual([200, false]);
  return json.items;
}

const namesOf = (items: readonly { name: string }[]): string[] => items.map(({ name }) => name);

describe('defining a phrase', () => {
  it('creates it, with what it stands for now', async () => {
    const before = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const { status, json } = await define(SPRINT, as('user:first'));
    expect([status, json]).toEqual([
      201,
      {
        ...SPRINT,
        created_at: expect.any(String),
        created_by: 'user:first',
        updated_at: json.created_at,
        updated_by: 'user:first',
        current: { from: expect.stringMatching(/T00:00:00\.000Z$/), to: expect.any(String) },
      },
    ]);
    const [from, to] = [Date.parse(json.current.from), Date.parse(json.current.to)];
    expect(to - from).toBe(14 * DAY_MS);
    expect([before, before + DAY_MS]).toContain(to);
  });

  it('again changes nothing', async () => {
    const [known] = await listed();
    const { status, json } = await define(SPRINT, as('user:second'));
    expect([status, json]).toEqual([200, known]);
  });

  it('of the same name but for case and blanks gives it another meaning in its place', async () => {
    await define({ name: 'crunch time', anchor: '2026-03-01', expression: 'P0D..P2W' });
    const [, known] = await listed();
    const other = { name: 'Last  SPRINT', anchor: 'this_week', expression: '-P1W..P0D' };
    const { status, json } = await define(other, as('user:second'));
    expect([status, json]).toEqual([
      200,
      {
        ...{ ...known, ...other },
        updated_at: expect.any(String),
        updated_by: 'user:second',
        current: expect.any(Object),
      },
    ]);
    expect(Date.parse(json.updated_at)).toBeGreaterThanOrEqual(Date.parse(known.created_at));
    expect(namesOf(await listed())).toEqual(['crunch time', 'Last  SPRINT']);
    expect((await listed())[0].current).toEqual({
      from: '2026-03-01T00:00:00.000Z',
      to: '2026-03-15T00:00:00.000Z',
    });
  });

  it('that is nothing now has no stretch', async () => {
    const { status, json } = await define({ ...SPRINT, name: 'far', expression: 'P9000Y..P9001Y' });
    expect([status, json.current]).toEqual([201, null]);
    expect((await remove('far')).status).toBe(204);
  });

  it.each([
    ['name', { ...SPRINT, name: undefined }],
    ['name', { ...SPRINT, name: ' ' }],
    ['name', { ...SPRINT, name: '..' }],
    ['name', { ...SPRINT, name: 'x'.repeat(65) }],
    ['anchor', { ...SPRINT, anchor: undefined }],
    ['anchor', { ...SPRINT, anchor: 'tomorrow' }],
    ['anchor', { ...SPRINT, anchor: '2026-02-30' }],
    ['expression', { ...SPRINT, expression: undefined }],
    ['expression', { ...SPRINT, expression: '-P14D' }],
    ['expression', { ...SPRINT, expression: 'P0D..-P14D' }],
    ['reference', { ...SPRINT, reference: 'x' }],
  ])('is refused for a bad %s: %j', async (field, body) => {
    expectProblem(await define(body), { status: 422, code: 'INVALID_BODY', field });
    const { reference: _unknown, ...input } = body as Record<string, unknown>;
    const { errors } = await ask(
      service,
      'mutation ($input: DefineTemporalPhraseInput!) { defineTemporalPhrase(input: $input) { name } }',
      { input: field === 'reference' ? body : input },
    );
    expect(errors?.[0].extensions.code).toBe('INVALID_BODY');
    // What is missing or unknown is told by the language itself.
    if (body[field as 'name'] !== undefined && field !== 'reference')
      expect(errors?.[0].extensions.details.field_path).toBe(field);
  });
});

describe('the list', () => {
  beforeAll(async () => {
    for (let i = 0; i < 25; i += 1) await define({ ...SPRINT, name: `phrase ${i}` }, of('paged'));
  });

  it('goes on page by page, none twice and none left out whatever is changed meanwhile', async () => {
    const found: string[] = [];
    for (let query = '?limit=10'; query !== '';) {
      const { status, json } = await service.get(`${PATH}${query}`, of('paged'));
      expect(status).toBe(200);
      expect(json.items.length).toBeLessThanOrEqual(10);
      found.push(...namesOf(json.items));
      if (found.length === 10) {
        await define({ ...SPRINT, name: 'one more' }, of('paged'));
        await define({ ...SPRINT, name: 'phrase 3', anchor: 'this_week' }, of('paged'));
        // The last one that was shown.
        await remove('phrase 15', of('paged'));
      }
      expect(json.has_more).toBe('next_cursor' in json);
      query = json.has_more === true ? `?limit=10&cursor=${json.next_cursor}` : '';
    }
    expect(found).toEqual(Array.from({ length: 25 }, (_, i) => `phrase ${24 - i}`));
  });

  it('takes a decimal cursor as an offset, and clamps its limit', async () => {
    const all = await listed('paged');
    const { json } = await service.get(`${PATH}?limit=0&cursor=2`, of('paged'));
    expect([json.items, json.has_more]).toEqual([[all[2]], true]);
  });

  it.each([
    ['limit=ten', 'limit'],
    ['cursor=zzz', 'cursor'],
    [`cursor=e${Buffer.from('at:9007199254740993:0:').toString('base64url')}`, 'cursor'],
    ['prefix=a', 'prefix'],
  ])('refuses %s', async (query, field) => {
    expectProblem(await service.get(`${PATH}?${query}`), { status: 400, code: 'INVALID_QUERY', field });
  });

  it('is the same over GraphQL, and goes on from any of its cursors', async () => {
    const page = `query ($after: String) { temporalPhrases(first: 10, after: $after) {
      edges { cursor node { name } }
      nodes { name anchor expression createdAt createdBy updatedAt updatedBy current { from to } }
      pageInfo { hasNextPage endCursor } } }`;
    const found: any[] = [];
    let after: string | null = null;
    for (let more = true; more;) {
      const { data, errors }: any = await ask(service, page, { after }, of('paged'));
      expect(errors).toBeUndefined();
      const { edges, nodes, pageInfo } = data.temporalPhrases;
      expect(edges.map(({ node }: any) => node.name)).toEqual(namesOf(nodes));
      found.push(...nodes);
      more = pageInfo.hasNextPage;
      after = edges.at(-1).cursor;
    }
    const rest = await listed('paged');
    expect(found).toEqual(
      rest.map(({ created_at, created_by, updated_at, updated_by, ...item }) => ({
        ...item,
        ...{ createdAt: created_at, createdBy: created_by, updatedAt: updated_at, updatedBy: updated_by },
      })),
    );
  });
});

describe('removing a phrase', () => {
  it('takes its meaning back, by any spelling of its name, and once only', async () => {
    await define({ ...SPRINT, name: 'a/b %2F & c?' });
    expect((await remove('A/B  %2f & C?')).status).toBe(204);
    expect(namesOf(await listed())).not.toContain('a/b %2F & c?');
    expectProblem(await remove('a/b %2F & c?'), { status: 404, code: 'NOT_FOUND' });
    expect((await define({ ...SPRINT, name: 'a/b %2F & c?' })).status).toBe(201);
    expect((await remove('a/b %2F & c?')).status).toBe(204);
  });

  it.each(['unknown', 'x'.repeat(65), 'x'.repeat(300), '?!', 'a\u0000'])('of %j is 404', async (name) => {
    expectProblem(await remove(name), { status: 404, code: 'NOT_FOUND' });
  });
});

describe('over GraphQL', () => {
  it('a phrase is defined, replaced and removed as over REST', async () => {
    const text = `mutation ($input: DefineTemporalPhraseInput!) {
      defineTemporalPhrase(input: $input) { name createdAt updatedBy current { from to } } }`;
    const input = { ...SPRINT, name: 'by graph', anchor: '2026-01-01' };
    const made = await ask(service, text, { input });
    expect(made.data.defineTemporalPhrase.current).toEqual({
      from: '2025-12-18T00:00:00.000Z',
      to: '2026-01-01T00:00:00.000Z',
    });
    const again = await ask(
      service,
      text,
      { input: { ...input, name: 'BY graph', anchor: 'now' } },
      as('user:g'),
    );
    expect(again.data.defineTemporalPhrase).toMatchObject({
      name: 'BY graph',
      createdAt: made.data.defineTemporalPhrase.createdAt,
      updatedBy: 'user:g',
    });
    const gone = (): Promise<any> => ask(service, 'mutation { removeTemporalPhrase(name: "by Graph") }');
    expect((await gone()).data).toEqual({ removeTemporalPhrase: true });
    expect((await gone()).errors[0].extensions.code).toBe('NOT_FOUND');
  });
});

describe('a tenant', () => {
  it('has phrases of its own', async () => {
    await define({ ...SPRINT, name: 'mine' });
    expect(await listed('other')).toEqual([]);
    expectProblem(await remove('mine', of('other')), { status: 404, code: 'NOT_FOUND' });
    expect((await define({ ...SPRINT, name: 'Mine', anchor: 'now' }, of('other'))).status).toBe(201);
    expect((await listed('other'))[0]).toMatchObject({ name: 'Mine', anchor: 'now' });
    expect((await listed())[0]).toMatchObject({ name: 'mine', anchor: 'today' });
    expect((await remove('mine', of('other'))).status).toBe(204);
    expect(namesOf(await listed())).toContain('mine');
  });

  it('has so many at most, and may replace and remove them then', async () => {
    await define({ ...SPRINT, name: 'the first' }, of('full'));
    const driver: Driver = testDriver();
    await query(
      driver,
      `MATCH (b:PhraseBook {tenant: 'full'}) SET b.last_number = $most - 1
       WITH b UNWIND range(2, $most - 1) AS i
       CREATE (:TemporalPhrase {tenant: 'full', folded: 'p' + i, name: 'p' + i, number: i, anchor: 'now', expression: 'P0D..P1D',
         created_at: 1, created_by: 'user:a', created_with: 'x', updated_at: 1, updated_by: 'user:a'})`,
      { most: BigInt(MAX_TEMPORAL_PHRASES) },
    );
    await driver.close();
    // At the same time: one of them is the last.
    const last = await Promise.all(
      ['one', 'two', 'three'].map((name) => define({ ...SPRINT, name }, of('full'))),
    );
    expect(last.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(await listed('full')).toHaveLength(MAX_TEMPORAL_PHRASES);
    const over = await define({ ...SPRINT, name: 'more' }, of('full'));
    expectProblem(over, { status: 422, code: 'INVALID_BODY', field: 'name' });
    expect(over.json.details.limit).toBe(MAX_TEMPORAL_PHRASES);
    expect((await define({ ...SPRINT, name: 'P2' }, of('full'))).status).toBe(200);
    expect((await remove('p2', of('full'))).status).toBe(204);
    expect((await define({ ...SPRINT, name: 'more' }, of('full'))).status).toBe(201);
  });

  it('has each name once, whoever defines it at the same time', async () => {
    const names = ['Same Time', 'same time', 'SAME  TIME', 'same TIME'];
    const answers = await Promise.all(names.map((name) => define({ ...SPRINT, name }, of('other'))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(await listed('other')).toHaveLength(1);
  });
});

describe('a change', () => {
  const told = async (actor: string): Promise<unknown[]> =>
    (await auditRows(service, `actor=${actor}`))
      .map((row) => [row.endpoint, row.capability, row.decision, row.response_status])
      .reverse();

  it('leaves its row of the audit log', async () => {
    const by = as('user:told');
    await define({ ...SPRINT, name: 'told' }, by);
    await define({ ...SPRINT, name: 'told', anchor: 'now' }, by);
    await define({ ...SPRINT, name: '' }, by);
    await service.get(PATH, by);
    await remove('told', by);
    await remove('told', by);
    expect(await told('user:told')).toEqual([
      [`POST ${PATH}`, 'temporal.phrases.write', 'allow', 201],
      [`POST ${PATH}`, 'temporal.phrases.write', 'allow', 200],
      [`DELETE ${PATH}/{name}`, 'temporal.phrases.write', 'allow', 204],
    ]);
  });

  it.each([
    ['temporal_phrase.create', `POST ${PATH}`, 201],
    ['temporal_phrase.replace', `POST ${PATH}`, 200],
    ['temporal_phrase.remove', `DELETE ${PATH}/{name}`, 204],
  ])('is made once, and told once, where the answer of %s is lost', async (statement, endpoint, status) => {
    const name = `lost ${status}`;
    if (status !== 201) await define({ ...SPRINT, name, anchor: 'now' });
    loseAnswerOf(statement);
    const by = as(`user:lost-${status}`);
    const answer = status === 204 ? await remove(name, by) : await define({ ...SPRINT, name }, by);
    jest.restoreAllMocks();
    expect(answer.status).toBe(status);
    expect(await told(`user:lost-${status}`)).toEqual([
      [endpoint, 'temporal.phrases.write', 'allow', status],
    ]);
    expect(namesOf(await listed()).filter((one) => one === name)).toHaveLength(status === 204 ? 0 : 1);
  });
});

describe('what is defined', () => {
  it('is known to another process at once, and is there after a start', async () => {
    const beside = await startTestService(SETTINGS, { keepData: true });
    try {
      await define({ ...SPRINT, name: 'kept' });
      const { json } = await beside.get(PATH);
      expect(json.items[0]).toMatchObject({ name: 'kept' });
      expect((await beside.request('DELETE', `${PATH}/KEPT`)).status).toBe(204);
      expect(namesOf(await listed())).not.toContain('kept');
      await define({ ...SPRINT, name: 'kept' });
    } finally {
      await beside.stop();
    }
    const before = namesOf(await listed());
    await service.stop();
    service = await startTestService(SETTINGS, { keepData: true });
    expect(namesOf(await listed())).toEqual(before);
    expect(before).toContain('kept');
  });
});
