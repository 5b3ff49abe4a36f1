import { closeEvents, openEvents, type EventStream, type SentEvent } from '../support/event-stream.ts';
import { unrefused } from '../support/resend.ts';
import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

let a: TestService;
let b: TestService;

beforeAll(async () => {
  a = await startTestService();
  b = await startTestService({}, { keepData: true });
});
afterAll(async () => {
  await a.stop();
  await b.stop();
});

const FRAMES_PER_EVENT = 3;
let captures = 0;

/** What is captured has a key, so that it may be sent again. */
function keyed(scope: string, text: string): Record<string, unknown> {
  captures += 1;
  return message(scope, text, { idempotency_key: `k${captures}` });
}

const ids = (events: readonly SentEvent[]): (string | undefined)[] => events.map(({ id }) => id);

/** Singles and bulks of both services at once; answers how many events were captured. */
async function load(scope: string, rounds: number): Promise<number> {
  const bulk = (name: string): object => ({
    items: Array.from({ length: 20 }, (_, i) => keyed(scope, `${name} ${i}`)),
  });
  const sent = (service: TestService, path: string, body: object): Promise<Answer> =>
    unrefused('a capture', () => service.post(path, body));
  const work = Array.from({ length: rounds }, async (_, i) => {
    const answers = await Promise.all([
      sent(a, '/v1/experience', keyed(scope, `a ${i}`)),
      sent(b, '/v1/experience', keyed(scope, `b ${i}`)),
      sent(a, '/v1/experience/bulk', bulk(`a ${i}`)),
      sent(b, '/v1/experience/bulk', bulk(`b ${i}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  });
  await Promise.all(work);
  return rounds * 42;
}

/** Every frame of a scope, from the list. */
async function listed(scope: string): Promise<string[]> {
  const all: string[] = [];
  for (let offset = 0, more = true; more;) {
    const { json } = await a.get(`/v1/lifecycle?scope=${scope}&limit=1000&offset=${offset}`);
    all.push(...json.items.map((item: any) => item.lifecycle_id));
    offset = json.next_offset;
    more = json.has_more;
  }
  return all;
}

afterEach(closeEvents);

describe('readers of two processes on one database', () => {
  it('see the frames of both, each once and in the same order, wherever they begin', async () => {
    const scope = 'org:two/user:both';
    const first = await load(scope, 2);
    const readers = await Promise.all(
      [a, b].flatMap(({ url }) => [
        openEvents(url, { scope, since_lifecycle_id: 'lce_0000000000000000' }),
        openEvents(url, { scope: 'org:two/*', since_lifecycle_id: 'lce_0000000000000000' }),
      ]),
    );
    const opened: EventStream[] = [];
    // Readers that open while frames are written cut over in the middle of it.
    const opening = (async () => {
      for (let i = 0; i < 20; i += 1) {
        opened.push(
          await openEvents((i % 2 ? a : b).url, { scope, since_lifecycle_id: 'lce_0000000000000000' }),
        );
      }
    })();
    const events = first + (await load(scope, 8));
    await opening;
    const all = [...readers, ...opened];
    for (const stream of all) await stream.atLeast(events * FRAMES_PER_EVENT);
    const expected = await listed(scope);
    expect(expected).toHaveLength(events * FRAMES_PER_EVENT);
    for (const stream of all) expect(ids(stream.events)).toEqual(expected);
    for (const stream of all) stream.close();
  });

  it('resume on the other process, however often the connection breaks', async () => {
    const scope = 'org:two/user:hop';
    let stream = await openEvents(a.url, { scope });
    const got: SentEvent[] = [];
    const loads: Promise<number>[] = [];
    for (let hop = 0; hop < 6; hop += 1) {
      loads.push(load(scope, 1));
      await stream.atLeast(40);
      stream.close();
      got.push(...stream.events);
      stream = await openEvents((hop % 2 ? a : b).url, { scope }, { 'last-event-id': got.at(-1)?.id ?? '' });
    }
    const events = (await Promise.all(loads)).reduce((sum, count) => sum + count, 0);
    await stream.atLeast(events * FRAMES_PER_EVENT - got.length);
    got.push(...stream.events);
    stream.close();
    expect(ids(got)).toEqual(await listed(scope));
  });

  it('go on after their process was started anew', async () => {
    const scope = 'org:two/user:restart';
    const stream = await openEvents(b.url, { scope });
    await b.post('/v1/experience?wait=consolidated', message(scope, 'before'));
    await stream.atLeast(2);
    await b.stop();
    await eventually('the end of the stream', () => stream.ended === 'end');
    const last = stream.events.at(-1)?.id ?? '';
    await a.post('/v1/experience?wait=consolidated', message(scope, 'meanwhile'));
    b = await startTestService({}, { keepData: true });
    const again = await openEvents(b.url, { scope }, { 'last-event-id': last });
    await b.post('/v1/experience?wait=consolidated', message(scope, 'after'));
    await again.atLeast(9 - stream.events.length);
    expect(ids([...stream.events, ...again.events])).toEqual(await listed(scope));
    again.close();
  });
});
