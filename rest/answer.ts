import type { AnswerOperations, ComposeOperations } from '../src/services/answer-operations.ts';
import type { Routes } from './handler.ts';
import { writtenOrWhole } from './written-stream.ts';

/** Routes of texts that models write from memory. */
export function answerRoutes(
  answers: AnswerOperations,
  documents: ComposeOperations,
): Pick<Routes, 'answer' | 'compose'> {
  return {
    answer: async ({ call, body }) => writtenOrWhole(await answers.respond(call, body)),
    compose: async ({ call, body }) => ({ status: 200, body: await documents.compose(call, body) }),
  };
}
