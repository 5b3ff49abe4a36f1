import { NEVER_EXPIRES } from '../../schemas/policy.ts';
import type { Principal } from '../../src/access/principal.ts';
import type { RuleDirectory } from '../../src/services/access.ts';

/** The operator, as the key makes him. */
export const OPERATOR: Principal = {
  tenant: 'default',
  actor: 'user:local',
  posture: 'operator_key',
  tier: 'operator',
  expires_at: NEVER_EXPIRES,
  crossTenantById: true,
  issuer: 'static-api-key',
  jti: null,
  lineage: [],
  caps: null,
  grants: null,
};

/** Whoever holds a token, narrowed to nothing unless told. */
export function holder(actor: string, narrowed: Partial<Principal> = {}): Principal {
  return {
    ...OPERATOR,
    actor,
    posture: 'token',
    tier: 'standard',
    crossTenantById: false,
    issuer: 'strata',
    jti: `tok_${actor}`,
    ...narrowed,
  };
}

/** Places of a deployment in which no scope has rules. */
export const NO_RULES: RuleDirectory = {
  places: (scopes) =>
    Promise.resolve(scopes.map(({ path }) => ({ path, levels: path.split('/').map(() => null) }))),
  placesNow: (scopes) => NO_RULES.places(scopes),
};
