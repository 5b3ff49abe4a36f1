import { z } from 'zod';

import { actorId } from './actor.ts';
import { flagParameter, pageLimit } from './listing.ts';
import { ROLES } from './policy.ts';
import { inheritedPolicy, resolvedPolicy, scopePolicies } from './scope-policy.ts';
import { scopePath } from './scope.ts';
import { answeredInstant } from './time.ts';

/** Members of one roster at most: it is read and written as a whole, and remembered by every process. */
export const MAX_MEMBERS = 1000;
/** Events of one scope that a listing of scopes counts at most. */
export const MAX_COUNTED_EVENTS = 1000;

const role = z.enum(ROLES).describe('What the actor may do: readers read, writers write, owners manage.');

/** One member of a roster. */
export const scopeMember = z.strictObject({ actor: actorId, role });
export type ScopeMember = z.output<typeof scopeMember>;

const members = z
  .array(scopeMember)
  .max(MAX_MEMBERS)
  .superRefine((list, context) => {
    const seen = new Set<string>();
    for (const [index, { actor }] of list.entries()) {
      if (seen.has(actor))
        context.addIssue({ code: 'custom', path: [index, 'actor'], message: 'is a member named before' });
      seen.add(actor);
    }
  });

/** Body of a registration. */
export const registerScopeRequest = z
  .strictObject({
    path: scopePath,
    members: members
      .optional()
      .describe(
        'The roster, at most 1000 members, each named once. When it names no owner, the caller is seated as one.',
      ),
    owner: actorId.optional().describe('In place of `members`: the one owner.'),
    policies: scopePolicies
      .optional()
      .describe('What the scope states for itself and for what lies below it.'),
  })
  .superRefine(({ members: roster, owner }, context) => {
    if (roster === undefined || owner === undefined) return;
    context.addIssue({ code: 'custom', path: ['owner'], message: 'cannot stand beside members' });
  });
export type RegisterScopeRequest = z.output<typeof registerScopeRequest>;

/** A scope as it is registered, or as it came into being by its first write. */
export const scopeRecord = z.strictObject({
  path: z.string().describe('The scope.'),
  members: z
    .array(scopeMember)
    .describe('Its own roster; empty when it has none and that of the nearest ancestor holds.'),
  policies: scopePolicies.describe('What it states itself.'),
  auto_provisioned: z.boolean().describe('True when it came into being by a write and was not registered.'),
  created_at: answeredInstant.describe(
    'When it came into being, by its first write or by its registration; RFC 3339 UTC.',
  ),
  created_by: z.string().describe('Actor of that write or registration.'),
  inherited_policy: inheritedPolicy,
  resolved_policy: resolvedPolicy,
});
export type ScopeRecord = z.output<typeof scopeRecord>;

/** Query of whatever concerns one scope. */
export const scopeQuery = z.strictObject({ path: scopePath });

/** Body that replaces the policies of a scope. */
export const setScopePoliciesRequest = z.strictObject({
  policies: scopePolicies.describe(
    'What the scope states from now on; what is left out is not stated any more.',
  ),
});

/** Body that replaces the roster of a scope. */
export const setScopeMembersRequest = z.strictObject({
  members: members.describe(
    'The roster from now on, at most 1000 members, each named once, one of them an owner.',
  ),
});

/** What becomes of the events of a scope that is deleted. */
export const RECORDS = ['forget', 'keep'] as const;

/** Query of a deletion. */
export const deleteScopeQuery = z.strictObject({
  path: scopePath,
  records: z
    .enum(RECORDS)
    .optional()
    .describe(
      'What becomes of its events: forget redacts each of them, keep leaves them to the roster of the nearest ancestor. Without it a scope that has events is not deleted.',
    ),
});

/** Query of the list of scopes. */
export const scopeListQuery = z.strictObject({
  prefix: z
    .string()
    .transform((text) => (text.endsWith('/') ? text.slice(0, -1) : text))
    .pipe(scopePath)
    .meta({ maxLength: undefined, pattern: undefined })
    .optional()
    .describe('Only this scope and those below it, by whole segments; a trailing / makes no difference.'),
  auto_provisioned: flagParameter.describe(
    'Only scopes that were (true) or were not (false) brought into being by a write alone.',
  ),
  limit: pageLimit,
  cursor: z
    .string()
    .min(1)
    .max(8192)
    .meta({ pattern: '^s[A-Za-z0-9_-]+$' })
    .optional()
    .describe('Where to go on: next_cursor of the page before.'),
});

/** A scope in a list. */
export const scopeListItem = z.strictObject({
  path: z.string().describe('The scope.'),
  auto_provisioned: z.boolean().describe('True when it came into being by a write and was not registered.'),
  created_at: answeredInstant.describe('When it came into being, RFC 3339 UTC.'),
  event_count: z
    .int()
    .describe('Stored events of the scope itself, cancelled and replaced ones included; counted up to 1000.'),
  event_count_capped: z.boolean().describe('True when there are more events than were counted.'),
  owner: z.string().nullable().describe('The first owner of its own roster; null when it has none.'),
  member_count: z.int().describe('Members of its own roster; 0 when it has none.'),
});
export type ScopeListItem = z.output<typeof scopeListItem>;

/** A page of scopes. */
export const scopePage = z.strictObject({
  items: z.array(scopeListItem).describe('Scopes in the order of their paths.'),
  has_more: z
    .boolean()
    .describe(
      'Whether a further page may hold more; a page may be short or empty and still have more after it.',
    ),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
  withheld_scopes: z
    .int()
    .optional()
    .describe(
      'Scopes in the stretch of this page that the caller may not read, a scope with all that lies below it counted once; only where `prefix` names a scope that he may read, absent when there are none.',
    ),
});
export type ScopePage = z.output<typeof scopePage>;

/** Answer of a clearing away of empty scopes. */
export const pruneScopesResponse = z.strictObject({
  pruned: z.int().describe('Empty scopes that were removed.'),
});
export type PruneScopesResponse = z.output<typeof pruneScopesResponse>;
