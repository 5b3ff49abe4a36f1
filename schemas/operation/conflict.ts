import { conflictListQuery, conflictPage, conflictView } from '../conflict.ts';
import type { Operation } from './definition.ts';

/** Operations on conflicts. */
export const CONFLICT_OPERATIONS = {
  listConflicts: {
    method: 'GET',
    path: '/v1/conflicts',
    noun: 'conflict',
    summary: 'List conflicts',
    description:
      'Claims with one value at a time of which two events state different values for the same time, with the evidence on both sides; those first that were opened last. Which value counts meanwhile is another question.',
    access: { capability: 'scope.read.local' },
    query: conflictListQuery,
    answers: { 200: { description: 'A page of conflicts.', schema: conflictPage } },
    errors: [],
    graphql: { kind: 'query', field: 'conflicts' },
  },
  getConflict: {
    method: 'GET',
    path: '/v1/conflicts/{id}',
    noun: 'conflict',
    summary: 'One conflict',
    description:
      'One conflict by id. What is unknown and what the caller may not see is the same 404; so is one whose evidence was cancelled.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the conflict.' },
    answers: { 200: { description: 'The conflict.', schema: conflictView } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'conflict' },
  },
} as const satisfies Record<string, Operation>;
