import type { Guard } from './row.ts';
import type { Caller } from './world.ts';

/** What a caller has to be answered. */
export type Expected =
  | { readonly kind: 'refused'; readonly status: 401 | 403; readonly code: string }
  /** As a thing is answered that does not exist. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'let in' }
  /** Not looked at: the answer is the same for everybody. */
  | { readonly kind: 'open' };

const CREDENTIALS: Partial<Record<Caller, string>> = {
  nobody: 'MISSING_TOKEN',
  malformed: 'INVALID_TOKEN_SIGNATURE',
  expired: 'TOKEN_EXPIRED',
  revoked: 'REVOKED_TOKEN',
};
const ROLES = ['reader', 'writer', 'owner'] as const;
const LET_IN = { kind: 'let in' } as const;
const HIDDEN = { kind: 'hidden' } as const;
const refused = (status: 401 | 403, code: string): Expected => ({ kind: 'refused', status, code });

/** What an operation answers a caller; the whole table of who may do what. */
export function expectedOf(
  caller: Caller,
  { guard, role }: { readonly guard: Guard; readonly role?: 'reader' | 'writer' | 'owner' },
): Expected {
  if (guard === 'open') return { kind: 'open' };
  const credentials = CREDENTIALS[caller];
  if (credentials !== undefined) return refused(401, credentials);
  if (guard === 'caller') return LET_IN;
  if (caller === 'incapable') return refused(403, 'POLICY_DENIED');
  if (guard === 'tenant') return LET_IN;
  // By its id a thing is looked for before it is known where it is; by its name a scope is known to lie elsewhere.
  if (caller === 'confined')
    return guard === 'thing' || guard === 'change' || guard === 'own'
      ? HIDDEN
      : refused(403, 'POLICY_DENIED');
  if (guard === 'own') return caller === 'owner' ? LET_IN : HIDDEN;
  const reads = guard === 'thing' || guard === 'view' || guard === 'stream';
  const needed = role ?? (guard === 'named' ? 'owner' : reads ? 'reader' : 'writer');
  const held = ROLES.indexOf(caller as 'reader');
  if (caller === 'operator' || (held >= 0 && held >= ROLES.indexOf(needed))) return LET_IN;
  // To a foreigner the name means a scope of his own tenant, which another test looks at.
  if (guard === 'write') return caller === 'foreign' ? { kind: 'open' } : refused(403, 'NOT_A_MEMBER');
  return !reads && held >= 0 ? refused(403, 'NOT_A_MEMBER') : HIDDEN;
}
