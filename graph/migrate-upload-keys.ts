import type { UploadKeyHash } from '../src/capture/upload-key.ts';
import type { Writer } from './driver.ts';
import { int, statement, type Params } from './statement.ts';

/** Keys that one transaction hashes. */
const ROWS = 500;

const mark = statement<Params, unknown>(
  'migration.upload_keys_marked',
  'none: all of a kind are gone through once',
  `MATCH (k:KeyedBlob) WHERE k.key IS NOT NULL
   CALL (k) { SET k:UnhashedKey } IN TRANSACTIONS OF $rows ROWS`,
  { patient: true },
);

interface MarkedKey {
  readonly id: string;
  readonly tenant: string;
  readonly uploader: string;
  /** Null where another process has hashed it, and this one marked it again. */
  readonly key: string | null;
}

const next = statement<Params, MarkedKey>(
  'migration.upload_keys_next',
  'none: all of a kind are gone through once',
  `MATCH (k:UnhashedKey) WITH k LIMIT $rows
   RETURN elementId(k) AS id, k.tenant AS tenant, k.uploader AS uploader, k.key AS key`,
  { patient: true },
);

/** Under a lock, so that of several processes that start at once one hashes each. */
const setHashes = statement<
  { hashed: readonly { id: string; key_hash: string | null }[] },
  { count: number }
>(
  'migration.upload_keys_hashed',
  'constraint counter_name',
  `MATCH (version:Counter {name: 'store_version'})
   SET version.touched = timestamp()
   WITH version
   UNWIND $hashed AS h
   MATCH (k:KeyedBlob) WHERE elementId(k) = h.id
   SET k.key_hash = coalesce(k.key_hash, h.key_hash)
   REMOVE k.key, k:UnhashedKey
   RETURN count(k) AS count`,
  { patient: true },
);

/** Marks the keys of uploads that a store of version 14 has in plain, for {@link hashUploadKeys}. */
export async function markUploadKeys(database: Writer): Promise<void> {
  await database.writeRepeatable(mark, { rows: int(ROWS) });
}

/** Puts hashes in place of the keys that {@link markUploadKeys} marked, where there are any: `hasher` is asked for then. May be repeated. */
export async function hashUploadKeys(database: Writer, hasher: () => Promise<UploadKeyHash>): Promise<void> {
  for (;;) {
    const marked = await database.read(next, { rows: int(ROWS) });
    if (marked.length === 0) return;
    const hash = await hasher();
    const hashed = marked.map(({ id, tenant, uploader, key }) => ({
      id,
      key_hash: key === null ? null : hash(tenant, uploader, key).key_hash,
    }));
    await database.writeRepeatable(setHashes, { hashed });
  }
}
