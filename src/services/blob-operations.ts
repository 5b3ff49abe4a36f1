import type { BlobDeleted, BlobRecord, BlobUploaded } from '../../schemas/blob.ts';
import type { KeyedBlobRetired, KeyedBlobStatus, KeyedBlobUploaded } from '../../schemas/keyed-blob.ts';
import type { Call } from './access.ts';
import type { ReadingRoom } from './reading-room.ts';

/** Bytes that a caller sends, not yet read. */
export interface IncomingBytes {
  /** The media type as it was sent; null for none. */
  readonly contentType: string | null;
  /** How many bytes come; null where that is not known beforehand. */
  readonly length: number | null;
  /**
   * All of them, into a room. Throws `PAYLOAD_TOO_LARGE` for more than the limit, `REQUEST_TIMEOUT` when they come too slowly.
   */
  read(limitBytes: number, room?: ReadingRoom): Promise<Uint8Array>;
}

/** Bytes that are answered, in pieces. */
export interface OutgoingBytes {
  readonly contentType: string;
  readonly sizeBytes: number;
  /** SHA-256 of all of them, hex. */
  readonly sha256: string;
  /** The bytes from `from` up to and without `to`, piece by piece; throws when they went meanwhile. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

/** Uploaded bytes. */
export interface BlobOperations {
  upload(call: Call, bytes: IncomingBytes): Promise<BlobUploaded>;
  /** The bytes of a blob. Throws `NOT_FOUND`. */
  open(call: Call, id: string): Promise<OutgoingBytes>;
  /** A blob without its bytes. Throws `NOT_FOUND`. */
  get(call: Call, id: string): Promise<BlobRecord>;
  delete(call: Call, id: string): Promise<BlobDeleted>;
}

/** Uploads under a key of their uploader. */
export interface KeyedBlobOperations {
  status(call: Call, key: string | null): Promise<KeyedBlobStatus>;
  upload(call: Call, key: string | null, bytes: IncomingBytes): Promise<KeyedBlobUploaded>;
  /** Throws `NOT_FOUND`. */
  retire(call: Call, key: string | null): Promise<KeyedBlobRetired>;
}
