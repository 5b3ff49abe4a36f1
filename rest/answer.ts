import type { AnswerOperations, ComposeOperations } from '../src/services/answer-operations.ts';
import type { Routes } from './handler.ts';

/** Routes of texts that models write from memory. */
export function answerRoutes(
  answers: AnswerOperations,
  documents: ComposeOperations,
): Pick<Routes, 'answer' | 'compose'> {
  return {
    answer: async ({ call, body }) => {
      const given = await answers.respond(call, body);
      return 'frames' in given ? { status: 200, written: given.frames } : { status: 200, body: given };
    },
    compose: async ({ call, body }) => ({ status: 200, body: await documents.compose(call, body) }),
  };
}
