import { envelope } from '../envelope.ts';
import {
  bulkRequest,
  bulkResponse,
  captureQuery,
  captureResponse,
  experienceStatus,
  statusQuery,
} from '../experience.ts';
import type { Operation } from './definition.ts';

/** What can be asked of an event whose id stands at a place of an answer. */
const ofEvent = (id: `/${string}`) => ({
  getEvent: { id },
  memoryEventTrace: { id },
  cancelEvent: { id },
  experienceStatus: { event_id: id },
});

const OF_CAPTURE = [
  'INVALID_ENVELOPE',
  'UNREGISTERED_SCOPE_TYPE',
  'NOT_A_MEMBER',
  'IDEMPOTENCY_CONFLICT',
  'SUPPRESSED',
  'DESTRUCTIVE_OPERATION_IN_PROGRESS',
  'SETTLEMENT_UNAVAILABLE',
  'WAIT_TIMEOUT',
  'INDEXING_FAILED',
  'SERVER_BUSY',
] as const;

/** Codes of whatever captures feedback and answers what became of it. */
export const OF_FEEDBACK = [
  'UNREGISTERED_SCOPE_TYPE',
  'NOT_A_MEMBER',
  'SUPPRESSED',
  'DESTRUCTIVE_OPERATION_IN_PROGRESS',
  'WAIT_TIMEOUT',
  'INDEXING_FAILED',
] as const;

/** Operations of capture. */
export const EXPERIENCE_OPERATIONS = {
  captureExperience: {
    method: 'POST',
    path: '/v1/experience',
    noun: 'experience',
    summary: 'Capture one experience',
    description:
      'Appends the experience to the log and answers when it is durable, before anything is derived from it; `wait` blocks until a later stage. Resending with the same `idempotency_key` is safe.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    query: captureQuery,
    body: { schema: envelope, required: true, cap: 'single' },
    answers: {
      202: {
        description: 'Captured, or captured before under the same key.',
        schema: captureResponse,
        next: ofEvent('/event_id'),
      },
    },
    errors: OF_CAPTURE,
    graphql: { kind: 'mutation', field: 'capture' },
  },
  captureExperienceBulk: {
    method: 'POST',
    path: '/v1/experience/bulk',
    noun: 'experience',
    summary: 'Capture up to 1,000 experiences',
    description:
      'One transaction. Under `ordering` independent, the default, items that are refused leave the others written; under strict_temporal it is all or nothing. Results stand in the order of the items.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    query: captureQuery,
    body: { schema: bulkRequest, required: true, cap: 'bulk', itemwise: true },
    answers: {
      202: {
        description: 'Every item is captured.',
        schema: bulkResponse,
        next: ofEvent('/results/0/event_id'),
      },
      207: {
        description: 'Some or all items were refused; `failures` says which and why.',
        schema: bulkResponse,
      },
    },
    errors: OF_CAPTURE,
    graphql: { kind: 'mutation', field: 'captureMany' },
  },
  experienceStatus: {
    method: 'GET',
    path: '/v1/experience/status',
    noun: 'experience',
    summary: 'How far one experience is',
    description:
      'Finds an experience by its idempotency key or its id. An unknown one is answered with 200 and `found: false`, after which resending is safe.',
    access: { capability: 'scope.read.local' },
    query: statusQuery,
    needsOneOf: ['idempotency_key', 'event_id'],
    answers: {
      200: { description: 'Progress of the event, or that there is none.', schema: experienceStatus },
    },
    errors: ['AMBIGUOUS_IDEMPOTENCY_KEY'],
    graphql: { kind: 'query', field: 'experienceStatus' },
  },
} as const satisfies Record<string, Operation>;
