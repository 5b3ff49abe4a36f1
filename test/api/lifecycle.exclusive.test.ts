import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

// What is about all frames of a store, and all their readers.

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it('there is never a gap in the numbers of frames', async () => {
  const items = Array.from({ length: 40 }, (_, i) => message(`org:p/user:u${i % 3}`, `p${i}`));
  await Promise.all([
    service.post('/v1/experience/bulk?wait=consolidated', { items }),
    ...items.slice(0, 10).map((item) => service.post('/v1/experience?wait=consolidated', item)),
  ]);
  const { json } = await service.get('/v1/lifecycle?limit=1000');
  const numbers = json.items.map(({ lifecycle_id: id }: any) => Number(id.slice(4)));
  expect(numbers).toEqual(Array.from({ length: 3 * 50 }, (_, i) => i + 1));
});

it('HEAD answers the headers of a stream and opens none', async () => {
  const answer = await service.request('HEAD', '/v1/lifecycle/stream');
  expect([answer.status, answer.headers.get('content-type'), answer.text]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
  await eventually('no reader', () => service.context.outbox.readers === 0);
});
