import type { z } from 'zod';

import type { ErrorCode } from './error.ts';
import { ANSWER_OPERATIONS } from './operation/answer.ts';
import { BELIEF_OPERATIONS } from './operation/belief.ts';
import { BLOB_OPERATIONS } from './operation/blob.ts';
import { AUDIT_OPERATIONS } from './operation/audit.ts';
import { CLAIM_OPERATIONS } from './operation/claim.ts';
import { CODE_OPERATIONS } from './operation/code.ts';
import { CONCEPT_OPERATIONS } from './operation/concept.ts';
import { CONFLICT_OPERATIONS } from './operation/conflict.ts';
import { CONTRACT_OPERATIONS } from './operation/contract.ts';
import { DERIVATION_OPERATIONS } from './operation/derivation.ts';
import { ENTITY_OPERATIONS } from './operation/entity.ts';
import { EPISODE_OPERATIONS } from './operation/episode.ts';
import { ERASURE_OPERATIONS } from './operation/erasure.ts';
import { EVENT_OPERATIONS } from './operation/event.ts';
import { EXPERIENCE_OPERATIONS } from './operation/experience.ts';
import { FACT_OPERATIONS } from './operation/fact.ts';
import { FORGET_OPERATIONS } from './operation/forget.ts';
import { GRAPH_OPERATIONS } from './operation/graph.ts';
import { HEALTH_OPERATIONS } from './operation/health.ts';
import { KEYED_BLOB_OPERATIONS } from './operation/keyed-blob.ts';
import { LEGAL_HOLD_OPERATIONS } from './operation/legal-hold.ts';
import { LIFECYCLE_OPERATIONS } from './operation/lifecycle.ts';
import { POLICY_OPERATIONS } from './operation/policy.ts';
import { PROVENANCE_OPERATIONS } from './operation/provenance.ts';
import { REBUILD_OPERATIONS } from './operation/rebuild.ts';
import { RECALL_OPERATIONS } from './operation/recall.ts';
import { SCOPE_OPERATIONS } from './operation/scope.ts';
import { RETENTION_OPERATIONS } from './operation/retention.ts';
import { SUPPRESSION_OPERATIONS } from './operation/suppression.ts';
import { TEMPORAL_PHRASE_OPERATIONS } from './operation/temporal-phrase.ts';
import { TOKEN_OPERATIONS } from './operation/token.ts';
import { USAGE_OPERATIONS } from './operation/usage.ts';
import { VOCABULARY_OPERATIONS } from './operation/vocabulary.ts';
import type { Operation } from './operation/definition.ts';
import type { Capability } from './policy.ts';

/** Every operation of the service by id, declared once; routes, OpenAPI and coverage tests follow from it. */
export const OPERATIONS = {
  ...EXPERIENCE_OPERATIONS,
  ...RECALL_OPERATIONS,
  ...ANSWER_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...FACT_OPERATIONS,
  ...ENTITY_OPERATIONS,
  ...BELIEF_OPERATIONS,
  ...CONCEPT_OPERATIONS,
  ...EPISODE_OPERATIONS,
  ...PROVENANCE_OPERATIONS,
  ...GRAPH_OPERATIONS,
  ...LIFECYCLE_OPERATIONS,
  ...DERIVATION_OPERATIONS,
  ...REBUILD_OPERATIONS,
  ...FORGET_OPERATIONS,
  ...ERASURE_OPERATIONS,
  ...SUPPRESSION_OPERATIONS,
  ...RETENTION_OPERATIONS,
  ...LEGAL_HOLD_OPERATIONS,
  ...CONFLICT_OPERATIONS,
  ...CLAIM_OPERATIONS,
  ...BLOB_OPERATIONS,
  ...KEYED_BLOB_OPERATIONS,
  ...TEMPORAL_PHRASE_OPERATIONS,
  ...VOCABULARY_OPERATIONS,
  ...SCOPE_OPERATIONS,
  ...POLICY_OPERATIONS,
  ...TOKEN_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...USAGE_OPERATIONS,
  ...CODE_OPERATIONS,
  ...HEALTH_OPERATIONS,
  ...CONTRACT_OPERATIONS,
} as const;

