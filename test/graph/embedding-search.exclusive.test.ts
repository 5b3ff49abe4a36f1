import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { filtersVectors, VectorIndexes } from '../../graph/embedding/vector-index.ts';
import { VectorReader, RECALL_EXACT_VECTORS } from '../../graph/embedding/search.ts';
import { migrate } from '../../graph/migrate.ts';
import type { RecallSearch } from '../../graph/recall.ts';
import { filterTree, recallFilters } from '../../schemas/recall-filter.ts';
import { tagOf } from '../../src/capture/search-tags.ts';
import { KNOWN_NOW } from '../../src/time/as-of.ts';
import { patientDatabase, query, testDatabase, testDriver, wipe } from '../support/database.ts';

// What is near is known beforehand: every vector is one of few. The way of the older line of servers works on the newer one too.

const LINES = filtersVectors(testDatabase().version) ? [testDatabase().version, '5.26.0'] : ['5.26.0'];
const SOUGHT = Float32Array.of(1, 0, 0);
const AWAY = [0, 1, 0];
const at = { generation: 7, limit: 5 };

let driver: Driver;
let database: Database;

interface Seed {
  readonly count: number;
  readonly vector?: readonly number[];
  readonly window?: readonly number[];
  readonly label?: string;
  readonly observed?: number;
}

/** Turns of a scope, `<scope>_<name>_<i>`. */
async function said(scope: string, name: string, seed: Seed): Promise<void> {
  await query(
    driver,
    `UNWIND range(1, $count) AS i
     CREATE (e:Event {id: $scope + '_' + $name + '_' + i, tenant: 'acme', scope: 'user:' + $scope, scope_ref: $scope, observed_actor: 'user:a',
       observed_at: datetime({epochMillis: $observed}), recorded_at: datetime({epochMillis: 1})})
     CREATE (p:Passage {event_id: e.id, kind: 'turn', tenant: 'acme', scope_ref: $scope, scope_tokens: ['top', $scope], a0: 'top', a1: $scope,
       text: 'word', tags: $tags, observed_day: 'd19700101', recorded_day: 'r19700101', vector: $vector, window_vector: $window})-[:OF]->(e)`,
    {
      scope,
      name,
      count: BigInt(seed.count),
      observed: BigInt(seed.observed ?? 1),
      tags: seed.label === undefined ? ['m1'] : ['m1', tagOf('label', seed.label)],
      vector: seed.vector ?? null,
      window: seed.window ?? null,
    },
  );
}

const labelled = (label: string): Partial<RecallSearch> => ({
  filter: filterTree(recallFilters.parse({ labels: { in: [label] } })),
});

const search = (scope: string, more: Partial<RecallSearch> = {}): RecallSearch => ({
  tenant: 'acme',
  selection: { scopes: [scope], subtrees: [] },
  filter: null,
  observed: null,
  recorded: null,
  refers: false,
  at: { valid: null, recorded: KNOWN_NOW },
  past: false,
  ...more,
});

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  const version = await database.serverVersion();
  await migrate(database, version);
  await new VectorIndexes(database, version).ensure(3);
  await query(driver, 'CALL db.awaitIndexes(60)');
  await query(
    driver,
    `MERGE (d:Deployment {id: 'deployment'}) SET d.embedding_generation = 7, d.embedding_ready = true`,
  );
  await said('few', 'alone', { count: 1, vector: [1, 0.1, 0], label: 'x' });
  await said('few', 'other', { count: 20, vector: AWAY, window: AWAY, label: 'x' });
  await said('few', 'beside', { count: 20, vector: [0.2, 1, 0], window: [1, 0, 0], label: 'x' });
  await said('few', 'later', { count: 20, vector: [1, 0, 0], observed: 50 });
  const many = RECALL_EXACT_VECTORS + 50;
  await said('many', 'asked', { count: many, vector: [0.7, 0.7, 0], label: 'x' });
  await said('many', 'unasked', { count: 40, vector: [1, 0, 0], label: 'y' });
  await said('bare', 'bare', { count: many, label: 'x' });
  await said('bare', 'embedded', { count: 3, vector: [1, 0, 0], label: 'x' });
  await query(driver, 'CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()');
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

describe.each(LINES)('a search by vectors as on %s', (line) => {
  const near = async (one: RecallSearch): Promise<{ own: string[]; around: string[] }> => {
    const found = await new VectorReader(database, line).nearest(SOUGHT, one, at);
    const names = (turns: readonly { id: string }[]): string[] => turns.map(({ id }) => id);
    return { own: names(found.vector), around: names(found.window_vector) };
  };

  it('finds by its own vector what has no window, however many have one', async () => {
    const { own, around } = await near(search('few', labelled('x')));
    expect(own).toHaveLength(at.limit);
    expect(own).toContain('few_alone_1');
    expect(around).toHaveLength(at.limit);
    expect(around.every((id) => id.startsWith('few_beside'))).toBe(true);
  });

  it('goes by the own vector alone in the past, and by what was there then', async () => {
    const then = { at: { valid: 10, recorded: KNOWN_NOW }, past: true };
    const { own, around } = await near(search('few', then));
    expect(own).toHaveLength(at.limit);
    expect(own).toContain('few_alone_1');
    expect(own.filter((id) => id.startsWith('few_later'))).toEqual([]);
    expect(around).toEqual([]);
  });

  it('finds as many as are wanted that a filter wants, where too many do to be compared', async () => {
    const { own } = await near(search('many', labelled('x')));
    expect(own).toHaveLength(at.limit);
    expect(own.every((id) => id.startsWith('many_asked'))).toBe(true);
  });

  it('asks the index where too many have no vector', async () => {
    const { own } = await near(search('bare', labelled('x')));
    expect(own.sort()).toEqual([1, 2, 3].map((i) => `bare_embedded_${i}`));
  });

  it('finds nothing by the vector of another model', async () => {
    const other = { ...at, generation: 6 };
    for (const more of [{}, labelled('x')])
      expect(await new VectorReader(database, line).nearest(SOUGHT, search('few', more), other)).toEqual({
        vector: [],
        window_vector: [],
      });
  });

  it('can be planned ahead', async () => {
    await new VectorReader(database, line).plan(search('few'), () => true);
  });
});
