import { openSocket } from '../resolvers/socket-client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

const LIMIT = 20;
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    STRATA_RATE_LIMIT_WRONG_KEYS: String(LIMIT),
    STRATA_TRUST_PROXY: '1',
    STRATA_TENANTS: 'acme',
  });
});
afterAll(() => service.stop());

const from = (address: string, bearer = 'wrong') => ({
  headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': address },
});
const denied = async (): Promise<any[]> => {
  const { json } = await service.get('/v1/audit?decision=deny&limit=100');
  return json.items.filter(({ remote }: any) => remote !== null);
};

describe('wrong keys', () => {
  it('are refused beyond so many in a minute, over every transport together, and from that address alone', async () => {
    const address = '192.0.2.1';
    for (let i = 0; i < LIMIT - 2; i += 1) {
      const { status } = await service.get('/v1/events?scope=org:a', from(address, `v4.public.${i}`));
      expect(status).toBe(401);
    }
    expect((await ask(service, '{ health { status } }', {}, from(address))).status).toBe(401);
    const socket = await openSocket(service.url, { headers: { 'x-forwarded-for': address } });
    socket.send({ type: 'connection_init', payload: { authorization: 'Bearer wrong' } });
    expect(await socket.closed).toEqual({ code: 4403, reason: 'Forbidden: INVALID_TOKEN_SIGNATURE' });

    const refused = await service.get('/v1/events?scope=org:a', from(address));
    expectProblem(refused, { status: 429, code: 'RATE_LIMITED', retriable: true });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const graphql = await ask(service, '{ health { status } }', {}, from(address));
    expect([graphql.status, graphql.errors?.[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    const late = await openSocket(service.url, { headers: { 'x-forwarded-for': address } });
    late.send({ type: 'connection_init', payload: { authorization: 'Bearer wrong' } });
    expect(await late.closed).toEqual({ code: 4403, reason: 'Forbidden: RATE_LIMITED' });

    expect((await service.get('/v1/events?scope=org:a', from('192.0.2.2'))).status).toBe(401);
    expect((await service.get('/v1/events?scope=org:a')).status).toBe(200);
    const { text } = await service.get('/v1/admin/metrics');
    expect(text).toContain(`strata_wrong_keys_total{outcome="refused"} ${LIMIT + 1}`);
    expect(text).toContain('strata_wrong_keys_total{outcome="throttled"} 3');
  });

  it('leave one row for each address, which the chain holds and GraphQL shows', async () => {
    const rows = await eventually('a row for each address', async () => {
      const found = await denied();
      return found.length === 2 && found;
    });
    expect(rows.map(({ remote }) => remote).sort()).toEqual(['192.0.2.1', '192.0.2.2']);
    for (const row of rows) {
      expect(row).toMatchObject({
        actor: null,
        token_jti: null,
        tenant_id: 'default',
        scope: null,
        endpoint: 'GET /v1/events',
        capability: null,
        decision: 'deny',
        decided_by_tier: null,
        request_sha256: null,
        response_status: 401,
        event_id: null,
      });
    }
    const { data } = await ask(service, '{ audit(decision: deny) { nodes { id actor remote } } }');
    const shown = data.audit.nodes.filter(({ remote }: any) => remote !== null);
    expect(shown).toEqual(rows.map(({ id, actor, remote }) => ({ id, actor, remote })));
    expect((await service.post('/v1/audit/chain/verify', {})).json.valid).toBe(true);
    const acme = await service.get('/v1/audit', { headers: { 'x-strata-tenant': 'acme' } });
    expect(acme.json.items).toEqual([]);
  });
});
