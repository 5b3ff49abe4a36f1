import { derivationStatus, derivationStatusQuery } from '../derivation.ts';
import { layerStats } from '../layer-stats.ts';
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
  layerStats: {
    method: 'GET',
    path: '/v1/admin/layers/stats',
    noun: 'derivation',
    summary: 'How much each layer holds',
    description:
      'How many records of each layer are stored in the whole deployment, of all tenants, and how many events each of them still waits for. How far one scope is says the status of derivation.',
    access: { capability: 'admin.layers.stats' },
    answers: { 200: { description: 'Counts by layer.', schema: layerStats } },
    errors: [],
    graphql: { kind: 'query', field: 'layerStats' },
  },
} as const satisfies Record<string, Operation>;
