import type { Driver } from 'neo4j-driver';

import { Database, type Writer } from '../../graph/driver.ts';
import { OVERDUE } from '../../graph/errors.ts';
import { migrate } from '../../graph/migrate.ts';
import { HeadSettler, ShardReader } from '../../graph/shard.ts';
import { patientDatabase, testDatabase, testDriver, wipe } from '../support/database.ts';
import { eventually } from '../support/wait.ts';

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  const { uri, user, password, database: name, version } = testDatabase();
  const patient = patientDatabase();
  await migrate(patient, version);
  // Planned here: what the tests wait for in vain is a lock and nothing else.
  await new HeadSettler(patient).events(0);
  await new ShardReader(patient).head();
  await patient.close();
  database = new Database({
    uri,
    user,
    password,
    database: name,
    poolSize: 5,
    acquisitionTimeoutMs: 5000,
    connectTimeoutMs: 5000,
    statementTimeoutMs: 3000,
  });
});
afterAll(async () => {
  await database.close();
  await driver.close();
});

describe('a driver whose writes get no answer while reads do', () => {
  it('says from the second one on that the database takes no writes, until one succeeds', async () => {
    const settler = new HeadSettler(database);
    const shards = new ShardReader(database);
    await settler.events(1);
    expect(database.takesWrites).toBe(true);
    const session = driver.session({ database: testDatabase().database });
    const lock = session.beginTransaction();
    await lock.run("MATCH (wal:Counter {name: 'wal'}) SET wal.touched = 0");
    const refused = { code: 'DATABASE_UNAVAILABLE' };
    await expect(settler.events(2)).rejects.toMatchObject(refused);
    expect(database.takesWrites).toBe(true);
    await expect(settler.events(3)).rejects.toMatchObject(refused);
    await shards.head();
    expect(database.takesWrites).toBe(false);
    await lock.rollback();
    await session.close();
    await settler.events(4);
    expect(database.takesWrites).toBe(true);
  });
});

describe('a transaction that nobody goes on with', () => {
  it('keeps its locks no longer than the server lets it run', async () => {
    const stuck = database.transaction(async (transaction) => {
      const within = { writeRepeatable: transaction.run.bind(transaction) } as unknown as Writer;
      await new HeadSettler(within).events(5);
      await new Promise(() => undefined);
    });
    await expect(stuck).rejects.toMatchObject({ code: OVERDUE });
    await eventually('the lock to be free', () =>
      new HeadSettler(database).events(6).then(
        () => true,
        () => false,
      ),
    );
  });
});
