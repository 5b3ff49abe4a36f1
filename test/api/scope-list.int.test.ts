import { MAX_COUNTED_EVENTS, type ScopePage } from '../../schemas/scope-record.ts';
import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;
/** Another tenant, in which is one scope. */
let another: string;

const OPEN = ['user:1', 'user:1-x', 'user:1/app:a', 'user:1/app:a/agent:b', 'user:10', 'user:1x/app:a'];
const GOVERNED = [
  'org:l',
  'org:l/team:a',
  'org:l/team:a/user:x',
  'org:l/team:b',
  'org:l/team:b/user:y',
  'org:l/team:c',
];

beforeAll(async () => {
  service = sharedService();
  another = service.anotherTenant();
  const items = [...OPEN, ...GOVERNED].map((path) => message(path, 'x'));
  expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
  const members = (owner: string) => [
    { actor: owner, role: 'owner' },
    { actor: 'user:r', role: 'reader' },
  ];
  for (const [path, owner] of [
    ['org:l/team:b/user:y', 'user:y'],
    ['org:l/team:b', 'user:bee'],
    ['org:l/team:c', 'user:bee'],
  ] as const)
    await service.post('/v1/scopes', { path, members: members(owner) });
  // Registered last, so that its owner does not become one of those below.
  const boss = [
    { actor: 'user:boss', role: 'owner' },
    { actor: 'user:clerk', role: 'reader' },
  ];
  await service.post('/v1/scopes', { path: 'org:l', members: boss });
  await service.post('/v1/experience', message('ws:another', 'x'), {
    headers: { 'x-strata-tenant': another },
  });
});

/** Headers of whoever holds a token of an actor, narrowed to nothing unless told. */
const by = async (actor: string, narrowed: Record<string, unknown> = {}): Promise<Record<string, string>> =>
  bearer((await mintFrom(service, { subject: actor, ...narrowed })).token, actor);
const paths = (items: readonly { path: string }[]): string[] => items.map(({ path }) => path);

