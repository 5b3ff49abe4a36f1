import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { copyStore, type CopyProgress } from '../../graph/copy/copy.ts';
import { Database } from '../../graph/driver.ts';
import { VectorIndexes } from '../../graph/embedding/vector-index.ts';
import { migrate } from '../../graph/migrate.ts';
import type { DatabaseAddress } from '../../src/context.ts';
import type { LocalNeo4j } from '../../src/local-neo4j/launch.ts';
import { query, testDatabase, testDriver, wipe } from '../support/database.ts';
import { startThrowawayNeo4j } from '../support/throwaway-neo4j.ts';

// A store with values of every type, with gaps among its ids, is copied into another database, and nothing of it differs there.

const directory = mkdtempSync(join(tmpdir(), 'strata-copy-'));
let target: LocalNeo4j;
let from: Driver;
let to: Driver;

beforeAll(async () => {
  await wipe();
  target = await startThrowawayNeo4j(directory);
  from = testDriver();
  to = testDriver(target);
});
afterAll(async () => {
  await from.close();
  await to.close();
  await target.stop();
  rmSync(directory, { recursive: true, force: true });
});

function exact(address: DatabaseAddress): Database {
  const waits = { acquisitionTimeoutMs: 60_000, connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 };
  return new Database({ ...address, ...waits, poolSize: 5, exact: true });
}

async function copy(tell: (progress: CopyProgress) => void, signal = new AbortController().signal) {
  const [source, draft] = [exact(testDatabase()), exact(target)];
  try {
    const serverVersion = await source.serverVersion();
    return await copyStore(source, draft, { serverVersion, dimensions: 3, tell, signal });
  } finally {
    await Promise.all([source.close(), draft.close()]);
  }
}

/** Every record as a text that names none by its id of the database. */
async function records(driver: Driver): Promise<string[]> {
  const rows = await query(
    driver,
    `MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties, n.name AS name, '' AS other
     UNION ALL
     MATCH (a)-[r]->(b) RETURN [type(r)] AS labels, properties(r) AS properties, a.name AS name, b.name AS other`,
  );
  const inOrder = (properties: object): unknown =>
    Object.entries(properties).sort(([one], [other]) => (one < other ? -1 : 1));
  return rows
    .map(({ labels, properties, ...ends }) =>
      JSON.stringify({ labels: labels.sort(), properties: inOrder(properties), ...ends }),
    )
    .sort();
}

const VALUES = `{name: 'values', whole: 1, float: 1.0, minus: -0.0, large: 9007199254740993, text: 'Zürich "quoted"\\n', yes: true,
  empty: [], texts: ['a', ''], wholes: [1, 2], floats: [1.0, 2.5], flags: [true, false], utc: datetime('2026-11-27T08:00:00.123456789Z'),
  offset: datetime('2026-11-27T08:00:00+05:30'), zone: datetime('2026-11-27T08:00:00[Europe/Zurich]'),
  instants: [datetime('9999-12-31T23:59:59.999Z')], local: localdatetime('2026-11-27T08:00:00'), day: date('2026-11-27'),
  clock: time('08:00:00+01:00'), local_clock: localtime('08:00:00'), span: duration('P1M2DT3.004S'), point: point({x: 1, y: 2}), bytes: $bytes}`;

test('a copy has every value, label and edge of the store, and its indexes', async () => {
  const bytes = new Int8Array(Buffer.from('bytes of a blob'));
  await query(from, `CREATE (:Values:Odd ${VALUES})`, { bytes });
  await query(from, "UNWIND range(1, 6000) AS i CREATE (:Filler {name: 'n' + i, text: 'x'})");
  await query(from, 'MATCH (n:Filler) WHERE n.name =~ ".*[1-8]" DETACH DELETE n');
  await query(
    from,
    `MATCH (v:Values) MATCH (n:Filler) WITH v, n LIMIT 50
     CREATE (v)-[:HAS {at: datetime('2026-11-27T08:00:00Z'), weight: 0.5, ids: ['a']}]->(n)
     CREATE (n)-[:HAS {weight: 1.0}]->(v) CREATE (n)-[:SELF]->(n) CREATE (n)-[:SELF]->(n)`,
  );
  await query(
    from,
    `CREATE (p:Passage {name: 'passage', event_id: 'evt_1'}) WITH p CALL db.create.setNodeVectorProperty(p, 'vector', [0.1, 0.2, 0.3])`,
  );
  const phases = new Set<string>();
  const counts = await copy(({ phase }) => phases.add(phase));
  expect(counts).toEqual({ nodes: 1202, edges: 200 });
  expect([...phases]).toEqual(['nodes', 'edges', 'indexes', 'check']);
  expect(await records(to)).toEqual(await records(from));
  const [types] = await query(
    to,
    `MATCH (v:Values) RETURN v.whole IS :: INTEGER AS whole, v.float IS :: FLOAT AS float, v.large = 9007199254740993 AS large,
       v.zone = datetime('2026-11-27T08:00:00[Europe/Zurich]') AS zone, v.span = duration('P1M2DT3.004S') AS span`,
  );
  expect(types).toEqual({ whole: true, float: true, large: true, zone: true, span: true });
  const [vectors] = await query(
    to,
    "SHOW INDEXES YIELD name, state WHERE name = 'passage_vector' RETURN state",
  );
  expect(vectors).toEqual({ state: 'ONLINE' });
});

test('the copy is a store that starts as it is', async () => {
  const waits = { acquisitionTimeoutMs: 60_000, connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 };
  const store = new Database({ ...target, ...waits, poolSize: 5 });
  try {
    const before = await query(to, 'SHOW INDEXES YIELD name RETURN collect(name) AS names');
    const version = await store.serverVersion();
    await migrate(store, version);
    await new VectorIndexes(store, version).ensure(3);
    expect(await query(to, 'SHOW INDEXES YIELD name RETURN collect(name) AS names')).toEqual(before);
  } finally {
    await store.close();
  }
});

test('nothing is copied into a store that has records, and a signal ends a copy', async () => {
  await expect(copy(() => undefined)).rejects.toThrow('empty one only');
  await wipe(target);
  await expect(copy(() => undefined, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
