import { z } from 'zod';

/** Every capability that the service knows; a name outside this list is refused wherever one is given. */
export const CAPABILITIES = [
  'scope.read',
  'scope.read.local',
  'scope.read.holistic',
  'scope.read.descend',
  'scope.write',
  'scope.write.on_behalf_of',
  'scope.write.about_other',
  'scope.write.elevated',
  'scope.create',
  'scope.manage',
  'understanding.read',
  'understanding.synthesize',
  'llm.invoke',
  'forget.cascade.derived_only',
  'forget.cascade.redact_events',
  'forget.gdpr',
  'forget.gdpr.cross_workspace',
  'diagnostics.read',
  'audit.read',
  'audit.read.cross_actor',
  'admin.compact',
  'admin.layers.stats',
  'auth.mint',
  'auth.revoke',
  'blob.upload',
  'blob.read',
  'lifecycle.subscribe',
  'temporal.phrases.read',
  'temporal.phrases.write',
  'webhooks.manage',
  'import',
  'export',
  'admin',
  'code.read',
  'code.write',
] as const;

/** The name of a capability. */
export type Capability = (typeof CAPABILITIES)[number];

/** A capability by name. */
export const capability = z.enum(CAPABILITIES).describe('Name of a capability.');

/** How policies and tokens name capabilities: one by name, a family (`forget.*`), or all (`*`). */
export type CapabilityPattern = Capability | '*' | `${string}.*`;

const FAMILIES = new Set(
  CAPABILITIES.flatMap((name) => {
    const parts = name.split('.');
    return parts.map((_, depth) => parts.slice(0, depth + 1).join('.'));
  }),
);

/** Whether a text names a capability, a family that has members, or all. */
export function isCapabilityPattern(text: string): text is CapabilityPattern {
  if (text === '*' || CAPABILITIES.some((name) => name === text)) return true;
  return text.endsWith('.*') && FAMILIES.has(text.slice(0, -2));
}

/** A capability by name, a family such as `forget.*`, or `*`. */
export const capabilityPattern = z
  .string()
  .max(64)
  .refine(isCapabilityPattern, 'is not the name of a capability, a family such as forget.*, or *')
  .describe('A capability by name, a family such as forget.*, or *.');

/** The deployment policies on offer. */
export const DEPLOYMENT_PRESETS = [
  'dev_local',
  'cloud_shared_saas',
  'cloud_strict',
  'auth_disabled',
] as const;

/** The name of a deployment policy. */
export type DeploymentPreset = (typeof DEPLOYMENT_PRESETS)[number];

/** The tiers of the policy stack, outermost first; an inner one can only narrow what the outer ones leave. */
export const POLICY_TIERS = ['deployment', 'tenant', 'scope', 'actor'] as const;

/** The name of a tier of the policy stack. */
export type PolicyTier = (typeof POLICY_TIERS)[number];

/** Service tiers of a caller, as `X-Strata-Policy` names them. */
export const CALLER_TIERS = ['operator', 'standard', 'free'] as const;

/** The service tier of a caller. */
export type CallerTier = (typeof CALLER_TIERS)[number];

/** Unix seconds of 9999-12-31T23:59:59Z: the expiry of a credential that never expires. */
export const NEVER_EXPIRES = 253_402_300_799;

/** What a member of a scope may do there, weakest first: readers read, writers write, owners manage. */
export const ROLES = ['reader', 'writer', 'owner'] as const;

/** The role of a member. */
export type Role = (typeof ROLES)[number];
