import type { Routes } from './handler.ts';
import type { FactOperations } from '../src/services/operations.ts';

/** Routes of facts. */
export function factRoutes(
  facts: FactOperations,
): Pick<Routes, 'listFacts' | 'factTimeline' | 'getFact' | 'factWhy'> {
  return {
    listFacts: async ({ call, query }) => ({ status: 200, body: await facts.list(call, query) }),
    factTimeline: async ({ call, query }) => ({ status: 200, body: await facts.timeline(call, query) }),
    factWhy: async ({ call, params, query }) => ({
      status: 200,
      body: await facts.why(call, params.id, query),
    }),
    getFact: async ({ call, params, query }) => ({
      status: 200,
      body: await facts.get(call, params.id, query),
    }),
  };
}
