import type { Routes } from './handler.ts';
import type { KeyedBlobOperations } from '../src/services/blob-operations.ts';

/** Routes of uploads under a key. */
export function keyedBlobRoutes(
  keyed: KeyedBlobOperations,
): Pick<Routes, 'keyedBlobStatus' | 'uploadKeyedBlob' | 'retireKeyedBlob'> {
  return {
    keyedBlobStatus: async ({ call, key }) => ({ status: 200, body: await keyed.status(call, key) }),
    uploadKeyedBlob: async ({ call, key, bytes }) => ({
      status: 200,
      body: await keyed.upload(call, key, bytes),
    }),
    retireKeyedBlob: async ({ call, key }) => ({ status: 200, body: await keyed.retire(call, key) }),
  };
}
