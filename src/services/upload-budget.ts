import { StrataError } from '../errors.ts';
import { BLOB_UPLOAD_LEAST_BYTES, BLOB_UPLOADS_BYTES, MAX_BLOB_BYTES } from '../limits.ts';

/** Bounds the bytes of uploads that this process has in memory at once. */
export class UploadBudget {
  private taken = 0;
  private readonly limit: number;

  constructor(limitBytes = BLOB_UPLOADS_BYTES) {
    this.limit = limitBytes;
  }

  /** Bytes that uploads under way take at most. */
  get bytes(): number {
    return this.taken;
  }

  /**
   * Takes room for an upload of so many bytes (null: nobody knows how many), and answers how to give it back.
   * Throws `SERVER_BUSY` when there is none.
   */
  enter(bytes: number | null): () => void {
    const room = Math.min(Math.max(bytes ?? MAX_BLOB_BYTES, BLOB_UPLOAD_LEAST_BYTES), MAX_BLOB_BYTES);
    if (this.taken + room > this.limit) {
      throw new StrataError(
        'SERVER_BUSY',
        'too many uploads are under way; nothing was written. Try again.',
        {
          details: { reason: 'uploads', limit_bytes: this.limit },
        },
      );
    }
    this.taken += room;
    return () => {
      this.taken -= room;
    };
  }
}
