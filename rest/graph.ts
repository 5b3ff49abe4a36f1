import type { Routes } from './handler.ts';
import type { GraphExportOperations, GraphOperations } from '../src/services/operations.ts';

/** Routes of the graph of a scope. */
export function graphRoutes(
  graph: GraphOperations,
  exports: GraphExportOperations,
): Pick<Routes, 'graph' | 'exportGraph' | 'graphDiff' | 'streamGraph' | 'neighbours'> {
  return {
    graph: async ({ call, query }) => ({ status: 200, body: await graph.page(call, query) }),
    exportGraph: async ({ call, query }) => ({ status: 200, file: await exports.graph(call, query) }),
    graphDiff: async ({ call, query }) => ({ status: 200, body: await graph.diff(call, query) }),
    streamGraph: async ({ call, query, lastEventId }) => ({
      status: 200,
      frames: await graph.subscribe(
        call,
        lastEventId === null ? query : { ...query, since_lifecycle_id: lastEventId },
      ),
    }),
    neighbours: async ({ call, params, query }) => ({
      status: 200,
      body: await graph.neighbours(call, params.id, query),
    }),
  };
}
