import type { Driver } from 'neo4j-driver';

import { ClaimSizeReader } from '../../graph/claim/size.ts';
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
  const reader = new ClaimSizeReader(database);
  const found = await reader.ofEvents(['evt_1', 'evt_2', 'evt_7']);
  expect(found.map(({ event_id, claim }) => `${event_id} ${claim}`).sort()).toEqual([
    'evt_1 one',
    'evt_1 two',
    'evt_2 one',
  ]);
  const sizes = await reader.sizes(['one', 'two', 'four'], 3);
  expect(Object.fromEntries(sizes)).toEqual({ one: 3, two: 2, four: 0 });
  expect([await reader.ofEvents([]), await reader.sizes([], 3)]).toEqual([[], new Map()]);
});
