import { ROLES, type CapabilityPattern, type Role } from '../../schemas/policy.ts';
import type { ScopePolicies } from '../../schemas/scope-policy.ts';

/** What one scope states of how it is read and recorded. */
export type StatedUse = Pick<ScopePolicies, 'audit' | 'default_view'>;

/** The same with what counts where the scope states nothing itself. */
export interface ScopeUses {
  readonly own: StatedUse;
  /**
   * What the scopes state that it inherits from by name, first ones first: those that whoever named them could read then, since of others
   * nothing is to be found out by what holds here.
   */
  readonly named: readonly StatedUse[];
}

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
