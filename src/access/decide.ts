import type { CallerTier, Capability, DeploymentPreset, PolicyTier } from '../../schemas/policy.ts';
import { covers, roleFor, type CapabilityPattern } from './capability.ts';
import { grants, isWithin } from './grant.ts';
import { governsPersonal } from './personal.ts';
import { passesRosters, type Principal } from './principal.ts';
import { atLeast, governingRoster, type ScopeWithRules } from './rules.ts';

/** What one tier of the stack says. */
export interface TierPolicy {
  readonly tier: PolicyTier;
  /** What the tier leaves of what the tiers above it allow. */
  readonly allow: readonly CapabilityPattern[];
  /** What it refuses, whatever any other tier says. */
  readonly deny: readonly CapabilityPattern[];
}

/** The tiers that apply to a call, outermost first, without those of scopes. */
export interface Policy {
  readonly tiers: readonly TierPolicy[];
  /** Who may use a scope that no roster governs: every actor of the tenant, or only whose own it is or who was granted it. */
  readonly ungoverned: 'tenant' | 'own';
  /** What no token may do, because it concerns all tenants. */
  readonly deniedToTokens: readonly CapabilityPattern[];
}

/** The outcome of asking a policy. */
export interface Decision {
  /** `refused`: a tier or the token says no. `not_a_member`: only the roster does; what is read looks as if it were not there. */
  readonly outcome: 'allowed' | 'refused' | 'not_a_member';
  /** Service tier of the caller. */
  readonly tier: CallerTier;
  readonly capability: Capability;
  /** The tier of the stack that refused, or the innermost one asked; a token counts as its actor's. */
  readonly decidedBy: PolicyTier;
}

const PRESET_DENIES: Record<DeploymentPreset, readonly CapabilityPattern[]> = {
  dev_local: [],
  auth_disabled: [],
  cloud_shared_saas: [],
  cloud_strict: ['forget.gdpr.cross_workspace'],
};

/** What shows or changes a deployment as a whole, of which a tenant of a cloud has only a part. */
const DEPLOYMENT_WIDE: readonly CapabilityPattern[] = [
  'diagnostics.read',
  'admin.compact',
  'admin.layers.stats',
];

/** What a signed-up caller may not do. */
const FREE_DENIES: readonly CapabilityPattern[] = [
  'auth.mint',
  'forget.gdpr',
  'forget.gdpr.cross_workspace',
  'admin',
  'diagnostics.read',
  'scope.write.elevated',
];

/** The deployment tier of a preset. */
export function presetPolicy(preset: DeploymentPreset): TierPolicy {
  return { tier: 'deployment', allow: ['*'], deny: PRESET_DENIES[preset] };
}

/** What a preset says beside its tier: under those of a cloud membership is asked for everywhere, and tenants are strangers. */
export function rulesUnder(preset: DeploymentPreset): Pick<Policy, 'ungoverned' | 'deniedToTokens'> {
  return preset === 'cloud_shared_saas' || preset === 'cloud_strict'
    ? { ungoverned: 'own', deniedToTokens: DEPLOYMENT_WIDE }
    : { ungoverned: 'tenant', deniedToTokens: [] };
}

/**
 * Whether the caller may use the capability in a scope (`null`: in none in particular, which a token confined to scopes may
 * only where some entry of it names the capability). Every tier must allow it and none may deny it, the token included;
 * then the roster is asked, and last what the scopes of the path say, so that a stranger learns nothing of them. A scope that belongs
 * to an actor by its path is registered, changed and deleted by that actor, whatever the roster, and by no other token.
 */
export function decide(
  principal: Principal,
  capability: Capability,
  place: ScopeWithRules | null,
  policy: Policy,
): Decision {
  const answer = (outcome: Decision['outcome'], decidedBy: PolicyTier): Decision => ({
    outcome,
    tier: principal.tier,
    capability,
    decidedBy,
  });
  const refusing = policy.tiers.find((tier) => refuses(tier, capability));
  if (refusing !== undefined) return answer('refused', refusing.tier);
  if (policy.tiers.length === 0) return answer('refused', 'deployment');
  if (principal.posture === 'token' && policy.deniedToTokens.some((pattern) => covers(pattern, capability)))
    return answer('refused', 'deployment');
  if (!tokenAllows(principal, capability, place?.path ?? null)) return answer('refused', 'actor');
  if (place === null) return answer('allowed', policy.tiers.at(-1)?.tier ?? 'deployment');
  const own = passesRosters(principal) ? null : governsPersonal(principal.actor, capability, place.path);
  if (own === false) return answer('refused', 'deployment');
  if (own === null && !isMember(principal, capability, place, policy)) return answer('not_a_member', 'scope');
  // Of a capability that no roster decides, whoever may not read in the scope learns nothing of the scope's policy either.
  const reads = roleFor(capability) !== null || isMember(principal, 'scope.read.local', place, policy);
  const denied = reads && place.levels.some((rules) => rules !== null && refuses(rules, capability));
  return denied
    ? answer('refused', 'scope')
    : answer('allowed', principal.posture === 'token' ? 'actor' : 'deployment');
}

function refuses({ allow, deny }: Pick<TierPolicy, 'allow' | 'deny'>, capability: Capability): boolean {
  const speaksOf = (pattern: CapabilityPattern): boolean => covers(pattern, capability);
  return !allow.some(speaksOf) || deny.some(speaksOf);
}

function tokenAllows(principal: Principal, capability: Capability, path: string | null): boolean {
  const { tier, caps, grants: entries } = principal;
  const speaksOf = (pattern: CapabilityPattern): boolean => covers(pattern, capability);
  if (tier === 'free' && FREE_DENIES.some(speaksOf)) return false;
  if (caps !== null && !caps.some(speaksOf)) return false;
  return entries === null || entries.some((grant) => grants(grant, capability, path));
}

function isMember(
  principal: Principal,
  capability: Capability,
  place: ScopeWithRules,
  policy: Policy,
): boolean {
  const needed = roleFor(capability);
  if (needed === null || passesRosters(principal)) return true;
  const roster = governingRoster(place);
  if (roster !== null) {
    const role = roster.get(principal.actor);
    return role !== undefined && atLeast(role, needed);
  }
  if (policy.ungoverned === 'tenant' || isWithin(place.path, principal.actor)) return true;
  return principal.grants?.some((grant) => grants(grant, capability, place.path)) ?? false;
}
