import type { Routes } from './handler.ts';
import type { SUPPRESSION_OPERATIONS } from '../schemas/operation/suppression.ts';
import type { SuppressionOperations } from '../src/services/suppression-operations.ts';

/** Routes of suppressions. */
export function suppressionRoutes(
  suppressions: SuppressionOperations,
): Pick<Routes, keyof typeof SUPPRESSION_OPERATIONS> {
  return {
    listSuppressions: async ({ call, query }) => ({
      status: 200,
      body: await suppressions.list(call, query),
    }),
    liftSuppression: async ({ call, params }) => {
      await suppressions.lift(call, params.id);
      return { status: 204, empty: true };
    },
  };
}
