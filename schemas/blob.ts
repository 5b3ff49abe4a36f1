import { z } from 'zod';

import { blobId } from './content.ts';
import { answeredInstant } from './time.ts';

/** The answer to an upload. */
export const blobUploaded = z
  .strictObject({
    blob_id: blobId.describe(
      'Id of the blob: the same for the same bytes of the same uploader in the same tenant.',
    ),
    size_bytes: z.int().positive().describe('Length of the bytes.'),
    content_type: z
      .string()
      .describe(
        'Media type of the first upload of these bytes, in canonical spelling: lower case, parameters sorted.',
      ),
    sha256: z.string().length(64).describe('SHA-256 of the bytes, in hex.'),
  })
  .describe('A stored blob.');
export type BlobUploaded = z.output<typeof blobUploaded>;

/** What is known of a blob beside its bytes. */
export const blobRecord = z
  .strictObject({
    id: blobId.describe('Id of the blob.'),
    size_bytes: blobUploaded.shape.size_bytes,
    content_type: blobUploaded.shape.content_type,
    sha256: blobUploaded.shape.sha256,
    created_at: answeredInstant.describe('RFC 3339 instant of the first upload.'),
  })
  .describe('A blob without its bytes.');
export type BlobRecord = z.output<typeof blobRecord>;

/** The answer to the deletion of a blob. */
export const blobDeleted = z
  .strictObject({
    blob_id: blobId.describe('Id of the blob.'),
    bytes_deleted: z
      .boolean()
      .describe('False when live events still refer to the blob: its bytes go with the last of them.'),
  })
  .describe('The uploader holds the blob no longer.');
export type BlobDeleted = z.output<typeof blobDeleted>;
