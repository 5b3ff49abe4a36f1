import { bearer, mintFrom } from '../support/tokens.ts';
import { message, send, TEST_KEY, type Answer } from '../support/client.ts';
import { openEvents, type EventStream } from '../support/event-stream.ts';
import { eventually } from '../support/wait.ts';
import { inDepth } from '../support/depth.ts';
import { openSocket, type RawSocket } from '../resolvers/socket-client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// Two tenants with the same actors, scopes and keys at the same time: whatever one is told holds nothing of the other.

const SIDES = ['left', 'right'] as const;
type Side = (typeof SIDES)[number];
const SCOPES = ['ws:shared', 'ws:shared/app:a', 'user:same'];
const ROUNDS = inDepth(2, 12);
const FOLLOW =
  'subscription { lifecycle { event scope data memoryEvent { content { ... on MessageContent { text } } } } }';

let service: SharedService;
let headers: Record<Side, Record<string, string>>;

beforeAll(async () => {
  service = sharedService();
  const held = async (): Promise<Record<string, string>> => {
    const asOperator = { authorization: `Bearer ${TEST_KEY}`, 'x-strata-tenant': service.anotherTenant() };
    return bearer((await mintFrom(service, { subject: 'user:same' }, asOperator)).token, 'user:same');
  };
  headers = { left: await held(), right: await held() };
});

/** Everything that a tenant was answered, as text. */
class Told {
  readonly side: Side;
  readonly texts: string[] = [];
  readonly events: string[] = [];

  constructor(side: Side) {
    this.side = side;
  }

  async ask(method: string, path: string, body?: unknown): Promise<Answer> {
    const given = body === undefined ? {} : { body };
    const answer = await send(service.url, method, path, { headers: headers[this.side], ...given });
    this.texts.push(answer.text);
    return answer;
  }
}

async function hammer(told: Told, round: number): Promise<void> {
  for (const scope of SCOPES) {
    const text = `mark-${told.side} ${round}`;
    const written = await told.ask(
      'POST',
      '/v1/experience',
      message(scope, text, { idempotency_key: `same ${round}`, metadata: { of: `mark-${told.side}` } }),
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
  const told = { left: new Told('left'), right: new Told('right') };
  const streams = {} as Record<Side, EventStream>;
  const sockets = {} as Record<Side, RawSocket>;
  for (const side of SIDES) {
    streams[side] = await openEvents(service.url, {}, headers[side]);
    sockets[side] = await openSocket(service.url);
    await sockets[side].init(headers[side]);
    sockets[side].subscribe('f', FOLLOW);
    await told[side].ask('POST', '/v1/scopes', { path: 'ws:shared', owner: 'user:same' });
    await told[side].ask('POST', '/v1/blobs', { of: `mark-${side}` });
  }
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  await Promise.all(
    SIDES.map(async (side) => {
      for (const round of rounds) await hammer(told[side], round);
    }),
  );
  const captured = 2 * ROUNDS * SCOPES.length;
  for (const side of SIDES) {
    await eventually(`every capture of the ${side}`, () => {
      const seen = sockets[side].received.filter(
        ({ payload }) => payload?.data?.lifecycle.event === 'captured',
      );
      return (
        seen.length >= captured &&
        streams[side].events.filter(({ event }) => event === 'captured').length >= captured
      );
    });
  }
  for (const side of SIDES) {
    const foreign = side === 'left' ? 'right' : 'left';
    const own = [
      ...told[side].texts,
      JSON.stringify(streams[side].events),
      JSON.stringify(sockets[side].received),
    ].join('\n');
    expect(own).toContain(`mark-${side}`);
    expect(own).not.toContain(`mark-${foreign}`);
    expect(told[foreign].events.filter((id) => own.includes(id))).toEqual([]);
    streams[side].close();
    sockets[side].socket.close();
  }
  const lost = await told.left.ask('GET', `/v1/events/${told.right.events[0] ?? ''}`);
  expect(lost.status).toBe(404);
});
