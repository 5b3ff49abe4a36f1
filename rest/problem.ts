import { GRAPHQL_PATH } from './graphql-path.ts';
import type { ServerResponse } from 'node:http';

import type { ErrorRequestHandler } from 'express';

import type { Problem } from '../schemas/problem.ts';
import { errorText, StrataError } from '../src/errors.ts';
import type { Log } from '../src/log.ts';
import { ClientGone } from './body-reading.ts';
import { exchangeOf } from './exchange.ts';
import { sendDenial, type HeaderFamilies } from './headers.ts';

/** Anything thrown, as the error that the caller is told of. */
export function asStrataError(error: unknown): StrataError {
  if (error instanceof StrataError) return error;
  return new StrataError('INTERNAL', 'the service failed; its log says more under this request id', {
    cause: error,
  });
}

/** The JSON body of an error. */
export function problemBody(error: StrataError, requestId: string): Problem {
  return {
    error_code: error.code,
    message: error.message,
    retriable: error.retriable,
    request_id: requestId,
    ...(error.details === undefined ? {} : { details: error.details }),
  };
}

/** The body of an error in the shape of GraphQL. */
export function graphqlProblemBody(error: StrataError, requestId: string): object {
  const { error_code: code, message, ...rest } = problemBody(error, requestId);
  return { errors: [{ message, extensions: { code, ...rest } }] };
}

/** The body of an error over REST: in the shape of its protocol, where it has one. */
function restProblemBody(error: StrataError, requestId: string): object {
  const { protocol, code: error_code, message, retriable } = error;
  return protocol === undefined
    ? problemBody(error, requestId)
    : { protocol, error_code, message, retriable };
}

/** Status, headers and body of an error, as JSON or, where the contract wants it, as plain text. */
export function sendProblem(
  response: ServerResponse,
  error: StrataError,
  requestId: string,
  shape = restProblemBody,
): void {
  response.statusCode = error.status;
  if (error.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (error.retryAfterSeconds !== undefined) {
    response.setHeader('Retry-After', String(error.retryAfterSeconds));
  }
  const text = error.plainText ? error.message : JSON.stringify(shape(error, requestId));
  response.setHeader(
    'Content-Type',
    error.plainText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8',
  );
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** The last middleware: the one mapping of errors to answers. Faults of the service are logged with the request id. */
export function problemMiddleware(families: HeaderFamilies, log: Log): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (thrown: unknown, request, response, _next) => {
    const exchange = exchangeOf(request);
    if (thrown instanceof ClientGone) {
      response.destroy();
      return;
    }
    const error = asStrataError(thrown);
    logFault(log, error, exchange.requestId, exchange.route);
    if (response.headersSent) {
      // A stream that told its error itself has ended.
      if (!response.writableEnded) response.destroy();
      return;
    }
    if (error.status === 403) {
      const refused = error.details?.capability;
      const capability = typeof refused === 'string' ? refused : exchange.capability;
      if (capability !== null) sendDenial(families, request, response, capability);
    }
    // What is left of a body that came too slowly is not waited for.
    if (error.code === 'REQUEST_TIMEOUT') response.setHeader('Connection', 'close');
    const isGraphql = request.path === GRAPHQL_PATH;
    sendProblem(response, error, exchange.requestId, isGraphql ? graphqlProblemBody : restProblemBody);
  };
}

/** Logs a fault of the service, or what made it refuse, with the request id; what the caller did wrong is not logged. */
export function logFault(log: Log, error: StrataError, requestId: string, route: string | null): void {
  if (error.status < 500) return;
  const cause = error.cause as { stack?: string } | undefined;
  const fields = { request_id: requestId, route, error_code: error.code };
  if (error.code === 'INTERNAL') {
    log.error('request failed', { ...fields, error: cause?.stack ?? errorText(error.cause ?? error) });
  } else if (cause !== undefined) {
    log.warn('request refused', { ...fields, error: errorText(cause) });
  }
}
