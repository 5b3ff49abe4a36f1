import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { auditRows } from './audit-rows.ts';
import { ask } from './graphql/ask.ts';
import { expectCode } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const as = (actor: string) => ({ headers: { 'x-strata-actor': actor } });
const rows = (filter: string): Promise<any[]> => auditRows(service, filter);

describe('the list', () => {
  it('filters, and goes on where a page ended', async () => {
    const scopes = ['org:list/user:1', 'org:list/user:10', 'org:list'];
    for (const scope of [...scopes, ...scopes]) {
      await service.post('/v1/experience', message(scope, 'x'), as('user:lister'));
    }
    const all = await rows('actor=user:lister');
    expect(all.map(({ scope }) => scope)).toEqual([...scopes, ...scopes].reverse());
    expect(await rows('scope=org:list/user:1')).toHaveLength(2);
    expect(await rows('scope=org:list/*')).toHaveLength(6);
    expect(await rows('scope=org:list/user:1/*')).toHaveLength(2);
    expect(await rows('actor=user:lister&capability=scope.read')).toEqual([]);
    const third = all[3];
    const since = encodeURIComponent(third.ts);
    expect((await rows(`actor=user:lister&since=${since}`)).length).toBeGreaterThanOrEqual(4);
    expect(await rows('actor=user:lister&since=2999-01-01T00:00:00Z')).toEqual([]);
    const paged: unknown[] = [];
    for (let cursor = '', more = true; more;) {
      const { json } = await service.get(`/v1/audit?actor=user:lister&limit=4${cursor}`);
      paged.push(...json.items);
      more = json.has_more;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(paged).toEqual(all);
  });

  it.each(['cursor=x', 'decision=maybe', 'capability=scope.fly', 'since=yesterday', 'scope=No', 'unknown=1'])(
    'refuses %s',
    async (filter) => {
      expectCode(await service.get(`/v1/audit?${filter}`), 'INVALID_QUERY');
    },
  );

  it('has pages of batches of many rows too, over GraphQL as well', async () => {
    const burst = Array.from({ length: 60 }, (_, i) =>
      service.post('/v1/experience', message('org:burst', `x${i}`), as('user:burst')),
    );
    await Promise.all(burst);
    const all = await rows('actor=user:burst');
    expect(all).toHaveLength(60);
    const text = `query Q($after: String) { audit(actor: "user:burst", first: 7, after: $after) {
      nodes { id } edges { cursor node { id eventId } } pageInfo { hasNextPage endCursor } } }`;
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const { data } = await ask(service, text, { after });
      seen.push(...data.audit.nodes.map(({ id }: any) => id));
      expect(data.audit.edges.at(-1).cursor).toBe(data.audit.pageInfo.endCursor);
      more = data.audit.pageInfo.hasNextPage;
      after = data.audit.pageInfo.endCursor;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
  });
});
