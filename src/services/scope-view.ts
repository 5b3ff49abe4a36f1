import type { ScopeWithSources, StoredScope } from '../../graph/scope-record.ts';
import { levelPaths } from '../../schemas/scope.ts';
import type { ScopePolicies } from '../../schemas/scope-policy.ts';
import type { ScopeRecord } from '../../schemas/scope-record.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { ScopeWithRules } from '../access/rules.ts';
import { levelsInForce, type Retention } from '../access/retention.ts';
import { hiddenSource, policyInForce } from '../access/scope-policy.ts';
import { StrataError } from '../errors.ts';
import { rulesOf, type ScopeName } from './scope-directory.ts';

/** A scope as it is stored, with what bears on it. */
export interface ScopeFound {
  /** Null when there is none. */
  readonly own: StoredScope | null;
  /** With the rules of every level, the scope's own included. */
  readonly place: ScopeWithRules;
  readonly stored: ScopeWithSources;
}

/** The refusal of a scope that is not there, or that the caller may not read: which of the two is not told. */
export function scopeNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'scope not found');
}

/** Orders what was read of a path. */
export function foundAt(path: string, stored: ScopeWithSources): ScopeFound {
  const byPath = new Map(stored.levels.map((level) => [level.path, level]));
  const levels = levelPaths(path).map((level) => {
    const scope = byPath.get(level);
    return scope === undefined ? null : rulesOf(scope);
  });
  return { own: byPath.get(path) ?? null, place: { path, levels }, stored };
}

/** A place as it would be without the rules of the scope itself. */
export function withoutOwn({ path, levels }: ScopeWithRules): ScopeWithRules {
  return { path, levels: [...levels.slice(0, -1), null] };
}

/** The scopes that a scope inherits from: those that it names, and those above it. */
export function sourcesOf({ own, stored }: ScopeFound): ScopeName[] {
  if (own === null) return [];
  const above = stored.levels.filter(({ path }) => path !== own.path);
  return [...stored.named, ...above].map(({ path }) => ({ tenant: own.tenant, path }));
}

/**
 * The wire form of a scope. What other scopes state is shown as far as `mayRead` says so: of the named ones nothing else, of
 * those above what holds, without where it is from.
 */
export function toRecord(
  own: StoredScope,
  { stored }: Pick<ScopeFound, 'stored'>,
  {
    mayRead,
    retentionDays,
  }: {
    readonly mayRead: (scope: ScopeName) => boolean;
    /** Days that events are kept of which nobody states anything; null for ever. */
    readonly retentionDays: number | null;
  },
): ScopeRecord {
  const policies = policiesOf(own.policies);
  const stated = ({
    path,
    policies: text,
    members = null,
  }: Pick<StoredScope, 'path' | 'policies'> & Partial<Pick<StoredScope, 'members'>>) => {
    const source = { path, policies: policiesOf(text), governed: members !== null };
    return mayRead({ tenant: own.tenant, path }) ? source : hiddenSource(source);
  };
  const named = (policies.inherit_from ?? []).flatMap((path) =>
    stored.named.filter((scope) => scope.path === path && mayRead({ tenant: own.tenant, path })),
  );
  const sources = { named: named.map(stated), above: scopesAbove(own.path, stored).map(stated) };
  const { resolved, inherited } = policyInForce(
    { path: own.path, policies, governed: own.members !== null },
    sources,
    retentionDays,
  );
  const roles = own.roles ?? [];
  return {
    path: own.path,
    members: (own.members ?? []).map((actor, i) => ({ actor, role: roles[i] ?? 'reader' })),
    policies,
    auto_provisioned: own.auto_provisioned,
    created_at: toRfc3339(own.created_at),
    created_by: own.created_by,
    inherited_policy: inherited,
    resolved_policy: resolved,
  };
}

/** The scopes above a path that there are, the nearest first. */
export function scopesAbove(own: string, { levels }: ScopeWithSources): readonly StoredScope[] {
  return levels.filter(({ path }) => path !== own).sort((a, b) => b.path.length - a.path.length);
}

/** What a path and the scopes above it state of retention, as far as it holds there, the nearest first. */
export function retentionLevels(path: string, stored: ScopeWithSources): readonly Retention[] {
  const own = stored.levels.find((level) => level.path === path);
  const above = scopesAbove(path, stored);
  const levels = [own ?? { policies: null, members: null }, ...above].map(({ policies, members }) => ({
    stated: policiesOf(policies).retention ?? {},
    governed: members !== null,
  }));
  return levelsInForce(levels).map(({ stated }) => stated);
}

/** What a scope states, by the text that is stored of it. */
export function policiesOf(text: string | null): ScopePolicies {
  return text === null ? {} : (JSON.parse(text) as ScopePolicies);
}
