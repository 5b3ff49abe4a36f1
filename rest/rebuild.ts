import type { Routes } from './handler.ts';
import type { RebuildOperations } from '../src/services/operations.ts';
import type { REBUILD_OPERATIONS } from '../schemas/operation/rebuild.ts';

/** Routes that derive again. */
export function rebuildRoutes(rebuild: RebuildOperations): Pick<Routes, keyof typeof REBUILD_OPERATIONS> {
  return {
    rederive: async ({ call, body }) => ({ status: 202, body: await rebuild.rederive(call, body) }),
    getRederive: async ({ call, params }) => ({ status: 200, body: await rebuild.job(call, params.id) }),
    buildBeliefs: async ({ call, body }) => ({ status: 200, body: await rebuild.buildBeliefs(call, body) }),
    buildEpisodes: async ({ call, body }) => ({ status: 200, body: await rebuild.buildEpisodes(call, body) }),
  };
}
