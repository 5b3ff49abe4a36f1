import type { Routes } from './handler.ts';
import type { BlobOperations } from '../src/services/blob-operations.ts';

/** Routes of blobs. */
export function blobRoutes(blobs: BlobOperations): Pick<Routes, 'uploadBlob' | 'getBlob' | 'deleteBlob'> {
  return {
    uploadBlob: async ({ call, bytes }) => ({ status: 201, body: await blobs.upload(call, bytes) }),
    getBlob: async ({ call, params }) => ({ status: 200, bytes: await blobs.open(call, params.id) }),
    deleteBlob: async ({ call, params }) => ({ status: 200, body: await blobs.delete(call, params.id) }),
  };
}
