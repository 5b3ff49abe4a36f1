import type { CallerTier } from '../../schemas/policy.ts';

/** Who calls: made by `AccessService.authenticate` and by nothing else. */
export interface Principal {
  /** The tenant that every record read or written belongs to. */
  readonly tenant: string;
  /** Actor id of the caller. */
  readonly actor: string;
  /** How the caller was recognised. */
  readonly posture: 'operator_key' | 'open';
  readonly tier: CallerTier;
  /** Unix seconds; `NEVER_EXPIRES` when the credential has no end. */
  readonly expires_at: number;
  /** True when a read by id finds the records of every tenant. */
  readonly crossTenantById: boolean;
}
