import type { Driver } from 'neo4j-driver';

import type { Database, Reader } from '../../graph/driver.ts';
import { LogOffsets } from '../../graph/log-offset.ts';
import { migrate } from '../../graph/migrate.ts';
import { KNOWN_NOW } from '../../src/time/as-of.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
});
afterAll(async () => {
  await wipe();
  await driver.close();
  await database.close();
});

interface Logged {
  readonly offset: number;
  readonly at: number;
}

/** A log with holes where events were erased; several may be recorded at one instant. */
const log: fc.Arbitrary<Logged[]> = fc
  .array(fc.record({ hole: fc.nat(200), passes: fc.integer({ min: 0, max: 3 }) }), { maxLength: 60 })
  .map((steps) => {
    let [offset, at] = [0, 1000];
    return steps.map(({ hole, passes }) => ({ offset: (offset += hole + 1), at: (at += passes) }));
  });

async function store(events: readonly Logged[]): Promise<void> {
  await query(driver, 'MATCH (e:Event) DELETE e');
  await add(events);
}

async function add(events: readonly Logged[]): Promise<void> {
  await query(
    driver,
    'UNWIND $rows AS row CREATE (:Event {wal_offset: row.offset, recorded_at: datetime({epochMillis: row.at})})',
    {
      rows: events.map(({ offset, at }) => ({ offset: BigInt(offset), at: BigInt(at) })),
    },
  );
}

/** What is wrong about a bound: it leaves out what was recorded by then, or leaves in an event, but for the first, that was not. */
function faultsOf(events: readonly Logged[], instant: number, bound: number): string[] {
  const known = events.filter(({ at }) => at <= instant).map(({ offset }) => offset);
  const later = events.filter(({ at }) => at > instant).map(({ offset }) => offset);
  return [
    ...known.filter((offset) => offset >= bound).map((offset) => `${instant}: ${offset} is left out`),
    ...later.filter((offset) => offset < bound).map((offset) => `${instant}: ${offset} is left in`),
  ];
}

it('bounds a walk by how far the log reached at any instant, also while the log grows and events are erased', async () => {
  const instants = fc.array(fc.integer({ min: 990, max: 1200 }), { minLength: 1, maxLength: 12 });
  const property = fc.asyncProperty(log, instants, fc.nat(60), fc.nat(60), async (all, asked, cut, gone) => {
    await store(all.slice(0, cut));
    const places = new LogOffsets(database);
    const check = async (events: readonly Logged[]): Promise<void> => {
      for (const instant of asked)
        expect(faultsOf(events, instant, await places.bound(Number.MAX_SAFE_INTEGER, instant))).toEqual([]);
    };
    await check(all.slice(0, cut));
    await add(all.slice(cut));
    await check(all);
    await query(driver, 'MATCH (e:Event) WHERE e.wal_offset >= $from DELETE e', {
      from: BigInt(all[gone]?.offset ?? 0),
    });
    await check(all.slice(0, gone));
  });
  await fc.assert(property, { numRuns: inDepth(8, 40) });
});

it('asks the database for a new instant a few times, and for one that it knows, or for now, not at all', async () => {
  await store(Array.from({ length: 20_000 }, (_, i) => ({ offset: i, at: 1000 + i })));
  let reads = 0;
  const counting: Reader = {
    read: (statement, params) => {
      reads += 1;
      return database.read(statement, params);
    },
  };
  const places = new LogOffsets(counting);
  expect(await places.bound(Number.MAX_SAFE_INTEGER, KNOWN_NOW)).toBe(Number.MAX_SAFE_INTEGER);
  expect(reads).toBe(0);
  expect(await places.bound(Number.MAX_SAFE_INTEGER, 5000)).toBe(4001);
  expect(reads).toBeLessThanOrEqual(4);
  const before = reads;
  expect(await places.bound(Number.MAX_SAFE_INTEGER, 5000)).toBe(4001);
  expect(await places.bound(17, 5000)).toBe(17);
  expect(reads).toBe(before);
});
