import type { Capability } from './capability.ts';

/** Types of first segments that name an actor: a path that begins with such a segment belongs to that actor. */
const ACTOR_TYPES: ReadonlySet<string> = new Set(['user', 'agent', 'service']);
/** What registers, changes or deletes a scope. */
const GOVERNING: ReadonlySet<Capability> = new Set(['scope.create', 'scope.manage']);

/** The actor that a scope belongs to by its path, such as `user:anna` of `user:anna/project:x`; null where it names none. */
export function actorOfPath(path: string): string | null {
  const [first = ''] = path.split('/', 1);
  const [type = ''] = first.split(':', 1);
  return ACTOR_TYPES.has(type) ? first : null;
}

/** Whether a scope belongs by its path to another actor: then only that one and the operator work on the whole of it. */
export function belongsToOther(actor: string, path: string): boolean {
  const owner = actorOfPath(path);
  return owner !== null && owner !== actor;
}

/**
 * Whether an actor governs a personal scope in the way the capability says: its own actor does whatever the roster says, every other
 * does not. Null where that is not decided by the path: of another capability, or of a scope that belongs to no actor.
 */
export function governsPersonal(actor: string, capability: Capability, path: string): boolean | null {
  if (!GOVERNING.has(capability)) return null;
  const owner = actorOfPath(path);
  return owner === null ? null : owner === actor;
}
