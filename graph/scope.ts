import type { Integer } from 'neo4j-driver';

import { RULES, type StoredRules } from './access.ts';
import { appendAuditWithin, type FinishedBatch } from './audit.ts';
import type { Reader, Transactions } from './driver.ts';
import { forgetLinksWithin } from './entity/link.ts';
import { int, statement, type Params } from './statement.ts';

interface AskedScope extends Params {
  tenant: string;
  ref: string;
  below: string;
}

const exists = statement<{ scopes: readonly AskedScope[] }, { found: boolean[] }>(
  'scope.exists_at_or_below',
  'constraint scope_ref, index scope_path',
  `UNWIND $scopes AS scope
   OPTIONAL MATCH (s:Scope {ref: scope.ref})
   WITH scope, s IS NOT NULL AS here
   RETURN collect(here OR EXISTS { MATCH (s:Scope) WHERE s.tenant = scope.tenant AND s.path STARTS WITH scope.below }) AS found`,
);

/** A scope below another, with the rules that concern one actor. */
export interface ScopeBelow {
  readonly path: string;
  /** The roster holds the actor alone, or nobody. */
  readonly rules: StoredRules | null;
}

const below = statement<{ tenant: string; below: string; actor: string; limit: Integer }, ScopeBelow>(
  'scope.below',
  'index scope_path',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = $tenant AND s.path STARTS WITH $below
   WITH s LIMIT $limit
   RETURN s.path AS path, CASE WHEN s.access_version IS NULL THEN null ELSE s {.ref, ${RULES}} END AS rules`,
);

/** A scope in a walk over those of a tenant: nothing of what it holds, which is read once it is known who may. */
export interface WalkedScope {
  readonly ref: string;
  readonly path: string;
  readonly auto_provisioned: boolean;
}

/** What a list shows of a scope beside its name. */
export interface ScopeDetails {
  readonly ref: string;
  /** Epoch milliseconds. */
  readonly created_at: number;
  /** First owner of its own roster, null when it has none. */
  readonly owner: string | null;
  readonly member_count: number;
  /** Stored events, counted up to a limit. */
  readonly events: number;
}

const WALKED = `s.ref AS ref, s.path AS path, s.auto_provisioned AS auto_provisioned`;

interface WalkParams extends Params {
  tenant: string;
  after: string;
  before: string;
  limit: Integer;
}

const walk = statement<WalkParams, WalkedScope>(
  'scope.walk',
  'index scope_path, walked in order',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = $tenant AND s.path > $after AND s.path < $before
   WITH s ORDER BY s.tenant, s.path LIMIT $limit
   RETURN ${WALKED}`,
);

const one = statement<{ ref: string }, WalkedScope>(
  'scope.one',
  'constraint scope_ref',
  `MATCH (s:Scope {ref: $ref})
   RETURN ${WALKED}`,
);

const details = statement<{ refs: readonly string[]; limit: Integer }, ScopeDetails>(
  'scope.details',
  'constraint scope_ref; index event_scope, a bounded number of rows for each scope',
  `UNWIND $refs AS ref
   MATCH (s:Scope {ref: ref})
   CALL (ref) {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = ref AND e.wal_offset > 0
     WITH e LIMIT $limit
     RETURN count(e) AS events
   }
   RETURN ref, s.created_at AS created_at, events, coalesce(size(s.members), 0) AS member_count,
     head([i IN range(0, size(coalesce(s.members, [])) - 1) WHERE s.roles[i] = 'owner' | s.members[i]]) AS owner`,
);

const EMPTY = `s.auto_provisioned AND s.access_version IS NULL AND s.deleting_through IS NULL
     AND NOT EXISTS { MATCH (e:Event) WHERE e.scope_ref = s.ref AND e.wal_offset > 0 }`;

const walkEmpty = statement<WalkParams, { last: string | null; paths: string[] }>(
  'scope.walk_empty',
  'index scope_path, walked in order; index event_scope',
  `MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = $tenant AND s.path > $after AND s.path < $before
   WITH s ORDER BY s.tenant, s.path LIMIT $limit
   WITH s, ${EMPTY} AS empty
   RETURN max(s.path) AS last, collect(CASE WHEN empty THEN s.path END) AS paths`,
);

