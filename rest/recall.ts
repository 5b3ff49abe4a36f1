import type { RecallOperations } from '../src/services/operations.ts';
import type { Routes } from './handler.ts';
import { writtenOrWhole } from './written-stream.ts';

/** Routes that bring memory back by relevance. */
export function recallRoutes(recall: RecallOperations): Pick<Routes, 'recall'> {
  return {
    recall: async ({ call, body }) => writtenOrWhole(await recall.respond(call, body)),
  };
}
