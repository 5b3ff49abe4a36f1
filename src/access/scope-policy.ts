import type { CapabilityPattern } from '../../schemas/policy.ts';
import type { InheritedPolicy, ResolvedPolicy, ScopePolicies } from '../../schemas/scope-policy.ts';
import { covers } from './capability.ts';
import { levelsInForce, retentionRules } from './retention.ts';

/** What a scope states. */
export interface StatedPolicies {
  readonly path: string;
  readonly policies: ScopePolicies;
  /** Whether nobody is to be told that it comes from there; default false. */
  readonly hidden?: boolean;
  /** Whether it has a roster of its own; default false. */
  readonly governed?: boolean;
}

/**
 * What of a scope's policies who may not read it is told by what holds below it: the values out of closed lists and the times
 * that layers are kept. Predicates and source systems are named by whoever states them, and so tell of the scope.
 */
export function hiddenSource({ policies, ...source }: StatedPolicies): StatedPolicies {
  const { retention, cardinality: _predicates, ...common } = policies;
  const layers = Object.entries(retention ?? {}).filter(([name]) => !name.startsWith('source:'));
  return { ...source, policies: { ...common, retention: Object.fromEntries(layers) }, hidden: true };
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
 * What holds in a scope: its own policies, else those of the sources, first ones first, else the defaults; cardinality predicate by
 * predicate. Retention goes by the scope and those above it alone, see {@link levelsInForce} and {@link retentionRules}. What holds by a hidden source is resolved and
 * not told as inherited.
 *
 * @param sources the scopes that are inherited from: those that are named, then those above
 * @param retentionDays days that events are kept of which nobody states anything; null for ever
 */
export function policyInForce(
  own: StatedPolicies,
  sources: { readonly named: readonly StatedPolicies[]; readonly above: readonly StatedPolicies[] },
  retentionDays: number | null,
): PolicyInForce {
  const all = [own, ...sources.named, ...sources.above];
  const inherited = new Map<string, InheritedPolicy>();
  const hidden = new Set(all.filter((source) => source.hidden === true).map(({ path }) => path));
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
  const told = <T>(key: string, held: ReadonlyMap<string, Held<T>>): Record<string, T> =>
    Object.fromEntries(
      [...held].map(([name, { value, from }]) => [name, note(`${key}.${name}`, value, from)]),
    );
  const view = first('default_view');
  const resolved: ResolvedPolicy = {
    consolidation: first('consolidation') ?? note('consolidation', DEFAULTS.consolidation, DEFAULT_SOURCE),
    conflict_resolution:
      first('conflict_resolution') ??
      note('conflict_resolution', DEFAULTS.conflict_resolution, DEFAULT_SOURCE),
    audit: first('audit') ?? note('audit', DEFAULTS.audit, DEFAULT_SOURCE),
    retention: told('retention', retentionHeld(levelsInForce([own, ...sources.above]), retentionDays)),
    ...(view === undefined ? {} : { default_view: view }),
    cardinality: told('cardinality', cardinalityHeld(all)),
  };
  return { resolved, inherited: Object.fromEntries(inherited) };
}

/** A value, and the path of who states it. */
interface Held<T> {
  readonly value: T;
  readonly from: string;
}

function retentionHeld(
  lineage: readonly StatedPolicies[],
  retentionDays: number | null,
): Map<string, Held<string | null>> {
  const rules = retentionRules(lineage.map(({ policies }) => policies.retention ?? {}));
  const held = new Map<string, Held<string | null>>();
  for (const [name, { value, level }] of rules)
    held.set(name, { value, from: lineage[level]?.path ?? DEFAULT_SOURCE });
  if (!held.has('events') && retentionDays !== null)
    held.set('events', { value: `P${String(retentionDays)}D`, from: DEFAULT_SOURCE });
  return held;
}

function cardinalityHeld(all: readonly StatedPolicies[]): Map<string, Held<string>> {
  const held = new Map<string, Held<string>>();
  for (const { path, policies } of all)
    for (const [name, value] of Object.entries(policies.cardinality ?? {}))
      if (!held.has(name)) held.set(name, { value, from: path });
  return held;
}

/** What the capabilities of a policy would take from everybody for good; null when scope.manage is left. */
export function lockedOut({ capabilities }: ScopePolicies): 'allow' | 'deny' | null {
  const speaksOf = (pattern: CapabilityPattern): boolean => covers(pattern, 'scope.manage');
  if (capabilities?.deny?.some(speaksOf) === true) return 'deny';
  return capabilities?.allow === undefined || capabilities.allow.some(speaksOf) ? null : 'allow';
}
