import { deploymentPolicy, effectivePolicy, effectivePolicyQuery } from '../policy-record.ts';
import type { Operation } from './definition.ts';

/** Operations on policy; it is set by preset, configuration and the policies of scopes, and only read here. */
export const POLICY_OPERATIONS = {
  effectivePolicy: {
    method: 'GET',
    path: '/v1/policy/effective',
    noun: 'policy',
    summary: 'What an actor may do in a scope',
    description:
      'The decision on every capability, as it would be made now. For the caller himself it tells what his credential leaves of it.',
    access: { capability: 'scope.read' },
    query: effectivePolicyQuery,
    answers: { 200: { description: 'The decisions.', schema: effectivePolicy } },
    errors: ['NOT_A_MEMBER'],
    graphql: { kind: 'query', field: 'effectivePolicy' },
  },
  deploymentPolicy: {
    method: 'GET',
    path: '/v1/policy/deployment',
    noun: 'policy',
    summary: 'The policy of the deployment',
    description: 'Preset and defaults. They are set by configuration; nothing over the wire changes them.',
    access: { capability: 'scope.read' },
    answers: { 200: { description: 'Preset and defaults.', schema: deploymentPolicy } },
    errors: [],
    graphql: { kind: 'query', field: 'deploymentPolicy' },
  },
} as const satisfies Record<string, Operation>;
