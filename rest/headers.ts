import type { IncomingMessage, ServerResponse } from 'node:http';

import type { RequestHandler } from 'express';

import { NEVER_EXPIRES } from '../schemas/policy.ts';
import type { Clock } from '../src/clock.ts';
import { StrataError } from '../src/errors.ts';
import type { Ids } from '../src/ids.ts';
import type { RateState } from '../src/services/rate-limit.ts';
import { ClientGone } from './body-reading.ts';
import { exchangeOf, openExchange } from './exchange.ts';

const OWN_FAMILY = 'Strata';
/** What a caller's `X-Request-Id` may be to be sent back: visible ASCII, at most 128 characters. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Node reads header bytes as Latin-1; clients write UTF-8. Bytes that are no UTF-8 stay as Node read them. */
export function headerText(value: string): string {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return value;
    throw error;
  }
}

/** The values of a header, by its lower-case name, each time that it was sent. */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] ?? '');
  }
  return values;
}

/** The families of headers (`X-Strata-…` and its aliases): read as one, always sent together. */
export class HeaderFamilies {
  readonly names: readonly string[];
  readonly #prefixes: readonly string[];
  /** Names of headers in full, by what they are called within a family. */
  readonly #full = new Map<string, readonly string[]>();

  /** @param aliases further families, such as `Cortex` for `X-Cortex-…` */
  constructor(aliases: readonly string[]) {
    const further = aliases.filter((alias) => alias.toLowerCase() !== OWN_FAMILY.toLowerCase());
    this.names = [OWN_FAMILY, ...further];
    this.#prefixes = this.names.map((family) => `x-${family.toLowerCase()}-`);
  }

  /** Values by lower-case name without `x-<family>-`; `INVALID_HEADER` when one is given two different values. */
  read(request: IncomingMessage): Map<string, string> {
    const { rawHeaders } = request;
    const sent: [header: string, value: string][] = [];
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const header = (rawHeaders[i] ?? '').toLowerCase();
      if (this.has(header)) sent.push([header, headerText(rawHeaders[i + 1] ?? '')]);
    }
    return this.gather(sent);
  }

  /** As {@link HeaderFamilies.read}, of lower-case header names with their values as text. */
  gather(headers: Iterable<readonly [header: string, value: string]>): Map<string, string> {
    const found = new Map<string, string>();
    for (const [header, value] of headers) {
      const name = this.#nameWithin(header);
      if (name === null) continue;
      if ((found.get(name) ?? value) !== value) throw disagreement(name);
      found.set(name, value);
    }
    return found;
  }

  /** Whether a lower-case header name belongs to one of the families. */
  has(header: string): boolean {
    return this.#nameWithin(header) !== null;
  }

  /** Sets `X-<family>-<name>` of every family. */
  send(response: ServerResponse, name: string, value: string): void {
    let full = this.#full.get(name);
    if (full === undefined) {
      full = this.names.map((family) => `X-${family}-${name}`);
      this.#full.set(name, full);
    }
    for (const header of full) response.setHeader(header, value);
  }

  #nameWithin(header: string): string | null {
    const prefix = this.#prefixes.find((candidate) => header.startsWith(candidate));
    return prefix === undefined ? null : header.slice(prefix.length);
  }
}

function disagreement(name: string): StrataError {
  return new StrataError(
    'INVALID_HEADER',
    `the header X-Strata-${name} or one of its aliases is given twice with different values`,
    { details: { header: `x-strata-${name}` } },
  );
}

/**
 * The first middleware: mints the request id, opens the exchange, sets the headers that every answer carries and
 * reads the header families.
 */
export function headerMiddleware(families: HeaderFamilies, ids: Ids): RequestHandler {
  return (request, response, next) => {
    const gone = new AbortController();
    const requestId = ids.request();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new ClientGone());
    });
    openExchange(request, {
      requestId,
      signal: gone.signal,
      began: performance.now(),
      address: request.ip ?? '',
      bodySha256: null,
      familyHeaders: new Map(),
      operation: null,
      transport: 'rest',
      route: null,
      capability: null,
      principal: null,
    });
    setStandardHeaders(families, response, requestId);
    const echoed = request.headers['x-request-id'];
    if (typeof echoed === 'string' && REQUEST_ID.test(echoed)) response.setHeader('X-Request-Id', echoed);
    exchangeOf(request).familyHeaders = families.read(request);
    next();
  };
}

/** Refuses with `INVALID_HEADER` what HTTP/1.1 does not allow: a request without `Host`, or with several. */
export function requireHost(request: IncomingMessage): void {
  const hosts = headerValues(request, 'host').length;
  if (hosts === 1 || (hosts === 0 && request.httpVersion !== '1.1')) return;
  throw new StrataError('INVALID_HEADER', 'an HTTP/1.1 request has exactly one Host header', {
    details: { header: 'host' },
  });
}

/** What every answer tells browsers: neither to keep it nor to guess what it is, and that no other origin embeds or frames it. */
export const BROWSER_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "frame-ancestors 'none'",
};

/** The headers of every answer, errors included. */
function setStandardHeaders(families: HeaderFamilies, response: ServerResponse, requestId: string): void {
  families.send(response, 'Request-Id', requestId);
  families.send(response, 'Stability', 'stable');
  for (const [name, value] of Object.entries(BROWSER_HEADERS)) response.setHeader(name, value);
}

/** Sets what every answer to a recognised caller says of its credential and of the decision: `none` where no one capability decides. */
export function sendCallerHeaders(
  families: HeaderFamilies,
  request: IncomingMessage,
  response: ServerResponse,
  clock: Clock,
): void {
  const { principal, capability } = exchangeOf(request);
  if (principal === null) return;
  const end = principal.expires_at;
  const left = Math.max(0, end - Math.floor(clock.now() / 1000));
  families.send(response, 'Token-Expires-In', String(left));
  families.send(response, 'Token-Expires-At', end >= NEVER_EXPIRES ? '' : new Date(end * 1000).toISOString());
  const looked = capability ?? 'none';
  families.send(response, 'Policy', `tier=${principal.tier}; decision=allow; capability=${looked}`);
}

/** Says how much of its rate a caller has left; each process counts for itself. Null: there is no limit, and `unlimited` says so alone. */
export function sendRate(response: ServerResponse, state: RateState | null): void {
  if (state === null) {
    response.setHeader('X-RateLimit-Limit', 'unlimited');
    return;
  }
  const { limit, remaining, resetSeconds } = state;
  response.setHeader('X-RateLimit-Limit', `${limit}/min`);
  response.setHeader('X-RateLimit-Remaining', String(remaining));
  response.setHeader('X-RateLimit-Reset', String(resetSeconds));
}

/** Replaces the decision that {@link sendCallerHeaders} sent: the policy refused `capability`. */
export function sendDenial(
  families: HeaderFamilies,
  request: IncomingMessage,
  response: ServerResponse,
  capability: string,
): void {
  const { principal } = exchangeOf(request);
  if (principal === null) return;
  families.send(response, 'Policy', `tier=${principal.tier}; decision=deny; capability=${capability}`);
}
