import { lifecycleId } from '../../schemas/lifecycle.ts';
import { openSocket } from '../resolvers/socket-client.ts';
import { message, type Answer } from '../support/client.ts';
import { closeEvents, openEvents } from '../support/event-stream.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { steadily } from '../support/steady.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { eventually } from '../support/wait.ts';
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

describe('a change of rules that takes the right to follow away', () => {
  const LOST = 'org:lost/project:x';
  const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const FOLLOW = `subscription { lifecycle(scope: "${LOST}", events: ["consolidated"]) { event scope data } }`;
  afterEach(closeEvents);

  it('ends streams and subscriptions with policy_revoked, and leaves alone those that lose nothing', async () => {
    const { json: ack } = await service.post('/v1/experience?wait=consolidated', message(LOST, 'x'));
    const { token } = await mintFrom(service);
    const headers = bearer(token);
    const follow = (query: Record<string, string>): ReturnType<typeof openEvents> =>
      openEvents(service.url, query, headers);
    const lost = await Promise.all([
      follow({ scope: LOST }),
      follow({ scope: `${LOST}/*`, events: 'captured' }),
      follow({ event_id: ack.event_id }),
    ]);
    await lost[2].until(({ event }) => event === 'consolidated');
    const kept = await Promise.all([
      follow({}),
      follow({ scope: 'org:kept' }),
      openEvents(service.url, { scope: LOST }),
    ]);
    const socket = await openSocket(service.url);
    await socket.init({ authorization: `Bearer ${token}` });
    socket.subscribe('s', FOLLOW);
    socket.subscribe('q', '{ whoami { caller } }');
    await socket.next('an answer', ({ id }) => id === 'q');

    const members = [{ actor: 'user:other', role: 'owner' }];
    expect((await service.post('/v1/scopes', { path: 'org:lost', members })).status).toBe(201);

    for (const stream of lost) {
      await eventually('the end of the stream', () => stream.ended === 'end');
      const last = stream.events.at(-1);
      expect(last).toMatchObject({
        event: 'policy_revoked',
        data: { scope: LOST, resume_from: last?.id, revoked_by: 'user:local', revoked_at: INSTANT },
      });
    }
    const last = await socket.next('the last frame', ({ type, id }) => type === 'next' && id === 's');
    expect(last.payload.data.lifecycle).toMatchObject({ event: 'policy_revoked', scope: LOST });
    expect(await socket.next('the end', ({ id }) => id === 's')).toEqual({ type: 'complete', id: 's' });
    // The socket goes on, and so does what had nothing to do with the scope.
    socket.subscribe('q2', '{ whoami { caller } }');
    await socket.next('an answer', ({ id }) => id === 'q2');
    socket.socket.close();
    await service.post('/v1/experience', message('org:kept', 'y'));
    await service.post('/v1/experience', message(LOST, 'z'));
    for (const stream of kept) await stream.until(({ event }) => event === 'captured');
    expect(kept.flatMap(({ events }) => events).map(({ event }) => event)).not.toContain('policy_revoked');
  });
});
