import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { LogOffsets } from '../../graph/log-offset.ts';
import { migrate } from '../../graph/migrate.ts';
import { StatedReader } from '../../graph/recall-stated.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { KNOWN_NOW } from '../../src/time/as-of.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

/** Scopes beside the one that is asked, in which the same name stands, newer. */
const OTHERS = 3_000;

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  await query(
    driver,
    `UNWIND range(0, $others) AS i
     WITH i, CASE WHEN i < $others THEN 'other' + i ELSE 'own' END AS ref
     CREATE (:EntityName {entity_key: ref + ' deploy', given: true, id: 'deploy', tenant: 'acme', scope: 'user:' + ref, scope_ref: ref,
       a0: ref, name: 'deploy', normalised_name: 'deploy', position: i, recorded_at: datetime({epochMillis: 1})})
     CREATE (f:Statement:Fact {id: 'fact_' + ref, fact_id: 'fact_' + ref, tenant: 'acme', scope: 'user:' + ref, scope_ref: ref, a0: ref,
       position: $others - i, life_class: 8, recorded_at: datetime({epochMillis: 1}), subject_id: 'deploy', predicate: 'runs_on', object: '{}', confidence: 1.0})
     CREATE (f)-[:HAS_VERSION]->(:FactVersion {fact_id: f.id, valid_from: datetime({epochMillis: 0}), valid_to: datetime({epochMillis: $end}), recorded_from: datetime({epochMillis: 0}), recorded_to: datetime({epochMillis: $end}), confidence: 1.0})`,
    { others: BigInt(OTHERS), end: BigInt(OPEN_END) },
  );
  // More values of it than are wanted, the newest one first, of which one alone holds.
  await query(
    driver,
    `UNWIND range(1, 300) AS i
     CREATE (f:Statement:Fact {id: 'old_' + i, fact_id: 'old_' + i, tenant: 'acme', scope: 'user:own', scope_ref: 'own', a0: 'own',
       position: i, life_class: 0, recorded_at: datetime({epochMillis: 1}), subject_id: 'deploy', predicate: 'was_at', object: '{}', confidence: 1.0})
     CREATE (f)-[:HAS_VERSION]->(:FactVersion {fact_id: f.id, valid_from: datetime({epochMillis: 0}), valid_to: datetime({epochMillis: 1}), recorded_from: datetime({epochMillis: 0}), recorded_to: datetime({epochMillis: $end}), confidence: 1.0})`,
    { end: BigInt(OPEN_END) },
  );
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

it('finds what a scope states of a name that stands in thousands, and nothing of theirs', async () => {
  const reader = new StatedReader(database, new LogOffsets(database));
  const subtrees = [{ ref: 'own', level: 0, levels: ['own'] }];
  const bounds = { near: ['own'], scan: 100, most: 64, recorded: KNOWN_NOW };
  const found = await reader.named(['deploy', 'nothing'], 'acme', { scopes: [], subtrees }, bounds);
  expect(found).toEqual([
    { name: 'deploy', id: 'deploy', scope: 'user:own', scope_ref: 'own', linked: false },
  ]);
  const places = found.map(({ scope_ref: ref, id }) => ({ ref, id }));
  const holding = { at: { valid: 5, recorded: KNOWN_NOW }, any_time: false };
  const facts = await reader.about([places], holding, { scan: 4_000, most: 50 });
  expect(facts.map(({ id }) => id)).toEqual(['fact_own']);
  const ever = await reader.about([places], { ...holding, any_time: true }, { scan: 4_000, most: 50 });
  expect(ever).toHaveLength(50);
  expect(ever[0]?.id).toBe('old_300');
});

it('finds what lies below, as far as it is looked for', async () => {
  const reader = new StatedReader(database, new LogOffsets(database));
  const selection = {
    scopes: ['other1', 'other2'],
    subtrees: [{ ref: 'other7', level: 0, levels: ['other7'] }],
  };
  const refs = async (scan: number) =>
    (
      await reader.named(['deploy'], 'acme', selection, {
        near: ['other1'],
        scan,
        most: 64,
        recorded: KNOWN_NOW,
      })
    )
      .map(({ scope_ref: ref }) => ref)
      .sort();
  expect(await refs(0)).toEqual(['other1']);
  expect(await refs(OTHERS + 1)).toEqual(['other1', 'other2', 'other7']);
});
