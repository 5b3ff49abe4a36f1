import {
  auditChain,
  auditChainQuery,
  auditChainVerification,
  auditChainVerifyRequest,
  auditListQuery,
  auditPage,
  auditRow,
  auditVerification,
  auditVerifyRequest,
} from '../audit.ts';
import type { Operation } from './definition.ts';

/** Operations on the audit log. */
export const AUDIT_OPERATIONS = {
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    noun: 'audit',
    summary: 'List rows of the audit log',
    description:
      'Who did what, newest first: one row for each request that wrote, minted, revoked or changed a scope, and for each that was refused. Callers without audit.read.cross_actor see their own rows. A page may be short and still have more after it.',
    access: { capability: 'audit.read' },
    query: auditListQuery,
    answers: {
      200: { description: 'A page of rows.', schema: auditPage, next: { getAudit: { id: '/items/0/id' } } },
    },
    errors: [],
    graphql: { kind: 'query', field: 'audit' },
  },
  getAudit: {
    method: 'GET',
    path: '/v1/audit/{id}',
    noun: 'audit',
    summary: 'One row of the audit log',
    description: 'One row by its id. What is unknown or not for the caller to see is the same 404.',
    access: { capability: 'audit.read' },
    params: { id: 'Id of the row, `audit_…`.' },
    named: 'audit row',
    answers: { 200: { description: 'The row.', schema: auditRow } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'auditRow' },
  },
  verifyAudit: {
    method: 'POST',
    path: '/v1/audit/verify',
    rate: 'read',
    noun: 'audit',
    summary: 'Check one row against a request',
    description:
      'Whether a text is the body of the request that a row tells of, byte for byte, and whether the row still has the hash that it was given.',
    access: { capability: 'audit.read' },
    body: { schema: auditVerifyRequest, required: true, cap: 'bulk' },
    answers: { 200: { description: 'What the row says of the body.', schema: auditVerification } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'verifyAudit' },
  },
  auditChain: {
    method: 'GET',
    path: '/v1/audit/chain',
    noun: 'audit',
    summary: 'Where the audit chain is',
    description:
      'Length and newest hash of the one chain that all rows of the tenant are in. Keep the hash elsewhere: it proves later that nothing before it was changed.',
    access: { capability: 'audit.read' },
    query: auditChainQuery,
    answers: { 200: { description: 'The head of the chain.', schema: auditChain } },
    errors: [],
    graphql: { kind: 'query', field: 'auditChain' },
  },
  verifyAuditChain: {
    method: 'POST',
    path: '/v1/audit/chain/verify',
    rate: 'read',
    noun: 'audit',
    summary: 'Check the audit chain',
    description:
      'Reads every row of the tenant and computes its hash anew: an edited, removed or misplaced row is told by its place. Whoever may write to the database could make a whole chain anew: only a hash that was kept elsewhere tells of that.',
    access: { capability: 'audit.read' },
    body: { schema: auditChainVerifyRequest, required: false, cap: 'single' },
    answers: { 200: { description: 'Whether the chain holds.', schema: auditChainVerification } },
    errors: ['SERVER_BUSY'],
    graphql: { kind: 'query', field: 'verifyAuditChain' },
  },
} as const satisfies Record<string, Operation>;
