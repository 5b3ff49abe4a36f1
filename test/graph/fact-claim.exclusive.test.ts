import type { Driver } from 'neo4j-driver';

import { ClaimReader as ClaimRowReader } from '../../graph/claim/read.ts';
import type { Database } from '../../graph/driver.ts';
import { ClaimReader, CLAIM_WALK_ROWS } from '../../graph/fact/claim.ts';
import { migrate } from '../../graph/migrate.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { KNOWN_NOW } from '../../src/time/as-of.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

/** Rows of the value that is stated again and again. */
const AGAIN = CLAIM_WALK_ROWS + 100;

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  // Both are stated since the same day and kept beside one another; of the second one alone it is said again how sure it is.
  await query(
    driver,
    `UNWIND [['first', 1, 1], ['second', 2, $again]] AS sent
     WITH 'fact_' + sent[0] AS id, sent[1] AS position, sent[2] AS rows
     CREATE (f:Statement:Fact:MultiValueStatement {id: id, fact_id: id, tenant: 'acme', scope: 'user:own', scope_ref: 'own', a0: 'own',
       claim: 'k', cardinality: 'one', policy: 'keep_both', position: position, life_class: 8, recorded_at: datetime({epochMillis: position}), subject_id: 'ent_a',
       predicate: 'lives_in', object: '{}', confidence: 0.5, valid_from: datetime({epochMillis: position})})
     WITH f, position, rows UNWIND range(1, rows) AS i
     CREATE (f)-[:HAS_VERSION]->(:FactVersion {fact_id: f.id, claim: 'k', valid_from: datetime({epochMillis: position}), valid_to: datetime({epochMillis: $end}), recorded_from: datetime({epochMillis: position + i}),
       recorded_to: datetime({epochMillis: CASE WHEN i = rows THEN $end ELSE position + i + 1 END}), confidence: 0.5, same_time: CASE WHEN i > 1 THEN true END})`,
    { again: BigInt(AGAIN), end: BigInt(OPEN_END) },
  );
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

it.each([
  ['now', KNOWN_NOW, ['fact_first', 'fact_second']],
  ['as it was known in the middle', AGAIN / 2, ['fact_first', 'fact_second']],
  ['as it was known at the beginning', 2, ['fact_first']],
])(
  'finds each value that a claim keeps, however often another one is stated, %s',
  async (_when, recorded, ids) => {
    const places = [{ ref: 'own', id: 'ent_a' }];
    const found = await new ClaimReader(database).valuesAt(places, ['lives_in'], { valid: 5, recorded });
    expect(found.map(({ id }) => id).sort()).toEqual(ids);
  },
);

it('reads of what others rest on each row that says something of its time, and none that says only how sure it is', async () => {
  const rows = await database.transaction((transaction) => new ClaimRowReader(transaction).rows(['k']));
  expect((rows.get('k') ?? []).map(({ fact_id, same_time }) => [fact_id, same_time]).sort()).toEqual([
    ['fact_first', false],
    ['fact_second', false],
  ]);
});
