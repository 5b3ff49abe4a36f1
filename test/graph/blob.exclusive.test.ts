import type { Driver } from 'neo4j-driver';

import { BlobReader, BlobWriter } from '../../graph/blob.ts';
import { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { query, testDatabase, testDriver, wipe } from '../support/database.ts';

let driver: Driver;
let database: Database;
let writer: BlobWriter;

const NOW = 1_800_000_000_000;
const WHOSE = { id: 'blob_1', tenant: 'default', uploader: 'user:a' };
const BODY = { id: 'body_1', removeAt: NOW + 3_600_000 };
const BLOB = {
  ...WHOSE,
  ...{ sha256: 'f'.repeat(64), size_bytes: 1, content_type: 'text/plain', created_at: NOW },
  ...{ body_id: BODY.id, chunk_bytes: 1 },
};

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  const { uri, user, password, database: name, version } = testDatabase();
  const waits = { acquisitionTimeoutMs: 5000, connectTimeoutMs: 5000, statementTimeoutMs: 10_000 };
  database = new Database({ uri, user, password, database: name, poolSize: 5, ...waits });
  await migrate(database, version);
  writer = new BlobWriter(database);
});
afterAll(async () => {
  await database.close();
  await driver.close();
});
beforeEach(async () => {
  await query(driver, 'MATCH (n) WHERE n:Blob OR n:BlobBody OR n:BlobChunk DETACH DELETE n');
  await writer.putChunk(BODY, 0, new Uint8Array([1]));
});

const stored = async () => (await new BlobReader(database).byIds([WHOSE.id], WHOSE.tenant, 0)).size;

describe('keeping a blob', () => {
  it('answers the same when it is repeated', async () => {
    const first = await writer.keep(BLOB, BODY.removeAt);
    expect(first).toMatchObject({ id: WHOSE.id, held: true, body_id: BODY.id });
    expect(await writer.keep(BLOB, BODY.removeAt)).toEqual(first);
  });

  it('again, after it was deleted, does not bring back one whose bytes are being removed', async () => {
    await writer.keep(BLOB, BODY.removeAt);
    expect(await writer.letGo(WHOSE, NOW + 1000)).toEqual({ gone: true });
    expect(await writer.keep(BLOB, BODY.removeAt)).toBeNull();
    expect(await stored()).toBe(0);
    while ((await writer.removeSome(NOW + 1000, 8)) !== null);
    expect(await query(driver, 'MATCH (n) WHERE n:BlobBody OR n:BlobChunk RETURN n')).toEqual([]);
  });

  it('comes too late once its bytes are due', async () => {
    expect(await writer.keep({ ...BLOB, created_at: BODY.removeAt }, BODY.removeAt)).toBeNull();
    expect(await stored()).toBe(0);
  });
});
