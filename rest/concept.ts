import type { Routes } from './handler.ts';
import type { ConceptOperations } from '../src/services/operations.ts';

/** Routes of concepts. */
export function conceptRoutes(
  concepts: ConceptOperations,
): Pick<
  Routes,
  | 'listConcepts'
  | 'conceptCoverage'
  | 'getConcept'
  | 'conceptHistory'
  | 'relatedConcepts'
  | 'synthesizeConcepts'
> {
  return {
    listConcepts: async ({ call, query }) => ({ status: 200, body: await concepts.list(call, query) }),
    conceptCoverage: async ({ call, query }) => ({
      status: 200,
      body: await concepts.coverage(call, query),
    }),
    getConcept: async ({ call, params, query }) => ({
      status: 200,
      body: await concepts.get(call, params.id, query),
    }),
    conceptHistory: async ({ call, params, query }) => ({
      status: 200,
      body: await concepts.history(call, params.id, query),
    }),
    synthesizeConcepts: async ({ call, body }) => ({
      status: 202,
      body: await concepts.synthesize(call, body),
    }),
    relatedConcepts: async ({ call, params, query }) => ({
      status: 200,
      body: await concepts.related(call, params.id, query),
    }),
  };
}
