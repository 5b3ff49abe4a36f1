import type { Capability, CapabilityPattern, Role } from '../../schemas/policy.ts';

export { CAPABILITIES, type Capability, type CapabilityPattern } from '../../schemas/policy.ts';

const IMPLIED: Partial<Record<Capability, readonly Capability[]>> = {
  'scope.read': ['scope.read.local', 'scope.read.holistic', 'scope.read.descend'],
  'scope.write': ['scope.write.on_behalf_of', 'scope.write.about_other'],
};

/**
 * True when `pattern` speaks of `capability`: by its name, as `*`, as `prefix.*` (which includes the prefix itself),
 * or because the capability it names implies the other one.
 */
export function covers(pattern: CapabilityPattern, capability: Capability): boolean {
  if (pattern === '*' || pattern === capability) return true;
  if (pattern.endsWith('.*')) {
    const family = pattern.slice(0, -2);
    return capability === family || capability.startsWith(`${family}.`);
  }
  return IMPLIED[pattern as Capability]?.includes(capability) ?? false;
}

/** The role in a scope that a capability needs there; null for one that no roster decides. */
export function roleFor(capability: Capability): Role | null {
  return ROLE_FOR[capability];
}

const ROLE_FOR: Readonly<Record<Capability, Role | null>> = {
  'scope.read': 'reader',
  'scope.read.local': 'reader',
  'scope.read.holistic': 'reader',
  'scope.read.descend': 'reader',
  'scope.write': 'writer',
  'scope.write.on_behalf_of': 'writer',
  'scope.write.about_other': 'writer',
  'scope.write.elevated': 'writer',
  'scope.create': 'owner',
  'scope.manage': 'owner',
  'understanding.read': 'reader',
  'understanding.synthesize': 'writer',
  'llm.invoke': 'reader',
  'forget.cascade.derived_only': 'writer',
  'forget.cascade.redact_events': 'writer',
  'forget.gdpr': 'owner',
  'forget.gdpr.cross_workspace': 'owner',
  'diagnostics.read': null,
  'audit.read': null,
  'audit.read.cross_actor': null,
  'admin.compact': null,
  'admin.layers.stats': null,
  'auth.mint': null,
  'auth.revoke': null,
  'blob.upload': null,
  'blob.read': 'reader',
  'lifecycle.subscribe': 'reader',
  'temporal.phrases.read': 'reader',
  'temporal.phrases.write': 'writer',
  'webhooks.manage': null,
  import: 'writer',
  export: 'reader',
  admin: null,
  'code.read': 'reader',
  'code.write': 'writer',
};
