import { STATUS_CODES } from 'node:http';

import type { StrataError } from '../src/errors.ts';
import { BROWSER_HEADERS, type HeaderFamilies } from './headers.ts';
import { problemBody } from './problem.ts';

/** An error as the bytes of a whole HTTP answer, for connections that no response object stands for. It ends the connection. */
export function rawAnswer(error: StrataError, requestId: string, families: HeaderFamilies): string {
  const body = JSON.stringify(problemBody(error, requestId));
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...families.names.map((family) => `X-${family}-Request-Id: ${requestId}`),
    ...Object.entries(BROWSER_HEADERS).map(([name, value]) => `${name}: ${value}`),
    // What HTTP asks of a 405; there is no path that could have other methods.
    ...(error.status === 405 ? ['Allow: '] : []),
    ...(error.retryAfterSeconds === undefined ? [] : [`Retry-After: ${error.retryAfterSeconds}`]),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
