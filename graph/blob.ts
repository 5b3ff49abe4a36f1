import type { Integer } from 'neo4j-driver';

import type { Reader, Writer } from './driver.ts';
import { bytes, int, statement, type Params } from './statement.ts';

/** Part of a statement that lets go of the blobs of an event `e`, or of several: those that nobody else uses or holds are removed, from `$now` on. */
export const LET_BLOBS_GO = `MATCH (u:BlobUse) USING INDEX SEEK u:BlobUse(event_id) WHERE u.event_id = e.id
     WITH collect(u) AS uses, collect(DISTINCT u.blob_id) AS ids
     FOREACH (u IN uses | DELETE u)
     WITH ids
     UNWIND ids AS id
     MATCH (b:Blob {id: id}) WHERE NOT b.held AND NOT EXISTS { MATCH (:BlobUse {blob_id: id}) }
     MATCH (body:BlobBody {id: b.body_id})
     SET body.remove_at = $now
     DELETE b`;

// A blob and its bytes are apart. Bytes belong to a `:BlobBody` of their own id, one for each upload, in chunks; it carries the
// instant at which it is to be removed until a `:Blob` owns it, and again once that is gone. So nobody ever sees half a blob,
// and what a crash leaves behind goes by itself. Whatever decides whether a blob stays (its uploader, the events that use it)
// is written under the lock of the counter `wal`, which every capture and cancel holds too.

/** A blob as it is stored, without its bytes. */
export interface StoredBlob {
  readonly id: string;
  readonly tenant: string;
  /** Actor id of who uploaded it. */
  readonly uploader: string;
  /** Hex. */
  readonly sha256: string;
  readonly size_bytes: number;
  readonly content_type: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** Whether its uploader still holds it; else it stays only for the events that refer to it. */
  readonly held: boolean;
  /** Where its bytes are. */
  readonly body_id: string;
  /** Length of each of its chunks but the last. */
  readonly chunk_bytes: number;
}

/** A blob with the places that it may be read through. */
export interface FoundBlob {
  readonly blob: StoredBlob;
  /** Scopes of the live events that refer to it, each once. */
  readonly scopes: readonly { readonly tenant: string; readonly path: string }[];
}

/** A blob `b` as a {@link StoredBlob}. */
export const STORED_BLOB = `b {.id, .tenant, .uploader, .sha256, .size_bytes, .content_type, .created_at, .held, .body_id, .chunk_bytes}`;

const FOUND = `RETURN ${STORED_BLOB} AS blob, COLLECT {
     MATCH (u:BlobUse {blob_id: b.id})
     WITH DISTINCT u.tenant AS tenant, u.scope AS path LIMIT $scopes
     RETURN {tenant: tenant, path: path}
   } AS scopes`;

const byIds = statement<{ ids: readonly string[]; tenant: string | null; scopes: Integer }, FoundBlob>(
  'blob.by_ids',
  'constraint blob_id, index blob_use_blob',
  `UNWIND $ids AS id
   MATCH (b:Blob {id: id}) WHERE $tenant IS NULL OR b.tenant = $tenant
   ${FOUND}`,
);

const chunk = statement<{ body_id: string; index: Integer }, { bytes: Int8Array }>(
  'blob.chunk',
  'constraint blob_chunk',
  'MATCH (c:BlobChunk {body_id: $body_id, index: $index}) RETURN c.bytes AS bytes',
);

const hold = statement<{ id: string; now: Integer }, { blob: StoredBlob }>(
  'blob.hold',
  'constraints blob_id, counter_name',
  `MATCH (known:Blob {id: $id})
   WITH known.id AS id
   MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH id
   MATCH (b:Blob {id: id})
   SET b.held = true
   RETURN ${STORED_BLOB} AS blob`,
);

const putChunk = statement<
  { body_id: string; index: Integer; bytes: Int8Array; remove_at: Integer },
  Record<string, never>
>(
  'blob.put_chunk',
  'constraints blob_body_id, blob_chunk',
  `MERGE (body:BlobBody {id: $body_id}) ON CREATE SET body.remove_at = $remove_at
   MERGE (c:BlobChunk {body_id: $body_id, index: $index})
   SET c.bytes = $bytes`,
);

// A body that a blob has owned and left meanwhile carries another instant than the one it was stored with: its chunks go, and a
// repeat after a lost answer must not make a blob of it again.
const keep = statement<
  { id: string; body_id: string; remove_at: Integer; now: Integer; blob: Params },
  { blob: StoredBlob }
