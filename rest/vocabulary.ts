import type { Routes } from './handler.ts';
import type { VOCABULARY_OPERATIONS } from '../schemas/operation/vocabulary.ts';
import type { VocabularyOperations } from '../src/services/vocabulary-operations.ts';

/** Routes of vocabularies. */
export function vocabularyRoutes(
  vocabularies: VocabularyOperations,
): Pick<Routes, keyof typeof VOCABULARY_OPERATIONS> {
  return {
    listVocabularies: async ({ call, query }) => ({
      status: 200,
      body: await vocabularies.list(call, query),
    }),
    getVocabulary: async ({ call, params }) => ({
      status: 200,
      body: await vocabularies.get(call, params.name),
    }),
    updateVocabulary: async ({ call, params, body }) => ({
      status: 200,
      body: await vocabularies.update(call, params.name, body),
    }),
    removeVocabulary: async ({ call, params }) => {
      await vocabularies.remove(call, params.name);
      return { status: 204, empty: true };
    },
  };
}
