import type { Routes } from './handler.ts';
import type { ScopeOperations } from '../src/services/operations.ts';
import type { SCOPE_OPERATIONS } from '../schemas/operation/scope.ts';

/** Routes of scopes. */
export function scopeRoutes(scope: ScopeOperations): Pick<Routes, keyof typeof SCOPE_OPERATIONS> {
  return {
    registerScope: async ({ call, body }) => ({ status: 201, body: await scope.register(call, body) }),
    getScope: async ({ call, query }) => ({ status: 200, body: await scope.get(call, query) }),
    setScopePolicies: async ({ call, query, body }) => ({
      status: 200,
      body: await scope.setPolicies(call, query, body),
    }),
    setScopeMembers: async ({ call, query, body }) => ({
      status: 200,
      body: await scope.setMembers(call, query, body),
    }),
    deleteScope: async ({ call, query }) => {
      await scope.delete(call, query);
      return { status: 204, empty: true };
    },
    listScopes: async ({ call, query }) => ({ status: 200, body: await scope.list(call, query) }),
    pruneScopes: async ({ call }) => ({ status: 200, body: await scope.prune(call) }),
  };
}
