import { randomUUID } from 'node:crypto';

import type { OperationId } from '../../../schemas/operation.ts';
import type { Knock, Row } from './row.ts';

/** A legal hold that holds nothing any more. */
const OVER = { id: 'gate', reason: 'It was needed.', until: '2020-01-01T00:00:00Z' };

const get = (path: string): Knock => ({ method: 'GET', path });
const q = encodeURIComponent;

/** What forgets and erases, and what keeps from it. */
export const FORGETTING_ROWS = {
  forget: {
    guard: 'write',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/forget',
      body: { scope, selector: { memory_ids: [] } },
    }),
  },
  previewForget: {
    guard: 'write',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/forget/preview',
      body: { scope, selector: { memory_ids: [] } },
    }),
  },
  previewErasure: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/erasures/preview',
      body: { scope, selector: { memory_ids: [] } },
    }),
  },
  getErasurePreviewManifest: {
    guard: 'thing',
    role: 'owner',
    knock: ({ preview }) => get(`/v1/erasures/preview/${preview}/manifest`),
  },
  startErasure: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/erasures',
      body: { scope, selector: { memory_ids: [] } },
    }),
  },
  getErasure: {
    guard: 'thing',
    role: 'owner',
    knock: ({ erasure }) => get(`/v1/erasures/${erasure}`),
  },
  getErasureManifest: {
    guard: 'thing',
    role: 'owner',
    knock: ({ erasure }) => get(`/v1/erasures/${erasure}/manifest`),
  },
  // It is over already.
  cancelErasure: {
    guard: 'thing',
    role: 'owner',
    knock: ({ erasure }) => ({ method: 'POST', path: `/v1/erasures/${erasure}/cancel` }),
    accepted: 404,
  },
  getErasureReceipt: {
    guard: 'thing',
    role: 'owner',
    knock: ({ erasure }) => get(`/v1/erasures/${erasure}/receipt`),
  },
  verifyErasure: {
    guard: 'thing',
    role: 'owner',
    knock: ({ erasure }) => ({ method: 'POST', path: `/v1/erasures/${erasure}/verify` }),
  },
  // One that is over, so that others may still cancel there.
  putLegalHold: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({ method: 'PUT', path: '/v1/legal-holds', body: { ...OVER, scope } }),
  },
  listSuppressions: {
    guard: 'view',
    role: 'writer',
    knock: (_things, scope) => get(`/v1/suppressions?scope=${q(scope)}`),
  },
  retentionStatus: { guard: 'tenant', knock: () => get('/v1/admin/retention') },
  // Where there is nothing, so that things in the scope may still be taken away.
  sweepRetention: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/admin/retention/sweep',
      body: { dry_run: false, scope: `${scope}/app:silent` },
    }),
  },
  getRetentionPolicy: {
    guard: 'thing',
    knock: (_things, scope) => get(`/v1/admin/retention/policies?scope=${q(scope)}`),
  },
  setRetentionPolicy: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({
      method: 'PUT',
      path: '/v1/admin/retention/policies',
      body: { scope: `${scope}/app:${randomUUID()}`, default_retention_days: null },
    }),
  },
  // Of a scope that states nothing, so that it is the same for every caller.
  deleteRetentionPolicy: {
    guard: 'named',
    knock: (_things, scope) => ({
      method: 'DELETE',
      path: `/v1/admin/retention/policies?scope=${q(`${scope}/app:silent`)}`,
    }),
    accepted: 404,
  },
  // One that there is not, so that it is the same for every caller.
  liftSuppression: {
    guard: 'tenant',
    knock: () => ({ method: 'DELETE', path: '/v1/suppressions/supp_of_nobody' }),
    accepted: 404,
  },
  listLegalHolds: {
    guard: 'view',
    role: 'owner',
    knock: (_things, scope) => get(`/v1/legal-holds?scope=${q(scope)}`),
  },
  getLegalHold: { guard: 'thing', role: 'owner', knock: ({ hold }) => get(`/v1/legal-holds/${q(hold)}`) },
  removeLegalHold: {
    guard: 'own',
    knock: ({ hold }) => ({ method: 'DELETE', path: `/v1/legal-holds?id=${q(hold)}` }),
  },
} as const satisfies Partial<Record<OperationId, Row>>;
