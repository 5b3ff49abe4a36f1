import type { CapabilityPattern } from '../../schemas/policy.ts';
import {
  durationDays,
  type InheritedPolicy,
  type ResolvedPolicy,
  type ScopePolicies,
} from '../../schemas/scope-policy.ts';
import { covers } from './capability.ts';

/** What a scope states. */
export interface StatedPolicies {
  readonly path: string;
  readonly policies: ScopePolicies;
  /** Whether nobody is to be told that it comes from there; default false. */
  readonly hidden?: boolean;
}

/**
 * What of a scope's policies who may not read it is told by what holds below it: the values out of closed lists and the times
 * that layers are kept. Predicates and source systems are named by whoever states them, and so tell of the scope.
 */
export function hiddenSource({ path, policies }: StatedPolicies): StatedPolicies {
  const { retention, cardinality: _predicates, ...common } = policies;
  const layers = Object.entries(retention ?? {}).filter(([name]) => !name.startsWith('source:'));
  return { path, policies: { ...common, retention: Object.fromEntries(layers) }, hidden: true };
}

/** Where a value of the service's own is from. */
export const DEFAULT_SOURCE = 'default';

const DEFAULTS = { consolidation: 'eager', conflict_resolution: 'latest_wins', audit: 'on' } as const;

/** Policies in force, and those of them that the scope does not state itself, by name. */
export interface PolicyInForce {
  readonly resolved: ResolvedPolicy;
  readonly inherited: Record<string, InheritedPolicy>;
}

/**
 * What holds in a scope: its own policies, else those of the sources, first ones first, else the defaults. Retention is told
 * entry by entry and the shortest of all holds; cardinality predicate by predicate. What holds by a hidden source is resolved
 * and not told as inherited.
 */
export function policyInForce(own: StatedPolicies, sources: readonly StatedPolicies[]): PolicyInForce {
  const all = [own, ...sources];
  const inherited = new Map<string, InheritedPolicy>();
  const hidden = new Set(sources.filter((source) => source.hidden === true).map(({ path }) => path));
  const note = <T>(name: string, value: T, from: string): T => {
    if (from !== own.path && !hidden.has(from)) inherited.set(name, { value, from });
    return value;
  };
  const first = <Key extends 'consolidation' | 'conflict_resolution' | 'audit' | 'default_view'>(
    key: Key,
  ) => {
    const stating = all.find(({ policies }) => policies[key] !== undefined);
    return stating === undefined ? undefined : note(key, stating.policies[key], stating.path);
  };
  const chosen = (key: 'retention' | 'cardinality', beats: Beats): Record<string, string> =>
    Object.fromEntries(
      [...choose(all, key, beats)].map(([name, { value, from }]) => [
        name,
        note(`${key}.${name}`, value, from),
      ]),
    );
  const view = first('default_view');
  const resolved: ResolvedPolicy = {
    consolidation: first('consolidation') ?? note('consolidation', DEFAULTS.consolidation, DEFAULT_SOURCE),
    conflict_resolution:
      first('conflict_resolution') ??
      note('conflict_resolution', DEFAULTS.conflict_resolution, DEFAULT_SOURCE),
    audit: first('audit') ?? note('audit', DEFAULTS.audit, DEFAULT_SOURCE),
    retention: chosen('retention', (a, b) => (durationDays(a) ?? 0) < (durationDays(b) ?? 0)),
    ...(view === undefined ? {} : { default_view: view }),
    cardinality: chosen('cardinality', () => false),
  };
  return { resolved, inherited: Object.fromEntries(inherited) };
}

/** Whether a value that is further away holds against one that is nearer. */
type Beats = (further: string, nearer: string) => boolean;

function choose(
  all: readonly StatedPolicies[],
  key: 'retention' | 'cardinality',
  beats: Beats,
): Map<string, { value: string; from: string }> {
  const held = new Map<string, { value: string; from: string }>();
  for (const { path, policies } of all) {
    for (const [name, value] of Object.entries(policies[key] ?? {})) {
      const nearer = held.get(name);
      if (nearer === undefined || beats(value, nearer.value)) held.set(name, { value, from: path });
    }
  }
  return held;
}

/** What the capabilities of a policy would take from everybody for good; null when scope.manage is left. */
export function lockedOut({ capabilities }: ScopePolicies): 'allow' | 'deny' | null {
  const speaksOf = (pattern: CapabilityPattern): boolean => covers(pattern, 'scope.manage');
  if (capabilities?.deny?.some(speaksOf) === true) return 'deny';
  return capabilities?.allow === undefined || capabilities.allow.some(speaksOf) ? null : 'allow';
}
