/** A signing key of the deployment, as all processes know it; instants are epoch milliseconds. */
export interface KnownKey {
  readonly kid: string;
  /** `k4.public.…`. */
  readonly public_key: string;
  /** Whether tokens are signed with it. */
  readonly active: boolean;
  /** Until when its signatures are good; null while it is active. */
  readonly retires_at: number | null;
}

/** A token that is no longer good. */
export interface Revocation {
  /** The tenant whose token it is; {@link EVERY_TENANT} when the operator revoked it. */
  readonly tenant: string;
  readonly jti: string;
  /** Epoch milliseconds after which the token could not be good any more. */
  readonly keep_until: number;
}

/** Stands for a tenant where a revocation holds in all of them; no tenant is called so. */
export const EVERY_TENANT = '*';
