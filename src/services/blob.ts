import { createHash } from 'node:crypto';

import type { BlobReader, BlobWriter, StoredBlob } from '../../graph/blob.ts';
import type { BlobDeleted, BlobRecord, BlobUploaded } from '../../schemas/blob.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { BLOB_CHUNK_BYTES } from '../limits.ts';
import type { AccessService, Call } from './access.ts';
import type { BlobAccess } from './blob-access.ts';
import { uploadLost, type BlobIntake, type ReceivedBytes } from './blob-intake.ts';
import type { BlobRemoval } from './blob-removal.ts';
import type { IncomingBytes, OutgoingBytes } from './blob-operations.ts';

/** What the service needs. */
export interface BlobParts {
  readonly access: AccessService;
  readonly blobs: BlobAccess;
  readonly reader: BlobReader;
  readonly writer: BlobWriter;
  readonly removal: BlobRemoval;
  readonly intake: BlobIntake;
  readonly clock: Clock;
}

/** Keeps bytes that events refer to. */
export class BlobService {
  private readonly parts: BlobParts;

  constructor(parts: BlobParts) {
    this.parts = parts;
  }

  /**
   * Stores 1 byte to 32 MiB. The same bytes of the same uploader are one blob, whose media type is that of its first upload.
   * Throws `POLICY_DENIED`, `unsupported_media_type`, `INVALID_HEADER`, `SERVER_BUSY`, `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, `INVALID_BODY`,
   * `DATABASE_UNAVAILABLE`; sending it again is always safe.
   */
  async upload(call: Call, bytes: IncomingBytes): Promise<BlobUploaded> {
    await this.parts.access.authorize(call, 'blob.upload', null);
    return this.parts.intake.receive(call, bytes, async (received) =>
      uploaded(await this.store(call, received)),
    );
  }

  /** The bytes of a blob that the caller may read. Throws `NOT_FOUND`, `POLICY_DENIED`. */
  async open(call: Call, id: string): Promise<OutgoingBytes> {
    const blob = await this.require(call, id);
    return {
      contentType: blob.content_type,
      sizeBytes: blob.size_bytes,
      sha256: blob.sha256,
      read: (from, to) => this.read(blob, from, to),
    };
  }

  /** What is known of a blob that the caller may read, without its bytes. Throws `NOT_FOUND`, `POLICY_DENIED`. */
  async get(call: Call, id: string): Promise<BlobRecord> {
    const { size_bytes, content_type, sha256, created_at } = await this.require(call, id);
    return { id, size_bytes, content_type, sha256, created_at: toRfc3339(created_at) };
  }

  /**
   * Ends the hold of the uploader. Without a live event that refers to the blob it is gone at once, and its bytes are removed;
   * else they go with the last such event. Throws `NOT_FOUND` for everybody but the uploader, for a token of the uploader that is confined
   * to scopes of which the blob lies in none, and when it was deleted before.
   */
  async delete(call: Call, id: string): Promise<BlobDeleted> {
    const { access, blobs, writer, removal, clock } = this.parts;
    await access.authorize(call, 'blob.upload', null);
    const { tenant, actor: uploader } = call.principal;
    if (!(await blobs.mayLetGo(call, id))) throw blobNotFound();
    const outcome = await writer.letGo({ id, tenant, uploader }, clock.now());
    if (outcome === null) throw blobNotFound();
    if (outcome.gone) removal.wake();
    return { blob_id: id, bytes_deleted: outcome.gone };
  }

  private async require(call: Call, id: string): Promise<StoredBlob> {
    const blob = await this.parts.blobs.find(call, id);
    if (blob === null) throw blobNotFound();
    return blob;
  }

  private async store(call: Call, { content, ...described }: ReceivedBytes): Promise<StoredBlob> {
    const { writer, intake, clock } = this.parts;
    const { tenant, actor: uploader } = call.principal;
    const id = blobIdOf({ tenant, uploader, sha256: described.sha256 });
    const known = await writer.hold(id, clock.now());
    if (known !== null) return known;
    const body = intake.body();
    await intake.write(body, content);
    const blob = {
      ...{ ...described, id, tenant, uploader },
      ...{ created_at: clock.now(), body_id: body.id, chunk_bytes: BLOB_CHUNK_BYTES },
    };
    const stored = await writer.keep(blob, body.removeAt);
    if (stored === null) throw uploadLost();
    return stored;
  }

  private async *read(blob: StoredBlob, from: number, to: number): AsyncGenerator<Uint8Array, void> {
    const { body_id: body, chunk_bytes: size } = blob;
    for (let index = Math.floor(from / size); index * size < to; index += 1) {
      const chunk = await this.parts.reader.chunk(body, index);
      if (chunk === null) throw blobNotFound();
      yield chunk.subarray(Math.max(from - index * size, 0), Math.min(to - index * size, size));
    }
  }
}

/** The id of a blob, which nobody can guess who does not know its bytes. */
function blobIdOf(of: { tenant: string; uploader: string; sha256: string }): string {
  const key = JSON.stringify([of.tenant, of.uploader, of.sha256]);
  return `blob_${createHash('sha256').update(key).digest('hex')}`;
}

function uploaded({ id, size_bytes, content_type, sha256 }: StoredBlob): BlobUploaded {
  return { blob_id: id, size_bytes, content_type, sha256 };
}

function blobNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'blob not found');
}
