import { blobDeleted, blobRecord, blobUploaded } from '../blob.ts';
import type { Operation } from './definition.ts';

/** Operations on blobs. */
export const BLOB_OPERATIONS = {
  uploadBlob: {
    method: 'POST',
    path: '/v1/blobs',
    noun: 'blob',
    summary: 'Upload a blob',
    description:
      'Stores the body as it is, under its media type (`application/octet-stream` when it names none). The same bytes of the same uploader have the same id, and sending them again answers the same. Until an event refers to a blob, only its uploader can read it.',
    access: { capability: 'blob.upload' },
    audited: true,
    bytes: true,
    answers: {
      201: {
        description: 'The blob is stored.',
        schema: blobUploaded,
        next: { getBlob: { id: '/blob_id' }, deleteBlob: { id: '/blob_id' } },
      },
    },
    errors: ['unsupported_media_type', 'SERVER_BUSY'],
    graphql: { reason: 'Bytes travel over REST; GraphQL refers to them by the id that the upload answers.' },
  },
  getBlob: {
    method: 'GET',
    path: '/v1/blobs/{id}',
    noun: 'blob',
    summary: 'The bytes of a blob',
    description:
      'For its uploader, as long as he has not deleted it, and for everybody who may read the scope of a live event that refers to it. Takes `Range` (one range of bytes), `If-Range` and `If-None-Match`; the entity tag is the SHA-256. The answer never runs in a browser: it is an attachment. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'blob.read' },
    params: { id: 'Id of the blob.' },
    answers: {
      200: { description: 'The bytes, under the media type of the upload.', mediaType: '*/*' },
      206: { description: 'The range that was asked for.', mediaType: '*/*' },
      304: { description: '`If-None-Match` names the entity tag.', empty: true },
    },
    errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
    graphql: { kind: 'query', field: 'blob', answer: blobRecord },
  },
  deleteBlob: {
    method: 'DELETE',
    path: '/v1/blobs/{id}',
    noun: 'blob',
    summary: 'Delete a blob',
    description:
      'For its uploader; for everybody else it is 404. Where live events still refer to the blob, its bytes stay for them and go with the last one. Deleting it again is 404.',
    access: { capability: 'blob.upload' },
    audited: true,
    params: { id: 'Id of the blob.' },
    answers: { 200: { description: 'The uploader holds the blob no longer.', schema: blobDeleted } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'mutation', field: 'deleteBlob' },
  },
} as const satisfies Record<string, Operation>;