/** The id of an operation. */
export type OperationId = keyof typeof OPERATIONS;

/** The ids of the operations that ask for no credentials. */
export type OpenOperationId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id]['access'] extends { readonly open: string } ? Id : never;
}[OperationId];

/** The ids of the operations that the contract has and this release has not. */
type OffOperationId = {
  [Id in OperationId]: (typeof OPERATIONS)[Id] extends { readonly off: object } ? Id : never;
}[OperationId];

/** The ids of the operations that this release has. */
export type ServedOperationId = Exclude<OperationId, OffOperationId>;

type Parameters<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Readonly<Record<Name, string>> & Parameters<Rest>
  : unknown;

/** The parameters in the path of an operation. */
export type PathParameters<Id extends OperationId> = Parameters<(typeof OPERATIONS)[Id]['path']>;

/** The ids of all operations, in the order of the documentation. */
export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

/** An operation without its literal types. */
export function operationOf(id: OperationId): Operation {
  return OPERATIONS[id];
}

/** Whether this release has an operation, and not the contract alone. */
export function isServed(id: OperationId): id is ServedOperationId {
  return operationOf(id).off === undefined;
}

/** The ids of the operations that this release has, in the order of the documentation. */
export const SERVED_IDS: readonly ServedOperationId[] = OPERATION_IDS.filter(isServed);

/** What an operation counts as against the rate of its caller. */
export function rateOf({ rate, method }: Operation): 'read' | 'write' {
  return rate ?? (method === 'GET' ? 'read' : 'write');
}

/** The capabilities of which the caller of an operation needs one; empty where it needs none. */
export function capabilitiesOf({ access }: Operation): readonly Capability[] {
  if ('capability' in access) return [access.capability];
  return 'anyOf' in access ? access.anyOf : [];
}

/** The names of query parameters that must be given. */
export function requiredQuery(operation: Operation): string[] {
  const shape: Record<string, z.ZodType> = operation.query?.shape ?? {};
  return Object.keys(shape).filter((name) => shape[name]?.safeParse(undefined).success === false);
}

/** The status of an operation that succeeds wholly: the first that its row names; not a number for one that is off. */
export function successOf({ answers }: Operation): number {
  return Number(Object.keys(answers)[0]);
}

const ANY: readonly ErrorCode[] = [
  'INVALID_HEADER',
  'INVALID_QUERY',
  'POLICY_DENIED',
  'SERVER_SHUTTING_DOWN',
  'INTERNAL',
];
const NEW_WORK: readonly ErrorCode[] = ['SERVER_BUSY'];
const WITH_CALLER: readonly ErrorCode[] = [
  'MISSING_TOKEN',
  'INVALID_TOKEN_SIGNATURE',
  'UNKNOWN_ISSUER',
  'TOKEN_EXPIRED',
  'REVOKED_TOKEN',
  'ACTOR_MISMATCH',
  'WRONG_TENANT',
  'RATE_LIMITED',
  'DATABASE_UNAVAILABLE',
];
const WITH_BODY: readonly ErrorCode[] = [
  'UNSUPPORTED_MEDIA_TYPE',
  'PAYLOAD_TOO_LARGE',
  'INVALID_BODY',
  'REQUEST_TIMEOUT',
];
const WITH_BYTES: readonly ErrorCode[] = [
  'INVALID_BODY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_TIMEOUT',
];

/** Every code that an operation may answer: its own, and those of its kind. */
export function errorsOf(operation: Operation): ErrorCode[] {
  const codes = [
    ...ANY,
    ...(operation.probe === true ? [] : NEW_WORK),
    ...('open' in operation.access ? [] : WITH_CALLER),
    ...(operation.body ? WITH_BODY : []),
    ...(operation.bytes === true ? WITH_BYTES : []),
    ...operation.errors,
  ];
  return [...new Set(codes)];
}
