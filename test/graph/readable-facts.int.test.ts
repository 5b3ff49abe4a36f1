import type { Driver } from 'neo4j-driver';

import { instant } from '../../graph/instant.ts';
import { query } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What whoever opens the database reads of facts: plain Cypher, and nothing of ours.

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});

afterAll(async () => {
  await driver.close();
});

const OPEN = 253402300799999;

describe('facts in the graph', () => {
  const scope = 'user:readable';

  beforeAll(async () => {
    for (const [object, year] of [
      ['Paris', 2020],
      ['London', 2022],
      ['Rome', 2024],
    ] as const)
      await service.post('/v1/experience?wait=consolidated', {
        ...statement(scope, ['Ann', 'lives in', object], { valid_from: `${year}-01-01` }),
      });
  });

  it('say what they say in words, and when they are true as known now', async () => {
    const rows = await query(
      driver,
      `MATCH (f:Fact {scope: $scope, tenant: $tenant})
       RETURN f.text AS text, f.subject AS subject, f.predicate AS predicate, f.object AS object, f.confidence AS confidence,
         f.valid_from AS valid_from, f.valid_to AS valid_to, f.recorded_to = $open AS newest ORDER BY f.valid_from`,
      { scope, tenant: service.tenant, open: instant(OPEN) },
    );
    const [paris, london, rome] = rows;
    expect(rows).toHaveLength(3);
    expect(paris).toMatchObject({ subject: 'Ann', predicate: 'lives_in', object: 'Paris', newest: false });
    expect(paris?.text).toBe('Ann lives_in Paris');
    expect(paris).toMatchObject({ valid_from: Date.UTC(2020, 0), valid_to: Date.UTC(2022, 0) });
    expect(london).toMatchObject({ valid_from: Date.UTC(2022, 0), valid_to: Date.UTC(2024, 0) });
    expect(rome).toMatchObject({
      object: 'Rome',
      valid_from: Date.UTC(2024, 0),
      valid_to: OPEN,
      newest: true,
    });
  });

  it('lead to those that took their place, with the instants', async () => {
    const rows = await query(
      driver,
      `MATCH path = (first:Fact {scope: $scope, tenant: $tenant})-[:SUPERSEDED_BY*]->(last:Fact)
       WHERE NOT EXISTS { (:Fact)-[:SUPERSEDED_BY]->(first) } AND NOT EXISTS { (last)-[:SUPERSEDED_BY]->() }
       RETURN [f IN nodes(path) | f.object] AS chain, [r IN relationships(path) | r.valid_at] AS instants,
         all(r IN relationships(path) WHERE r.recorded_to = $open) AS open`,
      { scope, tenant: service.tenant, open: instant(OPEN) },
    );
    expect(rows).toEqual([
      { chain: ['Paris', 'London', 'Rome'], instants: [Date.UTC(2022, 0), Date.UTC(2024, 0)], open: true },
    ]);
  });

  it('keep by whom they were thought to be followed before', async () => {
    const late = 'user:readable-late';
    for (const [object, year] of [
      ['Paris', 2020],
      ['Rome', 2024],
      ['London', 2022],
    ] as const)
      await service.post('/v1/experience?wait=consolidated', {
        ...statement(late, ['Ann', 'lives in', object], { valid_from: `${year}-01-01` }),
      });
    const rows = await query(
      driver,
      `MATCH (:Fact {scope: $scope, tenant: $tenant, object: 'Paris'})-[r:SUPERSEDED_BY]->(by:Fact)
       RETURN by.object AS by, r.valid_at AS valid_at, r.recorded_to = $open AS open ORDER BY r.recorded_from`,
      { scope: late, tenant: service.tenant, open: instant(OPEN) },
    );
    expect(rows).toEqual([
      { by: 'Rome', valid_at: Date.UTC(2024, 0), open: false },
      { by: 'London', valid_at: Date.UTC(2022, 0), open: true },
    ]);
  });
});
