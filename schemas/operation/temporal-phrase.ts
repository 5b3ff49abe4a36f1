import {
  temporalPhrase,
  temporalPhraseItem,
  temporalPhraseListQuery,
  temporalPhrasePage,
} from '../temporal-phrase.ts';
import type { Operation } from './definition.ts';

/** Operations on own time phrases. */
export const TEMPORAL_PHRASE_OPERATIONS = {
  defineTemporalPhrase: {
    method: 'POST',
    path: '/v1/temporal/phrases',
    noun: 'temporal_phrase',
    summary: 'Give a time phrase a meaning',
    description:
      'From now on the phrase stands for that stretch of time in questions of the whole tenant, and goes before what its words mean otherwise. A name that there is none of yet, case and width of blanks apart, is created (201); one that there is already gets the new meaning and spelling in its place (200), so that sending the same again is safe and changes nothing. A tenant has at most 1000 phrases; one more is 422 INVALID_BODY. Known to every process at once.',
    access: { capability: 'temporal.phrases.write' },
    audited: true,
    body: { schema: temporalPhrase, required: true, cap: 'single' },
    answers: {
      200: { description: 'There was a phrase of the name; it means this now.', schema: temporalPhraseItem },
      201: {
        description: 'The phrase is new.',
        schema: temporalPhraseItem,
        next: { removeTemporalPhrase: { name: '/name' } },
      },
    },
    errors: [],
    graphql: { kind: 'mutation', field: 'defineTemporalPhrase' },
  },
  listTemporalPhrases: {
    method: 'GET',
    path: '/v1/temporal/phrases',
    noun: 'temporal_phrase',
    summary: 'List own time phrases',
    description:
      'The phrases of the tenant with what they stand for now, those first that were created last; replacing one leaves it in its place.',
    access: { capability: 'temporal.phrases.read' },
    query: temporalPhraseListQuery,
    answers: { 200: { description: 'A page of phrases.', schema: temporalPhrasePage } },
    errors: [],
    graphql: { kind: 'query', field: 'temporalPhrases' },
  },
  removeTemporalPhrase: {
    method: 'DELETE',
    path: '/v1/temporal/phrases/{name}',
    noun: 'temporal_phrase',
    named: 'temporal phrase',
    summary: 'Remove an own time phrase',
    description:
      'Takes the meaning back, at once for every process; from then on the words mean what they mean to everybody. Case and width of blanks of the name do not count. What is unknown, or removed before, is 404.',
    access: { capability: 'temporal.phrases.write' },
    audited: true,
    params: { name: 'Name of the phrase, percent-encoded.' },
    answers: { 204: { description: 'Removed; no body.', empty: true } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'mutation', field: 'removeTemporalPhrase' },
  },
} as const satisfies Record<string, Operation>;