// Neither a capture nor a registration comes between the look and the removal.
const prune = statement<{ refs: readonly string[]; now: Integer }, { pruned: string[] }>(
  'scope.prune',
  'constraints counter_name, scope_ref; index event_scope',
  `MATCH (access:Counter {name: 'access'})
   SET access.touched = $now
   WITH access
   MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   UNWIND $refs AS ref
   MATCH (s:Scope {ref: ref}) USING INDEX SEEK s:Scope(ref) WHERE ${EMPTY}
   DETACH DELETE s
   RETURN collect(ref) AS pruned`,
);

/** Greater than any scope path, and the character that follows the separator of segments. */
const [BEHIND_ALL, BEHIND_SEPARATOR] = ['{', '0'];

/** The stretch of paths behind one (exclusive) that lie below a scope, or of all. */
function stretch(below: string | null, after: string): { after: string; before: string } {
  if (below === null) return { after, before: BEHIND_ALL };
  const first = `${below}/`;
  return { after: after > first ? after : first, before: `${below}${BEHIND_SEPARATOR}` };
}

/** Reads scopes. */
export class ScopeReader {
  private readonly reader: Reader;
  /** What is gathered in the present turn. */
  private asked: { readonly scopes: AskedScope[]; readonly found: Promise<boolean[]> } | null = null;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Whether a scope, or one below it, was written to before. All that is asked in one turn is one statement. */
  async existsAtOrBelow(tenant: string, path: string, ref: string): Promise<boolean> {
    this.asked ??= this.askTogether();
    const { scopes, found } = this.asked;
    const place = scopes.push({ tenant, ref, below: `${path}/` }) - 1;
    return (await found)[place] ?? false;
  }

  private askTogether(): NonNullable<ScopeReader['asked']> {
    const scopes: AskedScope[] = [];
    const found = Promise.resolve().then(async () => {
      this.asked = null;
      return (await this.reader.read(exists, { scopes }))[0]?.found ?? [];
    });
    return { scopes, found };
  }

  /** Scopes below a path, at most so many, in no particular order, with what their rules say of an actor. */
  below(tenant: string, path: string, actor: string, limit: number): Promise<ScopeBelow[]> {
    return this.reader.read(below, { tenant, below: `${path}/`, actor, limit: int(limit) });
  }

  /** Scopes below a path (null: all) of which the paths follow `after`, in their order. */
  walk(tenant: string, below: string | null, after: string, limit: number): Promise<WalkedScope[]> {
    return this.reader.read(walk, { tenant, ...stretch(below, after), limit: int(limit) });
  }

  /** One scope; null when there is none. */
  async one(ref: string): Promise<WalkedScope | null> {
    return (await this.reader.read(one, { ref }))[0] ?? null;
  }

  /** What is shown of scopes, by reference, with their events counted up to `limit` each; one round trip, none for no scope. */
  async details(refs: readonly string[], limit: number): Promise<Map<string, ScopeDetails>> {
    if (refs.length === 0) return new Map();
    const rows = await this.reader.read(details, { refs, limit: int(limit) });
    return new Map(rows.map((row) => [row.ref, row]));
  }

  /**
   * Looks at `limit` scopes behind a path: those among them that came into being by a write alone and have no event, and the
   * path of the last; null at the end.
   */
  async walkEmpty(
    tenant: string,
    after: string,
    limit: number,
  ): Promise<{ last: string; paths: string[] } | null> {
    const [row] = await this.reader.read(walkEmpty, { tenant, ...stretch(null, after), limit: int(limit) });
    return row?.last ? { last: row.last, paths: row.paths } : null;
  }
}

/** Removes scopes of which nothing is left. */
export class ScopePruner {
  private readonly database: Transactions;

  constructor(database: Transactions) {
    this.database = database;
  }

  /** Removes those of the scopes that are still empty, and adds rows of the audit log; answers how many, and the newest number of the log. */
  prune(
    refs: readonly string[],
    now: number,
    batches: readonly FinishedBatch[],
  ): Promise<{ pruned: number; newestAudit: number }> {
    return this.database.transactionRepeatable(async (transaction) => {
      const [row] = await transaction.run(prune, { refs, now: int(now) });
      const pruned = row?.pruned ?? [];
      await forgetLinksWithin(transaction, pruned);
      const newestAudit = await appendAuditWithin(transaction, batches, now);
      return { pruned: pruned.length, newestAudit };
    });
  }
}
