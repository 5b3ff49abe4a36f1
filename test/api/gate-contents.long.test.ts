import { Database } from '../../graph/driver.ts';
import { openSocket, type RawSocket } from '../resolvers/socket-client.ts';
import { closeEvents, openEvents } from '../support/event-stream.ts';
import { message } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { eventually } from '../support/wait.ts';
import { namesBetween, statementCounts } from './gate/statements.ts';
import { CLOSED, createWorld, type Caller, type World } from './gate/world.ts';

// What is read of scopes that a caller may not read, by lists that lead over them and by streams: where things lie, and nothing of what
// they say.

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await world.service.stop();
});

/** What statements answered whose names fit, as JSON text, while `work` ran. */
async function answeredTo(names: RegExp, work: () => Promise<unknown>): Promise<string> {
  const answered: unknown[] = [];
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const { read } = Database.prototype;
  const spy = jest.spyOn(Database.prototype, 'read').mockImplementation(async function (
    this: Database,
    asked,
    params,
  ) {
    const rows = await read.call(this, asked, params);
    if (names.test(asked.name)) answered.push(rows);
    return rows;
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
  }
  return JSON.stringify(answered);
}

/** The names of the statements that `work` took. */
async function namesOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = statementCounts(world.service);
  await work();
  return namesBetween(before, statementCounts(world.service)).sort();
}

async function ok(caller: Caller, method: string, path: string, body?: unknown): Promise<any> {
  const { status, text, json } = await world.send(caller, method, path, body);
  expect([text, status < 300]).toEqual([text, true]);
  return json;
}

describe('a list of a tree of which the caller may not read all', () => {
  const READABLE = Array.from({ length: 66 }, (_, i) => `ws:wide/app:${i}`);
  const HIDDEN = 'ws:wide/app:hidden';
  const SECRET = 'Hidden Hoard';
  /** What readings of one kind are sent as; stages of the background send none of them. */
  const WALKS = /\.(scan_\w+|walked|by_ids|of_topics|kept_of_topics|timeline)$/;
  const LISTS = [
    ['events', 'events?'],
    ['facts', 'facts?'],
    ['facts by their object', 'facts?object=ent_shared&'],
    ['values of a subject and predicate', 'facts?subject=ent_wide&predicate=knows&'],
    ['beliefs', 'beliefs?'],
    ['beliefs about something', 'beliefs?about=ent_wide&'],
    ['episodes', 'episodes?'],
    ['concepts', 'understanding?'],
    ['concepts about something', 'understanding?topic=ent_wide&'],
  ] as const;

  beforeAll(async () => {
    const owner = [{ actor: 'user:owner', role: 'owner' }];
    await ok('owner', 'POST', '/v1/scopes', { path: HIDDEN, members: owner });
    const open = READABLE.map((scope) => statement(scope, ['ent_wide', 'knows', 'ent_shared']));
    const hidden = Array.from({ length: 400 }, (_, i) =>
      statement(HIDDEN, [i % 4 === 0 ? 'ent_wide' : `ent_${i}`, 'knows', ''], {
        object: { type: 'entity', id: i % 8 === 0 ? 'ent_shared' : `ent_hoard_${i}`, name: SECRET },
      }),
    );
    // Those that may be read lie before and behind what may not.
    const items = [...open.slice(0, 33), ...hidden, ...open.slice(33)];
    const answer = await ok('owner', 'POST', '/v1/experience/bulk?wait=consolidated', { items });
    expect(answer.accepted).toBe(items.length);
  });

  it.each(LISTS)('reads of %s that are hidden where they lie', async (_what, list) => {
    const path = `/v1/${list}scope=ws:wide&view=descend&limit=10`;
    const scopes: string[] = [];
    let pages = 0;
    const answered = await answeredTo(WALKS, async () => {
      for (let cursor = '', more = true; more; pages += 1) {
        const page = await ok('stranger', 'GET', `${path}${cursor}`);
        expect(page.items.length <= 10 && (page.items.length === 10 || !page.has_more)).toBe(true);
        scopes.push(...page.items.map(({ scope }: { scope: string }) => scope));
        more = page.has_more;
        cursor = `&cursor=${page.next_cursor}`;
      }
    });
    expect([...new Set(scopes)].sort()).toEqual([...READABLE].sort());
    expect(pages).toBe(Math.ceil(scopes.length / 10));
    expect(answered).toContain(HIDDEN);
    expect(answered).not.toContain(SECRET);
    expect(await answeredTo(WALKS, () => ok('owner', 'GET', `${path}0`))).toContain(SECRET);
  });

  it('tells how many scopes are withheld', async () => {
    for (const list of ['events', 'facts', 'beliefs', 'episodes', 'understanding'])
      expect(await ok('stranger', 'GET', `/v1/${list}?scope=ws:wide&view=descend`)).toMatchObject({
        withheld_scopes: 1,
      });
  });
});

