import type { Integer } from 'neo4j-driver';

import type { Reader } from '../driver.ts';
import { int, statement, type Params } from '../statement.ts';

/** A scope in the walk of a sweep. */
export interface SweptScope {
  readonly ref: string;
  readonly path: string;
  /** JSON text of what it states; null when that is nothing. */
  readonly policies: string | null;
  /** Whether it has a roster of its own. */
  readonly governed: boolean;
  /** How far sweeps have gone through it, as `RetentionSweeps.keepProgress` kept it; null where none has. */
  readonly progress: string | null;
  readonly deleting: boolean;
}

interface WalkParams extends Params {
  tenant: string;
  after: string;
  before: string;
  limit: Integer;
}

const SWEPT = `s.ref AS ref, s.path AS path, s.policies AS policies, s.members IS NOT NULL AS governed, s.retention_progress AS progress, s.deleting_through IS NOT NULL AS deleting`;

const walk = statement<WalkParams, SweptScope>(
  'retention.scopes',
  'index scope_path, walked in order',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = $tenant AND s.path > $after AND s.path < $before
   WITH s ORDER BY s.tenant, s.path LIMIT $limit
   RETURN ${SWEPT}`,
);

const one = statement<{ ref: string }, SweptScope>(
  'retention.scope',
  'constraint scope_ref',
  `MATCH (s:Scope {ref: $ref})
   RETURN ${SWEPT}`,
);

/** What a scope states, and whether it has a roster of its own. */
export type StatedScope = Pick<SweptScope, 'ref' | 'policies' | 'governed'>;

const stated = statement<{ refs: readonly string[] }, StatedScope>(
  'retention.stated',
  'constraint scope_ref',
  `UNWIND $refs AS ref
   MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = ref
   RETURN s.ref AS ref, s.policies AS policies, s.members IS NOT NULL AS governed`,
);

const nextTenant = statement<{ after: string }, { tenant: string }>(
  'retention.next_tenant',
  'index scope_path, one row of it',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant > $after AND s.path > ''
   WITH s ORDER BY s.tenant, s.path LIMIT 1
   RETURN s.tenant AS tenant`,
);

/** An event in the walk of a sweep. */
export interface SweptEvent {
  readonly id: string;
  readonly offset: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  /** Its labels that name a source. */
  readonly sources: readonly string[];
}

const events = statement<
  { ref: string; after: Integer; through: Integer; page: Integer; source: string },
  SweptEvent
>(
  'retention.events',
  'index event_scope, walked in order',
  `MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset)
   WHERE e.scope_ref = $ref AND e.wal_offset > $after AND e.wal_offset <= $through
   WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page
   RETURN e.id AS id, e.wal_offset AS offset, e.recorded_at.epochMillis AS recorded_at,
     [label IN e.labels WHERE label STARTS WITH $source] AS sources`,
);

/** Greater than any scope path. */
const BEHIND_ALL = '{';

/** Reads what sweeps look at. */
export class RetentionScopes {
  private readonly database: Reader;

  constructor(database: Reader) {
    this.database = database;
  }

  /** The tenant behind another one, in their order, that has a scope; null behind the last. */
  async nextTenant(after: string): Promise<string | null> {
    return (await this.database.read(nextTenant, { after }))[0]?.tenant ?? null;
  }

  /** Scopes of a tenant in the order of their paths, those of which the path follows `after`. */
  walk(tenant: string, after: string, limit: number): Promise<SweptScope[]> {
    return this.database.read(walk, { tenant, after, before: BEHIND_ALL, limit: int(limit) });
  }

  /** Scopes below another one, in the same way. */
  below(tenant: string, scope: string, after: string, limit: number): Promise<SweptScope[]> {
    const first = `${scope}/`;
    // The character behind the separator of segments.
    const bounds = { after: after > first ? after : first, before: `${scope}0` };
    return this.database.read(walk, { tenant, ...bounds, limit: int(limit) });
  }

  /** One scope; null when there is none. */
  async one(ref: string): Promise<SweptScope | null> {
    return (await this.database.read(one, { ref }))[0] ?? null;
  }

  /** What scopes state; those that are not there are left out. */
  async stated(refs: readonly string[]): Promise<StatedScope[]> {
    return refs.length === 0 ? [] : this.database.read(stated, { refs });
  }

  /** Events of a scope behind an offset and up to another one, in their order; `source` is what labels that name a source begin with. */
  events(
    ref: string,
    { after, through }: { readonly after: number; readonly through: number },
    { page, source }: { readonly page: number; readonly source: string },
  ): Promise<SweptEvent[]> {
    return this.database.read(events, {
      ref,
      after: int(after),
      through: int(through),
      page: int(page),
      source,
    });
  }
}
