import {
  beliefGetQuery,
  beliefHistory,
  beliefHistoryQuery,
  beliefItem,
  beliefListQuery,
  beliefPage,
  beliefWhy,
  beliefWhyQuery,
  declareBeliefBody,
} from '../belief.ts';
import type { Operation } from './definition.ts';
import { OF_FEEDBACK } from './experience.ts';

/** Operations on beliefs. */
export const BELIEF_OPERATIONS = {
  listBeliefs: {
    method: 'GET',
    path: '/v1/beliefs',
    noun: 'belief',
    summary: 'List beliefs',
    description:
      'Beliefs of a scope, and with `view` of the scopes above or below it, newest first: what is believed now of now, or what was believed at the instants asked for. Contradicted ones stay.',
    access: { capability: 'scope.read.local' },
    query: beliefListQuery,
    answers: { 200: { description: 'A page of beliefs.', schema: beliefPage } },
    errors: [],
    otherStatuses: [{ code: 'INVALID_QUERY', status: 422, when: '`view` is not one of its values.' }],
    graphql: { kind: 'query', field: 'beliefs' },
  },
  declareBelief: {
    method: 'POST',
    path: '/v1/beliefs',
    noun: 'belief',
    summary: 'Declare a belief',
    description:
      'Captures as feedback that something is believed, and answers when the belief is derived from it. The declared confidence is the weight of its evidence, in equal parts of the word itself and of each reason that is named, as long as that holds. What is declared is a statement of its claim like any other: a fact whose extractor is `declared`, which a newer value closes and which closes an older one, declared or stated, unless the predicate has many values at once; values for the same time are a conflict. Declaring the same again, or what is stated, adds evidence.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    body: { schema: declareBeliefBody, required: true, cap: 'single' },
    answers: {
      201: {
        description: 'The belief, derived.',
        schema: beliefItem,
        next: {
          getBelief: { id: '/id' },
          beliefHistory: { belief_id: '/id' },
          beliefWhy: { belief_id: '/id' },
        },
      },
    },
    errors: [...OF_FEEDBACK, 'NOT_FOUND'],
    graphql: { kind: 'mutation', field: 'declareBelief' },
  },
  beliefHistory: {
    method: 'GET',
    path: '/v1/beliefs/history',
    noun: 'belief',
    summary: 'The revisions of a belief',
    description:
      'Every revision of a belief with the event that brought it about, oldest first. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    query: beliefHistoryQuery,
    answers: { 200: { description: 'The revisions.', schema: beliefHistory } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'beliefHistory' },
  },
  beliefWhy: {
    method: 'GET',
    path: '/v1/beliefs/why',
    noun: 'belief',
    summary: 'Why something is believed',
    description:
      'What a belief rests on, down to the events, at the instants asked for; as a graph and in words. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    query: beliefWhyQuery,
    answers: { 200: { description: 'What it rests on.', schema: beliefWhy } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'beliefWhy' },
  },
  getBelief: {
    method: 'GET',
    path: '/v1/beliefs/{id}',
    noun: 'belief',
    summary: 'One belief',
    description:
      'One belief by id, as it is now, or at the instants asked for; without a valid instant one that begins later is shown as it will begin. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the belief.' },
    query: beliefGetQuery,
    answers: { 200: { description: 'The belief.', schema: beliefItem } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'belief' },
  },
} as const satisfies Record<string, Operation>;
