import type { CallerTier, CapabilityPattern } from '../../schemas/policy.ts';
import type { Grant } from './grant.ts';

/** Who calls: made by `AccessService.authenticate` and by nothing else. */
export interface Principal {
  /** The tenant that every record read or written belongs to. */
  readonly tenant: string;
  /** Actor id of the caller. */
  readonly actor: string;
  /** How the caller was recognised. */
  readonly posture: 'operator_key' | 'open' | 'token';
  readonly tier: CallerTier;
  /** Unix seconds; `NEVER_EXPIRES` when the credential has no end. */
  readonly expires_at: number;
  /** True when a read by id finds the records of every tenant. */
  readonly crossTenantById: boolean;
  /** Who vouches for the caller: the issuer of the token, `static-api-key` or `auth-disabled`. */
  readonly issuer: string;
  /** Id of the token; null without one. */
  readonly jti: string | null;
  /** Ids of the tokens that it was minted from, the first one first; empty for one that the operator or a sign-up handed out. */
  readonly lineage: readonly string[];
  /** Capabilities that the token is narrowed to; null: all that the policy allows. */
  readonly caps: readonly CapabilityPattern[] | null;
  /** Where the token may be used, and for what; null: everywhere. */
  readonly grants: readonly Grant[] | null;
}

/** The tenant in which reads by id look; null for every one. Writes stay in the tenant of the caller. */
export function tenantOfReads({ tenant, crossTenantById }: Principal): string | null {
  return crossTenantById ? null : tenant;
}

/** Whether rosters do not bind the caller: the operator, and everybody where nobody is asked who he is. */
export function passesRosters({ posture }: Principal): boolean {
  return posture !== 'token';
}
