import neo4j, { type Driver } from 'neo4j-driver';

import { Database } from '../../graph/driver.ts';
import type { DatabaseAddress } from '../../src/context.ts';
import { TEST_SUPPRESSION_KEY } from './client.ts';

/** The throw-away database of this worker, which the test command started. */
export function testDatabase(): DatabaseAddress & { version: string } {
  const text = process.env.STRATA_TEST_NEO4J;
  if (text === undefined)
    throw new Error('the exclusive tests are run by npm test, which starts their databases');
  const all = JSON.parse(text) as (DatabaseAddress & { version: string })[];
  const own = all[Number(process.env.JEST_WORKER_ID ?? '1') - 1];
  if (own === undefined) throw new Error('there is no database for this worker');
  return own;
}

/** The settings that lead a service to a database. */
export function databaseSettings(
  { uri, user, password, database }: DatabaseAddress = testDatabase(),
): Record<string, string> {
  return {
    NEO4J_URI: uri,
    NEO4J_USER: user,
    NEO4J_PASSWORD: password,
    NEO4J_DATABASE: database,
    // As all processes on one database need it, whatever directories they have.
    STRATA_SUPPRESSION_KEY: TEST_SUPPRESSION_KEY,
  };
}

/** A driver of the test's own, to look behind the service. */
export function testDriver(address: DatabaseAddress = testDatabase()): Driver {
  return neo4j.driver(address.uri, neo4j.auth.basic(address.user, address.password), {
    disableLosslessIntegers: true,
  });
}

/** The database as the service speaks to it, with the patience that a cold server needs. */
export function patientDatabase(): Database {
  const waits = { acquisitionTimeoutMs: 5_000, connectTimeoutMs: 5_000, statementTimeoutMs: 60_000 };
  return new Database({ ...testDatabase(), ...waits, poolSize: 5 });
}

const QUERY_TRIES = 5;

/** A value as the database answers it, with instants as epoch milliseconds, as the services have them. */
function withEpochs(value: unknown): unknown {
  if (neo4j.isDateTime(value)) return value.toStandardDate().getTime();
  if (Array.isArray(value)) return value.map(withEpochs);
  if (value === null || typeof value !== 'object' || value.constructor !== Object) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withEpochs(member)]));
}

/** The rows of a statement that a test sends for itself; repeated when what it reads is being removed meanwhile. */
export async function query<R = Record<string, any>>(
  driver: Driver,
  text: string,
  params: object = {},
): Promise<R[]> {
  for (let attempt = 1; ; attempt += 1) {
    const session = driver.session();
    try {
      const { records } = await session.run(text, params);
      return records.map((record) => withEpochs(record.toObject()) as R);
    } catch (error) {
      if (attempt === QUERY_TRIES || !neo4j.isRetryableError(error)) throw error;
    } finally {
      await session.close();
    }
  }
}

/** The rows of the one statement for which a driver was made; closes it. */
export async function queryOnce(
  driver: Driver,
  text: string,
  params: object,
): Promise<Record<string, any>[]> {
  try {
    return await query(driver, text, params);
  } finally {
    await driver.close();
  }
}

/** Keeps every stage of the shard `$number` waiting until the transaction ends. */
export const HOLD_SHARD = `MATCH (i:ShardIntake {number: $number}) SET i.touched = 'a test'
  WITH i MATCH (s:Shard {number: i.number}) SET s.touched = 'a test'`;

/** Removes every node, so that a test file starts on an empty store; the schema stays. */
export async function wipe(database: DatabaseAddress = testDatabase()): Promise<void> {
  const driver = testDriver(database);
  try {
    await query(driver, 'MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS');
  } finally {
    await driver.close();
  }
}
