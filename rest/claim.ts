import type { ClaimOperations } from '../src/services/operations.ts';
import type { Routes } from './handler.ts';

/** Routes of claims. */
export function claimRoutes(claims: ClaimOperations): Pick<Routes, 'listClaims' | 'claimHistory'> {
  return {
    listClaims: async ({ call, query }) => ({ status: 200, body: await claims.list(call, query) }),
    claimHistory: async ({ call, query }) => ({ status: 200, body: await claims.history(call, query) }),
  };
}
