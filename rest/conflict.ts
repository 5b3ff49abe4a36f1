import type { Routes } from './handler.ts';
import type { ConflictOperations } from '../src/services/operations.ts';

/** Routes of conflicts. */
export function conflictRoutes(
  conflicts: ConflictOperations,
): Pick<Routes, 'listConflicts' | 'getConflict' | 'resolveConflict'> {
  return {
    listConflicts: async ({ call, query }) => ({ status: 200, body: await conflicts.list(call, query) }),
    getConflict: async ({ call, params, query }) => ({
      status: 200,
      body: await conflicts.get(call, params.id, query),
    }),
    resolveConflict: async ({ call, params, body }) => ({
      status: 200,
      body: await conflicts.resolve(call, params.id, body),
    }),
  };
}
