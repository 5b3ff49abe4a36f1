import type { Capability, CapabilityPattern } from '../../schemas/policy.ts';
import { isCapabilityPattern } from '../../schemas/policy.ts';
import { scopeFault, scopeOfFilter } from '../../schemas/scope.ts';
import { covers } from './capability.ts';

/** One entry of a token's `scopes`: a capability that may be used in a scope, or in it and everything below. */
export interface Grant {
  readonly pattern: CapabilityPattern;
  readonly path: string;
  /** Whether everything below `path` is meant too. */
  readonly subtree: boolean;
}

/** Reads `<capability>:<path>[/*]`; answers why it is none where it is none. */
export function parseGrant(text: string): Grant | string {
  const colon = text.indexOf(':');
  const pattern = text.slice(0, Math.max(colon, 0));
  if (!isCapabilityPattern(pattern))
    return 'begins with no capability: an entry is <capability>:<scope path>, /* behind it for everything below';
  const { path, subtree } = scopeOfFilter(text.slice(colon + 1));
  return scopeFault(path) ?? { pattern, path, subtree };
}

/** The text of an entry, as {@link parseGrant} reads it. */
export function grantText({ pattern, path, subtree }: Grant): string {
  return `${pattern}:${path}${subtree ? '/*' : ''}`;
}

/** Whether a path is another one or lies below it, segment by segment. */
export function isWithin(path: string, ancestor: string): boolean {
  return path === ancestor || path.startsWith(`${ancestor}/`);
}

/** Whether an entry lets the capability be used in the scope; `null`: anywhere at all. */
export function grants(grant: Grant, capability: Capability, scope: string | null): boolean {
  if (!covers(grant.pattern, capability)) return false;
  return scope === null || (grant.subtree ? isWithin(scope, grant.path) : scope === grant.path);
}
