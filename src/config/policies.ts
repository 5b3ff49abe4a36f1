import { ACTOR_ID } from '../../schemas/actor.ts';
import { isCapabilityPattern, type CapabilityPattern } from '../../schemas/policy.ts';
import type { TierPolicy } from '../access/decide.ts';
import { StartupError } from '../errors.ts';

/** What the configuration says of tenants and of actors, by their ids. */
export interface Policies {
  readonly tenant: Readonly<Record<string, TierPolicy>>;
  readonly actor: Readonly<Record<string, TierPolicy>>;
}

const TENANT = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const IDS = { tenant: TENANT, actor: ACTOR_ID } as const;

/** Policies where none are configured. */
export const NO_POLICIES: Policies = { tenant: record([]), actor: record([]) };

/**
 * Reads the table `policy` of a configuration file: `[policy.tenant.<id>]` and `[policy.actor.<id>]`, each with `allow` and
 * `deny`, lists of capability patterns.
 *
 * @throws StartupError naming the key that is not known or whose value is not allowed.
 */
export function readPolicies(table: unknown, label: string): Policies {
  if (table === undefined) return NO_POLICIES;
  const tiers = tableOf(table, 'policy', label);
  for (const name of Object.keys(tiers)) {
    if (name !== 'tenant' && name !== 'actor')
      throw new StartupError(`policy.${name} in ${label} is not known; allowed are: tenant, actor`);
  }
  return { tenant: readTier(tiers.tenant, 'tenant', label), actor: readTier(tiers.actor, 'actor', label) };
}

/** The policies as TOML. */
export function printPolicies(policies: Policies): string[] {
  return (['tenant', 'actor'] as const).flatMap((tier) =>
    Object.entries(policies[tier]).flatMap(([id, { allow, deny }]) => [
      '',
      `[policy.${tier}.${JSON.stringify(id)}]`,
      `allow = ${JSON.stringify(allow)} # file`,
      `deny = ${JSON.stringify(deny)} # file`,
    ]),
  );
}

function readTier(table: unknown, tier: 'tenant' | 'actor', label: string): Policies['tenant'] {
  if (table === undefined) return record([]);
  const ids = tableOf(table, `policy.${tier}`, label);
  return record(
    Object.entries(ids).map(([id, policy]) => {
      const key = `policy.${tier}.${JSON.stringify(id)}`;
      if (!IDS[tier].test(id)) throw new StartupError(`${key} in ${label} does not name ${article(tier)}`);
      const lists = tableOf(policy, key, label);
      for (const name of Object.keys(lists)) {
        if (name !== 'allow' && name !== 'deny')
          throw new StartupError(`${key}.${name} in ${label} is not known; allowed are: allow, deny`);
      }
      const allow =
        lists.allow === undefined ? (['*'] as const) : patterns(lists.allow, `${key}.allow`, label);
      const deny = lists.deny === undefined ? [] : patterns(lists.deny, `${key}.deny`, label);
      return [id, { tier, allow, deny }] as const;
    }),
  );
}

/** An object without a prototype: ids come from callers, and none of them may find something that nobody configured. */
function record(entries: readonly (readonly [string, TierPolicy])[]): Readonly<Record<string, TierPolicy>> {
  const found = Object.create(null) as Record<string, TierPolicy>;
  for (const [id, policy] of entries) found[id] = policy;
  return found;
}

function article(tier: 'tenant' | 'actor'): string {
  return tier === 'tenant' ? 'a tenant' : 'an actor';
}

function tableOf(value: unknown, key: string, label: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('toISOString' in value))
    return value as Record<string, unknown>;
  throw new StartupError(`${key} in ${label} must be a table`);
}

function patterns(value: unknown, key: string, label: string): CapabilityPattern[] {
  if (!Array.isArray(value)) throw new StartupError(`${key} in ${label} must be a list of capabilities`);
  return value.map((item: unknown, i) => {
    if (typeof item === 'string' && isCapabilityPattern(item)) return item;
    const shown = JSON.stringify(item).slice(0, 100);
    throw new StartupError(
      `${key}[${i}] in ${label} must be the name of a capability, a family such as forget.*, or *; ${shown} is not`,
    );
  });
}
