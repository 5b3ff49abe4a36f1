import type { Routes } from './handler.ts';
import type { LifecycleOperations } from '../src/services/operations.ts';

/** Routes of lifecycle frames. */
export function lifecycleRoutes(
  lifecycle: LifecycleOperations,
): Pick<Routes, 'listLifecycle' | 'memoryEventTrace'> {
  return {
    listLifecycle: async ({ call, query }) => ({ status: 200, body: await lifecycle.list(call, query) }),
    memoryEventTrace: async ({ call, params }) => ({
      status: 200,
      body: await lifecycle.memoryEvent(call, params.id),
    }),
  };
}
