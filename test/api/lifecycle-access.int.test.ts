import { lifecycleId } from '../../schemas/lifecycle.ts';
import { message, type Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { steadily } from '../support/steady.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

/** What somebody is answered who asks for frames with a token, narrowed to nothing unless told. */
async function framesFor(query: string, narrowed: Record<string, unknown> = {}): Promise<Answer> {
  const { token } = await mintFrom(service, narrowed);
  return service.get(`/v1/lifecycle?${query}`, { headers: bearer(token) });
}

async function framesOf(query: string, narrowed: Record<string, unknown> = {}): Promise<any> {
  const answer = await framesFor(query, narrowed);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return answer.json;
}

describe('frames and those who may read nothing', () => {
  it('are not shown to a token without scope.read, nor where a scope denies it', async () => {
    const [open, closed] = ['org:seen', 'org:unseen'];
    for (const scope of [open, closed]) {
      await service.post('/v1/experience', message(scope, 'x'));
      const policies = scope === closed ? { capabilities: { deny: ['scope.read'] } } : {};
      await service.post('/v1/scopes', {
        path: scope,
        members: [{ actor: 'user:a', role: 'owner' }],
        policies,
      });
    }
    const seen = await framesOf(`scope=${open}`, { caps: ['lifecycle.subscribe', 'scope.read.local'] });
    expect(seen.items.length).toBeGreaterThan(0);
    const refused = { status: 403, code: 'POLICY_DENIED' };
    expectProblem(await framesFor(`scope=${open}`, { caps: ['lifecycle.subscribe'] }), refused);
    expectProblem(await framesFor(`scope=${closed}`), refused);
    const everywhere = await framesOf('', { caps: ['lifecycle.subscribe'] });
    expect(everywhere.items).toEqual([]);
    const below: { scope: string }[] = (await framesOf('limit=1000')).items;
    expect(below.some(({ scope }) => scope === open)).toBe(true);
    expect(below.some(({ scope }) => scope === closed)).toBe(false);
  });

  it('of another tenant are a place to go on from like any other', async () => {
    await service.post('/v1/experience', message('org:cursor', 'x'));
    const headers = { 'x-strata-tenant': service.anotherTenant() };
    const { json } = await service.post('/v1/experience', message('org:cursor', 'x'), { headers });
    const { json: theirs } = await service.get(`/v1/lifecycle?event_id=${json.event_id}`, { headers });
    const foreign = theirs.items[0].lifecycle_id as string;
    await service.post('/v1/experience?wait=indexed', message('org:cursor', 'y'));
    const since = (id: string): Promise<any> =>
      framesOf(`scope=org:cursor&events=captured&since_lifecycle_id=${id}`);
    // Whoever knows the frame is told no more than who names the number beside it.
    const own = await since(foreign);
    expect(own.items).toHaveLength(1);
    const beside = lifecycleId(Number(foreign.slice('lce_'.length)) - 1);
    expect((await since(beside)).items).toEqual(own.items);
    const { token } = await mintFrom(service);
    const read = await service.get(`/v1/lifecycle/event/${foreign}`, { headers: bearer(token) });
    expectProblem(read, { status: 404, code: 'NOT_FOUND' });
  });

  it('leave no trace in the place where a full page ends', async () => {
    const members = [{ actor: 'user:other', role: 'owner' }];
    await service.post('/v1/scopes', { path: 'org:hidden', members });
    for (const scope of ['org:page', 'org:hidden', 'org:page'])
      await service.post('/v1/experience?wait=consolidated', message(scope, 'x'));
    // Stages behind the awaited one may add frames between two readings.
    const [all, { page, next }] = await steadily(
      () => framesOf('scope=org:page'),
      async () => {
        const first = await framesOf('scope=org:page&limit=1');
        return { page: first, next: await framesOf(`scope=org:page&offset=${first.next_offset}`) };
      },
      ({ items }) => items,
    );
    expect(page.has_more).toBe(true);
    expect(lifecycleId(page.next_offset)).toBe(page.items[0]?.lifecycle_id);
    expect(next.items).toEqual(all.items.slice(1));
  });
});
