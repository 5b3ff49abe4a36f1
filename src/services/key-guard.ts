import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Capability } from '../../schemas/policy.ts';
import type { Principal } from '../access/principal.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { TOKEN_HEADER } from '../tokens/paseto.ts';
import { addressBlock } from '../validation/address-block.ts';
import type { Call, Credentials } from './access.ts';
import type { Attempt, Authenticator } from './authenticator.ts';

/** Addresses whose wrong keys are counted at once: as many as a flood from a network has in a minute, some ten megabytes. */
const WRONG_KEY_ADDRESSES = 50_000;

/** Rows of the audit log about wrong keys that a process writes in a minute: a flood from many addresses is told by the metric. */
const WRONG_KEY_ROWS = 100;

/** Keys with the addresses that they were good from, remembered as hashes so that wrong ones from there do not shut them out. */
const GOOD_KEYS_REMEMBERED = 10_000;

/** What the guard needs. */
export interface KeyGuardParts {
  readonly access: Authenticator;
  /** Keeps a row of the audit log; keeps nobody waiting and never throws. */
  readonly auditing: { stranger(attempt: Attempt): void };
  readonly metrics: Pick<Metrics, 'count'>;
  readonly clock: Clock;
  /** Wrong keys that one address may show in a minute; 0: as many as it likes. */
  readonly limit: number;
}

interface Minute {
  readonly until: number;
  count: number;
}

const MINUTE_MS = 60_000;

/**
 * Stands before the recognition of callers, and counts by address the bearers that are neither the key nor a token that verifies.
 * An address (of IPv6 a network of 64 bits) that has shown too many in a minute is answered `RATE_LIMITED` until that is over,
 * whatever it shows: who guesses learns nothing more. Only a token that verifies, which cannot be guessed, and what was good from there
 * before pass, so that others behind the same address work on. The first of each minute leaves a row in the audit log. Each process counts for itself.
 */
export class KeyGuard implements Authenticator {
  readonly #parts: KeyGuardParts;
  readonly #wrong = new LRUCache<string, Minute>({ max: WRONG_KEY_ADDRESSES });
  readonly #good = new LRUCache<string, true>({ max: GOOD_KEYS_REMEMBERED });
  #rows: Minute = { until: 0, count: 0 };

  constructor(parts: KeyGuardParts) {
    this.#parts = parts;
  }

  /** As {@link Authenticator.admit}. */
  admit(call: Call, ...capabilities: readonly [Capability, ...Capability[]]): Promise<void> {
    return this.#parts.access.admit(call, ...capabilities);
  }

  /** As {@link Authenticator.authenticate}; beyond it throws `RATE_LIMITED`. */
  async authenticate(credentials: Credentials, attempt?: Attempt): Promise<Principal> {
    const { access, limit } = this.#parts;
    const { bearer } = credentials;
    if (attempt === undefined || bearer === undefined || limit === 0) return access.authenticate(credentials);
    const block = addressBlock(attempt.address);
    const shown = createHash('sha256').update(`${block}\n${bearer}`, 'utf8').digest('base64');
    const refusal = this.#good.has(shown) ? null : this.#refusalOf(block);
    // The key is not compared: whatever came of it would tell whether it was guessed.
    if (refusal !== null && !bearer.startsWith(TOKEN_HEADER)) throw this.#throttled(refusal);
    try {
      const principal = await access.authenticate(credentials);
      if (refusal !== null && principal.posture !== 'token') throw this.#throttled(refusal);
      this.#good.set(shown, true);
      return principal;
    } catch (error) {
      if (!(error instanceof StrataError) || error.code !== 'INVALID_TOKEN_SIGNATURE') throw error;
      if (refusal !== null) throw this.#throttled(refusal);
      this.#count(block, attempt);
      throw error;
    }
  }

  #throttled(refusal: StrataError): StrataError {
    this.#parts.metrics.count('strata_wrong_keys_total', 'throttled');
    return refusal;
  }

  /** What a guess from an address is answered; null while its minute has room for one. */
  #refusalOf(block: string): StrataError | null {
    const { clock, limit } = this.#parts;
    const minute = this.#wrong.get(block);
    const leftMs = (minute?.until ?? 0) - clock.now();
    if (minute === undefined || leftMs <= 0 || minute.count < limit) return null;
    const seconds = Math.ceil(leftMs / 1000);
    return new StrataError(
      'RATE_LIMITED',
      `more than ${limit} wrong keys in a minute from this address; try again in ${seconds} s`,
      { details: { limit, retry_after_seconds: seconds }, retryAfterSeconds: seconds },
    );
  }

  #count(block: string, attempt: Attempt): void {
    const { clock, metrics, auditing } = this.#parts;
    metrics.count('strata_wrong_keys_total', 'refused');
    const now = clock.now();
    const known = this.#wrong.get(block);
    if (known !== undefined && known.until > now) {
      known.count += 1;
      return;
    }
    this.#wrong.set(block, { until: now + MINUTE_MS, count: 1 });
    if (this.#rows.until <= now) this.#rows = { until: now + MINUTE_MS, count: 0 };
    this.#rows.count += 1;
    if (this.#rows.count <= WRONG_KEY_ROWS) auditing.stranger(attempt);
  }
}
