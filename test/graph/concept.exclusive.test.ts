import type { Driver } from 'neo4j-driver';

import { ConceptStore } from '../../graph/concept/write.ts';
import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { CitingVersion } from '../../src/derive/concept/evolve.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

// What a stranger finds who opens the database and asks it about concepts, in plain Cypher.

const PLACE = { tenant: 'default', scope: 'user:ann', scope_ref: 'ref_ann' };
const ANN = { concept_id: 'concept_ann', entity_id: 'ent_ann', scope_ref: PLACE.scope_ref };

const FIRST: CitingVersion = {
  number: 1,
  recorded_from: 10,
  caused_by: 'evt_1',
  position: 1,
  name: 'Ann',
  summary: 'Ann lives_in Oslo.',
  facts: ['fact_1'],
  cited_count: 1,
  fact_count: 1,
  independent: 1,
  stance: 'supported',
  confidence: 0.75,
  newest_at: 10,
  edges: [{ to: 'concept_oslo', relation: 'co_occurs', facts: 1 }],
};
const SECOND: CitingVersion = {
  ...FIRST,
  number: 2,
  recorded_from: 20,
  caused_by: 'evt_2',
  position: 2,
  summary: 'Ann lives_in Rome.',
  facts: ['fact_2'],
  confidence: 1,
  newest_at: 20,
  edges: [
    { to: 'concept_oslo', relation: 'contrasts', facts: 1 },
    { to: 'concept_rome', relation: 'co_occurs', facts: 2 },
  ],
};

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  await query(
    driver,
    `CREATE (:Entity {key: 'ref_ann ent_ann', id: 'ent_ann', name: 'Ann'})
     CREATE (:Event {id: 'evt_1', text: 'I live in Oslo'}) CREATE (:Event {id: 'evt_2', text: 'I live in Rome'})`,
  );
});

afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

/** Has the concept told from an instant on, where so many versions were stored. */
async function tell(
  since: number,
  last: CitingVersion | null,
  versions: CitingVersion[],
  stored = 0,
  others: string[] = [],
) {
  await database.transaction((transaction) => {
    const concept = { ...ANN, since };
    const edges = last?.edges ?? [];
    new ConceptStore(transaction).write([
      { concept, place: PLACE, last, edges, versions, supports: 1, stored, others },
    ]);
    return Promise.resolve();
  });
}

const VERSIONS = `MATCH (c:Concept {name: 'Ann'})-[:HAS_VERSION]->(v:ConceptVersion)
  RETURN v.version AS version, v.recorded_from AS \`from\`, v.recorded_to AS to ORDER BY version`;

const RELATES = `MATCH (:Concept {name: 'Ann'})-[r:RELATES]->(o:Concept)
  RETURN o.id AS to, r.relation AS relation, r.weight AS weight, r.recorded_from AS \`from\`, r.recorded_to AS ends ORDER BY relation, to`;

describe('a concept', () => {
  beforeAll(async () => {
    await tell(10, null, [FIRST]);
    await tell(20, FIRST, [SECOND]);
  });

  it('says what is understood now', async () => {
    const [found] = await query(driver, "MATCH (c:Concept {id: 'concept_ann'}) RETURN properties(c) AS c");
    expect(found?.c).toMatchObject({
      ...{
        scope: 'user:ann',
        name: 'Ann',
        summary: 'Ann lives_in Rome.',
        stance: 'supported',
        confidence: 1,
      },
      ...{ version: 2, coverage: 1, partial: true, recorded_from: 20 },
    });
  });

  it('has versions that say when they were followed, and what they cite', async () => {
    expect(await query(driver, VERSIONS)).toEqual([
      { version: 1, from: 10, to: 20 },
      { version: 2, from: 20, to: OPEN_END },
    ]);
    const [second] = await query(driver, 'MATCH (v:ConceptVersion {version: 2}) RETURN properties(v) AS v');
    expect(second?.v).toEqual({
      ...{ concept_id: 'concept_ann', version: 2, name: 'Ann', summary: 'Ann lives_in Rome.' },
      ...{ stance: 'supported', confidence: 1, coverage: 1, partial: true },
      ...{ recorded_from: 20, recorded_to: OPEN_END, caused_by: 'evt_2', position: 2 },
      ...{ fact_count: 1, independent: 1, newest_at: 20 },
      facts: ['fact_2'],
    });
  });

  it('is about an entity, and its versions say what brought them about', async () => {
    const paths = `MATCH (n:Entity)<-[:ABOUT]-(:Concept)-[:HAS_VERSION]->(v)-[:REVISED_BY]->(e:Event)
      RETURN n.name AS name, v.version AS version, e.text AS text ORDER BY version`;
    expect(await query(driver, paths)).toEqual([
      { name: 'Ann', version: 1, text: 'I live in Oslo' },
      { name: 'Ann', version: 2, text: 'I live in Rome' },
    ]);
  });

  it('says what it has to do with others, and from when until when', async () => {
    expect(await query(driver, RELATES)).toEqual([
      { to: 'concept_oslo', relation: 'co_occurs', weight: 1, from: 10, ends: 20 },
      { to: 'concept_rome', relation: 'co_occurs', weight: 2, from: 20, ends: OPEN_END },
      { to: 'concept_oslo', relation: 'contrasts', weight: 1, from: 20, ends: OPEN_END },
    ]);
  });

  it('is replayed: what followed is gone, and what goes before has no end', async () => {
    await tell(20, FIRST, [], 1, ['concept_oslo', 'concept_rome']);
    expect(await query(driver, VERSIONS)).toEqual([{ version: 1, from: 10, to: OPEN_END }]);
    const [now] = await query(driver, "MATCH (c:Concept {id: 'concept_ann'}) RETURN c.summary AS summary");
    expect(now).toEqual({ summary: 'Ann lives_in Oslo.' });
    expect(await query(driver, RELATES)).toEqual([
      { to: 'concept_oslo', relation: 'co_occurs', weight: 1, from: 10, ends: OPEN_END },
    ]);
    await tell(15, FIRST, [{ ...SECOND, recorded_from: 15 }], 0);
    expect(await query(driver, VERSIONS)).toEqual([
      { version: 1, from: 10, to: 15 },
      { version: 2, from: 15, to: OPEN_END },
    ]);
  });
});
