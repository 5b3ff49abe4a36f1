import type { Routes } from './handler.ts';
import type { HealthOperations } from '../src/services/operations.ts';

/** Routes of the state of the server. */
export function healthRoutes(
  health: HealthOperations,
): Pick<Routes, 'health' | 'ready' | 'adminHealth' | 'adminReady' | 'adminMetrics' | 'adminVersion'> {
  return {
    health: () => ({ status: 200, body: health.health() }),
    ready: async () => ({ status: 200, body: await health.ready() }),
    adminHealth: () => ({ status: 200, body: health.adminHealth() }),
    adminReady: async ({ call }) => ({ status: 200, body: await health.adminReady(call) }),
    adminMetrics: async ({ call, query }) => ({ status: 200, ...(await health.metrics(call, query)) }),
    adminVersion: () => ({ status: 200, body: health.version() }),
  };
}
