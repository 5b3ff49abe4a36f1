import {
  retentionPolicyInput,
  retentionPolicyQuery,
  retentionPolicyRecord,
  retentionPolicySet,
  retentionStatus,
  retentionSweepAnswer,
  retentionSweepReport,
  retentionSweepRequest,
  retentionSweepRunning,
} from '../retention.ts';
import type { Operation } from './definition.ts';

/** Operations on how long records are kept. */
export const RETENTION_OPERATIONS = {
  retentionStatus: {
    method: 'GET',
    path: '/v1/admin/retention',
    noun: 'retention',
    summary: 'How retention stands',
    description:
      'How events are swept, how far the sweep of the tenant is, what came of the last one, and what scopes state that the caller may read.',
    access: { capability: 'diagnostics.read' },
    answers: { 200: { description: 'How it stands.', schema: retentionStatus } },
    errors: [],
    graphql: { kind: 'query', field: 'retention' },
  },
  sweepRetention: {
    method: 'POST',
    path: '/v1/admin/retention/sweep',
    noun: 'retention',
    summary: 'Sweep now',
    description:
      'Goes through scopes of the tenant and erases events that were kept long enough, as an erasure does, and what is derived of events for longer than its layer is kept; a dry run, which it is by default, says what would go. Events under legal hold stay. One sweep of a tenant runs at a time, dry runs apart: while another one does it is 409 `RETENTION_SWEEP_RUNNING`. Two dry runs run at a time: a third is 503 `SERVER_BUSY`. One that takes longer than 10 seconds is answered with 202 and goes on; its report is `last` of the status. A dry run needs diagnostics.read, any other forget.gdpr and ownership of the scope, or write access where no roster governs; scopes below it in which the caller may not erase are left out. Where something was concluded in other scopes from what goes, it takes forget.gdpr.cross_workspace too: without it that is not erased, and stands in `errors`. Without a scope it is for the operator key alone.',
    access: { anyOf: ['diagnostics.read', 'forget.gdpr'] },
    audited: true,
    body: { schema: retentionSweepRequest, required: false, cap: 'single' },
    answers: {
      200: { description: 'What it came to.', schema: retentionSweepReport },
      202: { description: 'It goes on beside the request.', schema: retentionSweepRunning },
    },
    errors: ['NOT_A_MEMBER', 'RETENTION_SWEEP_RUNNING', 'SERVER_BUSY'],
    graphql: { kind: 'mutation', field: 'sweepRetention', answer: retentionSweepAnswer },
  },
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
