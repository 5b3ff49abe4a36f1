import { Database } from '../../graph/driver.ts';
import { openStore } from '../../graph/open-store.ts';
import { testDatabase } from '../support/database.ts';

const WAITS = { acquisitionTimeoutMs: 5_000, connectTimeoutMs: 5_000, statementTimeoutMs: 60_000 };

it.each(['bolt', 'neo4j'])('a database of no server is told by its setting over %s://', async (scheme) => {
  const address = testDatabase();
  const uri = address.uri.replace(/^\w+:/, `${scheme}:`);
  const database = new Database({ ...address, ...WAITS, uri, database: 'nowhere', poolSize: 1 });
  try {
    await expect(openStore(database, uri)).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(/cannot be used: .*nowhere.* Check .*NEO4J_DATABASE/s),
    });
  } finally {
    await database.close();
  }
});