>(
  'blob.keep',
  'constraints counter_name, blob_body_id, blob_id',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   MATCH (body:BlobBody {id: $body_id}) WHERE body.remove_at IS NULL OR (body.remove_at = $remove_at AND $remove_at > $now)
   MERGE (b:Blob {id: $id}) ON CREATE SET b += $blob
   SET b.held = true
   FOREACH (own IN CASE WHEN b.body_id = body.id THEN [body] ELSE [] END | REMOVE own.remove_at)
   RETURN ${STORED_BLOB} AS blob`,
);

const letGo = statement<{ id: string; tenant: string; uploader: string; now: Integer }, { gone: boolean }>(
  'blob.let_go',
  'constraints counter_name, blob_id, blob_body_id; index blob_use_blob',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   MATCH (b:Blob {id: $id}) WHERE b.tenant = $tenant AND b.uploader = $uploader AND b.held
   SET b.held = false
   WITH b, NOT EXISTS { MATCH (:BlobUse {blob_id: b.id}) } AS gone
   CALL (b, gone) {
     WITH b WHERE gone
     MATCH (body:BlobBody {id: b.body_id})
     SET body.remove_at = $now
     DELETE b
   }
   RETURN gone`,
);

const removeSome = statement<{ now: Integer; limit: Integer }, { removed: number }>(
  'blob.remove_some',
  'constraint counter_name, index blob_body_end, constraint blob_chunk',
  `MERGE (keeper:Counter {name: 'blob_removal'})
   SET keeper.touched = $now
   WITH keeper
   MATCH (body:BlobBody) WHERE body.remove_at <= $now
   WITH body LIMIT 1
   CALL (body) {
     MATCH (c:BlobChunk) WHERE c.body_id = body.id AND c.index >= 0
     WITH c LIMIT $limit
     DELETE c
     RETURN count(*) AS removed
   }
   FOREACH (empty IN CASE WHEN removed < $limit THEN [body] ELSE [] END | DELETE empty)
   RETURN removed`,
);

/** Reads blobs; who may read them is decided by the caller, from what is found. */
export class BlobReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The blobs of the ids, of one tenant or (null) of any, each with at most `scopes` places, in one round trip. */
  async byIds(
    ids: readonly string[],
    tenant: string | null,
    scopes: number,
  ): Promise<Map<string, FoundBlob>> {
    const rows = await this.reader.read(byIds, { ids, tenant, scopes: int(scopes) });
    return new Map(rows.map((row) => [row.blob.id, row]));
  }

  /** One chunk of a body; null when the body is gone. */
  async chunk(bodyId: string, index: number): Promise<Uint8Array | null> {
    const [row] = await this.reader.read(chunk, { body_id: bodyId, index: int(index) });
    return row === undefined
      ? null
      : new Uint8Array(row.bytes.buffer, row.bytes.byteOffset, row.bytes.length);
  }
}

/** Writes blobs, lets them go, and removes bytes that nobody owns. Everything may be repeated. */
export class BlobWriter {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Gives a stored blob back to its uploader; null when there is none of this id. */
  async hold(id: string, now: number): Promise<StoredBlob | null> {
    return (await this.writer.writeRepeatable(hold, { id, now: int(now) }))[0]?.blob ?? null;
  }

  /** Stores one chunk of a body that is removed at an instant unless a blob owns it by then. */
  async putChunk(body: { id: string; removeAt: number }, index: number, content: Uint8Array): Promise<void> {
    await this.writer.writeRepeatable(putChunk, {
      body_id: body.id,
      index: int(index),
      bytes: bytes(content),
      remove_at: int(body.removeAt),
    });
  }

  /**
   * Makes the blob that owns a body whose chunks are all stored. The same blob may have been made meanwhile: then that is the
   * answer, and the body stays without an owner. Null when the body was removed, or is being removed because its blob went.
   */
  async keep(blob: Omit<StoredBlob, 'held'>, removeAt: number): Promise<StoredBlob | null> {
    const rows = await this.writer.writeRepeatable(keep, {
      id: blob.id,
      body_id: blob.body_id,
      remove_at: int(removeAt),
      now: int(blob.created_at),
      blob: {
        ...blob,
        size_bytes: int(blob.size_bytes),
        chunk_bytes: int(blob.chunk_bytes),
        created_at: int(blob.created_at),
      },
    });
    return rows[0]?.blob ?? null;
  }

  /**
   * Ends the hold of the uploader; without an event that refers to the blob it is gone, and `gone` is true. Null when the
   * actor holds no blob of this id.
   */
  async letGo(
    blob: { id: string; tenant: string; uploader: string },
    now: number,
  ): Promise<{ gone: boolean } | null> {
    return (await this.writer.writeRepeatable(letGo, { ...blob, now: int(now) }))[0] ?? null;
  }

  /** Removes at most `limit` chunks of a body that is due; null when none is. */
  async removeSome(now: number, limit: number): Promise<number | null> {
    const [row] = await this.writer.writeRepeatable(removeSome, { now: int(now), limit: int(limit) });
    return row?.removed ?? null;
  }
}
