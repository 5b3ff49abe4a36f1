import type { CallerTier, Capability, DeploymentPreset, PolicyTier } from '../../schemas/policy.ts';
import { covers, type CapabilityPattern } from './capability.ts';
import type { Principal } from './principal.ts';

/** What one tier of the stack says. */
export interface TierPolicy {
  readonly tier: PolicyTier;
  /** What the tier leaves of what the tiers above it allow. */
  readonly allow: readonly CapabilityPattern[];
  /** What it refuses, whatever any other tier says. */
  readonly deny: readonly CapabilityPattern[];
}

/** The tiers that apply to a call, outermost first. */
export type Policy = readonly TierPolicy[];

/** The outcome of asking a policy. */
export interface Decision {
  readonly allowed: boolean;
  /** Service tier of the caller. */
  readonly tier: CallerTier;
  readonly capability: Capability;
  /** The tier of the stack that refused, or the innermost one asked. */
  readonly decidedBy: PolicyTier;
}

const PRESET_DENIES: Record<DeploymentPreset, readonly CapabilityPattern[]> = {
  dev_local: [],
  auth_disabled: [],
  cloud_shared_saas: [],
  cloud_strict: ['forget.gdpr.cross_workspace'],
};

/** The deployment tier of a preset. */
export function presetPolicy(preset: DeploymentPreset): TierPolicy {
  return { tier: 'deployment', allow: ['*'], deny: PRESET_DENIES[preset] };
}

/**
 * Whether the caller may use the capability in the scope (`null`: in none in particular). Every tier must allow it and
 * none may deny it; the first tier that does not is the one that decided.
 */
export function decide(
  principal: Principal,
  capability: Capability,
  _scope: string | null,
  policy: Policy,
): Decision {
  const speaksOf = (pattern: CapabilityPattern) => covers(pattern, capability);
  const refusing = policy.find(({ allow, deny }) => !allow.some(speaksOf) || deny.some(speaksOf));
  const decidedBy = refusing?.tier ?? policy.at(-1)?.tier ?? 'deployment';
  return {
    allowed: refusing === undefined && policy.length > 0,
    tier: principal.tier,
    capability,
    decidedBy,
  };
}
