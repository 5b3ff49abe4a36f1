import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

import { message, operatorHeaders } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { openSocket, type RawSocket } from './socket-client.ts';

const FRAME = 'lifecycleId ts scope event data';
const FOLLOW = `subscription($scope: String, $events: [String!], $eventId: ID, $since: ID, $actor: String) {
  lifecycle(scope: $scope, events: $events, eventId: $eventId, sinceLifecycleId: $since, actor: $actor) { ${FRAME} }
}`;

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

function plainClient(url = service.url): Client {
  return createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: operatorHeaders(),
    retryAttempts: 0,
  });
}

async function connected(): Promise<RawSocket> {
  const socket = await openSocket(service.url);
  await socket.init(operatorHeaders());
  return socket;
}

async function capture(scope: string, text: string, actor = 'user:local'): Promise<any> {
  const answer = await service.post('/v1/experience?wait=consolidated', message(scope, text), {
    headers: { 'x-strata-actor': actor },
  });
  expect(answer.status).toBe(202);
  return answer.json;
}

/** The list's frames of a filter, as GraphQL names their fields. */
async function listed(query: Record<string, string>): Promise<unknown[]> {
  const parameters = new URLSearchParams({ limit: '1000', ...query }).toString();
  const { json } = await service.get(`/v1/lifecycle?${parameters}`);
  return json.items.map(({ lifecycle_id: lifecycleId, ...rest }: any) => ({ lifecycleId, ...rest }));
}

/** The frames that a plain client is given, until there are so many. */
async function followed(variables: Record<string, unknown>, count: number): Promise<any[]> {
  const client = plainClient();
  const frames: any[] = [];
  for await (const { data, errors } of client.iterate<any>({ query: FOLLOW, variables })) {
    expect(errors).toBeUndefined();
    frames.push(data.lifecycle);
    if (frames.length === count) break;
  }
  await client.dispose();
  return frames;
}

const errorOf = (id: string) => (one: any) => one.id === id && one.type === 'error';
const nextOf = (id: string) => (one: any) => one.id === id && one.type === 'next';

