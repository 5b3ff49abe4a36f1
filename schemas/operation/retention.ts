import {
  retentionPolicyInput,
  retentionPolicyQuery,
  retentionPolicyRecord,
  retentionPolicySet,
} from '../retention.ts';
import type { Operation } from './definition.ts';

/** Operations on how long records are kept. */
export const RETENTION_OPERATIONS = {
  setRetentionPolicy: {
    method: 'PUT',
    path: '/v1/admin/retention/policies',
    noun: 'retention',
    summary: 'State how long a scope keeps events',
    description:
      'States it in place of what the scope stated of events before; what it states of derived layers stays. Events that are older are erased by the next sweep, and cannot be brought back. It is one of the policies of the scope, which need not be registered for that. For owners, or whoever may write where no roster governs.',
    access: { capability: 'forget.gdpr' },
    audited: true,
    body: { schema: retentionPolicyInput, required: true, cap: 'single' },
    answers: { 200: { description: 'Stated.', schema: retentionPolicySet } },
    errors: [
      'NOT_A_MEMBER',
      'INVALID_RETENTION_POLICY',
      'UNREGISTERED_SCOPE_TYPE',
      'DESTRUCTIVE_OPERATION_IN_PROGRESS',
    ],
    graphql: { kind: 'mutation', field: 'setRetentionPolicy' },
  },
  getRetentionPolicy: {
    method: 'GET',
    path: '/v1/admin/retention/policies',
    noun: 'retention',
    summary: 'How long a scope keeps events',
    description:
      'What exactly this scope states, and how long it keeps events with what those above it and the deployment say. Where it states nothing itself, though it may inherit something, and where the caller may not read, it is the same 404.',
    access: { capability: 'diagnostics.read' },
    query: retentionPolicyQuery,
    answers: { 200: { description: 'What it states, and what holds.', schema: retentionPolicyRecord } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'retentionPolicy' },
  },
  deleteRetentionPolicy: {
    method: 'DELETE',
    path: '/v1/admin/retention/policies',
    noun: 'retention',
    summary: 'State nothing of how long a scope keeps events',
    description:
      'Takes back what the scope states of events; then it goes by those above it and the deployment. Where it states nothing itself, it is 404.',
    access: { capability: 'forget.gdpr' },
    audited: true,
    query: retentionPolicyQuery,
    answers: { 204: { description: 'Taken back; no body.', empty: true } },
    errors: ['NOT_A_MEMBER', 'NOT_FOUND', 'DESTRUCTIVE_OPERATION_IN_PROGRESS'],
    graphql: { kind: 'mutation', field: 'deleteRetentionPolicy' },
  },
} as const satisfies Record<string, Operation>;
