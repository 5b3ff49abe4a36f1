import type { Routes } from './handler.ts';
import type { BeliefOperations } from '../src/services/operations.ts';

/** Routes of beliefs. */
export function beliefRoutes(
  beliefs: BeliefOperations,
): Pick<Routes, 'listBeliefs' | 'declareBelief' | 'beliefHistory' | 'beliefWhy' | 'getBelief'> {
  return {
    listBeliefs: async ({ call, query }) => ({ status: 200, body: await beliefs.list(call, query) }),
    declareBelief: async ({ call, body }) => ({ status: 201, body: await beliefs.declare(call, body) }),
    beliefHistory: async ({ call, query }) => ({ status: 200, body: await beliefs.history(call, query) }),
    beliefWhy: async ({ call, query }) => ({ status: 200, body: await beliefs.why(call, query) }),
    getBelief: async ({ call, params, query }) => ({
      status: 200,
      body: await beliefs.get(call, params.id, query),
    }),
  };
}
