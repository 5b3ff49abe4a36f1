import { bearer, mintFrom } from '../support/tokens.ts';
import { message, send, TEST_KEY, type Answer } from '../support/client.ts';
import { openEvents, type EventStream } from '../support/event-stream.ts';
import { eventually } from '../support/wait.ts';
import { openSocket, type RawSocket } from '../resolvers/socket-client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// Two tenants with the same actors, scopes and keys at the same time: whatever one is told holds nothing of the other.

const TENANTS = ['acme', 'other'] as const;
type Tenant = (typeof TENANTS)[number];
const SCOPES = ['ws:shared', 'ws:shared/app:a', 'user:same'];
const ROUNDS = 12;
const FOLLOW =
  'subscription { lifecycle { event scope data memoryEvent { content { ... on MessageContent { text } } } } }';

let service: SharedService;
let headers: Record<Tenant, Record<string, string>>;

beforeAll(async () => {
  service = sharedService();
  const held = async (tenant: Tenant): Promise<Record<string, string>> => {
    const asOperator = { authorization: `Bearer ${TEST_KEY}`, 'x-strata-tenant': tenant };
    return bearer((await mintFrom(service, { subject: 'user:same' }, asOperator)).token, 'user:same');
  };
  headers = { acme: await held('acme'), other: await held('other') };
});

/** Everything that a tenant was answered, as text. */
class Told {
  readonly tenant: Tenant;
  readonly texts: string[] = [];
  readonly events: string[] = [];

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const given = body === undefined ? {} : { body };
    const answer = await send(service.url, method, path, { headers: headers[this.tenant], ...given });
    this.texts.push(answer.text);
    return answer;
  }
}

async function hammer(told: Told, round: number): Promise<void> {
  for (const scope of SCOPES) {
    const text = `mark-${told.tenant} ${round}`;
    const written = await told.ask(
      'POST',
      '/v1/experience',
      message(scope, text, { idempotency_key: `same ${round}`, metadata: { of: `mark-${told.tenant}` } }),
    );
    expect(written.status).toBe(202);
    const id: string = written.json.event_id;
    told.events.push(id);
    const q = encodeURIComponent(scope);
    await told.ask('POST', '/v1/experience/bulk', { items: [message(scope, `${text} bulk`)] });
    await told.ask('GET', `/v1/events?scope=${q}&view=holistic&limit=1000`);
    await told.ask('GET', `/v1/events/${id}`);
    await told.ask(
      'GET',
      `/v1/experience/status?idempotency_key=${encodeURIComponent(`same ${round}`)}&scope=${q}`,
    );
    await told.ask('GET', `/v1/lifecycle?scope=${q}/*&limit=1000`);
    await told.ask('GET', `/v1/lifecycle/memory-event/${id}`);
    await told.ask('GET', `/v1/derivation/status?scope=${q}`);
    await told.ask('GET', '/v1/scopes/list');
    await told.ask('GET', `/v1/scopes?path=${q}`);
    await told.ask('GET', '/v1/audit?limit=1000');
    await told.ask('GET', '/v1/auth/whoami');
    await told.ask('POST', '/graphql', {
      query: `{ events(scope: "${scope}", view: holistic, first: 50) { nodes { id metadata trace { lifecycleEventIds } } }
        scopes { nodes { path createdBy } } }`,
    });
  }
}

it('never meet', async () => {
  const told = { acme: new Told('acme'), other: new Told('other') };
  const streams = {} as Record<Tenant, EventStream>;
  const sockets = {} as Record<Tenant, RawSocket>;
  for (const tenant of TENANTS) {
    streams[tenant] = await openEvents(service.url, {}, headers[tenant]);
    sockets[tenant] = await openSocket(service.url);
    await sockets[tenant].init(headers[tenant]);
    sockets[tenant].subscribe('f', FOLLOW);
    await told[tenant].ask('POST', '/v1/scopes', { path: 'ws:shared', owner: 'user:same' });
    await told[tenant].ask('POST', '/v1/blobs', { of: `mark-${tenant}` });
  }
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  await Promise.all(
    TENANTS.map(async (tenant) => {
      for (const round of rounds) await hammer(told[tenant], round);
    }),
  );
  const captured = 2 * ROUNDS * SCOPES.length;
  for (const tenant of TENANTS) {
    await eventually(`every capture of ${tenant}`, () => {
      const seen = sockets[tenant].received.filter(
        ({ payload }) => payload?.data?.lifecycle.event === 'captured',
      );
      return (
        seen.length >= captured &&
        streams[tenant].events.filter(({ event }) => event === 'captured').length >= captured
      );
    });
  }
  for (const tenant of TENANTS) {
    const foreign = TENANTS.find((one) => one !== tenant) ?? 'other';
    const own = [
      ...told[tenant].texts,
      JSON.stringify(streams[tenant].events),
      JSON.stringify(sockets[tenant].received),
    ].join('\n');
    expect(own).toContain(`mark-${tenant}`);
    expect(own).not.toContain(`mark-${foreign}`);
    expect(told[foreign].events.filter((id) => own.includes(id))).toEqual([]);
    streams[tenant].close();
    sockets[tenant].socket.close();
  }
  const lost = await told.acme.ask('GET', `/v1/events/${told.other.events[0] ?? ''}`);
  expect(lost.status).toBe(404);
});
