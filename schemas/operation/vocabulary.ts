import {
  vocabularyChange,
  vocabularyItem,
  vocabularyListQuery,
  vocabularyPage,
} from '../vocabulary-record.ts';
import type { Operation } from './definition.ts';

/** What it takes to change a vocabulary: of a scope, and of the whole tenant. */
const BY_SCOPE = { anyOf: ['scope.manage', 'admin'] } as const;

/** Operations on vocabularies. */
export const VOCABULARY_OPERATIONS = {
  updateVocabulary: {
    method: 'PATCH',
    path: '/v1/vocabularies/{name}',
    noun: 'vocabulary',
    summary: 'Change a vocabulary, or make one',
    description:
      'Replaces `description` and `scope` where they are given, and changes or adds the entries that are given by their ids; everything else stays. A name that there is none of yet makes a vocabulary. It lasts, and every process goes by it at once: predicates and relations count for what is captured behind `counts_after`, in its scope and below, and nothing that was derived changes. Of several vocabularies the one of the nearest scope goes before, of one scope the first by name; all of them go before what the deployment knows, and `policies.cardinality` of a scope before all. A name that two entries have in one list of predicates and relations is 422 `INVALID_BODY`, and so is one vocabulary more than 64 of a tenant. For owners of its scope; one of the whole tenant takes the capability `admin`. The name of one that the caller may not read is 404.',
    access: BY_SCOPE,
    audited: true,
    params: { name: 'Name of the vocabulary.' },
    body: { schema: vocabularyChange, required: true, cap: 'single' },
    answers: {
      200: {
        description: 'The whole vocabulary as it is now.',
        schema: vocabularyItem,
        next: { getVocabulary: { name: '/name' }, removeVocabulary: { name: '/name' } },
      },
    },
    errors: ['NOT_FOUND', 'NOT_A_MEMBER'],
    graphql: { kind: 'mutation', field: 'updateVocabulary' },
  },
  listVocabularies: {
    method: 'GET',
    path: '/v1/vocabularies',
    noun: 'vocabulary',
    summary: 'List vocabularies',
    description:
      'The vocabularies of the tenant, and of those scopes that the caller may read, those first that were made last. What the service and the vocabulary file of the deployment know is in none of them.',
    access: { capability: 'scope.read' },
    query: vocabularyListQuery,
    answers: { 200: { description: 'A page of vocabularies.', schema: vocabularyPage } },
    errors: [],
    graphql: { kind: 'query', field: 'vocabularies' },
  },
  getVocabulary: {
    method: 'GET',
    path: '/v1/vocabularies/{name}',
    noun: 'vocabulary',
    summary: 'One vocabulary',
    description:
      'A vocabulary by its name. What is unknown and what the caller may not read is the same 404.',
    access: { capability: 'scope.read' },
    params: { name: 'Name of the vocabulary.' },
    answers: { 200: { description: 'The vocabulary.', schema: vocabularyItem } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'vocabulary' },
  },
  removeVocabulary: {
    method: 'DELETE',
    path: '/v1/vocabularies/{name}',
    noun: 'vocabulary',
    summary: 'Remove a vocabulary',
    description:
      'Removes it with all of its entries; for what is captured from then on nothing goes by it. What the log needs to derive again what was captured while it held stays there: names of its predicates and relations, and how many values they had. What is unknown, was removed before, or is not for the caller to read is the same 404.',
    access: BY_SCOPE,
    audited: true,
    params: { name: 'Name of the vocabulary.' },
    answers: { 204: { description: 'Removed; no body.', empty: true } },
    errors: ['NOT_FOUND', 'NOT_A_MEMBER'],
    graphql: { kind: 'mutation', field: 'removeVocabulary' },
  },
} as const satisfies Record<string, Operation>;
