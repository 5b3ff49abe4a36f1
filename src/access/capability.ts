import type { Capability } from '../../schemas/policy.ts';

export { CAPABILITIES, type Capability } from '../../schemas/policy.ts';

/** How policies and tokens name capabilities: one by name, a family (`forget.*`), or all (`*`). */
export type CapabilityPattern = Capability | '*' | `${string}.*`;

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
