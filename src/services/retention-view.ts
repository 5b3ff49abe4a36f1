import type { RetentionPolicy } from '../../schemas/retention.ts';
import { durationDays, type ScopePolicies } from '../../schemas/scope-policy.ts';
import { SOURCE_PREFIX, type Retention } from '../access/retention.ts';

const isOfEvents = (name: string): boolean => name === 'events' || name.startsWith(SOURCE_PREFIX);

/** What a scope states of events, in days; null where it states nothing of them. */
export function eventRuleOf({ retention = {} }: Pick<ScopePolicies, 'retention'>): RetentionPolicy | null {
  const entries = Object.entries(retention).filter(([name]) => isOfEvents(name));
  if (entries.length === 0) return null;
  const days = entries.map(([name, value]) => [name, value === null ? null : durationDays(value)] as const);
  const sources = days.flatMap(([name, value]) =>
    name === 'events' || value === null ? [] : [[name, value]],
  );
  const own = days.find(([name]) => name === 'events');
  return {
    ...(own === undefined ? {} : { default_retention_days: own[1] }),
    per_source_days: Object.fromEntries(sources) as Record<string, number>,
  };
}

/** What retention states beside events. */
export function withoutEvents(retention: Retention = {}): Retention {
  return Object.fromEntries(Object.entries(retention).filter(([name]) => !isOfEvents(name)));
}

/** The entries of a rule that is stated in days. */
export function statedRule({
  default_retention_days: days,
  per_source_days: sources = {},
}: {
  readonly default_retention_days?: number | null | undefined;
  readonly per_source_days?: Readonly<Record<string, number>> | undefined;
}): Retention {
  const duration = (count: number): string => `P${String(count)}D`;
  return {
    ...(days === undefined ? {} : { events: days === null ? null : duration(days) }),
    ...Object.fromEntries(Object.entries(sources).map(([name, count]) => [name, duration(count)])),
  };
}
