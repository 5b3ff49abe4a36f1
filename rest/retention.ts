import type { Routes } from './handler.ts';
import type { RETENTION_OPERATIONS } from '../schemas/operation/retention.ts';
import type { RetentionOperations } from '../src/services/retention-operations.ts';

/** Routes of how long records are kept. */
export function retentionRoutes(
  retention: RetentionOperations,
): Pick<Routes, keyof typeof RETENTION_OPERATIONS> {
  return {
    retentionStatus: async ({ call }) => ({ status: 200, body: await retention.status(call) }),
    sweepRetention: async ({ call, body }) => {
      const swept = await retention.sweep(call, body);
      return { status: 'running' in swept ? 202 : 200, body: swept };
    },
    getRetentionPolicy: async ({ call, query }) => ({
      status: 200,
      body: await retention.getPolicy(call, query),
    }),
    setRetentionPolicy: async ({ call, body }) => ({
      status: 200,
      body: await retention.setPolicy(call, body),
    }),
    deleteRetentionPolicy: async ({ call, query }) => {
      await retention.deletePolicy(call, query);
      return { status: 204, empty: true };
    },
  };
}
