import { randomUUID } from 'node:crypto';

import type { OperationId } from '../../../schemas/operation.ts';
import { message } from '../../support/client.ts';
import { unknownTokenId } from '../../support/tokens.ts';
import { CODE_ROWS } from './code-rows.ts';
import { FORGETTING_ROWS } from './forgetting-rows.ts';
import type { Knock, Row } from './row.ts';
import { actorOf, MEMBERS } from './world.ts';

/** What the scope of the gate states. */
const KEEPING = { consolidation: 'eager', retention: { events: null } } as const;

const get = (path: string): Knock => ({ method: 'GET', path });
const q = encodeURIComponent;

/** Every operation of REST; one that is missing fails the build. */
export const REST_ROWS: Readonly<Record<OperationId, Row>> = {
  captureExperience: {
    guard: 'write',
    knock: (_things, scope) => ({ method: 'POST', path: '/v1/experience', body: message(scope, 'x') }),
  },
  captureExperienceBulk: {
    guard: 'write',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/experience/bulk',
      body: { ordering: 'strict_temporal', items: [message(scope, 'x')] },
    }),
  },
  experienceStatus: { guard: 'thing', knock: ({ event }) => get(`/v1/experience/status?event_id=${event}`) },
  listEvents: { guard: 'view', knock: (_things, scope) => get(`/v1/events?scope=${q(scope)}`) },
  getEvent: { guard: 'thing', knock: ({ event }) => get(`/v1/events/${event}`) },
  cancelEvent: {
    guard: 'change',
    knock: ({ event }) => ({ method: 'POST', path: `/v1/lifecycle/memory-event/${event}/cancel`, body: {} }),
  },
  listFacts: { guard: 'view', knock: (_things, scope) => get(`/v1/facts?scope=${q(scope)}&subject=Ada`) },
  factTimeline: {
    guard: 'view',
    knock: (_things, scope) => get(`/v1/facts/timeline?subject=Ada&scope=${q(scope)}`),
  },
  getFact: { guard: 'thing', knock: ({ fact }) => get(`/v1/facts/${fact}`) },
  factWhy: { guard: 'thing', knock: ({ fact }) => get(`/v1/facts/${fact}/why`) },
  graph: { guard: 'view', knock: (_things, scope) => get(`/v1/graph?scope=${q(scope)}`) },
  exportGraph: {
    guard: 'view',
    // At an instant of its own, since the file says when it is of.
    knock: (_things, scope) =>
      get(`/v1/graph/export?format=graphml&as_of=2100-01-01T00:00:00Z&scope=${q(scope)}`),
  },
  graphDiff: {
    guard: 'view',
    knock: (_things, scope) => get(`/v1/graph/diff?scope=${q(scope)}&from=2020-01-01T00:00:00Z`),
  },
  neighbours: { guard: 'thing', knock: ({ fact }) => get(`/v1/graph/${fact}/neighbours`) },
  provenance: { guard: 'thing', knock: ({ event }) => get(`/v1/provenance/${event}?direction=both`) },
  exportProvenance: {
    guard: 'thing',
    knock: ({ fact }) => get(`/v1/provenance/${fact}/export?format=prov-n`),
  },
  getRecord: { guard: 'thing', knock: ({ belief }) => get(`/v1/records/${belief}`) },
  listEntities: { guard: 'view', knock: (_things, scope) => get(`/v1/entities?scope=${q(scope)}`) },
  getEntity: { guard: 'thing', knock: ({ entity }) => get(`/v1/entities/${entity}`) },
  listEntityEdges: { guard: 'thing', knock: ({ entity }) => get(`/v1/entities/${entity}/edges`) },
  listBeliefs: { guard: 'view', knock: (_things, scope) => get(`/v1/beliefs?scope=${q(scope)}`) },
  declareBelief: {
    guard: 'write',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/beliefs',
      body: { scope, statement: 'It was declared.', confidence: 0.9 },
    }),
  },
  getBelief: { guard: 'thing', knock: ({ belief }) => get(`/v1/beliefs/${belief}`) },
  beliefHistory: { guard: 'thing', knock: ({ belief }) => get(`/v1/beliefs/history?belief_id=${belief}`) },
  beliefWhy: { guard: 'thing', knock: ({ belief }) => get(`/v1/beliefs/why?belief_id=${belief}`) },
  recall: {
    guard: 'view',
    knock: (_things, scope) => ({ method: 'POST', path: '/v1/recall', body: { scope, view: 'local' } }),
  },
  answer: {
    guard: 'view',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/answer',
      body: { scope, view: 'local', question: 'What is there?', skip_answer_llm: true },
    }),
  },
  compose: {
    guard: 'view',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/compose',
      body: { scope, view: 'descend', brief: 'What there is' },
    }),
    accepted: 503,
  },
  listConcepts: { guard: 'view', knock: (_things, scope) => get(`/v1/understanding?scope=${q(scope)}`) },
  conceptCoverage: {
    guard: 'view',
    knock: (_things, scope) => get(`/v1/understanding/coverage?scope=${q(scope)}`),
  },
  getConcept: { guard: 'thing', knock: ({ concept }) => get(`/v1/understanding/${concept}`) },
  conceptHistory: { guard: 'thing', knock: ({ concept }) => get(`/v1/concepts/${concept}/history`) },
  relatedConcepts: { guard: 'thing', knock: ({ concept }) => get(`/v1/concepts/${concept}/related`) },
  linkEntities: {
    guard: 'write',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/entities/link',
      body: { scope, entity: 'ent_gate_alias', same_as: 'ent_gate' },
    }),
  },
  unlinkEntities: {
    guard: 'change',
    knock: ({ link }) => ({ method: 'DELETE', path: `/v1/entities/link/${link}` }),
  },
  listEpisodes: { guard: 'view', knock: (_things, scope) => get(`/v1/episodes?scope=${q(scope)}`) },
  getEpisode: { guard: 'thing', knock: ({ episode }) => get(`/v1/episodes/${episode}`) },
  synthesizeConcepts: {
    guard: 'write',
    knock: (_things, scope) => ({ method: 'POST', path: '/v1/understanding/synthesize', body: { scope } }),
  },
  listLifecycle: { guard: 'view', knock: (_things, scope) => get(`/v1/lifecycle?scope=${q(scope)}`) },
  streamLifecycle: {
    guard: 'stream',
    knock: (_things, scope) => get(`/v1/lifecycle/stream?scope=${q(scope)}`),
  },
  streamGraph: { guard: 'stream', knock: (_things, scope) => get(`/v1/graph/stream?scope=${q(scope)}`) },
  getLifecycle: { guard: 'thing', knock: ({ frame }) => get(`/v1/lifecycle/event/${frame}`) },
  memoryEventTrace: { guard: 'thing', knock: ({ event }) => get(`/v1/lifecycle/memory-event/${event}`) },
  derivationStatus: {
    guard: 'view',
    knock: (_things, scope) => get(`/v1/derivation/status?scope=${q(scope)}`),
  },
  // Derived again in earnest, the things of the world would be gone for a while.
  rederive: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/admin/derived/rederive',
      body: { scope, dry_run: true },
    }),
  },
  getRederive: { guard: 'own', knock: ({ job }) => get(`/v1/admin/derived/rederive/${job}`) },
  buildBeliefs: {
    guard: 'write',
    knock: (_things, scope) => ({ method: 'POST', path: '/v1/beliefs/build', body: { scope } }),
  },
  buildEpisodes: {
    guard: 'write',
    knock: (_things, scope) => ({ method: 'POST', path: '/v1/episodes/build', body: { scope } }),
  },
  // An empty list selects nothing, so that everything is there for the next caller.
  ...FORGETTING_ROWS,
  listConflicts: { guard: 'view', knock: (_things, scope) => get(`/v1/conflicts?scope=${q(scope)}`) },
  listClaims: { guard: 'view', knock: (_things, scope) => get(`/v1/claims?scope=${q(scope)}&subject=Ada`) },
  claimHistory: {
    guard: 'view',
    knock: (_things, scope) => get(`/v1/claims/history?scope=${q(scope)}&subject=Ada&predicate=lives_in`),
  },
  getConflict: { guard: 'thing', knock: ({ conflict }) => get(`/v1/conflicts/${conflict}`) },
  // A record that is none, so that the conflict stays open for the next caller.
  resolveConflict: {
    guard: 'change',
    knock: ({ conflict }) => ({
      method: 'POST',
      path: `/v1/conflicts/${conflict}/resolve`,
      body: { action: 'pick', winner: 'no record' },
    }),
    accepted: 422,
  },
  health: { guard: 'open', knock: () => get('/v1/health') },
  ready: { guard: 'open', knock: () => get('/v1/ready') },
  adminHealth: { guard: 'open', knock: () => get('/v1/admin/health') },
  adminReady: { guard: 'open', knock: () => get('/v1/admin/ready') },
  adminVersion: { guard: 'open', knock: () => get('/v1/admin/version') },
  adminMetrics: { guard: 'tenant', knock: () => get('/v1/admin/metrics') },
  layerStats: { guard: 'tenant', knock: () => get('/v1/admin/layers/stats') },
  adminUsage: { guard: 'tenant', knock: () => get('/v1/admin/usage') },
  openapi: { guard: 'open', knock: () => get('/v1/openapi.json') },
  schema: { guard: 'open', knock: () => get('/v1/schemas/error') },
  signup: { guard: 'open', knock: () => ({ method: 'POST', path: '/v1/auth/signup', body: {} }) },
  whoami: { guard: 'caller', knock: () => get('/v1/auth/whoami') },
  mintToken: {
    guard: 'tenant',
    knock: (_things, _scope, caller) => ({
      method: 'POST',
      path: '/v1/auth/tokens',
      body: { subject: actorOf(caller) },
    }),
  },
  revokeToken: {
    guard: 'tenant',
    knock: () => ({ method: 'POST', path: '/v1/auth/revoke', body: { jti: unknownTokenId() } }),
  },
  defineTemporalPhrase: {
    guard: 'tenant',
    knock: () => ({
      method: 'POST',
      path: '/v1/temporal/phrases',
      body: { name: 'gate time', anchor: 'today', expression: '-P14D..P0D' },
    }),
  },
  listTemporalPhrases: { guard: 'tenant', knock: () => get('/v1/temporal/phrases') },
  // One that there is not, so that it is the same for every caller.
  removeTemporalPhrase: {
    guard: 'tenant',
    knock: () => ({ method: 'DELETE', path: '/v1/temporal/phrases/no%20such%20time' }),
    accepted: 404,
  },
  listVocabularies: { guard: 'tenant', knock: () => get('/v1/vocabularies') },
  getVocabulary: { guard: 'thing', knock: ({ vocabulary }) => get(`/v1/vocabularies/${vocabulary}`) },
  updateVocabulary: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({ method: 'PATCH', path: '/v1/vocabularies/gate', body: { scope } }),
  },
  // One that there is not, so that it is the same for every caller.
  removeVocabulary: {
    guard: 'tenant',
    knock: () => ({ method: 'DELETE', path: '/v1/vocabularies/none' }),
    accepted: 404,
  },
  registerScope: {
    guard: 'write',
    role: 'owner',
    knock: (_things, scope) => ({
      method: 'POST',
      path: '/v1/scopes',
      body: { path: `${scope}/app:${randomUUID()}` },
    }),
  },
  getScope: { guard: 'thing', knock: (_things, scope) => get(`/v1/scopes?path=${q(scope)}`) },
  setScopePolicies: {
    guard: 'named',
    knock: (_things, scope) => ({
      method: 'PUT',
      path: `/v1/scopes?path=${q(scope)}`,
      body: { policies: KEEPING },
    }),
  },
  setScopeMembers: {
    guard: 'named',
    knock: (_things, scope) => ({
      method: 'PUT',
      path: `/v1/scopes/members?path=${q(scope)}`,
      body: { members: MEMBERS },
    }),
  },
  deleteScope: {
    guard: 'named',
    knock: (_things, scope) => ({ method: 'DELETE', path: `/v1/scopes?path=${q(scope)}` }),
    accepted: 409,
  },
  listScopes: { guard: 'view', knock: (_things, scope) => get(`/v1/scopes/list?prefix=${q(scope)}`) },
  pruneScopes: { guard: 'tenant', knock: () => ({ method: 'POST', path: '/v1/scopes/prune', body: {} }) },
  // What may be done in a scope that nobody governs is what its governing would change: under dev_local it has to show.
  effectivePolicy: {
    guard: 'tenant',
    knock: (_things, scope) => get(`/v1/policy/effective?scope=${q(scope)}`),
  },
  deploymentPolicy: { guard: 'tenant', knock: () => get('/v1/policy/deployment') },
  uploadBlob: {
    guard: 'tenant',
    knock: () => ({ method: 'POST', path: '/v1/blobs', body: { some: 'bytes' } }),
  },
  getBlob: { guard: 'thing', knock: ({ blob }) => get(`/v1/blobs/${blob}`) },
  deleteBlob: {
    guard: 'own',
    knock: ({ blob }) => ({ method: 'DELETE', path: `/v1/blobs/${blob}` }),
  },
  uploadKeyedBlob: {
    guard: 'tenant',
    knock: () => ({ method: 'POST', path: '/v1/blobs/idempotent', body: {}, key: randomUUID() }),
  },
  keyedBlobStatus: {
    guard: 'own',
    knock: ({ key }) => ({ method: 'GET', path: '/v1/blobs/idempotent/status', key }),
  },
  retireKeyedBlob: {
    guard: 'own',
    knock: ({ key }) => ({ method: 'DELETE', path: '/v1/blobs/idempotent', key }),
  },
  listAudit: { guard: 'tenant', knock: () => get('/v1/audit') },
  getAudit: { guard: 'thing', knock: ({ audit }) => get(`/v1/audit/${audit}`) },
  verifyAudit: {
    guard: 'thing',
    knock: ({ audit }) => ({ method: 'POST', path: '/v1/audit/verify', body: { audit_id: audit, body: '' } }),
  },
  auditChain: { guard: 'tenant', knock: () => get('/v1/audit/chain') },
  verifyAuditChain: {
    guard: 'tenant',
    knock: () => ({ method: 'POST', path: '/v1/audit/chain/verify', body: {} }),
  },
  ...CODE_ROWS,
};
