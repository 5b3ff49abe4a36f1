import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { StrataError } from '../src/errors.ts';
import type { Ids } from '../src/ids.ts';
import type { Drain } from './drain.ts';
import { HeaderFamilies } from './headers.ts';
import { rawAnswer } from './raw-answer.ts';
import { HTTP_CHECK_EVERY_MS, HTTP_CLOSE_MS, HTTP_HEADER_BYTES, HTTP_STALL_MS } from '../src/limits.ts';

/** Bounds of connections. */
export interface ServerOptions {
  /** Time for a client to send the headers of a request, milliseconds; default 15,000. */
  readonly headerTimeoutMs?: number;
  /** Time for a client to send a whole request, milliseconds; default 120,000. Then 408 `REQUEST_TIMEOUT`. */
  readonly requestTimeoutMs?: number;
  /** Time an idle connection is kept open, milliseconds; default 65,000. */
  readonly keepAliveMs?: number;
  /** Time after which a connection on which nothing moves is cut, milliseconds; default 12 minutes. */
  readonly stallMs?: number;
  /** Request line and headers together at most, bytes; default 32 KiB: a percent-encoded scope of 4,096 characters fits. */
  readonly maxHeaderBytes?: number;
  /** Further header families; default `Cortex`. */
  readonly headerAliases?: readonly string[];
}

/** A server, not yet listening, that answers broken requests in the shape of every other error. */
export function createHttpServer(listener: RequestListener, ids: Ids, options: ServerOptions = {}): Server {
  const requestTimeout = options.requestTimeoutMs ?? 120_000;
  const headersTimeout = Math.min(options.headerTimeoutMs ?? 15_000, requestTimeout);
  const server = createServer({
    requestTimeout,
    headersTimeout,
    keepAliveTimeout: options.keepAliveMs ?? 65_000,
    maxHeaderSize: options.maxHeaderBytes ?? HTTP_HEADER_BYTES,
    connectionsCheckingInterval: Math.min(HTTP_CHECK_EVERY_MS, headersTimeout),
    // Node's own refusal has neither body nor request id; the app refuses instead.
    requireHostHeader: false,
  });
  server.timeout = options.stallMs ?? HTTP_STALL_MS;
  const families = new HeaderFamilies(options.headerAliases ?? ['Cortex']);
  const answers = new WeakMap<Duplex, ServerResponse>();
  const serve: RequestListener = (request, response) => {
    answers.set(request.socket, response);
    listener(request, response);
  };
  server.on('request', serve);
  // An expectation that nobody here knows may be ignored; Node would answer an empty 417 without request id.
  server.on('checkExpectation', serve);
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    const answer = answers.get(socket);
    const midAnswer = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || midAnswer || error.code === 'ECONNRESET') socket.destroy();
    else
      socket.end(rawAnswer(brokenRequest(error.code ?? ''), ids.request(), families), () => socket.destroy());
  });
  // Without this Node drops the connection of whoever asks for a tunnel.
  server.on('connect', (_request, socket: Duplex) => {
    socket.on('error', () => undefined);
    const error = new StrataError('METHOD_NOT_ALLOWED', 'this is no proxy');
    socket.end(rawAnswer(error, ids.request(), families), () => socket.destroy());
  });
  return server;
}

function brokenRequest(fault: string): StrataError {
  if (fault === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new StrataError('REQUEST_TIMEOUT', 'the request did not arrive in time');
  }
  if (fault === 'HPE_HEADER_OVERFLOW') {
    return new StrataError('INVALID_HEADER', 'the request line and the headers are too large together');
  }
  return new StrataError('INVALID_HEADER', 'this is not an HTTP request');
}

/**
 * Stops a server: refuses new requests, lets those in flight finish for at most `graceMs`, or until `extended` resolves where that is later
 * (it must not reject), then closes what is left.
 * Resolves when no connection is left, five seconds later at most: true when every request was answered within the grace.
 */
export async function stopServer(
  server: Server,
  drain: Drain,
  graceMs: number,
  extended: Promise<unknown> = Promise.resolve(),
): Promise<boolean> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const grace = new Promise<false>((resolve) => {
    timer = setTimeout(() => {
      void extended.then(() => {
        resolve(false);
      });
    }, graceMs);
  });
  const answered = drain.begin().then(() => {
    server.closeIdleConnections();
    return true;
  });
  const inTime = await Promise.race([answered, grace]);
  if (inTime) await Promise.race([closed, grace]);
  clearTimeout(timer);
  server.closeAllConnections();
  // Connections that became sockets are not the server's own any more: whoever took them over closes them.
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    late = setTimeout(resolve, HTTP_CLOSE_MS);
  });
  await Promise.race([closed, patience]);
  clearTimeout(late);
  return inTime;
}
