import { answerRequest, answerResponse } from '../answer.ts';
import { composeRequest, composeResponse } from '../compose.ts';
import type { Operation } from './definition.ts';

/** Operations that have a model write from memory. */
export const ANSWER_OPERATIONS = {
  answer: {
    method: 'POST',
    path: '/v1/answer',
    noun: 'answer',
    summary: 'Answer a question from memory',
    description:
      'Recalls what bears on a question and has a model answer from that alone, citing it. Markers that nothing has are taken out of the text and reported; where nothing was found no model is called, and the answer says so. With stream the answer comes as server-sent events while it is written. Needs llm.invoke too, but with skip_answer_llm.',
    access: { capability: 'scope.read.local' },
    rate: 'read',
    body: { schema: answerRequest, required: true, cap: 'single' },
    wrongTypeAsText: ['facet_plan_override'],
    answers: {
      200: { description: 'The answer.', schema: answerResponse, alsoAs: 'text/event-stream' },
    },
    errors: [
      'EVAL_OVERRIDE_DISABLED',
      'UNPARSEABLE_TEMPORAL',
      'NOT_FOUND',
      'ANSWER_UNAVAILABLE',
      'ANSWER_PROVIDER_ERROR',
    ],
    graphql: { kind: 'query', field: 'answer' },
  },
  compose: {
    method: 'POST',
    path: '/v1/compose',
    noun: 'answer',
    summary: 'Write a document from memory',
    description:
      'Recalls what bears on a brief and has a model write a document from that alone, citing it by [S1], [S2] …. Sections without evidence say so. Markers that nothing has are taken out and reported. Needs llm.invoke too.',
    access: { capability: 'scope.read.local' },
    rate: 'read',
    body: { schema: composeRequest, required: true, cap: 'single' },
    answers: { 200: { description: 'The document.', schema: composeResponse } },
    errors: ['UNPARSEABLE_TEMPORAL', 'NOT_FOUND', 'ANSWER_UNAVAILABLE', 'ANSWER_PROVIDER_ERROR'],
    graphql: { kind: 'query', field: 'compose' },
  },
} as const satisfies Record<string, Operation>;
