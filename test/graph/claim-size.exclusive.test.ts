import type { Driver } from 'neo4j-driver';

import { claimSizes } from '../../graph/claim/size.ts';
import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

it('says of events which claims they state something of, and how much is stated of each, up to a bound', async () => {
  // Three events about the first claim, the first of them also about the second one; nobody asks for what an event `evt_9` says of both.
  const stated = [
    ['evt_1', 'one'],
    ['evt_1', 'one'],
    ['evt_1', 'two'],
    ['evt_2', 'one'],
    ['evt_3', 'one'],
    ['evt_9', 'two'],
    ['evt_9', 'three'],
  ];
  await query(
    driver,
    `UNWIND range(0, size($stated) - 1) AS i
     CREATE (:Statement {id: 'st_' + i, event_id: $stated[i][0], claim: $stated[i][1], stated_from: datetime() + duration({seconds: i}), retracted: i = 1})`,
    { stated },
  );
  const found = await claimSizes(database, ['evt_1', 'evt_2', 'evt_7'], 3);
  const sorted = found.map((one) => ({ ...one, event_ids: [...one.event_ids].sort() }));
  expect(sorted.sort((a, b) => a.claim.localeCompare(b.claim))).toEqual([
    { claim: 'one', event_ids: ['evt_1', 'evt_2'], statements: 3 },
    { claim: 'two', event_ids: ['evt_1'], statements: 2 },
  ]);
  expect(await claimSizes(database, [], 3)).toEqual([]);
});
