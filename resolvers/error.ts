import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import { ERROR_CODES, type ErrorCode } from '../schemas/error.ts';
import { StrataError } from '../src/errors.ts';
import { renameInstants } from './as-of.ts';

/** Codes that only GraphQL has: what is wrong with a document before it means anything. */
export const DOCUMENT_CODES = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'] as const;

/** Apollo's codes of requests that say no operation, by ours. */
const REQUEST_CODES: Readonly<Record<string, ErrorCode>> = {
  BAD_REQUEST: 'INVALID_BODY',
  BAD_USER_INPUT: 'INVALID_QUERY',
  OPERATION_RESOLUTION_FAILURE: 'INVALID_QUERY',
  PERSISTED_QUERY_NOT_FOUND: 'INVALID_QUERY',
  PERSISTED_QUERY_NOT_SUPPORTED: 'INVALID_QUERY',
};

/** What a caller is told of anything thrown: message, place and `extensions {code, retriable, request_id,
 * retry_after_seconds?, details?}`. */
export function formatGraphqlError(
  error: unknown,
  call: { readonly requestId: string } | null,
): GraphQLFormattedError {
  const { code, message, retriable, details, retryAfterSeconds } = errorFieldsOf(error);
  const { locations, path } = error instanceof GraphQLError ? error.toJSON() : {};
  return {
    message,
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: {
      code,
      retriable,
      ...(call === null ? {} : { request_id: call.requestId }),
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
      ...(details === undefined ? {} : { details }),
    },
  };
}

/** What the log has to hear of an error. */
export interface Fault {
  /** `error` for what the caller is told as `INTERNAL`, `warn` for a part of the service that is away. */
  readonly level: 'error' | 'warn';
  readonly cause: unknown;
}

/** What the log has to hear of; `null` for errors that are the caller's own. */
export function faultOf(error: unknown): Fault | null {
  const cause = causeOf(error);
  if (!(cause instanceof StrataError)) return codeOf(cause) === null ? { level: 'error', cause } : null;
  if (cause.code === 'INTERNAL') return { level: 'error', cause: cause.cause ?? cause };
  return cause.status >= 500 && cause.cause !== undefined ? { level: 'warn', cause: cause.cause } : null;
}

interface ErrorFields {
  readonly code: string;
  readonly message: string;
  readonly retriable: boolean;
  readonly details: unknown;
  readonly retryAfterSeconds?: number | undefined;
}

function errorFieldsOf(error: unknown): ErrorFields {
  const cause = causeOf(error);
  if (cause instanceof StrataError) {
    const { code, retriable, retryAfterSeconds } = cause;
    return { code, ...renameInstants(cause), retriable, retryAfterSeconds };
  }
  const code = codeOf(cause);
  if (code !== null) {
    const { message, extensions } = cause as GraphQLError;
    const retriable = code in ERROR_CODES && ERROR_CODES[code as ErrorCode].retriable;
    return { code, message, retriable, details: extensions.details };
  }
  const message = 'the service failed; its log says more under this request id';
  return { code: 'INTERNAL', message, retriable: false, details: undefined };
}

/** What a resolver threw, without the places that the executor put around it. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof GraphQLError) || error.originalError === undefined) return error;
  return codeOf(error) === null ? causeOf(error.originalError) : error;
}

/** The code of an error that was made to be told; null for faults of the service. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof GraphQLError)) return null;
  const { code, http } = error.extensions as { code?: unknown; http?: { status?: number } };
  if (http?.status === 405) return 'METHOD_NOT_ALLOWED';
  if (typeof code !== 'string') return null;
  if (code in ERROR_CODES || DOCUMENT_CODES.some((known) => known === code)) return code;
  return REQUEST_CODES[code] ?? null;
}
