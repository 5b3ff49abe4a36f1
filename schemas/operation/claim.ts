import { claimHistory, claimHistoryQuery, claimListQuery, claimPage } from '../claim.ts';
import type { Operation } from './definition.ts';

/** Operations on claims: what facts say, statement by statement. */
export const CLAIM_OPERATIONS = {
  listClaims: {
    method: 'GET',
    path: '/v1/claims',
    noun: 'claim',
    summary: 'List what is claimed',
    description:
      'Facts of a scope as records of their claims, newest first: what is true now as known now, or at the instants or in the stretches asked for.',
    access: { capability: 'scope.read.local' },
    query: claimListQuery,
    answers: { 200: { description: 'A page of records.', schema: claimPage } },
    errors: [],
    graphql: { kind: 'query', field: 'claims' },
  },
  claimHistory: {
    method: 'GET',
    path: '/v1/claims/history',
    noun: 'claim',
    summary: 'The history of a claim',
    description:
      'Every record of a subject and a predicate that was ever known, displaced ones too, with the conflicts about it. What is unknown or not for the caller to see has an empty history.',
    access: { capability: 'scope.read.local' },
    query: claimHistoryQuery,
    answers: { 200: { description: 'A page of the history.', schema: claimHistory } },
    errors: [],
    graphql: { kind: 'query', field: 'claimHistory' },
  },
} as const satisfies Record<string, Operation>;
