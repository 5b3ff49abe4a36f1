import type { Routes } from './handler.ts';
import type { TEMPORAL_PHRASE_OPERATIONS } from '../schemas/operation/temporal-phrase.ts';
import type { TemporalPhraseOperations } from '../src/services/operations.ts';

/** Routes of own time phrases. */
export function temporalPhraseRoutes(
  phrases: TemporalPhraseOperations,
): Pick<Routes, keyof typeof TEMPORAL_PHRASE_OPERATIONS> {
  return {
    defineTemporalPhrase: async ({ call, body }) => {
      const { created, phrase } = await phrases.define(call, body);
      return { status: created ? 201 : 200, body: phrase };
    },
    listTemporalPhrases: async ({ call, query }) => ({ status: 200, body: await phrases.list(call, query) }),
    removeTemporalPhrase: async ({ call, params }) => {
      await phrases.remove(call, params.name);
      return { status: 204, empty: true };
    },
  };
}
