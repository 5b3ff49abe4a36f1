/** One row of the closed list of error codes. */
export interface ErrorDefinition {
  /** HTTP status that a REST answer with this code carries. */
  readonly status: number;
  /** True when resending the identical request (same idempotency key) is safe and may succeed. */
  readonly retriable: boolean;
  /** The situation that the code reports. */
  readonly when: string;
  /** Seconds for `Retry-After`, for codes that always send it. */
  readonly retryAfterSeconds?: number;
}

/**
 * Every error code that a transport may answer, in the order of precedence in which they are decided:
 * transport, credentials, policy, input, state, then faults of the service.
 */
export const ERROR_CODES = {
  INVALID_HEADER: {
    status: 400,
    retriable: false,
    when: 'A request header is malformed, or two header families disagree.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retriable: false,
    when: 'The path exists, but not with this method; `Allow` names those that do.',
  },
  MISSING_TOKEN: { status: 401, retriable: false, when: 'No bearer on a server that requires one.' },
  INVALID_TOKEN_SIGNATURE: {
    status: 401,
    retriable: false,
    when: 'The bearer is neither the operator key nor a token that verifies: it is malformed, no key known here has signed it, its signature is not good, or its claims are not those of a token that holds now.',
  },
  UNKNOWN_ISSUER: {
    status: 401,
    retriable: false,
    when: 'The token is signed with a known key, but its issuer is not the one of that key.',
  },
  TOKEN_EXPIRED: { status: 401, retriable: false, when: 'The token has expired.' },
  REVOKED_TOKEN: { status: 401, retriable: false, when: 'The token was revoked.' },
  ACTOR_MISMATCH: {
    status: 401,
    retriable: false,
    when: 'The actor header is missing, malformed, or differs from the token subject.',
  },
  WRONG_TENANT: {
    status: 401,
    retriable: false,
    when: 'The tenant named by the token or the tenant header is not known here, or the two differ; the audience of a trusted issuer is another one.',
  },
  RATE_LIMITED: {
    status: 429,
    retriable: true,
    when: 'More requests in a minute than the caller may send; `Retry-After` says when the next may come.',
    retryAfterSeconds: 1,
  },
  POLICY_DENIED: {
    status: 403,
    retriable: false,
    when: 'The policy stack refuses the capability; or a server that asks for no key is called by a foreign page.',
  },
  NOT_A_MEMBER: {
    status: 403,
    retriable: false,
    when: 'A write into a scope that a roster governs, by an actor who may not write there.',
  },
  CODE_PLANE_DISABLED: {
    status: 503,
    retriable: false,
    when: 'Any operation under `/v1/code`: the code plane is not part of this release. Query and body are not looked at.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retriable: false,
    when: 'The body is labelled as something other than JSON, or packed with something other than gzip.',
  },
  unsupported_media_type: {
    status: 415,
    retriable: false,
    when: 'The upload of a blob is labelled multipart; send the bytes themselves.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 422,
    retriable: false,
    when: 'The key of an upload is missing, longer than 64 characters, or not of visible ASCII.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    retriable: false,
    when: 'The body exceeds the cap of the route, unpacks to too much for its size, or holds too many values.',
  },
  INVALID_QUERY: {
    status: 400,
    retriable: false,
    when: 'A query parameter is unknown, repeated or malformed.',
  },
  INVALID_PERIOD: {
    status: 400,
    retriable: false,
    when: 'The period of the usage of models is none of day, week, month, all.',
  },
  INVALID_ROLE: {
    status: 400,
    retriable: false,
    when: 'The role of the usage of models names no call site.',
  },
  INVALID_BODY: {
    status: 422,
    retriable: false,
    when: 'The body is not JSON, has an unknown or malformed field, `wait` or `view` is not one of its values, or what it names is one more than there may be.',
  },
  INVALID_ENVELOPE: {
    status: 422,
    retriable: false,
    when: 'Language, scripts, timezone, refers_to, idempotency key, text or json content breaks its rule.',
  },
  INVALID_SCOPE_GRAMMAR: {
    status: 422,
    retriable: false,
    when: 'The scope filter of a read by id is empty, blank or malformed.',
  },
  UNPARSEABLE_TEMPORAL: {
    status: 422,
    retriable: false,
    when: 'A time phrase that is not understood, in strict mode.',
  },
  EVAL_OVERRIDE_DISABLED: {
    status: 422,
    retriable: false,
    when: 'An answer is asked for with `facet_plan_override`, which is for evaluations; this server takes none.',
  },
  INVALID_RETENTION_POLICY: {
    status: 422,
    retriable: false,
    when: 'A retention policy names neither a layer nor `source:<system>`, or has a duration, or a number of days, that is none.',
  },
  NO_TARGETS: {
    status: 422,
    retriable: false,
    when: 'A re-derivation names neither a scope nor everything, or an empty list of events.',
  },
  INVALID_CASCADE: {
    status: 422,
    retriable: false,
    when: 'The cascade of a forget is none of derived_only, redact_events, none.',
  },
  EMPTY_SELECTOR_WITHOUT_CONFIRMATION: {
    status: 422,
    retriable: false,
    when: 'A forget or an erasure without a selector, or with an empty one, and without `confirm_all: true`.',
  },
  AMBIGUOUS_SELECTOR_CONFIRM_ALL: {
    status: 400,
    retriable: false,
    when: 'A forget with a selector beside `confirm_all: true`, which means everything.',
  },
  AMBIGUOUS_SELECTOR: {
    status: 400,
    retriable: false,
    when: 'An erasure with a selector beside `confirm_all: true`, which means everything.',
  },
  LAST_OWNER: {
    status: 422,
    retriable: false,
    when: 'A roster without an owner; nobody could manage the scope any more.',
  },
  UNREGISTERED_SCOPE_TYPE: {
    status: 422,
    retriable: false,
    when: 'The first write into a new scope, or its registration, names a segment type that is not allowed.',
  },
  AMBIGUOUS_IDEMPOTENCY_KEY: {
    status: 422,
    retriable: false,
    when: 'The key is held in several readable scopes; name one with `scope`.',
  },
  NO_ELIGIBLE_EVENTS: {
    status: 422,
    retriable: false,
    when: 'None of the events that a re-derivation names, or none of its scope, is there to be derived again.',
  },
  UNKNOWN_PREVIEW_ID: {
    status: 422,
    retriable: false,
    when: 'The preview that a forget names is unknown, has ended or was executed, is of another scope or caller, or previews something else.',
  },
  NOT_FOUND: {
    status: 404,
    retriable: false,
    when: 'Unknown, cancelled or invisible id, or an unknown path.',
  },
  JOB_NOT_FOUND: { status: 404, retriable: false, when: "Unknown or another caller's job." },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    retriable: false,
    when: 'The range begins behind the last byte; `Content-Range` names the length.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    retriable: false,
    when: 'The key is held in this scope by an event with another body; or the id of a legal hold by one of another scope; or other bytes were uploaded under the key of an upload, or that key was retired (`details.reason` `retired`).',
  },
  CONFLICT_NOT_OPEN: {
    status: 409,
    retriable: false,
    when: 'The conflict was settled, dismissed or withdrawn before.',
  },
  LINK_CONFLICT: {
    status: 409,
    retriable: false,
    when: 'The entity goes by another one already, or would go by itself over others that it is linked with; or too many are linked with it, or too much is said of them.',
  },
  NOT_CONFIGURED: {
    status: 503,
    retriable: false,
    when: 'Minting on a keyed server that does not set STRATA_V1_MINTER_ENABLE; signing up where STRATA_SIGNUP_ENABLE is not on, or the rate of sign-ups is 0.',
  },
  ANSWER_UNAVAILABLE: {
    status: 503,
    retriable: false,
    when: 'No model that answers is set up; the message names the variables, and `skip_answer_llm=true`, which needs none.',
  },
  SCOPE_REGISTRATION_EXISTS: {
    status: 409,
    retriable: false,
    when: 'The scope was registered before.',
  },
  SCOPE_HAS_RECORDS: {
    status: 409,
    retriable: false,
    when: 'A scope is to be deleted that has events and it is not said what becomes of them, or whose roster governs something that would be left without one.',
  },
  SCOPE_STATE_CHANGED: {
    status: 409,
    retriable: false,
    when: 'Something that a preview showed, or what depends on it, has changed since; nothing was forgotten. Make another preview.',
  },
  AUTHORIZATION_STATE_CHANGED: {
    status: 409,
    retriable: true,
    when: 'Rosters, policies or tokens changed again and again while it was decided whether the caller may forget or erase, five times; nothing was.',
    retryAfterSeconds: 1,
  },
  RETENTION_SWEEP_RUNNING: {
    status: 409,
    retriable: true,
    when: 'A sweep of the tenant is under way, in whatever process; its report will be `last` of `GET /v1/admin/retention`.',
    retryAfterSeconds: 5,
  },
  SUPPRESSED: {
    status: 409,
    retriable: false,
    when: 'The content was forgotten from the scope with `suppress: true` and is not captured there again; nothing was written. `details.suppression_id` names what can be lifted.',
  },
  LEGAL_HOLD: {
    status: 409,
    retriable: false,
    when: 'Events under legal hold are to be forgotten, cancelled or deleted with their scope; nothing was. `details.holds` names the holds (at most 100), `details.events_held` counts the events.',
  },
  DESTRUCTIVE_OPERATION_IN_PROGRESS: {
    status: 409,
    retriable: true,
    when: 'The scope is being deleted: it is neither written to nor changed until that is over. Or something is being forgotten in it that another forget, a legal hold or the lifting of what it suppresses would meet.',
    retryAfterSeconds: 5,
  },
  REDERIVE_IN_PROGRESS: {
    status: 409,
    retriable: true,
    when: 'The same is being derived again for another caller, or a scope, or something in it, is to be forgotten while it is derived again.',
    retryAfterSeconds: 30,
  },
  SETTLEMENT_UNAVAILABLE: {
    status: 503,
    retriable: false,
    when: '`wait=settled`: there is no settlement on this server.',
  },
  WAIT_TIMEOUT: {
    status: 408,
    retriable: true,
    when: 'The wait budget ran out; the write is captured and durable, or the build goes on as a job. A forget, an erasure or a preview that waits for derivation has not begun then: nothing was done.',
  },
  INDEXING_FAILED: {
    status: 502,
    retriable: true,
    when: 'The event is in the log, but a stage gave it up; resending with the same key queues it again.',
  },
  FORGET_BACKEND_FAILED: {
    status: 502,
    retriable: true,
    when: 'The database could not complete a forget, of which nothing is reported as gone; the same request may be sent again.',
  },
  ERASURE_BACKEND_FAILED: {
    status: 502,
    retriable: true,
    when: 'Something was found that an erasure has left: its record, of which `details.erasure_id` is the id, says where. The same may be asked for again. Of one that goes on beside its request the record alone says it.',
  },
  ANSWER_PROVIDER_ERROR: {
    status: 502,
    retriable: false,
    when: 'The model that answers refused, failed, took too long or said nothing of use; `retriable` says whether it may be another time.',
  },
  SERVER_BUSY: {
    status: 503,
    retriable: true,
    when: 'The capture queue is full, or too many bytes of requests or uploads are under way (of the caller, of his tenant or of all), and nothing was written; or as many streams are open as are served; or the process is overloaded (`details.reason` `event_loop_delay`): then it refuses new work before it looks at anything else.',
    retryAfterSeconds: 1,
  },
  SERVER_SHUTTING_DOWN: {
    status: 503,
    retriable: true,
    when: 'A request arrived after graceful stop began.',
    retryAfterSeconds: 5,
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    retriable: true,
    when: 'The database is away or refuses work; a write may or may not have happened, the same key makes resending safe. Of the deletion of a scope `details.events_left` names the events, at most 100, that the database refused to redact (`details.reason` `events_left`): the scope goes on being deleted, and the same request has them tried again.',
    retryAfterSeconds: 2,
  },
  REQUEST_TIMEOUT: {
    status: 408,
    retriable: true,
    when: 'The client did not finish sending the request in time, or sent its body too slowly.',
  },
  INTERNAL: {
    status: 500,
    retriable: false,
    when: 'A fault of the service; the log line with this request id says more.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** A stable, documented error code. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The definition of a code. */
export function errorDefinition(code: ErrorCode): ErrorDefinition {
  return ERROR_CODES[code];
}
