import type { Routes } from './handler.ts';
import type { GraphOperations } from '../src/services/operations.ts';

/** Routes of the graph of a scope. */
export function graphRoutes(graph: GraphOperations): Pick<Routes, 'graph' | 'graphDiff' | 'neighbours'> {
  return {
    graph: async ({ call, query }) => ({ status: 200, body: await graph.page(call, query) }),
    graphDiff: async ({ call, query }) => ({ status: 200, body: await graph.diff(call, query) }),
    neighbours: async ({ call, params, query }) => ({
      status: 200,
      body: await graph.neighbours(call, params.id, query),
    }),
  };
}
