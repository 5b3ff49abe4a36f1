import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { removePassagesWithin } from '../../graph/passage/removal.ts';
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

it('leaves nothing of what is removed in the vectors of its neighbours, and those of others alone', async () => {
  await query(
    driver,
    `UNWIND range(0, 9) AS i
     CREATE (:Passage {event_id: 'e' + i, kind: 'turn', thread: 't', place: i, segment: 0, text: 'w' + i, embed_shard: 1, vector: [1.0],
       window_vector: [1.0]})`,
  );
  await database.transaction((transaction) => removePassagesWithin(transaction, ['e2', 'e3', 'e7']));
  const left = await query(
    driver,
    `MATCH (p:Passage {kind: 'turn'}) WHERE p.thread = 't'
     RETURN p.event_id AS id, p.vector IS NOT NULL AS own, p.window_vector IS NULL AS gone, p.due_shard IS NOT NULL AS due ORDER BY p.place`,
  );
  expect(left.map(({ id }) => id)).toEqual(['e0', 'e1', 'e4', 'e5', 'e6', 'e8', 'e9']);
  expect(left.every(({ own }) => own)).toBe(true);
  const near = ['e1', 'e4', 'e6', 'e8'];
  expect(left.filter(({ gone }) => gone).map(({ id }) => id)).toEqual(near);
  expect(left.filter(({ due }) => due).map(({ id }) => id)).toEqual(near);
});
