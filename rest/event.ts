import type { Routes } from './handler.ts';
import type { EventOperations } from '../src/services/operations.ts';

/** Routes of events. */
export function eventRoutes(
  events: EventOperations,
): Pick<Routes, 'listEvents' | 'getEvent' | 'cancelEvent'> {
  return {
    listEvents: async ({ call, query }) => ({ status: 200, body: await events.list(call, query) }),
    getEvent: async ({ call, params, query }) => ({
      status: 200,
      body: await events.get(call, params.id, query),
    }),
    cancelEvent: async ({ call, params, body }) => ({
      status: 200,
      body: await events.cancel(call, params.id, body),
    }),
  };
}
