import { z } from 'zod';

import { blobUploaded } from './blob.ts';
import { blobId } from './content.ts';

/** Name of the protocol of uploads under a key; published clients ask for it in every answer. */
export const KEYED_BLOB_PROTOCOL = 'keyed-blob-v1';

const protocol = z.literal(KEYED_BLOB_PROTOCOL).describe('Name of the protocol.');

/** How far an upload under a key is. */
export const KEYED_BLOB_STATES = ['unknown', 'prepared', 'live', 'deleting', 'retired'] as const;

/** How the upload under a key stands. */
export const keyedBlobStatus = z
  .strictObject({
    protocol,
    found: z.boolean().describe('Whether the key was used.'),
    blob_id: blobId.nullable().describe('Id of the blob; null for a key that was not used.'),
    status: z
      .enum(KEYED_BLOB_STATES)
      .describe(
        '`unknown`: never used, or an upload that broke off more than an hour ago. `prepared`: an upload has begun. `live`: the blob is there. `deleting`: the key is retired, and live events still refer to the blob. `retired`: the blob is gone.',
      ),
    size_bytes: blobUploaded.shape.size_bytes
      .optional()
      .describe('Length of the bytes; left out where the status is `unknown` or `retired`.'),
    content_type: blobUploaded.shape.content_type
      .optional()
      .describe('Media type in canonical spelling; left out likewise.'),
    sha256: blobUploaded.shape.sha256.optional().describe('SHA-256 of the bytes, in hex; left out likewise.'),
  })
  .describe('How the upload under a key stands.');
export type KeyedBlobStatus = z.output<typeof keyedBlobStatus>;

/** The answer to an upload under a key. */
export const keyedBlobUploaded = z
  .strictObject({
    protocol,
    blob_id: blobId.describe('Id of the blob, which is that of its key: the same each time.'),
    size_bytes: blobUploaded.shape.size_bytes,
    content_type: z
      .string()
      .describe('Media type of the first upload, in canonical spelling: lower case, parameters sorted.'),
    sha256: blobUploaded.shape.sha256,
  })
  .describe('A blob that is stored under a key.');
export type KeyedBlobUploaded = z.output<typeof keyedBlobUploaded>;

/** The answer to the retirement of a key. */
export const keyedBlobRetired = z
  .strictObject({
    protocol,
    blob_id: blobId.describe('Id of the blob.'),
    status: z.literal('retired').describe('The key is retired and is not used again.'),
    bytes_deleted: z
      .boolean()
      .describe('False when live events still refer to the blob: its bytes go with the last of them.'),
  })
  .describe('The key is retired.');
export type KeyedBlobRetired = z.output<typeof keyedBlobRetired>;

/** The body of the 404 of the protocol. */
export const keyedBlobNotFound = z
  .strictObject({
    protocol,
    error_code: z.literal('NOT_FOUND').describe('Always `NOT_FOUND`.'),
    message: z.string().describe('What is wrong, for a person.'),
    retriable: z.literal(false).describe('Always false.'),
  })
  .describe('Nothing was uploaded under the key.');
