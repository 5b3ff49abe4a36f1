import { Database } from '../../graph/driver.ts';

it('a database is not said to take writes before it took one', async () => {
  const database = new Database({
    uri: 'bolt://127.0.0.1:1',
    user: 'neo4j',
    password: 'none',
    database: 'neo4j',
    poolSize: 1,
    acquisitionTimeoutMs: 100,
    connectTimeoutMs: 100,
    statementTimeoutMs: 100,
  });
  expect(database.takesWrites).toBe(false);
  await database.close();
});
