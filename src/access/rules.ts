import { ROLES, type CapabilityPattern, type Role } from '../../schemas/policy.ts';
import type { ScopeUses } from './scope-uses.ts';

/** What a scope says about who may do what in it and below. */
export interface ScopeRules {
  /** Roles by actor; null where the scope has no roster of its own. */
  readonly members: ReadonlyMap<string, Role> | null;
  /** What the scope leaves of what the tiers above it allow. */
  readonly allow: readonly CapabilityPattern[];
  /** What it refuses. */
  readonly deny: readonly CapabilityPattern[];
  /** What it states of readings and of the audit log; left out: nothing. */
  readonly uses?: ScopeUses;
}

/** A scope with the rules of every level of its path, root first; null where a level has none. */
export interface ScopeWithRules {
  readonly path: string;
  readonly levels: readonly (ScopeRules | null)[];
}

/** The roster that governs a scope: its own or that of the nearest ancestor that has one; null when there is none. */
export function governingRoster({ levels }: ScopeWithRules): ReadonlyMap<string, Role> | null {
  return levels.findLast((rules) => rules !== null && rules.members !== null)?.members ?? null;
}

/** Whether a role is at least as strong as the one needed. */
export function atLeast(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
