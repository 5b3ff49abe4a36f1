import { openEvents } from '../support/event-stream.ts';
import { message, operatorHeaders } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { openSocket, type RawSocket } from './socket-client.ts';

// Sockets and their subscriptions as the metrics of a service that nobody else uses count them.

const FOLLOW =
  'subscription($scope: String) { lifecycle(scope: $scope) { lifecycleId ts scope event data } }';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function connected(): Promise<RawSocket> {
  const socket = await openSocket(service.url);
  await socket.init(operatorHeaders());
  return socket;
}

async function capture(scope: string, text: string): Promise<void> {
  const { status } = await service.post('/v1/experience?wait=consolidated', message(scope, text));
  expect(status).toBe(202);
}

/** The list's frames of a scope, as GraphQL names their fields. */
async function listed(scope: string): Promise<unknown[]> {
  const { json } = await service.get(`/v1/lifecycle?limit=1000&scope=${scope}`);
  return json.items.map(({ lifecycle_id: lifecycleId, ...rest }: any) => ({ lifecycleId, ...rest }));
}

async function gauge(name: string): Promise<number> {
  const { text } = await service.get('/v1/admin/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

const isNext = ({ id, type }: any): boolean => id === 'f' && type === 'next';

it('a subscription goes on live, for two sockets and a stream alike', async () => {
  const sockets = [await connected(), await connected()];
  for (const socket of sockets) socket.subscribe('f', FOLLOW, { scope: 'org:live' });
  const stream = await openEvents(service.url, { scope: 'org:live' });
  await eventually('the subscriptions', async () => (await gauge('strata_lifecycle_readers')) === 3);
  await capture('org:live', 'one');
  await capture('org:live', 'two');
  const expected = await listed('org:live');
  expect(expected).toHaveLength(6);
  for (const socket of sockets) {
    await eventually('six frames', () => socket.received.filter(isNext).length >= 6);
    expect(socket.received.filter(isNext).map(({ payload }) => payload.data.lifecycle)).toEqual(expected);
    socket.socket.close();
  }
  expect((await stream.atLeast(6)).map(({ id }) => id)).toEqual(
    expected.map((frame: any) => frame.lifecycleId),
  );
  stream.close();
  await eventually('the readers to leave', async () => (await gauge('strata_lifecycle_readers')) === 0);
});

it('a socket is counted', async () => {
  const socket = await connected();
  socket.subscribe('f', FOLLOW, { scope: 'org:counted' });
  await eventually('one subscription', async () => (await gauge('strata_graphql_subscriptions')) === 1);
  expect(await gauge('strata_graphql_sockets')).toBeGreaterThanOrEqual(1);
  socket.socket.close();
  await eventually('none', async () => (await gauge('strata_graphql_subscriptions')) === 0);
  const { text } = await service.get('/v1/admin/metrics');
  expect(text).toMatch(
    /strata_request_seconds_count\{operation="lifecycle",transport="websocket",status="2xx"\} \d/,
  );
});
