import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { migrate, STORE_VERSION } from '../../graph/migrate.ts';
import { hashUploadKeys } from '../../graph/migrate-upload-keys.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { uploadKeyHasher } from '../../src/capture/upload-key.ts';
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

it('brings a store of version 10 over, whose instants were numbers', async () => {
  await query(
    driver,
    `MATCH (c:Counter {name: 'store_version'}) SET c.value = 10
     CREATE (e:Event {id: 'evt_old', wal_offset: 1, recorded_at: 1700000000123, observed_at: -1})
     CREATE (f:Statement:Fact {id: 'fact_old', recorded_at: 7, stated_from: -62135596800000, stated_to: 253402300799999})
     CREATE (f)-[:DERIVED_FROM {recorded_from: 7, recorded_to: 253402300799999}]->(e)
     CREATE (later:Event {id: 'evt_later', wal_offset: 2, recorded_at: 1700000000999, observed_at: 0})-[:REPLACES]->(e)
     CREATE (:Episode {id: 'ep_old'})-[:CONTAINS {preceded_by: ['evt_old', 'evt_gone'], observed_at: 0, recorded_from: 0}]->(later)
     SET e.tenant = 'acme', later.tenant = 'acme'`,
  );
  await migrate(database, testDatabase().version);
  const [found] = await query(
    driver,
    `MATCH (f:Fact {id: 'fact_old'})-[d:DERIVED_FROM]->(e)
     MATCH (c:Counter {name: 'store_version'})
     MATCH (e)-[s:SUPERSEDED_BY]->(later) MATCH (later)-[:PRECEDED_BY]->(before)
     RETURN c.value AS version, s.recorded_from = later.recorded_at AS superseded, before.id AS before, EXISTS { ()-[:REPLACES]->() } AS left, toString(e.recorded_at) AS recorded, toString(e.observed_at) AS observed, f.known_at AS known,
       toString(f.stated_from) AS since, toString(d.recorded_to) AS end, f.stated_to = d.recorded_to AS same`,
  );
  expect(found).toEqual({
    version: STORE_VERSION,
    superseded: true,
    before: 'evt_old',
    left: false,
    recorded: '2023-11-14T22:13:20.123Z',
    observed: '1969-12-31T23:59:59.999Z',
    known: null,
    since: '0001-01-01T00:00:00Z',
    end: '9999-12-31T23:59:59.999Z',
    same: true,
  });
});

describe('what supports concepts, of a store of version 11', () => {
  const SAID = JSON.stringify([
    ...[
      'ref_ann',
      'concept_ann',
      'ent_ann',
      'Ann',
      'concept_oslo',
      'co_occurs',
      'fact_ann',
      'k',
      'belief_ann',
    ],
    ...[7, 1700000000123, 'evt_ann', 'supported', 0.75, ['evt_ann'], 1699920000000, 'Ann lives in Oslo'],
  ]);
  const NODE = `CREATE (:ConceptSupport {concept_id: 'concept_ann', fact_id: 'fact_ann', claim: 'k', belief_id: 'belief_ann', position: 7,
    recorded_from: datetime({epochMillis: 1700000000123}), recorded_to: datetime('9999-12-31T23:59:59.999Z'), said: $said})`;
  const EDGES = `MATCH (c:Concept {id: 'concept_ann'})-[x:SUPPORTED_BY]->(f:Fact {id: 'fact_ann'}) RETURN properties(x) AS x`;
  const EDGE = {
    ...{ concept_id: 'concept_ann', fact_id: 'fact_ann', claim: 'k', belief_id: 'belief_ann', position: 7 },
    ...{ recorded_from: 1700000000123, recorded_to: OPEN_END, caused_by: 'evt_ann', stance: 'supported' },
    ...{ confidence: 0.75, events: ['evt_ann'], newest_at: 1699920000000, text: 'Ann lives in Oslo' },
    ...{ entity_name: 'Ann', other_id: 'concept_oslo', relation: 'co_occurs' },
  };
  const bringOver = async (): Promise<void> => {
    await query(driver, "MATCH (c:Counter {name: 'store_version'}) SET c.value = 11");
    await migrate(database, testDatabase().version);
  };

  it('become edges, those of versions go, and so do the constraint and the indexes of the nodes', async () => {
    await query(
      driver,
      'CREATE CONSTRAINT concept_support FOR (n:ConceptSupport) REQUIRE (n.fact_id, n.recorded_from, n.concept_id) IS UNIQUE',
    );
    await query(
      driver,
      `CREATE (c:Concept {id: 'concept_ann'})-[:HAS_VERSION]->(v:ConceptVersion)-[:SUPPORTED_BY]->(:Statement:Fact {id: 'fact_ann'}) ${NODE}`,
      { said: SAID },
    );
    await bringOver();
    expect(await query(driver, EDGES)).toEqual([{ x: EDGE }]);
    const [left] = await query(
      driver,
      'RETURN COUNT { (:ConceptSupport) } AS nodes, COUNT { (:ConceptVersion)-[:SUPPORTED_BY]->() } AS edges',
    );
    expect(left).toEqual({ nodes: 0, edges: 0 });
    expect(
      await query(driver, "SHOW INDEXES YIELD name, labelsOrTypes WHERE 'ConceptSupport' IN labelsOrTypes"),
    ).toEqual([]);
  });

  it('are brought over where that was interrupted: those that are edges stay, the others follow', async () => {
    const ended = NODE.replace('1700000000123', '1600000000000').replace(
      "datetime('9999-12-31T23:59:59.999Z')",
      "datetime({epochMillis: 1700000000123}), closed_by: 'evt_ann'",
    );
    await query(driver, ended, { said: SAID.replace('1700000000123', '1600000000000') });
    await bringOver();
    await bringOver();
    const found = await query(driver, `${EDGES} ORDER BY x.recorded_from`);
    const first = { ...EDGE, recorded_from: 1600000000000, recorded_to: 1700000000123, closed_by: 'evt_ann' };
    expect(found).toEqual([{ x: first }, { x: EDGE }]);
  });
});

