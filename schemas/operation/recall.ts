import { recallPack, recallRequest } from '../recall.ts';
import type { Operation } from './definition.ts';

/** Operations that bring memory back by relevance. */
export const RECALL_OPERATIONS = {
  recall: {
    method: 'POST',
    path: '/v1/recall',
    noun: 'recall',
    summary: 'Bring back what bears on a question',
    description:
      'The records of every layer that bear on a query, ranked, at any instant in two times, from a scope and what lies above and below it, as far as they fit a budget of tokens; with a text that holds them all, what each marker in it stands for, and how it came about. What the caller may not read is as if it were not there. Without a query the newest is recalled.',
    access: { capability: 'scope.read.local' },
    rate: 'read',
    body: { schema: recallRequest, required: true, cap: 'single' },
    answers: {
      200: { description: 'What was found.', schema: recallPack, alsoAs: 'text/event-stream' },
    },
    errors: ['UNPARSEABLE_TEMPORAL'],
    graphql: { kind: 'query', field: 'recall' },
  },
} as const satisfies Record<string, Operation>;
