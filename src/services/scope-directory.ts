import { LRUCache } from 'lru-cache';

import type { AccessReader, RulesChange, StoredRules, StoredUses } from '../../graph/access.ts';
import { levelPaths } from '../../schemas/scope.ts';
import type { ScopeRules, ScopeUses, ScopeWithRules, StatedUse } from '../access/rules.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { AccessFeed } from './access-feed.ts';

/** Members of rosters and scopes without one that a process remembers at most, in entries. */
const ACCESS_REMEMBERED = 200_000;

/** A scope of a tenant. */
export interface ScopeName {
  readonly tenant: string;
  readonly path: string;
}

/** Stands for a scope that was looked at and has no rules. */
const NONE = 'none';

/** What is remembered of a scope. */
interface Remembered {
  readonly rules: ScopeRules | typeof NONE;
  /** References of the scopes that it inherits from by name: what these state is in its rules. */
  readonly named: readonly string[];
}

/** Knows the rules along scope paths: from memory where they are remembered, else in one round trip for all that is asked. */
export class ScopeDirectory {
  private readonly reader: AccessReader;
  private readonly feed: AccessFeed;
  private readonly remembered = new LRUCache<string, Remembered>({
    maxSize: ACCESS_REMEMBERED,
    sizeCalculation: ({ rules, named }) =>
      1 + named.length + (rules === NONE ? 0 : (rules.members?.size ?? 0)),
    dispose: ({ named }, key) => {
      this.inherits(key, named, false);
    },
  });
  /** Keys of what is remembered of scopes that inherit by name, by the reference of each scope that they name. */
  private readonly inheriting = new Map<string, Set<string>>();

  constructor(reader: AccessReader, feed: AccessFeed) {
    this.reader = reader;
    this.feed = feed;
    feed.listen(({ scopes }) => {
      for (const scope of scopes) {
        this.remembered.delete(keyOf(scope));
        for (const key of [...(this.inheriting.get(scopeRef(scope.tenant, scope.path)) ?? [])])
          this.remembered.delete(key);
      }
    });
  }

  /** The places of scopes, in their order, no older than a second. Throws `DATABASE_UNAVAILABLE`. */
  async places(scopes: readonly ScopeName[]): Promise<ScopeWithRules[]> {
    await this.feed.fresh();
    const found = new Map<string, ScopeRules | typeof NONE>();
    const missing = new Map<string, ScopeName>();
    for (const level of scopes.flatMap(levelsOf)) {
      const key = keyOf(level);
      const known = this.remembered.get(key);
      if (known === undefined) missing.set(key, level);
      else found.set(key, known.rules);
    }
    if (missing.size > 0) await this.read([...missing.values()], found);
    return placesOf(scopes, found);
  }

  /**
   * The same as they are now, always in exactly one round trip, for no scope as for many. With an actor the places are good for decisions
   * about him alone: of rosters they hold what concerns him, and take as long for a long one as for a short one.
   */
  async placesNow(scopes: readonly ScopeName[], actor: string | null = null): Promise<ScopeWithRules[]> {
    const found = new Map<string, ScopeRules | typeof NONE>();
    const levels = new Map(scopes.flatMap(levelsOf).map((level) => [keyOf(level), level]));
    await this.read([...levels.values()], found, actor);
    return placesOf(scopes, found);
  }

  /** The newest change of the rules along the path of a scope; null where nobody has changed any. Throws `DATABASE_UNAVAILABLE`. */
  lastChange(scope: ScopeName): Promise<RulesChange | null> {
    return this.reader.lastChange(levelsOf(scope).map(({ tenant, path }) => scopeRef(tenant, path)));
  }

  private async read(
    levels: readonly ScopeName[],
    found: Map<string, ScopeRules | typeof NONE>,
    actor: string | null = null,
  ): Promise<void> {
    const refs = levels.map(({ tenant, path }) => scopeRef(tenant, path));
    const { version } = this.feed;
    const rules = await this.reader.rules(refs, actor);
    // What a change that was told of meanwhile has made void would be remembered behind it.
    const current = actor === null && version === this.feed.version;
    levels.forEach((level, i) => {
      const stored = rules.get(refs[i] ?? '');
      const value = stored === undefined ? NONE : rulesOf(stored);
      const key = keyOf(level);
      found.set(key, value);
      if (!current) return;
      const named = stored?.uses?.named.map(({ ref }) => ref) ?? [];
      this.remembered.set(key, { rules: value, named });
      this.inherits(key, named, true);
    });
  }

  /** Notes from which scopes one inherits by name, or that it is not remembered any more. */
  private inherits(key: string, named: readonly string[], remembered: boolean): void {
    for (const ref of named) {
      const keys = this.inheriting.get(ref) ?? new Set();
      if (remembered) keys.add(key);
      else keys.delete(key);
      if (keys.size > 0) this.inheriting.set(ref, keys);
      else this.inheriting.delete(ref);
    }
  }
}

/** The rules of a scope as they are stored. */
export function rulesOf({ members, roles, allow, deny, uses }: Omit<StoredRules, 'ref'>): ScopeRules {
  const roster = members?.map((actor, i) => [actor, roles?.[i] ?? 'reader'] as const);
  return {
    members: roster === undefined ? null : new Map(roster),
    allow: allow ?? ['*'],
    deny: deny ?? [],
    ...(uses === undefined ? {} : { uses: usesOf(uses) }),
  };
}

function usesOf({ own, named }: StoredUses): ScopeUses {
  return { own: statedUse(own), named: named.map(({ policies }) => statedUse(policies)) };
}

function statedUse(policies: string | null): StatedUse {
  if (policies === null) return {};
  const { audit, default_view } = JSON.parse(policies) as StatedUse;
  return {
    ...(audit === undefined ? {} : { audit }),
    ...(default_view === undefined ? {} : { default_view }),
  };
}

function levelsOf({ tenant, path }: ScopeName): ScopeName[] {
  return levelPaths(path).map((level) => ({ tenant, path: level }));
}

function placesOf(
  scopes: readonly ScopeName[],
  found: ReadonlyMap<string, ScopeRules | typeof NONE>,
): ScopeWithRules[] {
  return scopes.map((scope) => ({
    path: scope.path,
    levels: levelsOf(scope).map((level) => {
      const rules = found.get(keyOf(level));
      return rules === undefined || rules === NONE ? null : rules;
    }),
  }));
}

function keyOf({ tenant, path }: ScopeName): string {
  return `${tenant}\n${path}`;
}