describe('a subscription', () => {
  it('delivers what the list and the stream deliver, by each filter and from a cursor', async () => {
    const acks = [await capture('org:w/user:a', 'one'), await capture('org:w/user:b', 'two', 'user:other')];
    const since = 'lce_0000000000000000';
    const rows: [Record<string, unknown>, Record<string, string>][] = [
      [{ scope: 'org:w/*', since }, { scope: 'org:w/*' }],
      [{ scope: 'org:w/user:b', since }, { scope: 'org:w/user:b' }],
      [
        { scope: 'org:w/*', events: ['captured', 'indexed'], since },
        { scope: 'org:w/*', events: 'captured,indexed' },
      ],
      [{ eventId: acks[0].event_id }, { event_id: acks[0].event_id }],
      [{ actor: 'user:other', since }, { actor: 'user:other' }],
    ];
    for (const [variables, query] of rows) {
      const expected = await listed(query);
      expect(expected.length).toBeGreaterThan(1);
      expect(await followed(variables, expected.length)).toEqual(expected);
    }
    const all: any[] = await listed({ scope: 'org:w/*' });
    expect(await followed({ scope: 'org:w/*', since: all[2].lifecycleId }, all.length - 3)).toEqual(
      all.slice(3),
    );
  });

  it('shows the event of a frame where it is asked for', async () => {
    const ack = await capture('org:m', 'remember');
    const socket = await connected();
    const text =
      'subscription($id: ID) { lifecycle(eventId: $id) { event memoryEvent { id content { ... on MessageContent { text } } } } }';
    socket.subscribe('f', text, { id: ack.event_id });
    const { payload } = await socket.next('a frame', nextOf('f'));
    expect(payload.data.lifecycle).toEqual({
      event: 'captured',
      memoryEvent: { id: ack.event_id, content: { text: 'remember' } },
    });
    socket.socket.close();
  });

  it('is refused for itself alone', async () => {
    const socket = await connected();
    socket.subscribe('alive', FOLLOW, { scope: 'org:alive' });
    const deep = `${'{ memoryEvent { trace'.repeat(20)} { eventId }${' } }'.repeat(20)}`;
    const aliases = Array.from({ length: 40 }, (_, i) => `a${i}: event`).join(' ');
    const refused: [string, string, Record<string, unknown>, string][] = [
      ['future', FOLLOW, { since: 'lce_0000009999999999' }, 'INVALID_QUERY'],
      ['no cursor', FOLLOW, { since: 'yesterday' }, 'INVALID_QUERY'],
      ['scope', FOLLOW, { scope: 'no scope' }, 'INVALID_QUERY'],
      ['type', FOLLOW, { scope: { a: 1 } }, 'INVALID_QUERY'],
      ['deep', `subscription { lifecycle ${deep} }`, {}, 'INVALID_QUERY'],
      ['aliases', `subscription { lifecycle { ${aliases} } }`, {}, 'INVALID_QUERY'],
      ['wide', `subscription { lifecycle { ${'event '.repeat(6000)} } }`, {}, 'INVALID_QUERY'],
      [
        'two fields',
        `subscription { a: lifecycle { ts } b: lifecycle { ts } }`,
        {},
        'GRAPHQL_VALIDATION_FAILED',
      ],
      ['unknown', 'subscription { lifecycle { nothing } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['syntax', 'subscription { lifecycle {', {}, 'GRAPHQL_PARSE_FAILED'],
    ];
    for (const [id, query, variables, code] of refused) {
      socket.subscribe(id, query, variables);
      const { payload } = await socket.next(id, errorOf(id));
      expect([id, payload[0].extensions]).toEqual([
        id,
        expect.objectContaining({ code, retriable: false, request_id: expect.stringMatching(/^req_/) }),
      ]);
    }
    await capture('org:alive', 'still here');
    await socket.next('a frame of the other', nextOf('alive'));
    socket.socket.close();
  });
});

describe('queries and mutations over a socket', () => {
  it('write and read as over HTTP', async () => {
    const client = plainClient();
    const ask = async (query: string, variables: Record<string, unknown>): Promise<any> => {
      for await (const answer of client.iterate<any>({ query, variables }))
        return answer.data ?? answer.errors;
    };
    const input = { scope: 'org:q', modality: 'conversation', content: { text: { text: 'by socket' } } };
    const { capture: ack } = await ask(
      'mutation($input: ExperienceInput!) { capture(input: $input) { eventId } }',
      { input },
    );
    const { event } = await ask(
      'query($id: ID!) { event(id: $id) { content { ... on TextContent { text } } } }',
      { id: ack.eventId },
    );
    expect(event).toEqual({ content: { text: 'by socket' } });
    const [error] = await ask('query($id: ID!) { event(id: $id) { id } }', { id: 'evt_unknown' }).then(
      (data) => (Array.isArray(data) ? data : [data]),
    );
    expect(error).toEqual({ event: null });
    await client.dispose();
  });

  it('refuse what may not be stored, also where it is written as an escape of GraphQL', async () => {
    const socket = await connected();
    const write = 'mutation($input: ExperienceInput!) { capture(input: $input) { eventId } }';
    const text = (value: string): string =>
      `{"id":"j","type":"subscribe","payload":{"query":${JSON.stringify(write)},"variables":{"input":{"scope":"org:q","modality":"conversation","content":{"text":{"text":${value}}}}}}}`;
    for (const value of ['"a\\u0000"', '"\\ud800"']) {
      socket.send(text(value));
      expect((await socket.next(value, errorOf('j'))).payload[0].extensions.code).toBe('INVALID_BODY');
    }
    const inline =
      'mutation { capture(input: {scope: "org:q", modality: "m", content: {text: {text: "a\\u0000"}}}) { eventId } }';
    socket.subscribe('g', inline);
    const answer = await socket.next('the answer', ({ id, type }) => id === 'g' && type !== 'complete');
    const errors = answer.type === 'error' ? answer.payload : answer.payload.errors;
    expect(errors[0].extensions.code).toMatch(/^INVALID_/);
    socket.socket.close();
  });
});

describe('a socket of the service', () => {
  it('needs the key', async () => {
    const socket = await openSocket(service.url);
    socket.send({ type: 'connection_init' });
    expect(await socket.closed).toEqual({ code: 4403, reason: 'Forbidden: MISSING_TOKEN' });
    const other = await openSocket(service.url, { headers: { authorization: 'Bearer other' } });
    other.send({ type: 'connection_init' });
    expect(await other.closed).toEqual({ code: 4403, reason: 'Forbidden: INVALID_TOKEN_SIGNATURE' });
  });

  it('is not for pages of other origins', async () => {
    await expect(openSocket(service.url, { origin: 'https://evil.example' })).rejects.toThrow('403');
    const own = await openSocket(service.url, { origin: service.url });
    own.socket.close();
  });
});
