import type { RequestHandler } from 'express';

import type { HeaderFamilies } from './headers.ts';
import { CORS_PREFLIGHT_S } from '../src/limits.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const OWN_REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Content-Encoding',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Range',
  'X-Request-Id',
];
const FAMILY_REQUEST_HEADERS = ['Actor', 'Tenant', 'Idempotency-Key'];
const OWN_ANSWER_HEADERS = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];
const FAMILY_ANSWER_HEADERS = ['Request-Id', 'Policy', 'Stability', 'Token-Expires-In', 'Token-Expires-At'];

/** Lets pages of the named origins (`*`: all) call the service and answers their preflights. No origin: does nothing. */
export function cors(families: HeaderFamilies, origins: readonly string[]): RequestHandler {
  const withFamilies = (own: readonly string[], names: readonly string[]) =>
    [...own, ...families.names.flatMap((family) => names.map((name) => `X-${family}-${name}`))].join(', ');
  const allowedHeaders = withFamilies(OWN_REQUEST_HEADERS, FAMILY_REQUEST_HEADERS);
  const exposedHeaders = withFamilies(OWN_ANSWER_HEADERS, FAMILY_ANSWER_HEADERS);
  return (request, response, next) => {
    if (origins.length > 0) response.vary('Origin');
    const origin = request.headers.origin;
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
    response.setHeader('Access-Control-Max-Age', CORS_PREFLIGHT_S);
    response.status(204).end();
  };
}
