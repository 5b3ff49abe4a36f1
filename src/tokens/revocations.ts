import { EVERY_TENANT, type Revocation } from '../access/token-state.ts';
import type { TokenClaims } from './claims.ts';

/** The tokens that were revoked and could still be good. */
export class Revocations {
  readonly #ends = new Map<string, number>();

  /** Takes up revocations. */
  add(revoked: readonly Revocation[]): void {
    for (const { tenant, jti, keep_until } of revoked) this.#ends.set(keyOf(tenant, jti), keep_until);
  }

  /** Whether a token of a tenant was revoked, or one that it was minted from. */
  has(tenant: string, { jti, lineage }: Pick<TokenClaims, 'jti' | 'lineage'>): boolean {
    return [jti, ...lineage].some(
      (id) => this.#ends.has(keyOf(tenant, id)) || this.#ends.has(keyOf(EVERY_TENANT, id)),
    );
  }

  /** Forgets those that could not be good any more at an instant (epoch milliseconds). */
  forget(now: number): void {
    for (const [key, end] of this.#ends) if (end < now) this.#ends.delete(key);
  }
}

function keyOf(tenant: string, jti: string): string {
  return `${tenant}\n${jti}`;
}
