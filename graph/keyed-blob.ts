import type { Integer } from 'neo4j-driver';

import type { HashedUploadKey } from '../src/capture/upload-key.ts';
import { STORED_BLOB, type FoundBlob, type StoredBlob } from './blob.ts';
import type { Writer } from './driver.ts';
import { int, statement, type Params } from './statement.ts';

// Of a key there is a `:KeyedBlob` with its hash and the id of its blob, for good. How far the upload is follows from what is there beside
// it: the `:Blob` of that id, held by its uploader or only by events; or the body that its last upload writes, which says what is uploaded
// until a blob owns it. Where there is neither, and no body is named, the key is retired. So whatever lets a blob go retires its key, and
// nothing but that hash and the id outlives the blob. All of it changes under the lock of the counter `wal`.

/** Whose key it is: keys of different callers have nothing to do with each other. */
export type KeyOfBlob = HashedUploadKey & Params;

/** What is uploaded under a key. */
export interface KeyedBytes {
  readonly size_bytes: number;
  readonly content_type: string;
  /** Hex. */
  readonly sha256: string;
}

/**
 * How far the upload under a key is: `prepared` (begun, and not over yet), `live`, `deleting` (retired, and events still refer to the blob),
 * `retired` (its blob is gone), or `abandoned` (begun, and not ended in time; its bytes go or are gone, and it may begin again).
 */
export type KeyState = 'prepared' | 'live' | 'deleting' | 'retired' | 'abandoned';

/** A key that was used. */
export interface FoundKey {
  readonly blob_id: string;
  readonly state: KeyState;
  /** Null for `retired` and `abandoned`. */
  readonly bytes: KeyedBytes | null;
  /** Scopes of the live events that refer to the blob, each once. */
  readonly scopes: FoundBlob['scopes'];
}

/** What came of the beginning of an upload under a key: whether it may go on, and how the key stands. */
export type BegunUpload = Omit<FoundKey, 'scopes'> & { readonly begins: boolean };

/** A body that an upload writes its bytes to. */
export interface UploadBody {
  readonly id: string;
  /** When it is removed unless a blob owns it by then, epoch milliseconds. */
  readonly removeAt: number;
}

const LOCK_LOG = `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now`;

/** How a key `k` stands: goes on with `b`, `body`, `state` and `bytes`. */
const STANDING = `OPTIONAL MATCH (b:Blob {id: k.blob_id})
   OPTIONAL MATCH (body:BlobBody {id: k.body_id}) WHERE body.remove_at > $now
   WITH k, b, body, CASE WHEN b.held THEN 'live' WHEN b IS NOT NULL THEN 'deleting' WHEN k.body_id IS NULL THEN 'retired'
       WHEN body.sha256 IS NULL THEN 'abandoned' ELSE 'prepared' END AS state,
     CASE WHEN b IS NOT NULL THEN b {.size_bytes, .content_type, .sha256}
       WHEN body.sha256 IS NOT NULL THEN body {.size_bytes, .content_type, .sha256} END AS bytes`;

const byKey = statement<KeyOfBlob & { now: Integer; scopes: Integer }, FoundKey>(
  'blob.by_key',
  'constraints keyed_blob_key, blob_id, blob_body_id; index blob_use_blob',
  `MATCH (k:KeyedBlob {tenant: $tenant, uploader: $uploader, key_hash: $key_hash})
   ${STANDING}
   RETURN k.blob_id AS blob_id, state, bytes, COLLECT {
     MATCH (u:BlobUse {blob_id: k.blob_id})
     WITH DISTINCT u.tenant AS tenant, u.scope AS path LIMIT $scopes
     RETURN {tenant: tenant, path: path}
   } AS scopes`,
);

const begin = statement<
  KeyOfBlob & {
    now: Integer;
    blob_id: string;
    body_id: string;
    remove_at: Integer;
    content_type: string;
    size_bytes: Integer;
    sha256: string;
  },
  BegunUpload
>(
  'blob.begin_keyed',
  'constraints counter_name, keyed_blob_key, blob_id, blob_body_id',
  `${LOCK_LOG}
   WITH wal
   MERGE (k:KeyedBlob {tenant: $tenant, uploader: $uploader, key_hash: $key_hash})
     ON CREATE SET k.blob_id = $blob_id, k.body_id = $body_id
   WITH k
   ${STANDING}
   WITH k, state, bytes, state = 'abandoned' OR (state = 'prepared' AND bytes.sha256 = $sha256) AS begins
   FOREACH (_ IN CASE WHEN begins THEN [1] ELSE [] END |
     SET k.body_id = $body_id
     MERGE (own:BlobBody {id: $body_id})
     SET own.remove_at = $remove_at, own.sha256 = $sha256, own.size_bytes = $size_bytes, own.content_type = $content_type
   )
   RETURN k.blob_id AS blob_id, state, bytes, begins`,
);

// Whichever of several uploads of the same bytes ends first makes the blob. A body that was left meanwhile carries another instant than
// the one it was stored with, and a key that was retired meanwhile names no body.
const keep = statement<
  KeyOfBlob & { body_id: string; remove_at: Integer; now: Integer; sha256: string; blob: Params },
  { blob: StoredBlob | null; retired: boolean }
