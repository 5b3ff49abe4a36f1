import type { Routes } from './handler.ts';
import type { UsageOperations } from '../src/services/operations.ts';

/** Routes of the usage of models. */
export function usageRoutes(usage: UsageOperations): Pick<Routes, 'adminUsage'> {
  return {
    adminUsage: async ({ call, query }) => ({ status: 200, body: await usage.usage(call, query) }),
  };
}
