import { durationDays, RETENTION_LAYERS } from '../../schemas/scope-policy.ts';

/** What one scope states of retention: durations by layer and by `source:<system>`; null for what it keeps. */
export type Retention = Readonly<Record<string, string | null>>;

/** What holds of an entry, and who states it: 0 is the scope itself, then those above it, the nearest first. */
export interface RetentionRule {
  /** Null where it is kept. */
  readonly value: string | null;
  readonly level: number;
}

/** Label by which an event says what system it is from, and entries of that system. */
export const SOURCE_PREFIX = 'source:';

const NOTHING: Retention = {};

/**
 * The levels of which the rules hold in a scope, from the scope itself up to the topmost one that has a roster, that one included; all where
 * none has one. Owners of a roster stay owners in those below it; who states rules above all rosters has no right over what they govern, and so
 * erases nothing there.
 *
 * @param levels the scope, then those above it, the nearest first
 */
export function levelsInForce<Level extends { readonly governed?: boolean }>(
  levels: readonly Level[],
): readonly Level[] {
  const end = levels.findLastIndex(({ governed }) => governed === true);
  return end < 0 ? levels : levels.slice(0, end + 1);
}

/**
 * What holds of a layer or source in a scope; null where nobody states anything. The shortest duration of all levels holds; where none states
 * one, a stated null keeps. A null of the scope itself keeps whatever those above it state: then it goes by its own entries alone. For a source
 * a level that does not name it says what it says of events.
 *
 * @param levels what the scope states, then what those above it state, the nearest first, as far as {@link levelsInForce} says
 */
export function retentionRule(levels: readonly Retention[], name: string): RetentionRule | null {
  const [own = NOTHING] = levels;
  const layer = name.startsWith(SOURCE_PREFIX) ? 'events' : name;
  const asked = own[layer] === null ? [own] : levels;
  let rule: RetentionRule | null = null;
  for (const [level, stated] of asked.entries()) {
    const value = stated[Object.hasOwn(stated, name) ? name : layer];
    if (value !== undefined && isShorter(value, rule)) rule = { value, level };
  }
  return rule;
}

function isShorter(value: string | null, rule: RetentionRule | null): boolean {
  return rule === null || daysOf(value) < daysOf(rule.value);
}

function daysOf(value: string | null): number {
  return value === null ? Number.POSITIVE_INFINITY : (durationDays(value) ?? Number.POSITIVE_INFINITY);
}

/** The rules that hold in a scope, by layer and by source, as far as anybody states some; see {@link retentionRule}. */
export function retentionRules(levels: readonly Retention[]): ReadonlyMap<string, RetentionRule> {
  const names = new Set([...RETENTION_LAYERS, ...levels.flatMap((stated) => Object.keys(stated))]);
  const rules = new Map<string, RetentionRule>();
  for (const name of names) {
    const rule = retentionRule(levels, name);
    if (rule !== null) rules.set(name, rule);
  }
  return rules;
}

/** How long records of a scope are kept, in days; null for ever. */
export interface KeptDays {
  /** Events of no source that is named. */
  readonly events: number | null;
  /** Events by their source, `source:<system>`. */
  readonly sources: ReadonlyMap<string, number | null>;
  /** What is derived, by layer; what is not named is kept. */
  readonly layers: ReadonlyMap<DerivedRetentionLayer, number>;
}

/** The layers that are derived from events, as retention names them. */
export type DerivedRetentionLayer = Exclude<(typeof RETENTION_LAYERS)[number], 'events'>;
const DERIVED = RETENTION_LAYERS.filter((layer) => layer !== 'events');

/**
 * How long a scope keeps its records.
 *
 * @param deploymentDays how long events are kept of which no level says anything; null for ever
 */
export function keptDays(levels: readonly Retention[], deploymentDays: number | null): KeptDays {
  const rules = retentionRules(levels);
  const daysBy = (name: string): number | null => {
    const value = rules.get(name)?.value ?? null;
    return value === null ? null : durationDays(value);
  };
  const sources = [...rules.keys()].filter((name) => name.startsWith(SOURCE_PREFIX));
  return {
    events: rules.has('events') ? daysBy('events') : deploymentDays,
    sources: new Map(sources.map((name) => [name, daysBy(name)])),
    layers: new Map(
      DERIVED.flatMap((layer) => {
        const days = daysBy(layer);
        return days === null ? [] : [[layer, days] as const];
      }),
    ),
  };
}

/** How many days an event with these labels is kept: of several sources the shortest; null for ever. */
export function daysOfEvent({ events, sources }: KeptDays, labels: readonly string[]): number | null {
  const systems = labels.filter((label) => label.startsWith(SOURCE_PREFIX));
  const days = systems.map((name) => {
    const named = sources.get(name);
    return named === undefined ? events : named;
  });
  const ending = (systems.length === 0 ? [events] : days).filter((one) => one !== null);
  return ending.length === 0 ? null : Math.min(...ending);
}
