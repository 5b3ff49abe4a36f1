import type { ManifestLine } from '../schemas/erasure.ts';
import type { ERASURE_OPERATIONS } from '../schemas/operation/erasure.ts';
import type { ErasureOperations } from '../src/services/erasure-operations.ts';
import type { LinesAnswer, Routes } from './handler.ts';

/** Routes that erase. */
export function erasureRoutes(erasure: ErasureOperations): Pick<Routes, keyof typeof ERASURE_OPERATIONS> {
  return {
    previewErasure: async ({ call, body }) => ({ status: 200, body: await erasure.preview(call, body) }),
    getErasurePreviewManifest: async ({ call, params }) => linesOf(await erasure.manifest(call, params.id)),
    startErasure: async ({ call, body }) => ({ status: 202, body: await erasure.start(call, body) }),
    getErasure: async ({ call, params }) => ({ status: 200, body: await erasure.get(call, params.id) }),
    getErasureManifest: async ({ call, params }) => linesOf(await erasure.manifest(call, params.id)),
    cancelErasure: async ({ call, params, body }) => ({
      status: 200,
      body: await erasure.cancel(call, params.id, body),
    }),
    getErasureReceipt: async ({ call, params }) => ({
      status: 200,
      body: await erasure.receipt(call, params.id),
    }),
    verifyErasure: async ({ call, params }) => ({ status: 200, body: await erasure.verify(call, params.id) }),
  };
}

function linesOf(lines: AsyncIterable<readonly ManifestLine[]>): LinesAnswer {
  return { status: 200, lines };
}
