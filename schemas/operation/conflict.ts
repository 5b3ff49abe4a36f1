import {
  conflictGetQuery,
  conflictListQuery,
  conflictPage,
  conflictView,
  resolveConflictBody,
} from '../conflict.ts';
import type { Operation } from './definition.ts';
import { OF_FEEDBACK } from './experience.ts';

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
    query: conflictGetQuery,
    answers: { 200: { description: 'The conflict.', schema: conflictView } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'conflict' },
  },
  resolveConflict: {
    method: 'POST',
    path: '/v1/conflicts/{id}/resolve',
    noun: 'conflict',
    summary: 'Settle a conflict',
    description:
      'Captures as feedback how an open conflict is settled, and answers the conflict as it is when that is derived. Nothing is edited: what is decided against counts no longer from then on, readings of earlier recorded instants stay, and a cancel of the event opens the conflict again. New evidence of a value that was decided against opens a new one.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    params: { id: 'Id of the conflict.' },
    body: { schema: resolveConflictBody, required: true, cap: 'single' },
    answers: { 200: { description: 'The conflict afterwards.', schema: conflictView } },
    errors: [...OF_FEEDBACK, 'NOT_FOUND', 'CONFLICT_NOT_OPEN'],
    graphql: { kind: 'mutation', field: 'resolveConflict' },
  },
} as const satisfies Record<string, Operation>;