it('draws the edges between entities that are one, of a store of version 12', async () => {
  const [from, to] = [1700000000123, 1700000000999];
  await query(
    driver,
    `UNWIND ['ent_a', 'ent_b', 'ent_c'] AS id CREATE (:Entity {key: 'ref ' + id, id: id})
     WITH collect(id) AS ids
     UNWIND [['link_1', 'ent_a', 'ent_b', $to], ['link_2', 'ent_a', 'ent_c', null], ['link_3', 'ent_c', 'ent_unknown', null]] AS link
     CREATE (l:LogEntry:EntityLink {id: link[0], scope_ref: 'ref', entity: link[1], same_as: link[2], recorded_at: datetime({epochMillis: $from})})
     FOREACH (at IN CASE WHEN link[3] IS NULL THEN [] ELSE [link[3]] END | SET l.ended_at = datetime({epochMillis: at}))`,
    { from: BigInt(from), to: BigInt(to) },
  );
  for (let time = 0; time < 2; time += 1) {
    await query(driver, "MATCH (c:Counter {name: 'store_version'}) SET c.value = 12");
    await migrate(database, testDatabase().version);
    const found = await query(
      driver,
      'MATCH (a:Entity)-[s:SAME_AS]->(b:Entity) RETURN a.id + b.id AS ends, properties(s) AS s ORDER BY ends',
    );
    expect(found).toEqual([
      { ends: 'ent_aent_b', s: { link_id: 'link_1', recorded_from: from, recorded_to: to } },
      { ends: 'ent_aent_c', s: { link_id: 'link_2', recorded_from: from, recorded_to: OPEN_END } },
    ]);
  }
});

it('takes from versions of concepts what their supports say, of a store of version 13', async () => {
  await query(
    driver,
    `CREATE (:ConceptVersion {concept_id: 'concept_one', version: 1, name: 'Ann', facts: ['fact_1'], stances: ['supported'], beliefs: ['belief_1'],
       events: ['evt_1'], relates_to: ['concept_2'], relations: ['co_occurs'], weights: [1]})
     CREATE (:ConceptVersion {concept_id: 'concept_one', version: 2, name: 'Ann', facts: [], stances: [], beliefs: [], events: [],
       relates_to: [], relations: [], weights: []})`,
  );
  for (let time = 0; time < 2; time += 1) {
    await query(driver, "MATCH (c:Counter {name: 'store_version'}) SET c.value = 13");
    await migrate(database, testDatabase().version);
    const found = await query(
      driver,
      "MATCH (v:ConceptVersion {concept_id: 'concept_one'}) RETURN properties(v) AS v ORDER BY v.version",
    );
    const ann = { concept_id: 'concept_one', name: 'Ann' };
    expect(found).toEqual([
      { v: { ...ann, version: 1, facts: ['fact_1'] } },
      { v: { ...ann, version: 2, facts: [] } },
    ]);
  }
});

it('puts keyed hashes in place of the keys of uploads, of a store of version 14', async () => {
  await query(
    driver,
    'CREATE CONSTRAINT keyed_blob FOR (n:KeyedBlob) REQUIRE (n.tenant, n.uploader, n.key) IS UNIQUE',
  );
  await query(
    driver,
    `UNWIND range(1, 501) AS n
     CREATE (:KeyedBlob {tenant: 'default', uploader: 'user:a', key: 'mira-' + n + '.pdf', blob_id: 'blob_' + n})`,
  );
  const hash = uploadKeyHasher('k'.repeat(43));
  for (let time = 0; time < 2; time += 1) {
    await query(driver, "MATCH (c:Counter {name: 'store_version'}) SET c.value = 14");
    await migrate(database, testDatabase().version);
    await hashUploadKeys(database, () => Promise.resolve(hash));
    const found = await query(
      driver,
      'MATCH (k:KeyedBlob) RETURN labels(k) AS labels, properties(k) AS all ORDER BY toInteger(substring(k.blob_id, 5))',
    );
    expect(found).toHaveLength(501);
    expect(found[500]).toEqual({
      labels: ['KeyedBlob'],
      all: { ...hash('default', 'user:a', 'mira-501.pdf'), blob_id: 'blob_501' },
    });
    expect(found.filter(({ all }) => 'key' in all)).toEqual([]);
  }
  const constraint = "SHOW CONSTRAINTS YIELD name WHERE name = 'keyed_blob' RETURN name";
  expect(await query(driver, constraint)).toEqual([]);
});

it.each([
  [9, /before its first release.*Nothing in it was changed.*NEO4J_URI/],
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
