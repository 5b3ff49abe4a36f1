import { EVERY_TENANT, type Revocation } from '../access/token-state.ts';

/** The tokens that were revoked and could still be good. */
export class Revocations {
  readonly #ends = new Map<string, number>();

  /** Takes up revocations. */
  add(revoked: readonly Revocation[]): void {
    for (const { tenant, jti, keep_until } of revoked) this.#ends.set(keyOf(tenant, jti), keep_until);
  }

  /** Whether a token of a tenant was revoked. */
  has(tenant: string, jti: string): boolean {
    return this.#ends.has(keyOf(tenant, jti)) || this.#ends.has(keyOf(EVERY_TENANT, jti));
  }

  /** Forgets those that could not be good any more at an instant (epoch milliseconds). */
  forget(now: number): void {
    for (const [key, end] of this.#ends) if (end < now) this.#ends.delete(key);
  }
}

function keyOf(tenant: string, jti: string): string {
  return `${tenant}\n${jti}`;
}
