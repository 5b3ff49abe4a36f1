import { CASCADE_CAPABILITY } from '../forget.ts';
import { suppressionListQuery, suppressionPage } from '../suppression.ts';
import type { Operation } from './definition.ts';

/** Operations on suppressions. */
export const SUPPRESSION_OPERATIONS = {
  listSuppressions: {
    method: 'GET',
    path: '/v1/suppressions',
    noun: 'suppression',
    summary: 'List suppressions',
    description:
      'What keeps contents that were forgotten from a scope with `suppress: true` from being captured there again (409 `SUPPRESSED`): when and by whom, how many contents, and how many captures were refused; those first that came last. They stay when the scope is deleted.',
    access: { capability: CASCADE_CAPABILITY.redact_events },
    query: suppressionListQuery,
    answers: { 200: { description: 'A page of suppressions.', schema: suppressionPage } },
    errors: [],
    graphql: { kind: 'query', field: 'suppressions' },
  },
  liftSuppression: {
    method: 'DELETE',
    path: '/v1/suppressions/{id}',
    noun: 'suppression',
    named: 'suppression',
    summary: 'Lift a suppression',
    description:
      'Removes its hashes, so that the contents may be captured again; not while the forget or erasure that suppresses them is under way. What is unknown, was lifted before, or is not for the caller is the same 404.',
    access: { capability: CASCADE_CAPABILITY.redact_events },
    audited: true,
    params: { id: 'Id of the suppression.' },
    answers: { 204: { description: 'Lifted; no body.', empty: true } },
    errors: ['NOT_FOUND', 'DESTRUCTIVE_OPERATION_IN_PROGRESS'],
    graphql: { kind: 'mutation', field: 'liftSuppression' },
  },
} as const satisfies Record<string, Operation>;
