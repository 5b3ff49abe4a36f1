import type { Database } from '../../graph/driver.ts';
import { DeploymentStore } from '../../graph/deployment.ts';
import { patientDatabase, wipe } from '../support/database.ts';

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
    expect(new Set(all).size).toBe(1);
    await store.replaceOperatorKeyHash('abc');
    expect(await store.idSecret()).toBe(all[0]);
    expect(all[0]?.length).toBeGreaterThanOrEqual(64);
  });

  it('is another one on another store', async () => {
    const first = await new DeploymentStore(database).idSecret();
    await wipe();
    expect(await new DeploymentStore(database).idSecret()).not.toBe(first);
  });
});