>(
  'blob.keep_keyed',
  'constraints counter_name, keyed_blob_key, blob_id, blob_body_id',
  `${LOCK_LOG}
   WITH wal
   MATCH (k:KeyedBlob {tenant: $tenant, uploader: $uploader, key_hash: $key_hash})
   OPTIONAL MATCH (known:Blob {id: k.blob_id})
   OPTIONAL MATCH (newest:BlobBody {id: k.body_id})
   OPTIONAL MATCH (body:BlobBody {id: $body_id}) WHERE body.remove_at = $remove_at AND $remove_at > $now
   WITH k, body, known IS NULL AND newest.sha256 = $sha256 AND body IS NOT NULL AS makes
   CALL (k, body, makes) {
     WITH k, body, makes WHERE makes
     CREATE (b:Blob {id: k.blob_id})
     SET b += $blob, b.held = true
     REMOVE k.body_id, body.remove_at, body.sha256, body.size_bytes, body.content_type
   }
   OPTIONAL MATCH (b:Blob {id: k.blob_id})
   RETURN CASE WHEN b.held THEN ${STORED_BLOB} END AS blob,
     coalesce(NOT b.held, k.body_id IS NULL) AS retired`,
);

const retire = statement<KeyOfBlob & { now: Integer }, { blob_id: string; gone: boolean }>(
  'blob.retire_key',
  'constraints counter_name, keyed_blob_key, blob_id, blob_body_id; index blob_use_blob',
  `${LOCK_LOG}
   WITH wal
   MATCH (k:KeyedBlob {tenant: $tenant, uploader: $uploader, key_hash: $key_hash})
   OPTIONAL MATCH (begun:BlobBody {id: k.body_id})
   SET begun.remove_at = $now
   REMOVE k.body_id
   WITH k
   OPTIONAL MATCH (b:Blob {id: k.blob_id})
   SET b.held = false
   WITH k.blob_id AS blob_id, b, b IS NULL AS absent, b IS NOT NULL AND NOT EXISTS { MATCH (:BlobUse {blob_id: b.id}) } AS goes
   CALL (b, goes) {
     WITH b WHERE goes
     MATCH (body:BlobBody {id: b.body_id})
     SET body.remove_at = $now
     DELETE b
   }
   RETURN blob_id, absent OR goes AS gone`,
);

/** Reads and writes keys of uploads. Everything may be repeated. */
export class KeyedBlobStore {
  private readonly database: Writer;

  constructor(database: Writer) {
    this.database = database;
  }

  /** How a key stands, with at most `scopes` places of its blob; null where it was never used. Throws `DATABASE_UNAVAILABLE`. */
  async find(of: KeyOfBlob, now: number, scopes: number): Promise<FoundKey | null> {
    return (await this.database.read(byKey, { ...of, now: int(now), scopes: int(scopes) }))[0] ?? null;
  }

  /**
   * Begins an upload under a key, which gets `blobId` where it was never used: it may go on where nothing is known of the key yet, the same
   * bytes were begun, or what was begun was abandoned. Throws `DATABASE_UNAVAILABLE`.
   */
  async begin(
    of: KeyOfBlob,
    upload: KeyedBytes & { readonly blobId: string; readonly body: UploadBody },
    now: number,
  ): Promise<BegunUpload> {
    const { blobId, body, size_bytes, content_type, sha256 } = upload;
    const [row] = await this.database.writeRepeatable(begin, {
      ...of,
      now: int(now),
      blob_id: blobId,
      body_id: body.id,
      remove_at: int(body.removeAt),
      content_type,
      size_bytes: int(size_bytes),
      sha256,
    });
    if (row === undefined) throw new Error('the counter of the log is missing');
    return row;
  }

  /**
   * Makes the blob that owns a body whose chunks are all stored, under the id of its key; where another upload has made it, that is the
   * answer. Without a blob the key was retired, or the body was removed. Throws `DATABASE_UNAVAILABLE`.
   */
  async keep(
    of: KeyOfBlob,
    blob: KeyedBytes & { readonly chunk_bytes: number },
    body: UploadBody,
    now: number,
  ): Promise<{ readonly blob: StoredBlob | null; readonly retired: boolean }> {
    const { size_bytes, chunk_bytes, ...rest } = blob;
    const [row] = await this.database.writeRepeatable(keep, {
      ...of,
      body_id: body.id,
      remove_at: int(body.removeAt),
      now: int(now),
      sha256: blob.sha256,
      blob: {
        ...rest,
        tenant: of.tenant,
        uploader: of.uploader,
        body_id: body.id,
        size_bytes: int(size_bytes),
        chunk_bytes: int(chunk_bytes),
        created_at: int(now),
      },
    });
    return row ?? { blob: null, retired: false };
  }

  /**
   * Retires a key: its uploader holds the blob no longer, and without an event that refers to it the blob is gone, and `gone` true. Null
   * where the key was never used. Throws `DATABASE_UNAVAILABLE`.
   */
  async retire(
    of: KeyOfBlob,
    now: number,
  ): Promise<{ readonly blob_id: string; readonly gone: boolean } | null> {
    return (await this.database.writeRepeatable(retire, { ...of, now: int(now) }))[0] ?? null;
  }
}
