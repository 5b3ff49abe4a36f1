import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { ask } from './graphql/ask.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ STRATA_V1_MINTER_ENABLE: '1' });
});
afterAll(() => service.stop());

const as = (actor: string) => ({ headers: { 'x-strata-actor': actor } });

async function rows(filter: string): Promise<any[]> {
  const { status, json } = await service.get(`/v1/audit?limit=1000&${filter}`);
  expect(status).toBe(200);
  return json.items;
}

describe('a row', () => {
  it('is left by an attempt to change what is hidden as of one to change what is not there', async () => {
    const members = { members: [{ actor: 'user:curious', role: 'owner' }] };
    await service.post('/v1/scopes', { path: 'ws:hidden', owner: 'user:owner' });
    const { json } = await service.post('/v1/experience', message('ws:hidden', 'x'));
    const { token } = (await service.post('/v1/auth/tokens', { subject: 'user:curious' })).json;
    const headers = { authorization: `Bearer ${token}`, 'x-strata-actor': 'user:curious' };
    const strange = `${(json.event_id as string).slice(0, -6)}000000`;
    for (const [path, event] of [
      ['ws:hidden', json.event_id as string],
      ['ws:absent', strange],
    ]) {
      const answers = [
        await service.request('DELETE', `/v1/scopes?path=${path}`, { headers }),
        await service.request('PUT', `/v1/scopes?path=${path}`, { headers, body: { policies: {} } }),
        await service.request('PUT', `/v1/scopes/members?path=${path}`, { headers, body: members }),
        await service.post(`/v1/lifecycle/memory-event/${event}/cancel`, undefined, { headers }),
        await ask(service, `mutation { deleteScope(path: "${path}") }`, undefined, { headers }),
      ];
      expect(answers.slice(0, 4).map(({ status }: any) => status)).toEqual([404, 404, 404, 404]);
    }
    const told = (await rows('actor=user:curious')).map(
      ({ id: _i, ts: _t, request_id: _r, elapsed_ms: _e, prev_hash: _p, hash: _h, ...row }) => row,
    );
    expect(told.map(({ response_status }) => response_status)).toEqual(Array(10).fill(404));
    const absent = JSON.parse(JSON.stringify(told.slice(0, 5)).replaceAll('ws:absent', 'ws:hidden'));
    for (const row of [...absent, ...told]) {
      // The text of the mutation names the scope.
      if (row.endpoint.startsWith('GraphQL')) row.request_sha256 = null;
    }
    expect(told.slice(5)).toEqual(absent);
    expect(told.at(-1)).toMatchObject({
      ...{ endpoint: 'DELETE /v1/scopes', decision: 'deny', decided_by_tier: 'scope' },
      ...{ capability: 'scope.manage', scope: 'ws:hidden' },
    });
  });
});

describe('with audit.captures off', () => {
  it('captures leave no rows, and everything else still does', async () => {
    const quiet = await startTestService({ STRATA_AUDIT_CAPTURES: 'false' }, { keepData: true });
    try {
      const by = as('user:quiet');
      const key = { idempotency_key: 'quiet' };
      const sent = [
        await quiet.post('/v1/experience', message('org:quiet', 'one', key), by),
        await quiet.post('/v1/experience', message('org:quiet', 'two', key), by),
        await quiet.post('/v1/experience/bulk', { items: [message('org:quiet', 'a'), { scope: 1 }] }, by),
        await quiet.post('/v1/experience/bulk', { items: [{ scope: 1 }] }, by),
      ];
      expect(sent.map(({ status }) => status)).toEqual([202, 409, 207, 207]);
      const { event_id: id } = sent[0]!.json;
      expect((await quiet.post(`/v1/lifecycle/memory-event/${id}/cancel`, undefined, by)).status).toBe(200);
      const told = await rows('actor=user:quiet');
      expect(told.map(({ endpoint }) => endpoint)).toEqual(['POST /v1/lifecycle/memory-event/{id}/cancel']);
    } finally {
      await quiet.stop();
    }
  });
});