describe('the rows of the audit log', () => {
  it('are read where one of their batch is for the caller', async () => {
    const path = `/v1/audit?scope=${CLOSED}`;
    for (const [caller, told] of [
      ['stranger', false],
      ['reader', true],
      ['operator', true],
    ] as const) {
      let items: unknown[] = [];
      const answered = await answeredTo(/^audit\.(walk_down|by_ids?)$/, async () => {
        ({ items } = await ok(caller, 'GET', path));
      });
      expect(answered).toContain(CLOSED);
      expect([caller, items.length > 0, answered.includes('POST /v1/')]).toEqual([caller, told, told]);
    }
  });
});

describe('the frames of a bulk and of a job', () => {
  const OPEN = 'ws:followed';
  let socket: RawSocket | undefined;

  afterEach(() => {
    closeEvents();
    socket?.socket.close();
  });

  const bulkIn = async (...scopes: string[]): Promise<string> => {
    const items = scopes.map((scope) => message(scope, 'of a bulk'));
    return (await ok('owner', 'POST', '/v1/experience/bulk?wait=consolidated', { items })).batch_id;
  };
  const jobIn = async (scope: string): Promise<string> =>
    (await ok('owner', 'POST', '/v1/understanding/synthesize', { scope })).job_id;
  const headersOf = (caller: Caller): Record<string, string> =>
    world.headers[caller] as Record<string, string>;
  const follow = (caller: Caller, query: Record<string, string>): ReturnType<typeof openEvents> =>
    openEvents(world.service.url, query, headersOf(caller));
  const subscribed = async (caller: Caller, filter: string): Promise<RawSocket> => {
    const opened = await openSocket(world.service.url);
    await opened.init(headersOf(caller));
    opened.subscribe('s', `subscription { lifecycle(${filter}) { event scope } }`);
    return opened;
  };

  it('are streamed to whom they may be shown, where others of the same bulk may not', async () => {
    const batch_id = await bulkIn(CLOSED, OPEN, CLOSED);
    const whole = await follow('reader', { batch_id });
    await eventually('frames of both', () => new Set(whole.events.map(({ data }) => data.scope)).size === 2);
    const part = await follow('stranger', { batch_id });
    await part.until(({ event }) => event === 'consolidated');
    expect(new Set(part.events.map(({ data }) => data.scope))).toEqual(new Set([OPEN]));
    socket = await subscribed('stranger', `batchId: "${batch_id}"`);
    await socket.next('the last frame', ({ payload }) => payload?.data.lifecycle.event === 'consolidated');
    const shown = socket.received.flatMap(({ payload }) => payload?.data?.lifecycle ?? []);
    expect(new Set(shown.map(({ scope }) => scope))).toEqual(new Set([OPEN]));
  });

  it.each([
    ['bulk', 'batch_id', 'batchId', 'lifecycle.scopes_of_batch', bulkIn],
    ['job', 'job_id', 'jobId', 'lifecycle.scopes_of_job', jobIn],
  ] as const)('of a hidden %s are looked for by where they lie', async (_kind, name, field, asked, make) => {
    const id = await make(CLOSED);
    const told = await follow('reader', { [name]: id });
    await told.atLeast(1);
    socket = await subscribed('reader', `${field}: "${id}"`);
    await socket.next('a frame', ({ type }) => type === 'next');
    socket.socket.close();
    for (const one of [id, `${id.slice(0, -6)}000000`]) {
      const names = await namesOf(async () => {
        expect((await ok('stranger', 'GET', `/v1/lifecycle?${name}=${one}`)).items).toEqual([]);
      });
      expect(new Set(names)).toEqual(new Set(['access.rules', asked]));
      const answered = await answeredTo(/^lifecycle\.scan/, async () => {
        const before = statementCounts(world.service).get(asked) ?? 0;
        const stream = await follow('stranger', { [name]: one });
        socket = await subscribed('stranger', `${field}: "${one}"`);
        await eventually('both', () => (statementCounts(world.service).get(asked) ?? 0) >= before + 2);
        // By the time that others are told what happened since, both were told what there was.
        const { event_id } = await ok(
          'owner',
          'POST',
          '/v1/experience?wait=consolidated',
          message(CLOSED, 'x'),
        );
        await (await follow('reader', { event_id })).until(({ event }) => event === 'consolidated');
        expect(stream.events).toEqual([]);
        expect(socket.received.filter(({ type }) => type !== 'connection_ack')).toEqual([]);
      });
      expect(answered).not.toContain(one);
      closeEvents();
      socket.socket.close();
    }
  });

  it('of a hidden thing come once its scope is opened to the caller', async () => {
    const path = 'ws:opened';
    const members = [{ actor: 'user:owner', role: 'owner' }];
    await ok('owner', 'POST', '/v1/scopes', { path, members });
    const { event_id } = await ok('owner', 'POST', '/v1/experience?wait=consolidated', message(path, 'x'));
    const stream = await follow('stranger', { event_id });
    const opened = [...members, { actor: 'user:stranger', role: 'reader' }];
    await ok('owner', 'PUT', `/v1/scopes/members?path=${path}`, { members: opened });
    await ok('owner', 'POST', `/v1/lifecycle/memory-event/${event_id}/cancel`);
    await stream.until(({ event }) => event === 'cancelled');
    expect(stream.events.map(({ event }) => event)).toEqual(['cancelled']);
  });
});
