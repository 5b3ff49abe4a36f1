import type { Driver } from 'neo4j-driver';

import { Random } from '../drill/random.ts';
import { checkFrames, checkLog } from '../drill/check.ts';
import type { Acknowledged } from '../drill/load.ts';
import { unrefused } from '../support/resend.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { testDriver } from '../support/database.ts';
import { eventually } from '../support/wait.ts';
import { inDepth } from '../support/depth.ts';
import { DERIVING_PATIENCE_MS, RETRIES_PATIENCE_MS } from '../support/patience.ts';

// Writers and readers at once, fifty of each in a long run: 4 or 15 s, STRATA_SOAK_SECONDS for as long as wanted.

const SECONDS = Number(process.env.STRATA_SOAK_SECONDS ?? inDepth(4, 15));
/** Longer than a request that is sent again is waited for, milliseconds. */
const SLACK_MS = RETRIES_PATIENCE_MS;
const WRITERS = inDepth(20, 50);
const READERS = inDepth(20, 50);
const PAGE = 50;
/** A walk ends after so many pages: what lies deeper was looked at by walks that began earlier. */
const PAGES = inDepth(4, 12);
const SCOPES = Array.from({ length: 10 }, (_, i) => `org:soak/user:u${i}`);

/** What one walk over a listing saw, newest first. */
interface Walk {
  readonly query: string;
  readonly offsets: readonly number[];
  /** The newest offset that was acknowledged in what it reads before it began. */
  readonly atLeast: number;
  /** Whether the walk came to the end. */
  readonly whole: boolean;
}

let service: TestService;
let driver: Driver;
const acknowledged: Acknowledged[] = [];
const newest = new Map<string, number>();
const errors: string[] = [];
const walks: Walk[] = [];
let pointReads = 0;

beforeAll(async () => {
  service = await startTestService();
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

async function write(writer: number, until: number): Promise<void> {
  const random = new Random(writer);
  for (let n = 0; performance.now() < until; n += 1) {
    const scope = random.pick(SCOPES);
    const word = `w${writer}n${n}`;
    const text = `${word} ${'x'.repeat(random.below(200))}`;
    const body = message(scope, text, { idempotency_key: word });
    const {
      status,
      json,
      text: said,
    } = await unrefused('a write', () => service.post('/v1/experience', body));
    if (status !== 202) {
      errors.push(`write: ${status} ${said}`);
      continue;
    }
    const offset: number = json.wal_offset;
    acknowledged.push({ id: json.event_id, offset, scope, key: word, text, word });
    for (const part of [scope, 'org:soak']) newest.set(part, Math.max(newest.get(part) ?? 0, offset));
  }
}

async function read(reader: number, until: number): Promise<void> {
  const random = new Random(1000 + reader);
  while (performance.now() < until) {
    if (random.below(3) === 0) await readOne(random);
    else if (random.below(2) === 0) await walk('org:soak', `scope=org:soak&view=descend`);
    else {
      const scope = random.pick(SCOPES);
      await walk(scope, `scope=${encodeURIComponent(scope)}`);
    }
  }
}

async function readOne(random: Random): Promise<void> {
  if (acknowledged.length === 0) return;
  const { id, text, offset } = random.pick(acknowledged);
  const { status, json } = await unrefused('an event', () => service.get(`/v1/events/${id}`));
  pointReads += 1;
  if (status !== 200 || json.content.text !== text || json.wal_offset !== offset) {
    errors.push(`event ${id}: ${status} ${JSON.stringify(json)}`);
  }
}

async function walk(part: string, query: string): Promise<void> {
  const atLeast = newest.get(part) ?? 0;
  const offsets: number[] = [];
  let cursor = '';
  let more = true;
  for (let page = 0; more && page < PAGES; page += 1) {
    const path = `/v1/events?${query}&limit=${PAGE}${cursor}`;
    const { status, json, text } = await unrefused('a page', () => service.get(path));
    if (status !== 200) {
      errors.push(`listing: ${status} ${text}`);
      return;
    }
    offsets.push(...(json.items as { wal_offset: number }[]).map(({ wal_offset }) => wal_offset));
    more = json.has_more === true;
    cursor = more ? `&cursor=${encodeURIComponent(json.next_cursor)}` : '';
  }
  walks.push({ query, offsets, atLeast, whole: !more });
}

/** Compares a walk with the final log: below its first item nothing is skipped and nothing comes twice. */
function faultOf({ query, offsets, atLeast, whole }: Walk, log: readonly Acknowledged[]): string[] {
  const first = offsets[0] ?? 0;
  if (first < atLeast) return [`${query}: begins at ${first}, but ${atLeast} was acknowledged before`];
  const inScope = query.includes('descend')
    ? log
    : log.filter(({ scope }) => query === `scope=${encodeURIComponent(scope)}`);
  const below = inScope.filter(({ offset }) => offset <= first).map(({ offset }) => offset);
  const expected = whole ? below : below.slice(0, offsets.length);
  const at = expected.findIndex((offset, i) => offsets[i] !== offset);
  if (at >= 0) return [`${query}: item ${at} is ${offsets[at] ?? 'missing'}, not ${expected[at] ?? 'there'}`];
  return offsets.length > expected.length ? [`${query}: lists what was never acknowledged`] : [];
}

describe('a hundred writers and readers at once', () => {
  it(
    'meet no error',
    async () => {
      const until = performance.now() + SECONDS * 1000;
      await Promise.all([
        ...Array.from({ length: WRITERS }, (_, i) => write(i, until)),
        ...Array.from({ length: READERS }, (_, i) => read(i, until)),
      ]);
      expect(errors).toEqual([]);
      expect(acknowledged.length).toBeGreaterThan(WRITERS);
      expect(walks.length).toBeGreaterThan(READERS);
      expect(pointReads).toBeGreaterThan(0);
    },
    SECONDS * 1000 + SLACK_MS,
  );

  it('lose nothing, leave no gap, and recorded_at never runs backwards', async () => {
    expect(await checkLog(driver, acknowledged)).toEqual([]);
  });

  it('never skip nor repeat an item of a listing, and see what was acknowledged before', () => {
    const log = acknowledged.toSorted((a, b) => b.offset - a.offset);
    expect(walks.flatMap((one) => faultOf(one, log)).slice(0, 10)).toEqual([]);
  });

  it('are all derived from, once', async () => {
    await eventually(
      'every scope to catch up',
      async () => {
        const statuses = await Promise.all(
          SCOPES.map((scope) => service.get(`/v1/derivation/status?scope=${encodeURIComponent(scope)}`)),
        );
        return statuses.every(({ json }) => json.caught_up === true && json.failed === 0);
      },
      DERIVING_PATIENCE_MS,
    );
    expect(await checkFrames(driver)).toEqual([]);
  });
});
