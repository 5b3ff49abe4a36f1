import type { Routes } from './handler.ts';
import type { EntityOperations } from '../src/services/operations.ts';

/** Routes of entities. */
export function entityRoutes(
  entities: EntityOperations,
): Pick<Routes, 'listEntities' | 'getEntity' | 'listEntityEdges'> {
  return {
    listEntities: async ({ call, query }) => ({ status: 200, body: await entities.list(call, query) }),
    getEntity: async ({ call, params, query }) => ({
      status: 200,
      body: await entities.get(call, params.id, query),
    }),
    listEntityEdges: async ({ call, params, query }) => ({
      status: 200,
      body: await entities.edges(call, params.id, query),
    }),
  };
}
