import { claimOf, contradict } from '../support/contradict.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { expectCode, expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const open = (scope: string): Promise<string> =>
  contradict((method, path, body) => service.request(method, path, { body }), scope);
const list = async (scope: string, more = ''): Promise<any> =>
  (await service.get(`/v1/conflicts?scope=${scope}${more}`)).json;

async function state(...items: object[]): Promise<void> {
  const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect(status).toBe(202);
}

describe('a conflict', () => {
  it('shows what is stated on both sides, and what became of it', async () => {
    const scope = 'user:whole';
    const id = await open(scope);
    await state(claimOf(scope, 'London', { valid_from: undefined, valid_to: '2028-01-01', confidence: 0.5 }));
    const { status, json } = await service.get(`/v1/conflicts/${id}`);
    expect(status).toBe(200);
    const instant = expect.stringMatching(/Z$/);
    const record = {
      id: expect.stringMatching(/^fact_/),
      event_id: expect.stringMatching(/^evt_/),
      subject: 'ent_priya',
      predicate: 'lives_in',
      redacted: false,
      valid_from: '2026-01-01T00:00:00.000Z',
      valid_from_basis: 'stated',
      valid_to: null,
      valid_to_basis: null,
      recorded_from: instant,
      recorded_to: null,
      source_authority: 'user:local',
      extractor: 'triple',
      confidence: 1,
    };
    expect(json).toEqual({
      id,
      scope,
      subject: 'ent_priya',
      predicate: 'lives_in',
      kind: 'value_disagreement',
      status: 'open',
      resolution: null,
      records: [
        { ...record, object: 'Paris', status: 'displaced', recorded_to: instant },
        { ...record, object: 'London', status: 'active' },
      ],
      detected_at: instant,
      resolved_at: null,
      resolved_by: null,
      confidence: 1,
    });
    expect((await list(scope)).items).toEqual([json]);
  });

  it('is the same over GraphQL', async () => {
    const scope = 'user:both';
    const id = await open(scope);
    const fields = `id scope subject predicate kind status detectedAt resolvedAt resolvedBy resolution { action } confidence
      records { id eventId subject predicate object redacted validFrom validFromBasis validTo validToBasis recordedFrom
        recordedTo status sourceAuthority extractor confidence }`;
    const query = `{ conflict(id: "${id}") { ${fields} }
      conflicts(scope: "${scope}", status: all) { total nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`;
    const { data } = (await service.post('/graphql', { query })).json;
    const { json } = await service.get(`/v1/conflicts/${id}`);
    expect(snake(data.conflict)).toEqual(json);
    expect(data.conflicts).toEqual({
      total: 1,
      nodes: [data.conflict],
      pageInfo: { hasNextPage: false, endCursor: null },
    });
  });

  it('is listed when it has ended only where all are asked for', async () => {
    const scope = 'user:ended';
    const id = await open(scope);
    await state(claimOf(scope, 'Paris', { valid_from: undefined, polarity: 'negative' }));
    expect((await list(scope)).items).toEqual([]);
    const { items, total } = await list(scope, '&status=all');
    expect([total, items[0].id, items[0].status]).toEqual([1, id, 'withdrawn']);
    expect(items[0].resolved_by).toMatch(/^evt_/);
  });
});

describe('a list of conflicts', () => {
  it('is read in pages, those first that were opened last, however many one statement opens', async () => {
    const scope = 'user:paged';
    // The last value of each claim contradicts two others.
    const values = ['a', 'b', 'c'];
    for (const predicate of ['p', 'q', 'r'])
      await state(...values.map((value) => claimOf(scope, value, { predicate })));
    const whole = await list(scope);
    expect([whole.items.length, whole.total, whole.has_more, whole.next_cursor]).toEqual([9, 9, false, null]);
    expect(whole.conflicts).toEqual(whole.items);
    expect(whole.items[0].predicate).toBe('r');
    for (const limit of [1, 2, 4]) {
      const ids: string[] = [];
      let cursor: number | null = null;
      do {
        const page: any = await list(scope, `&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`);
        ids.push(...page.items.map(({ id }: any) => id as string));
        cursor = page.next_cursor;
        expect(page.has_more).toBe(cursor !== null);
        // What opens meanwhile comes before what is read.
        if (ids.length === limit)
          await state(...['x', 'y'].map((value) => claimOf(scope, value, { predicate: `new ${limit}` })));
      } while (cursor !== null);
      expect(ids.slice(-9)).toEqual(whole.items.map(({ id }: any) => id));
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('says what is wrong with a query', async () => {
    const refused = (query: string) => service.get(`/v1/conflicts${query}`);
    expect((await refused('')).status).toBe(400);
    for (const query of [
      'status=closed',
      'cursor=x',
      'cursor=50',
      'cursor=9999999999999999',
      'limit=many',
      'state=open',
      'as_of_recorded=then',
      'as_of_valid=2026-01-01T00:00:00Z',
      'scope=x',
    ])
      expectProblem(await refused(`?scope=user:a&${query}`.replace('scope=user:a&scope=x', 'scope=x')), {
        status: 400,
        code: 'INVALID_QUERY',
      });
    expect((await list('user:nobody')).items).toEqual([]);
    expectProblem(await service.get('/v1/conflicts/none'), { status: 404, code: 'NOT_FOUND' });
  });
});

describe('conflicts of others', () => {
  it('look like those that are not there', async () => {
    const scope = 'ws:closed';
    await service.post('/v1/scopes', { path: scope, members: [{ actor: 'user:a', role: 'owner' }] });
    const id = await open(scope);
    const elsewhere = { 'x-strata-tenant': service.anotherTenant() };
    const holder = async (actor: string, minter?: Record<string, string>) => {
      const { token } = await mintFrom(service, { subject: actor }, minter);
      return { headers: bearer(token, actor) };
    };
    for (const reader of [await holder('user:a'), {}])
      expect((await service.get(`/v1/conflicts/${id}`, reader)).json.id).toBe(id);
    for (const other of [await holder('user:b'), await holder('user:a', elsewhere)]) {
      expectCode(await service.get(`/v1/conflicts/${id}`, other), 'NOT_FOUND');
      const all = await service.get(`/v1/conflicts?scope=${scope}&status=all`, other);
      expect([all.status, all.json.items, all.json.total]).toEqual([200, [], 0]);
    }
  });
});

function snake(value: any): any {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snake(inner),
    ]),
  );
}
