import { jest } from '@jest/globals';

import { Database } from '../../graph/driver.ts';
import { statement } from '../support/facts.ts';
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
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this`
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
