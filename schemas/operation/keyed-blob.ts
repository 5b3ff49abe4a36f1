import {
  KEYED_BLOB_PROTOCOL,
  keyedBlobNotFound,
  keyedBlobRetired,
  keyedBlobStatus,
  keyedBlobUploaded,
} from '../keyed-blob.ts';
import type { Operation } from './definition.ts';

/** Operations on blobs by a key of their uploader: the protocol `keyed-blob-v1`. */
export const KEYED_BLOB_OPERATIONS = {
  uploadKeyedBlob: {
    method: 'POST',
    path: '/v1/blobs/idempotent',
    noun: 'blob',
    summary: 'Upload a blob under a key',
    description:
      'Stores the body as it is, under its media type (`application/octet-stream` when it names none), as a blob that belongs to the key alone. Sending it again answers the same, whatever became of the first answer. Other bytes under the key are 409, and so is a key that was retired, or whose blob was deleted or erased, or lies where a token that is confined to scopes does not reach (`details.reason` `retired`).',
    access: { capability: 'blob.upload' },
    audited: true,
    keyed: true,
    bytes: true,
    answers: {
      200: {
        description: 'The blob is stored.',
        schema: keyedBlobUploaded,
        next: { getBlob: { id: '/blob_id' }, deleteBlob: { id: '/blob_id' } },
      },
    },
    errors: ['INVALID_IDEMPOTENCY_KEY', 'unsupported_media_type', 'IDEMPOTENCY_CONFLICT', 'SERVER_BUSY'],
    graphql: { reason: 'Bytes travel over REST; GraphQL refers to them by the id that the upload answers.' },
  },
  keyedBlobStatus: {
    method: 'GET',
    path: '/v1/blobs/idempotent/status',
    noun: 'blob',
    summary: 'How an upload under a key stands',
    description:
      "Of the caller's own keys; that of another caller is `unknown`. So is, for a token that is confined to scopes, one whose blob lies in none of them.",
    access: { capability: 'blob.upload' },
    keyed: true,
    answers: { 200: { description: 'How it stands.', schema: keyedBlobStatus } },
    errors: ['INVALID_IDEMPOTENCY_KEY'],
    graphql: { kind: 'query', field: 'keyedBlob' },
  },
  retireKeyedBlob: {
    method: 'DELETE',
    path: '/v1/blobs/idempotent',
    noun: 'blob',
    summary: 'Retire the key of an upload',
    description:
      'Deletes the blob of a key of the caller, or takes back an upload that has begun. Where live events still refer to the blob, its bytes stay for them and go with the last one. Retiring it again answers how it stands now. The key is not used again. A key that was never used is 404 in the shape of the protocol, without `request_id`.',
    access: { capability: 'blob.upload' },
    audited: true,
    keyed: true,
    answers: { 200: { description: 'The key is retired.', schema: keyedBlobRetired } },
    errors: ['INVALID_IDEMPOTENCY_KEY', 'NOT_FOUND'],
    notFound: {
      schema: keyedBlobNotFound,
      example: {
        protocol: KEYED_BLOB_PROTOCOL,
        error_code: 'NOT_FOUND',
        message: 'nothing was uploaded under this key',
        retriable: false,
      },
    },
    graphql: { kind: 'mutation', field: 'retireKeyedBlob' },
  },
} as const satisfies Record<string, Operation>;