/** Every page of a listing, with what was withheld in all. */
async function all(
  actor: string | null,
  query: Record<string, string>,
): Promise<{ found: string[]; withheld: number }> {
  const found: string[] = [];
  let withheld = 0;
  let cursor: string | undefined;
  const options = actor === null ? {} : { headers: await by(actor) };
  do {
    const asked = { ...query, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await service.get(`/v1/scopes/list?${String(new URLSearchParams(asked))}`, options);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const page: ScopePage = answer.json;
    found.push(...paths(page.items));
    withheld += page.withheld_scopes ?? 0;
    expect(page.has_more).toBe(page.next_cursor !== undefined);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return { found, withheld };
}

describe('the list of scopes', () => {
  it('has every scope of the tenant, in the order of paths, whatever the size of its pages', async () => {
    const expected = [...OPEN, ...GOVERNED].sort();
    for (const limit of ['1', '2', '5', '1000', '5000'])
      expect((await all(null, { limit })).found).toEqual(expected);
  });

  it('says of each what stands in the contract', async () => {
    const { json } = await service.get('/v1/scopes/list?prefix=org:l&limit=1');
    expect(json).toEqual({
      items: [
        {
          path: 'org:l',
          auto_provisioned: false,
          created_at: expect.stringMatching(/Z$/),
          event_count: 1,
          event_count_capped: false,
          owner: 'user:boss',
          member_count: 2,
        },
      ],
      has_more: true,
      next_cursor: expect.stringMatching(/^s[A-Za-z0-9_-]+$/),
    });
    const [open] = (await service.get('/v1/scopes/list?prefix=user:10')).json.items;
    expect(open).toMatchObject({ auto_provisioned: true, owner: null, member_count: 0 });
  });

  it.each([
    ['user:1', ['user:1', 'user:1/app:a', 'user:1/app:a/agent:b']],
    ['user:1/', ['user:1', 'user:1/app:a', 'user:1/app:a/agent:b']],
    ['user:1/app:a', ['user:1/app:a', 'user:1/app:a/agent:b']],
    ['user:1x', ['user:1x/app:a']],
    ['user:100', []],
    ['user:1/app:aa', []],
  ])('takes %s as whole segments', async (prefix, expected) => {
    for (const limit of ['1', '50']) expect((await all(null, { prefix, limit })).found).toEqual(expected);
  });

  it('tells written scopes from registered ones', async () => {
    const registered = ['org:l', 'org:l/team:b', 'org:l/team:b/user:y', 'org:l/team:c'];
    expect((await all(null, { auto_provisioned: 'false', limit: '1' })).found).toEqual(registered);
    const written = [...OPEN, ...GOVERNED].sort().filter((path) => !registered.includes(path));
    expect((await all(null, { auto_provisioned: 'true', limit: '2' })).found).toEqual(written);
  });

  it('counts events up to a bound', async () => {
    const items = Array.from({ length: 600 }, (_, i) => message('ws:many', `${i}`));
    await service.post('/v1/experience/bulk', { items });
    const count = async () => (await service.get('/v1/scopes/list?prefix=ws:many')).json.items[0];
    expect(await count()).toMatchObject({ event_count: 600, event_count_capped: false });
    await service.post('/v1/experience/bulk', { items });
    expect(await count()).toMatchObject({ event_count: MAX_COUNTED_EVENTS, event_count_capped: true });
    await service.request('DELETE', '/v1/scopes?path=ws:many&records=forget');
  });

  it.each<[what: string, query: string | (() => string), field: string]>([
    ['a prefix that is none', 'prefix=user', 'prefix'],
    ['an empty prefix', 'prefix=', 'prefix'],
    ['a prefix given twice', 'prefix=user:1&prefix=user:2', 'prefix'],
    ['a flag that is none', 'auto_provisioned=maybe', 'auto_provisioned'],
    ['a limit that is none', 'limit=many', 'limit'],
    ['a cursor that is none', 'cursor=sAAAA', 'cursor'],
    [
      'a made-up cursor',
      () => `cursor=s${Buffer.from(`${service.tenant}\nuser:1`).toString('base64url')}`,
      'cursor',
    ],
    ['an unknown parameter', 'view=local', 'view'],
  ])('refuses %s', async (_what, query, field) => {
    const asked = typeof query === 'string' ? query : query();
    expectProblem(await service.get(`/v1/scopes/list?${asked}`), {
      status: 400,
      code: 'INVALID_QUERY',
      field,
    });
  });

  it('has at the end of a full page the cursor of its last scope, whatever lies behind it', async () => {
    const query = (first: number): string =>
      `{ scopes(prefix: "org:l", first: ${first}) { edges { cursor node { path } } pageInfo { hasNextPage endCursor } } }`;
    const headers = await by('user:clerk');
    const { items, next_cursor } = (await service.get('/v1/scopes/list?prefix=org:l&limit=1', { headers }))
      .json;
    expect(paths(items)).toEqual(['org:l']);
    const own = (await ask(service, query(50), undefined, { headers })).data.scopes.edges;
    const cursors = new Map<string, string>(own.map(({ cursor, node }: any) => [node.path, cursor]));
    expect(next_cursor).toBe(cursors.get('org:l'));
    const { data } = await ask(service, query(1));
    expect(data.scopes.pageInfo).toEqual({ hasNextPage: true, endCursor: data.scopes.edges[0].cursor });
    const lengths = ['org:l', 'org:l/team:a/user:x'].map((path) => cursors.get(path)?.length);
    expect(lengths).toEqual([next_cursor.length, next_cursor.length]);
  });

  it('has cursors of one tenant, that say nothing of where they stand', async () => {
    const { next_cursor: cursor } = (await service.get('/v1/scopes/list?limit=1')).json;
    expect(Buffer.from(cursor.slice(1), 'base64url').toString('latin1')).not.toMatch(/org|user/);
    const headers = { 'x-strata-tenant': another };
    const elsewhere = await service.get(`/v1/scopes/list?cursor=${cursor as string}`, { headers });
    expectProblem(elsewhere, { status: 400, code: 'INVALID_QUERY', field: 'cursor' });
    const own = await service.get('/v1/scopes/list', { headers });
    expect(paths(own.json.items)).toEqual(['ws:another']);
  });
});

describe('to somebody who may not read everything', () => {
  const readable: Record<string, string[]> = {
    'user:boss': ['org:l', 'org:l/team:a', 'org:l/team:a/user:x'],
    'user:r': ['org:l/team:b', 'org:l/team:b/user:y', 'org:l/team:c'],
    'user:y': ['org:l/team:b/user:y'],
    'user:stranger': [],
  };

  it.each(Object.keys(readable))('the list of %s has what he is a member of', async (actor) => {
    for (const limit of ['1', '2', '50']) {
      expect((await all(actor, { prefix: 'org:l', limit })).found).toEqual(readable[actor]);
      const whole = await all(actor, { limit });
      expect(whole).toEqual({ found: [...(readable[actor] ?? []), ...OPEN].sort(), withheld: 0 });
    }
  });

  it('it is told how much is withheld below what he may read, and nowhere else', async () => {
    for (const limit of ['1', '2', '50']) {
      expect((await all('user:boss', { prefix: 'org:l', limit })).withheld).toBe(2);
      expect((await all('user:stranger', { prefix: 'org:l', limit })).withheld).toBe(0);
      expect((await all('user:r', { prefix: 'org:l/team:b', limit })).withheld).toBe(0);
    }
  });

  it('a token that does not cover the prefix is refused', async () => {
    const headers = await by('user:boss', { scopes: ['scope.read:user:1/*'] });
    const list = (query: string) => service.get(`/v1/scopes/list${query}`, { headers });
    expectProblem(await list('?prefix=org:l'), { status: 403, code: 'POLICY_DENIED' });
    expect(paths((await list('')).json.items)).toEqual(['user:1', 'user:1/app:a', 'user:1/app:a/agent:b']);
  });
});

describe('by GraphQL', () => {
  it('the same scopes come in the same order over many pages, by either cursor', async () => {
    const text = `query ($after: String) { scopes(first: 3, after: $after) {
      edges { cursor node { path } } nodes { path autoProvisioned eventCount owner memberCount } pageInfo { hasNextPage endCursor } withheldScopes } }`;
    const expected = (await service.get('/v1/scopes/list')).json.items;
    for (const byEdge of [false, true]) {
      const found: any[] = [];
      let after: string | null = null;
      for (;;) {
        const { data }: any = await ask(service, text, { after });
        found.push(...data.scopes.nodes);
        if (data.scopes.pageInfo.hasNextPage !== true) break;
        after = byEdge ? data.scopes.edges.at(-1).cursor : data.scopes.pageInfo.endCursor;
      }
      expect(found).toEqual(
        expected.map((item: any) => ({
          path: item.path,
          autoProvisioned: item.auto_provisioned,
          eventCount: item.event_count,
          owner: item.owner,
          memberCount: item.member_count,
        })),
      );
    }
  });
});
