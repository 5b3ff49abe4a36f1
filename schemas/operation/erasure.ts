import {
  erasureAccepted,
  erasurePreviewRequest,
  erasurePreviewResponse,
  erasureReceiptResponse,
  erasureRecord,
  erasureRequest,
  erasureVerification,
} from '../erasure.ts';
import { cancelRequest, EMPTY_JSON } from './cancel.ts';
import type { Operation } from './definition.ts';

const ID = { id: 'Id of the erasure.' };
const MANIFEST = {
  mediaType: 'application/x-ndjson',
  description: 'One JSON object a line: layer, id, and what becomes of the record.',
};
const BY_LINES = { reason: 'A list of any length, line by line, is no answer of GraphQL.' };

/** Operations that erase. */
export const ERASURE_OPERATIONS = {
  previewErasure: {
    method: 'POST',
    path: '/v1/erasures/preview',
    noun: 'erasure',
    summary: 'Preview an erasure',
    description:
      'Says what an erasure with the same body would delete, revise and leave, and keeps that for 15 minutes, across restarts too, to be executed by its id; the list of all records is kept for 24 hours. Nothing is erased. For owners of the scope, or writers where no roster governs, who have the capability `forget.gdpr`.',
    access: { capability: 'forget.gdpr' },
    body: { schema: erasurePreviewRequest, required: true, cap: 'single' },
    answers: { 200: { description: 'What would go.', schema: erasurePreviewResponse } },
    errors: [
      'NOT_A_MEMBER',
      'EMPTY_SELECTOR_WITHOUT_CONFIRMATION',
      'AMBIGUOUS_SELECTOR',
      'REDERIVE_IN_PROGRESS',
      'WAIT_TIMEOUT',
    ],
    graphql: { kind: 'mutation', field: 'previewErasure' },
  },
  getErasurePreviewManifest: {
    method: 'GET',
    path: '/v1/erasures/preview/{id}/manifest',
    noun: 'erasure',
    named: 'preview',
    summary: 'What a preview of an erasure lists',
    description:
      'Every record that the preview spoke of, with what would become of it, for 24 hours. For owners of the scope who have the capability `forget.gdpr`; what is unknown, over or closed to the caller is the same 404.',
    access: { capability: 'forget.gdpr' },
    params: { id: 'Id of the preview.' },
    answers: { 200: MANIFEST },
    errors: ['NOT_FOUND'],
    graphql: BY_LINES,
  },
  startErasure: {
    method: 'POST',
    path: '/v1/erasures',
    noun: 'erasure',
    summary: 'Erase',
    description:
      'Erases what a selector selects in one scope, or what a preview showed: content, keys, whatever was derived, and of the events everything but their place in the log and their instant. It runs as a job that survives restarts; one of at most 500 events is over before the answer. What it removed elsewhere, because it was concluded from this, needs the capability `forget.gdpr.cross_workspace` too. When all is done it is looked for whatever is left, and a signed receipt says so. For owners of the scope, or writers where no roster governs, who have the capability `forget.gdpr`.',
    access: { capability: 'forget.gdpr' },
    audited: true,
    body: { schema: erasureRequest, required: true, cap: 'single' },
    answers: {
      202: {
        description: 'The erasure.',
        schema: erasureAccepted,
        next: { getErasure: { id: '/erasure_id' } },
      },
    },
    errors: [
      'NOT_A_MEMBER',
      'EMPTY_SELECTOR_WITHOUT_CONFIRMATION',
      'AMBIGUOUS_SELECTOR',
      'INVALID_CASCADE',
      'UNKNOWN_PREVIEW_ID',
      'SCOPE_STATE_CHANGED',
      'AUTHORIZATION_STATE_CHANGED',
      'IDEMPOTENCY_CONFLICT',
      'DESTRUCTIVE_OPERATION_IN_PROGRESS',
      'REDERIVE_IN_PROGRESS',
      'WAIT_TIMEOUT',
      'ERASURE_BACKEND_FAILED',
    ],
    graphql: { kind: 'mutation', field: 'erase' },
  },
  getErasure: {
    method: 'GET',
    path: '/v1/erasures/{id}',
    noun: 'erasure',
    summary: 'How an erasure is',
    description:
      'What an erasure does and how far it is. For owners of its scope who have the capability `forget.gdpr`; what is unknown or closed to the caller is the same 404.',
    access: { capability: 'forget.gdpr' },
    params: ID,
    answers: { 200: { description: 'The erasure.', schema: erasureRecord } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'erasure' },
  },
  getErasureManifest: {
    method: 'GET',
    path: '/v1/erasures/{id}/manifest',
    noun: 'erasure',
    summary: 'What an erasure lists',
    description:
      'Every record that the erasure concerns, with what becomes of it, until 24 hours after its beginning. For owners of its scope who have the capability `forget.gdpr`; what is unknown, over or closed to the caller is the same 404.',
    access: { capability: 'forget.gdpr' },
    params: ID,
    answers: { 200: MANIFEST },
    errors: ['NOT_FOUND'],
    graphql: BY_LINES,
  },
  cancelErasure: {
    method: 'POST',
    path: '/v1/erasures/{id}/cancel',
    noun: 'erasure',
    summary: 'Cancel an erasure',
    description:
      'Stops an erasure after the step that it is at. What was erased before stays erased, and its receipt speaks of that alone. One that is over is 404. For owners of its scope who have the capability `forget.gdpr`.',
    access: { capability: 'forget.gdpr' },
    audited: true,
    params: ID,
    body: { schema: cancelRequest, required: false, cap: 'single', refusesEmptyJson: true },
    answers: { 200: { description: 'The erasure.', schema: erasureRecord } },
    errors: ['NOT_FOUND'],
    otherStatuses: [EMPTY_JSON],
    graphql: { kind: 'mutation', field: 'cancelErasure' },
  },
  getErasureReceipt: {
    method: 'GET',
    path: '/v1/erasures/{id}/receipt',
    noun: 'erasure',
    summary: 'The receipt of an erasure',
    description:
      'What was erased, signed with the key of the deployment: counts by layer and store, commitments that nobody can open, the place in the audit log, and where bytes may still be. `strata erasure verify` checks it without the service. 404 before the erasure is over. For owners of its scope who have the capability `forget.gdpr`.',
    access: { capability: 'forget.gdpr' },
    params: ID,
    answers: { 200: { description: 'The receipt.', schema: erasureReceiptResponse } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'erasureReceipt' },
  },
  verifyErasure: {
    method: 'POST',
    path: '/v1/erasures/{id}/verify',
    noun: 'erasure',
    summary: 'Verify an erasure',
    description:
      'Looks again whether anything is left of what was erased: at every place of the log that it concerned, for records of the scope that rest on nothing, and at the receipt. 404 before the erasure is over. For owners of its scope who have the capability `forget.gdpr`.',
    access: { capability: 'forget.gdpr' },
    params: ID,
    answers: { 200: { description: 'What was found.', schema: erasureVerification } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'mutation', field: 'verifyErasure' },
  },
} as const satisfies Record<string, Operation>;
