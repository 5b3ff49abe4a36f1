import type { Role } from '../../schemas/policy.ts';
import type { ScopeMember } from '../../schemas/scope-record.ts';

/**
 * The roster that a scope is given: the members named, the creator as owner where they name none, and the owners of
 * the roster that governs it without its own, who stay owners.
 */
export function seatedRoster(
  named: readonly ScopeMember[],
  creator: string,
  governing: ReadonlyMap<string, Role> | null,
): ScopeMember[] {
  const roster = new Map(named.map(({ actor, role }) => [actor, role]));
  if (!named.some(({ role }) => role === 'owner')) roster.set(creator, 'owner');
  for (const [actor, role] of governing ?? []) if (role === 'owner') roster.set(actor, 'owner');
  return [...roster].map(([actor, role]) => ({ actor, role }));
}

/** Whether somebody could manage a scope with this roster. */
export function hasOwner(members: readonly ScopeMember[]): boolean {
  return members.some(({ role }) => role === 'owner');
}
