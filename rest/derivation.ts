import type { Routes } from './handler.ts';
import type { DerivationOperations } from '../src/services/operations.ts';

/** Routes of derivation. */
export function derivationRoutes(
  derivation: DerivationOperations,
): Pick<Routes, 'derivationStatus' | 'layerStats'> {
  return {
    derivationStatus: async ({ call, query }) => ({
      status: 200,
      body: await derivation.status(call, query),
    }),
    layerStats: async ({ call }) => ({ status: 200, body: await derivation.layerStats(call) }),
  };
}
