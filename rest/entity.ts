import type { Routes } from './handler.ts';
import type { EntityOperations } from '../src/services/operations.ts';

/** Routes of entities. */
export function entityRoutes(
  entities: EntityOperations,
): Pick<Routes, 'listEntities' | 'getEntity' | 'listEntityEdges' | 'linkEntities' | 'unlinkEntities'> {
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
    linkEntities: async ({ call, body }) => ({ status: 201, body: await entities.link(call, body) }),
    unlinkEntities: async ({ call, params }) => ({
      status: 200,
      body: await entities.unlink(call, params.id),
    }),
  };
}
