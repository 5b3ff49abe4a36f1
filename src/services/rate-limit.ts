import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import type { Principal } from '../access/principal.ts';
import { StrataError } from '../errors.ts';
import { addressBlock } from '../validation/address-block.ts';
import type { Metrics } from '../metrics.ts';

/** What a request counts as. */
export type RequestKind = 'read' | 'write';

/** How much of its rate a caller has left, where it has one. */
export interface RateState {
  /** Requests of the kind in a minute. */
  readonly limit: number;
  /** Requests left until the reset. */
  readonly remaining: number;
  /** Seconds until all of them are there again. */
  readonly resetSeconds: number;
}

/** Limits; 0 stands for none, and of sign-ups it counts none: the service then refuses them. */
export interface RateSettings {
  /** Writes a minute. */
  readonly write: number;
  /** Reads a minute. */
  readonly read: number;
  /** Sign-ups an hour from one address. */
  readonly signup: number;
}

const MINUTE_S = 60;
const HOUR_S = 3600;

/**
 * Counts requests in windows that begin with the first of them. Each process counts for itself and forgets at its end: behind
 * a balancer over n processes a caller has up to n times its rate. A count is kept for the length of its window.
 */
export class RateLimits {
  private readonly limiters: Readonly<Record<RequestKind, RateLimiterMemory | null>>;
  private readonly signups: RateLimiterMemory | null;
  private readonly metrics: Pick<Metrics, 'count'>;

  constructor(settings: RateSettings, metrics: Pick<Metrics, 'count'>) {
    this.limiters = { read: limiter(settings.read, MINUTE_S), write: limiter(settings.write, MINUTE_S) };
    this.signups = limiter(settings.signup, HOUR_S);
    this.metrics = metrics;
  }

  /**
   * Counts `requests` of a caller: by the token, those that an actor mints for itself together with it, or by tenant and actor
   * where there is none. `tell` is told how much is left, null where there is no limit, whether or not the requests are refused. Throws
   * `RATE_LIMITED`.
   */
  async take(
    principal: Principal,
    kind: RequestKind,
    tell: (state: RateState | null) => void,
    requests = 1,
  ): Promise<void> {
    const counting = this.limiters[kind];
    if (counting === null) {
      tell(null);
      return;
    }
    const { refused, state } = await consume(counting, keyOf(principal), requests);
    tell(state);
    if (!refused) return;
    this.metrics.count('strata_rate_limited_total', kind);
    throw tooMany(`more than ${state.limit} ${kind}s in a minute`, state);
  }

  /** Lets a sign-up from an address through, or throws `RATE_LIMITED`. Addresses of one IPv6 network of 64 bits count as one. */
  async signupGate(address: string): Promise<void> {
    if (this.signups === null) return;
    const { refused, state } = await consume(this.signups, addressBlock(address), 1);
    if (!refused) return;
    this.metrics.count('strata_rate_limited_total', 'signup');
    throw tooMany(`more than ${state.limit} sign-ups in an hour from this address`, state);
  }
}

function limiter(points: number, duration: number): RateLimiterMemory | null {
  return points === 0 ? null : new RateLimiterMemory({ points, duration });
}

function keyOf({ jti, lineage, tenant, actor }: Principal): string {
  return JSON.stringify([tenant, actor, lineage[0] ?? jti]);
}

async function consume(
  counting: RateLimiterMemory,
  key: string,
  requests: number,
): Promise<{ refused: boolean; state: RateState }> {
  try {
    return { refused: false, state: stateOf(counting, await counting.consume(key, requests)) };
  } catch (outcome) {
    // What the library refuses with is no error, and says how long it lasts.
    if (!(outcome instanceof RateLimiterRes)) throw outcome;
    return { refused: true, state: stateOf(counting, outcome) };
  }
}

function stateOf(
  { points: limit }: RateLimiterMemory,
  { remainingPoints, msBeforeNext }: RateLimiterRes,
): RateState {
  return { limit, remaining: remainingPoints, resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}

function tooMany(what: string, { limit, resetSeconds }: RateState): StrataError {
  return new StrataError('RATE_LIMITED', `${what}; try again in ${resetSeconds} s`, {
    details: { limit, retry_after_seconds: resetSeconds },
    retryAfterSeconds: resetSeconds,
  });
}
