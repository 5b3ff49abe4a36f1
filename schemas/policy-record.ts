import { z } from 'zod';

import { actorId } from './actor.ts';
import { DEPLOYMENT_PRESETS, ROLES, type PolicyTier } from './policy.ts';
import { scopePath } from './scope.ts';

/** Query of the effective policy. */
export const effectivePolicyQuery = z.strictObject({
  actor: actorId
    .optional()
    .describe(
      'Whose policy; the caller when left out. Asking for another one needs scope.manage in the scope, without a scope audit.read.cross_actor; the answer is then for a token of his that is not narrowed.',
    ),
  scope: scopePath.optional().describe('Where; in no scope in particular when left out.'),
});

const names = z.array(z.string());

/** What an actor may do in a scope. */
export const effectivePolicy = z.strictObject({
  actor: z.string().describe('Whose policy it is.'),
  scope: z.string().nullable().describe('Where; null for no scope in particular.'),
  deployment_preset: z.enum(DEPLOYMENT_PRESETS).describe('Policy preset of the deployment.'),
  natural_level: z
    .enum([...ROLES, 'operator', 'none'])
    .describe(
      'What rosters alone make of the actor in the scope: its role in the roster that governs it, owner where none does and the preset lets the actor in, operator whom rosters do not bind, else none.',
    ),
  allowed: names.describe('Capabilities that the actor may use there.'),
  denied: names.describe('Capabilities that he may not use there.'),
  capabilities: names.describe('The same as `allowed`.'),
  decisions: z
    .record(z.string(), z.unknown())
    .describe('The decision on each capability by its name: `{decision: allow | deny, decided_by_tier}`.'),
  rate_limits: z
    .record(z.string(), z.unknown())
    .describe(
      'Requests a minute of one caller, as `<n>/min`, by `read` and `write`; null where there is no limit.',
    ),
});
export type EffectivePolicy = z.output<typeof effectivePolicy>;

/** What one capability was decided to be. */
export interface CapabilityDecision {
  readonly decision: 'allow' | 'deny';
  readonly decided_by_tier: PolicyTier;
}

/** The policy of the deployment; set by preset and configuration, never over the wire. */
export const deploymentPolicy = z.strictObject({
  preset: z.enum(DEPLOYMENT_PRESETS).describe('Name of the preset.'),
  allow: z.array(z.string()).describe('Capability patterns that the preset allows.'),
  deny: z.array(z.string()).describe('Capability patterns that it denies.'),
  defaults: z
    .record(z.string(), z.unknown())
    .describe(
      'Defaults by name: `actor.require_signed` (whether only a token names an actor), `scope.auto_register` (whether a first write makes a scope), `forget.cascade.default`, `audit.retention` (an ISO-8601 duration in days, such as `P365D`; null: rows are kept for ever), `rate_limit.write` and `rate_limit.read` (`<n>/min`, null: none), `allowed_scope_types`.',
    ),
});
export type DeploymentPolicy = z.output<typeof deploymentPolicy>;
