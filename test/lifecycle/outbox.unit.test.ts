import { STREAM_PAGES_AT_ONCE } from '../../src/lifecycle/backlog.ts';
import type { Reader } from '../../graph/driver.ts';
import { LifecycleReader } from '../../graph/lifecycle.ts';
import { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import type { Statement } from '../../graph/statement.ts';
import { systemClock } from '../../src/clock.ts';
import { lifecycleId } from '../../schemas/lifecycle.ts';
import { StrataError } from '../../src/errors.ts';
import { frameFilter } from '../../src/lifecycle/frame-filter.ts';
import { Outbox } from '../../src/lifecycle/outbox.ts';
import { silentLog } from '../../src/log.ts';
import { eventually } from '../support/wait.ts';
import { NO_RULES } from '../support/principals.ts';

// How: a database whose pages come when the test says so, since what happens meanwhile is what is tried.

const READERS = 3 * STREAM_PAGES_AT_ONCE;

interface Asked {
  readonly name: string;
  readonly answer: () => void;
  readonly fail: () => void;
}

let asked: Asked[];
let warned: string[];
let outbox: Outbox;

beforeEach(() => {
  asked = [];
  warned = [];
  const reader: Reader = {
    read: <R>({ name }: Statement<never, R>): Promise<R[]> =>
      name === 'lifecycle.oldest'
        ? Promise.resolve([{ sequence: 1 } as R])
        : new Promise((resolve, reject) => {
            const away = new StrataError('DATABASE_UNAVAILABLE', 'The database is away.');
            asked.push({
              name,
              answer: () => {
                resolve([]);
              },
              fail: () => {
                reject(away);
              },
            });
          }),
  };
  const head = (): Promise<number> => Promise.resolve(10_000);
  outbox = new Outbox({
    frames: new LifecycleReader(reader),
    places: NO_RULES,
    head: new VisibleHighWatermark({ read: head, settle: head }),
    clock: systemClock,
    log: { ...silentLog, warn: (message) => warned.push(message) },
    pollMs: 60_000,
    maxReaders: 4 * READERS,
    stallMs: 60_000,
  });
});

/** Opens readers that wait for their first page; answers what they are given once the pages at once are being read. */
async function waitingReaders(): Promise<Promise<unknown>[]> {
  const filter = frameFilter('default', {}, () => true);
  const given: Promise<unknown>[] = [];
  for (let i = 0; i < READERS; i += 1) {
    const reader = await outbox.subscribe({ filter, after: 0, signal: new AbortController().signal });
    given.push(reader.next());
  }
  await eventually('as many pages as are read at once', () => asked.length === STREAM_PAGES_AT_ONCE);
  return given;
}

describe('the end of the outbox', () => {
  it('comes when the pages that are being read have come, and asks for none of those that wait', async () => {
    const given = await waitingReaders();
    let closed = false;
    const end = outbox.close().then(() => (closed = true));
    const ended = await Promise.all(given);
    expect(ended).toEqual(given.map(() => ({ done: true, value: undefined })));
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    for (const { answer } of asked) answer();
    await end;
    expect(asked).toHaveLength(STREAM_PAGES_AT_ONCE);
  });

  it('is not taken for an outage', async () => {
    const given = await waitingReaders();
    const end = outbox.close();
    for (const { fail } of asked) fail();
    await end;
    await Promise.all(given);
    await new Promise(setImmediate);
    expect([asked.length, warned]).toEqual([STREAM_PAGES_AT_ONCE, []]);
  });
});

describe('the places for readers', () => {
  it('are for one tenant a quarter at most, and are given back', async () => {
    const open = (tenant: string) =>
      outbox.subscribe({
        filter: frameFilter(tenant, {}, () => true),
        after: 'now',
        signal: new AbortController().signal,
      });
    const readers = await Promise.all(Array.from({ length: READERS }, () => open('crowded')));
    await expect(open('crowded')).rejects.toMatchObject({
      code: 'SERVER_BUSY',
      details: { reason: 'tenant_streams', limit: READERS },
    });
    await open('other');
    await readers[0]?.return();
    await open('crowded');
    for (const tenant of ['third', 'fourth']) {
      await Promise.all(Array.from({ length: READERS }, () => open(tenant)));
    }
    await Promise.all(Array.from({ length: READERS - 1 }, () => open('other')));
    await expect(open('fifth')).rejects.toMatchObject({
      code: 'SERVER_BUSY',
      details: { reason: 'streams', limit: 4 * READERS },
    });
    await outbox.close();
  });
});

describe('a reader that may not follow its scope any more', () => {
  const open = () =>
    outbox.subscribe({
      filter: frameFilter('default', {}, () => true),
      after: 0,
      signal: new AbortController().signal,
    });
  const LOST = { scope: 'org:lost', by: 'user:boss', at: 0 };
  const LAST = {
    done: false,
    value: {
      event: 'policy_revoked',
      scope: 'org:lost',
      data: {
        reason: expect.any(String),
        resume_from: lifecycleId(0),
        revoked_by: 'user:boss',
        revoked_at: '1970-01-01T00:00:00.000Z',
      },
    },
  };

  it('is told so while a page is on its way, and given nothing more', async () => {
    const reader = await open();
    const given = [reader.next(), reader.next()];
    await eventually('a page to be asked for', () => asked.length === 1);
    reader.revoke(LOST);
    asked[0]?.answer();
    expect(await given[0]).toMatchObject(LAST);
    expect(await given[1]).toEqual({ done: true, value: undefined });
    expect(outbox.readers).toBe(0);
  });

  it('is told so though the database is away', async () => {
    const reader = await open();
    const given = reader.next();
    await eventually('a page to be asked for', () => asked.length === 1);
    asked[0]?.fail();
    await eventually('the outage to be noticed', () => warned.length === 1);
    reader.revoke(LOST);
    expect(await given).toMatchObject(LAST);
  });
});
