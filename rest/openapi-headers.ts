import { actorId } from '../schemas/actor.ts';
import { toJsonSchema, type JsonObject } from './json-schema.ts';

function header(description: string, schema: JsonObject = { type: 'string' }): JsonObject {
  return { description, schema };
}

/** Request headers, as parameters by component name. */
export const REQUEST_HEADERS = {
  Actor: {
    name: 'X-Strata-Actor',
    in: 'header',
    required: false,
    description:
      'Actor id of the caller, 1 to 256 visible characters without spaces. With a token of this deployment it is required and has to be the subject; with the operator key it defaults to `user:local`.',
    schema: toJsonSchema(actorId, 'input'),
  },
  ActorIfAny: {
    name: 'X-Strata-Actor',
    in: 'header',
    required: false,
    description: 'Actor id of the caller; default `user:local`. One that is no actor id makes no caller.',
    schema: { type: 'string' },
  },
  Tenant: {
    name: 'X-Strata-Tenant',
    in: 'header',
    required: false,
    description:
      'Tenant that the operator key works on; default `default`. With a token it may be left out, or is the tenant of the token.',
    schema: { type: 'string' },
  },
  IdempotencyKey: {
    name: 'X-Strata-Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'Key of the upload, which the caller chooses: 1 to 64 characters of visible ASCII without spaces.',
    schema: { type: 'string', pattern: String.raw`^[\x21-\x7e]{1,64}$` },
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'Id of the last frame that the client has seen; wins over `since_lifecycle_id`.',
    schema: { type: 'string', pattern: '^(?:lce_[0-8][0-9]{15})?$' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'An id of the caller, sent back as it is when it is 1 to 128 visible ASCII characters.',
    schema: { type: 'string' },
  },
};

/** Answer headers by name. */
export const ANSWER_HEADERS = {
  'X-Strata-Request-Id': header('Id of the request, made by the service.'),
  'X-Strata-Stability': header('Stability of the route.', { const: 'stable' }),
  'X-Request-Id': header("The caller's own request id, when it sent one."),
  'X-Strata-Policy': header(
    '`tier=<tier>; decision=<allow|deny>; capability=<capability>`; capability none where no one capability decides.',
  ),
  'X-Strata-Token-Expires-In': header('Seconds that the credential is still good for.', { type: 'integer' }),
  'X-Strata-Token-Expires-At': header('Instant at which the credential ends; empty when it does not.'),
  'X-RateLimit-Limit': header(
    'Requests of this kind that the caller may send, as `<n>/min`; `unlimited` where there is no limit, and then the two below are left out.',
  ),
  'X-RateLimit-Remaining': header('How many of them are left.', { type: 'integer' }),
  'X-RateLimit-Reset': header('Seconds until all of them are there again.', { type: 'integer' }),
  'Retry-After': header('Seconds to wait before the request is sent again.', { type: 'integer' }),
  'WWW-Authenticate': header('The scheme of the credentials that are asked for.', { const: 'Bearer' }),
};

/** The name of an answer header. */
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Headers of every answer. */
export const EVERY_ANSWER: readonly AnswerHeader[] = [
  'X-Strata-Request-Id',
  'X-Strata-Stability',
  'X-Request-Id',
];
/** Headers of an answer to a recognised caller. */
export const CALLER_ANSWER: readonly AnswerHeader[] = [
  'X-Strata-Policy',
  'X-Strata-Token-Expires-In',
  'X-Strata-Token-Expires-At',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** The headers of one answer, as references. */
export function headers(names: readonly AnswerHeader[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
