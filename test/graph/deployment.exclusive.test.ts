import type { Database } from '../../graph/driver.ts';
import { DeploymentStore } from '../../graph/deployment.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';

let database: Database;

beforeEach(async () => {
  await wipe();
  database = patientDatabase();
});

afterEach(async () => {
  await database.close();
  await wipe();
});

describe('the secret of ids', () => {
  it('is one for all processes on a store, whichever asks first, and stays when the operator key is replaced', async () => {
    const store = new DeploymentStore(database);
    const all = await Promise.all(Array.from({ length: 8 }, () => store.idSecret()));
    expect(new Set(all.map(({ secret }) => secret)).size).toBe(1);
    await store.replaceOperatorKeyHash('abc');
    expect(await store.idSecret()).toEqual(all[0]);
    expect(all[0]?.secret.length).toBeGreaterThanOrEqual(64);
  });

  it('is another one on another store', async () => {
    const first = await new DeploymentStore(database).idSecret();
    await wipe();
    expect((await new DeploymentStore(database).idSecret()).secret).not.toBe(first.secret);
  });

  it('says how long ids are: as long as ever on a store that has a secret, shorter on one that begins', async () => {
    const driver = testDriver();
    try {
      expect((await new DeploymentStore(database).idSecret()).digits).toBe(28);
      await query(driver, 'MATCH (d:Deployment) REMOVE d.id_digits');
      for (let start = 0; start < 2; start += 1)
        expect((await new DeploymentStore(database).idSecret()).digits).toBe(32);
    } finally {
      await driver.close();
    }
  });
});
