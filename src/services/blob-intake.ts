import { createHash } from 'node:crypto';

import type { BlobWriter } from '../../graph/blob.ts';
import type { UploadBody } from '../../graph/keyed-blob.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { BLOB_CHUNK_BYTES, MAX_BLOB_BYTES } from '../limits.ts';
import { canonicalMediaType } from '../validation/media-type.ts';
import type { Call } from './access.ts';
import type { IncomingBytes } from './blob-operations.ts';
import type { UploadBudget } from './upload-budget.ts';

/** Bytes of an upload that did not come to an end are removed after so long, milliseconds; the longest takes minutes. */
const BLOB_ABANDONED_MS = 3_600_000;

/** What the intake needs. */
export interface BlobIntakeParts {
  readonly writer: BlobWriter;
  readonly uploads: UploadBudget;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Bytes that came, in memory. */
export interface ReceivedBytes {
  readonly content: Uint8Array;
  /** In canonical spelling. */
  readonly content_type: string;
  readonly size_bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** Takes the bytes of uploads in, and writes them down. */
export class BlobIntake {
  private readonly parts: BlobIntakeParts;

  constructor(parts: BlobIntakeParts) {
    this.parts = parts;
  }

  /**
   * Reads 1 byte to 32 MiB and has them stored, while they have room. Throws what `store` throws, `unsupported_media_type`, `INVALID_HEADER`,
   * `SERVER_BUSY`, `PAYLOAD_TOO_LARGE`, `REQUEST_TIMEOUT`, `INVALID_BODY`.
   */
  async receive<T>(
    call: Call,
    bytes: IncomingBytes,
    store: (received: ReceivedBytes) => Promise<T>,
  ): Promise<T> {
    const content_type = canonicalMediaType(bytes.contentType);
    const room = this.parts.uploads.enter(call.principal, bytes.length);
    try {
      const content = await bytes.read(MAX_BLOB_BYTES, room);
      if (content.length === 0) {
        throw new StrataError('INVALID_BODY', 'the body is empty; a blob has at least one byte', {
          details: { reason: 'empty' },
        });
      }
      const sha256 = createHash('sha256').update(content).digest('hex');
      return await store({ content, content_type, size_bytes: content.length, sha256 });
    } finally {
      room.leave();
    }
  }

  /** A body for an upload that begins now. */
  body(): UploadBody {
    const { ids, clock } = this.parts;
    return { id: ids.blobBody(), removeAt: clock.now() + BLOB_ABANDONED_MS };
  }

  /** Writes bytes to a body, in chunks of `BLOB_CHUNK_BYTES`. Throws `DATABASE_UNAVAILABLE`. */
  async write(body: UploadBody, content: Uint8Array): Promise<void> {
    for (let index = 0; index * BLOB_CHUNK_BYTES < content.length; index += 1) {
      const start = index * BLOB_CHUNK_BYTES;
      await this.parts.writer.putChunk(body, index, content.subarray(start, start + BLOB_CHUNK_BYTES));
    }
  }
}

/** The refusal of an upload whose bytes were removed before they were stored as a blob: too slow, or deleted meanwhile. */
export function uploadLost(): StrataError {
  return new StrataError(
    'DATABASE_UNAVAILABLE',
    'The upload took too long, or its blob was deleted meanwhile; try again.',
  );
}
