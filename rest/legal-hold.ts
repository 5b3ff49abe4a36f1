import type { Routes } from './handler.ts';
import type { LEGAL_HOLD_OPERATIONS } from '../schemas/operation/legal-hold.ts';
import type { LegalHoldOperations } from '../src/services/legal-hold-operations.ts';

/** Routes of legal holds. */
export function legalHoldRoutes(
  holds: LegalHoldOperations,
): Pick<Routes, keyof typeof LEGAL_HOLD_OPERATIONS> {
  return {
    putLegalHold: async ({ call, body }) => ({ status: 200, body: await holds.put(call, body) }),
    listLegalHolds: async ({ call, query }) => ({ status: 200, body: await holds.list(call, query) }),
    getLegalHold: async ({ call, params }) => ({ status: 200, body: await holds.get(call, params.id) }),
    removeLegalHold: async ({ call, query }) => {
      await holds.remove(call, query);
      return { status: 204, empty: true };
    },
  };
}
