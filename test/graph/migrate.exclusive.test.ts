import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { migrate, STORE_VERSION } from '../../graph/migrate.ts';
import { patientDatabase, query, testDatabase, testDriver, wipe } from '../support/database.ts';

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, testDatabase().version);
});
afterAll(async () => {
  await database.close();
  await driver.close();
});

it('refuses a full-text index of the same name over other properties, and says which and what to do', async () => {
  const start = (): Promise<void> => migrate(database, testDatabase().version);
  await query(driver, 'DROP INDEX passage_text');
  try {
    await query(
      driver,
      `CREATE FULLTEXT INDEX passage_text FOR (n:Passage) ON EACH [n.text, n.scope_tokens]
       OPTIONS {indexConfig: {\`fulltext.analyzer\`: 'whitespace', \`fulltext.eventually_consistent\`: true}}`,
    );
    await expect(start()).rejects.toThrow(
      /Index passage_text is FULLTEXT .* Passage\(text,scope_tokens\) ONLINE, but has to be .*window_1.*Drop it/,
    );
  } finally {
    await query(driver, 'DROP INDEX passage_text IF EXISTS');
  }
  await start();
});

it.each([
  [STORE_VERSION - 1, /before its first release.*Nothing in it was changed.*NEO4J_URI/],
  [STORE_VERSION + 1, /written by a newer Strata.*Start that version/],
])('refuses a store of version %s, and says what to do', async (version, message) => {
  const set = (to: number) =>
    query(driver, "MATCH (c:Counter {name: 'store_version'}) SET c.value = $to", { to: BigInt(to) });
  await set(version);
  try {
    await expect(migrate(database, testDatabase().version)).rejects.toThrow(message);
  } finally {
    await set(STORE_VERSION);
  }
  await migrate(database, testDatabase().version);
});
