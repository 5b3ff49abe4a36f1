import type { RecallOperations } from '../src/services/operations.ts';
import type { Routes } from './handler.ts';

/** Routes that bring memory back by relevance. */
export function recallRoutes(recall: RecallOperations): Pick<Routes, 'recall'> {
  return {
    recall: async ({ call, body }) => ({ status: 200, body: await recall.recall(call, body) }),
  };
}
