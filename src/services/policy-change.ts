import { isDeepStrictEqual } from 'node:util';

import type { PolicyChange } from '../../graph/policy-log.ts';
import type { ScopePolicies } from '../../schemas/scope-policy.ts';
import { scopeRef } from '../capture/scope-key.ts';
import { DERIVATION_POLICIES } from '../derive/policy-log.ts';
import type { ScopeName } from './scope-directory.ts';

/** What a scope stated, and what it states. */
export interface StatedChange {
  readonly scope: ScopeName;
  readonly before: ScopePolicies;
  readonly after: ScopePolicies;
  /** Says whether who states it may read a scope: of others, nothing is to be found out by what is derived from them. */
  readonly mayRead: (scope: ScopeName) => boolean;
}

/**
 * What the log is told when a scope states something else; null when it states the same. What derivation inherits by name are the
 * scopes that whoever states it may read then.
 */
export function policyChangeOf(
  { scope, before, after, mayRead }: StatedChange,
  by: { readonly id: string; readonly actor: string },
): PolicyChange | null {
  const names = [
    ...new Set([...Object.keys(before), ...Object.keys(after)]),
  ].sort() as (keyof ScopePolicies)[];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (changed.length === 0) return null;
  const { tenant, path } = scope;
  const named = [...new Set(after.inherit_from ?? [])].filter((other) => mayRead({ tenant, path: other }));
  return {
    ...by,
    tenant,
    scope: path,
    scope_ref: scopeRef(tenant, path),
    policies: Object.fromEntries(
      DERIVATION_POLICIES.flatMap((name) => (after[name] === undefined ? [] : [[name, after[name]]])),
    ),
    inherit_refs: named.map((other) => scopeRef(tenant, other)),
    changed,
  };
}
