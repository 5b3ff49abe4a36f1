import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { PackStore } from '../../graph/pack.ts';
import { silentLog } from '../../src/log.ts';
import { ExpirySweep } from '../../src/services/expiry-sweep.ts';
import { patientDatabase, testDatabase, wipe } from '../support/database.ts';
import { eventually } from '../support/wait.ts';
import { testJobs } from '../support/jobs.ts';

let database: Database;
let store: PackStore;

const NOW = 1_800_000_000_000;
const BATCH = 4;
const packOf = (id: string, expires_at: number) => ({
  ...{ id, tenant: 'default', scope: 'user:a', actor: 'user:a', expires_at },
  deflated: new Uint8Array([1, 2, 3]),
});
const OVER = Array.from({ length: 2 * BATCH + 1 }, (_, i) => packOf(`pack_over_${i}`, NOW - i));

beforeAll(async () => {
  await wipe();
  database = patientDatabase();
  await migrate(database, testDatabase().version);
  store = new PackStore(database);
});
afterAll(async () => {
  await database.close();
});

const left = async (): Promise<string[]> => {
  const read = await Promise.all(
    [...OVER.map(({ id }) => id), 'pack_good'].map((id) => store.byId(id, 'default', 0)),
  );
  return read.flatMap((pack) => pack?.id ?? []);
};

describe('packs that are over', () => {
  let now = NOW - OVER.length;
  let fails = false;
  let calls = 0;
  const parts = { what: 'packs', batch: BATCH, every_ms: 1, clock: { now: () => now } };
  const warned: string[] = [];
  const log = { ...silentLog, warn: (message: string) => void warned.push(message) };
  const remove = async (at: number, limit: number): Promise<number> => {
    calls += 1;
    if (fails) throw new Error('away');
    return store.sweep(at, limit);
  };

  it('are removed in small transactions, and no other', async () => {
    await store.keep([...OVER, packOf('pack_good', NOW + 1)]);
    const sizes: number[] = [];
    const counted = async (at: number, limit: number): Promise<number> => {
      const went = await remove(at, limit);
      sizes.push(went);
      return went;
    };
    const sweep = new ExpirySweep({ ...parts, remove: counted });
    sweep.start(testJobs());
    await eventually('a look', () => sizes.length > 0);
    expect(await left()).toEqual([...OVER.map(({ id }) => id), 'pack_good']);
    now = NOW;
    await eventually('the sweep', () => sizes.filter((went) => went > 0).length === 3);
    await sweep.stop();
    expect([sizes.filter((went) => went > 0), await left()]).toEqual([[BATCH, BATCH, 1], ['pack_good']]);
  });

  it('are removed later where the database was away, until the end', async () => {
    fails = true;
    const sweep = new ExpirySweep({ ...parts, remove });
    sweep.start(testJobs(log));
    await eventually('a warning', () => warned.length > 0);
    now = NOW + 1;
    expect(await left()).toEqual(['pack_good']);
    fails = false;
    await eventually('the sweep', async () => (await left()).length === 0);
    await sweep.stop();
    const asked = calls;
    await store.keep([packOf('pack_good', NOW)]);
    let others = 0;
    const other = new ExpirySweep({ ...parts, remove: () => Promise.resolve(((others += 1), 0)) });
    other.start(testJobs(log));
    await eventually('another to look ten times', () => others >= 10);
    await other.stop();
    expect([calls, await left()]).toEqual([asked, ['pack_good']]);
  });
});
