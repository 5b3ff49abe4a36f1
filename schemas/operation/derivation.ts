import { derivationStatus, derivationStatusQuery } from '../derivation.ts';
import type { Operation } from './definition.ts';

/** Operations on the progress of derivation. */
export const DERIVATION_OPERATIONS = {
  derivationStatus: {
    method: 'GET',
    path: '/v1/derivation/status',
    noun: 'derivation',
    summary: 'How far derivation is',
    description: 'How far each stage has come in the events of one scope, and what is held or was given up.',
    access: { capability: 'scope.read' },
    query: derivationStatusQuery,
    answers: { 200: { description: 'Progress in the scope.', schema: derivationStatus } },
    errors: [],
    graphql: { kind: 'query', field: 'derivationStatus' },
  },
} as const satisfies Record<string, Operation>;
