import {
  factGetQuery,
  factItem,
  factListQuery,
  factPage,
  factTimeline,
  factTimelineQuery,
  factWhy,
  factWhyQuery,
} from '../fact.ts';
import type { Operation } from './definition.ts';

/** Operations on facts. */
export const FACT_OPERATIONS = {
  listFacts: {
    method: 'GET',
    path: '/v1/facts',
    noun: 'fact',
    summary: 'List facts',
    description:
      'Facts of a scope, and with `view` of the scopes above or below it, newest first: what is true now as known now, or at the instants asked for.',
    access: { capability: 'scope.read.local' },
    query: factListQuery,
    answers: { 200: { description: 'A page of facts.', schema: factPage } },
    errors: [],
    otherStatuses: [{ code: 'INVALID_QUERY', status: 422, when: '`view` is not one of its values.' }],
    graphql: { kind: 'query', field: 'facts' },
  },
  factTimeline: {
    method: 'GET',
    path: '/v1/facts/timeline',
    noun: 'fact',
    summary: 'What is true of a subject, and when',
    description:
      'The stretches of time in which something is true of a subject, in valid order. What is unknown, or not for the caller to see, has an empty timeline.',
    access: { capability: 'scope.read.local' },
    query: factTimelineQuery,
    answers: { 200: { description: 'A page of the timeline.', schema: factTimeline } },
    errors: [],
    graphql: { kind: 'query', field: 'factTimeline' },
  },
  getFact: {
    method: 'GET',
    path: '/v1/facts/{id}',
    noun: 'fact',
    summary: 'One fact',
    description:
      'One fact by id, whenever it is true, or at the instants asked for. The id of a statement that repeated a fact leads to the fact. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the fact, or of a statement that joined it.' },
    query: factGetQuery,
    answers: { 200: { description: 'The fact.', schema: factItem } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'fact' },
  },
  factWhy: {
    method: 'GET',
    path: '/v1/facts/{id}/why',
    noun: 'fact',
    summary: 'Why a fact is known',
    description:
      'What a fact rests on, down to the events and the words in them, at the instants asked for; as a graph and in words. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of the fact, or of a statement that joined it.' },
    query: factWhyQuery,
    answers: { 200: { description: 'What it rests on.', schema: factWhy } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'factWhy' },
  },
} as const satisfies Record<string, Operation>;
