import { isDeepStrictEqual } from 'node:util';

import type { PolicyChange } from '../../graph/policy-log.ts';
import type { ScopeChange } from '../../graph/scope-record.ts';
import { MAX_INHERITED_SCOPES, type ScopePolicies } from '../../schemas/scope-policy.ts';
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

/** What is kept of policies that a scope states from now on. */
export function policyChange(tenant: string, policies: ScopePolicies): NonNullable<ScopeChange['policies']> {
  const { allow, deny } = policies.capabilities ?? {};
  const from = [...new Set(policies.inherit_from ?? [])].slice(0, MAX_INHERITED_SCOPES);
  return {
    text: JSON.stringify(policies),
    allow: allow ?? null,
    deny: deny ?? null,
    inheritRefs: from.map((path) => scopeRef(tenant, path)),
  };
}

/** Whether a scope states of retention what it did not state before. */
export function statesOtherRetention(before: ScopePolicies, after: ScopePolicies): boolean {
  return !isDeepStrictEqual(before.retention ?? {}, after.retention ?? {});
}
