import type { IncomingMessage } from 'node:http';

import type { Principal } from '../src/services/access.ts';

/** What is known of one request while it is answered. */
export interface Exchange {
  /** `req_…`. */
  readonly requestId: string;
  /** Fires when the client goes away before the answer is out. */
  readonly signal: AbortSignal;
  /** When the request came in, milliseconds of the process's own clock. */
  readonly began: number;
  /** Where it came from, by the proxies that are believed; empty when it is not known. */
  readonly address: string;
  /** SHA-256 (hex) of the body, unpacked, once it is read; null without one. */
  bodySha256: string | null;
  /** Values of the header families by their lower-case name without `x-<family>-`. */
  familyHeaders: ReadonlyMap<string, string>;
  /** Which of the adapters answers. */
  transport: 'rest' | 'graphql';
  /** Id of the operation, once it is found. */
  operation: string | null;
  /** Path pattern of the operation, once it is found. */
  route: string | null;
  /** Capability of the operation, once it is found and needs one. */
  capability: string | null;
  /** The caller, once recognised. */
  principal: Principal | null;
}

const exchanges = new WeakMap<IncomingMessage, Exchange>();

/** Keeps the exchange of a request. */
export function openExchange(request: IncomingMessage, exchange: Exchange): void {
  exchanges.set(request, exchange);
}

/** Keeps the hash of the body of a request, by which its row in the audit log can be checked. */
export function noteBody(request: IncomingMessage, sha256: string): void {
  const exchange = exchanges.get(request);
  if (exchange !== undefined) exchange.bodySha256 = sha256;
}

/** The exchange of a request that has passed the header middleware. */
export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = exchanges.get(request);
  if (exchange === undefined) throw new Error('the request has not passed the header middleware');
  return exchange;
}
