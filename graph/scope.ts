import type { StoredRules } from './access.ts';
import type { Reader } from './driver.ts';
import { int, statement } from './statement.ts';

const exists = statement<{ tenant: string; ref: string; below: string }, { found: boolean }>(
  'scope.exists_at_or_below',
  'constraint scope_ref, index scope_path',
  `OPTIONAL MATCH (s:Scope {ref: $ref})
   WITH s IS NOT NULL AS here
   RETURN here OR EXISTS { MATCH (s:Scope) WHERE s.tenant = $tenant AND s.path STARTS WITH $below } AS found`,
);

/** A scope below another, with the rules that concern one actor. */
export interface ScopeBelow {
  readonly path: string;
  /** The roster holds the actor alone, or nobody. */
  readonly rules: StoredRules | null;
}

const below = statement<{ tenant: string; below: string; actor: string; limit: bigint }, ScopeBelow>(
  'scope.below',
  'index scope_path',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = $tenant AND s.path STARTS WITH $below
   WITH s LIMIT $limit
   RETURN s.path AS path, CASE WHEN s.access_version IS NULL THEN null ELSE s {.ref, .allow, .deny,
     members: CASE WHEN s.members IS NULL THEN null ELSE [actor IN s.members WHERE actor = $actor] END,
     roles: [i IN range(0, size(coalesce(s.members, [])) - 1) WHERE s.members[i] = $actor | s.roles[i]]} END AS rules`,
);

/** Reads scopes. */
export class ScopeReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Whether a scope, or one below it, was written to before. */
  async existsAtOrBelow(tenant: string, path: string, ref: string): Promise<boolean> {
    return (await this.reader.read(exists, { tenant, ref, below: `${path}/` }))[0]?.found ?? false;
  }

  /** Scopes below a path, at most so many, in no particular order, with what their rules say of an actor. */
  below(tenant: string, path: string, actor: string, limit: number): Promise<ScopeBelow[]> {
    return this.reader.read(below, { tenant, below: `${path}/`, actor, limit: int(limit) });
  }
}
