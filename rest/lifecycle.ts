import type { Routes } from './handler.ts';
import type { LifecycleOperations } from '../src/services/operations.ts';

/** Routes of lifecycle frames. */
export function lifecycleRoutes(
  lifecycle: LifecycleOperations,
): Pick<Routes, 'listLifecycle' | 'streamLifecycle' | 'getLifecycle' | 'memoryEventTrace'> {
  return {
    listLifecycle: async ({ call, query }) => ({ status: 200, body: await lifecycle.list(call, query) }),
    streamLifecycle: async ({ call, query, lastEventId }) => ({
      status: 200,
      frames: await lifecycle.subscribe(
        call,
        lastEventId === null ? query : { ...query, since_lifecycle_id: lastEventId },
      ),
    }),
    getLifecycle: async ({ call, params }) => ({ status: 200, body: await lifecycle.get(call, params.id) }),
    memoryEventTrace: async ({ call, params, query }) => ({
      status: 200,
      body: await lifecycle.memoryEvent(call, params.id, query),
    }),
  };
}
