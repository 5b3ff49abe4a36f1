import {
  CASCADE_CAPABILITY,
  forgetPreviewRequest,
  forgetPreviewResponse,
  forgetRequest,
  forgetResponse,
} from '../forget.ts';
import type { Operation } from './definition.ts';

/** A cascade asks for its own capability. */
const BY_CASCADE = { anyOf: [CASCADE_CAPABILITY.derived_only, CASCADE_CAPABILITY.redact_events] } as const;

/** Operations that forget. */
export const FORGET_OPERATIONS = {
  forget: {
    method: 'POST',
    path: '/v1/forget',
    noun: 'forget',
    summary: 'Forget',
    description:
      'Removes the records of one scope that a selector selects, and keeps the wish: what was forgotten of an event is not derived from it again, by no later stage and no rebuild. What else rested on what goes is revised. `redact_events` removes the content of events too; their ids, places in the log and instants stay, and their idempotency keys are free again. For writers, who need the capability of the cascade: `forget.cascade.redact_events`, or `forget.cascade.derived_only` for the other two. With `from_preview_id` exactly what a preview of the same caller showed is forgotten, or nothing. Ids of other scopes and unknown ones match nothing, and the answer is 200 all the same. With `suppress: true` and `redact_events` the same content is refused when it is captured into the scope again, until `suppression_id` is lifted.',
    access: BY_CASCADE,
    audited: true,
    body: { schema: forgetRequest, required: true, cap: 'single' },
    unknownAsText: true,
    answers: { 200: { description: 'What is gone.', schema: forgetResponse } },
    errors: [
      'NOT_A_MEMBER',
      'INVALID_CASCADE',
      'EMPTY_SELECTOR_WITHOUT_CONFIRMATION',
      'AMBIGUOUS_SELECTOR_CONFIRM_ALL',
      'UNKNOWN_PREVIEW_ID',
      'SCOPE_STATE_CHANGED',
      'AUTHORIZATION_STATE_CHANGED',
      'LEGAL_HOLD',
      'DESTRUCTIVE_OPERATION_IN_PROGRESS',
      'REDERIVE_IN_PROGRESS',
      'WAIT_TIMEOUT',
      'FORGET_BACKEND_FAILED',
    ],
    graphql: { kind: 'mutation', field: 'forget' },
  },
  previewForget: {
    method: 'POST',
    path: '/v1/forget/preview',
    noun: 'forget',
    summary: 'Preview a forget',
    description:
      'Says what a forget with the same body would remove and what it would revise, and keeps that for 15 minutes, across restarts too, to be executed by its id. Nothing is forgotten. It takes what the forget takes, and the capability `scope.read.local`, since it shows ids.',
    access: BY_CASCADE,
    body: { schema: forgetPreviewRequest, required: true, cap: 'single' },
    unknownAsText: true,
    answers: {
      200: { description: 'What would go.', schema: forgetPreviewResponse },
    },
    errors: [
      'NOT_A_MEMBER',
      'INVALID_CASCADE',
      'EMPTY_SELECTOR_WITHOUT_CONFIRMATION',
      'AMBIGUOUS_SELECTOR_CONFIRM_ALL',
      'REDERIVE_IN_PROGRESS',
      'WAIT_TIMEOUT',
    ],
    graphql: { kind: 'mutation', field: 'previewForget' },
  },
} as const satisfies Record<string, Operation>;
