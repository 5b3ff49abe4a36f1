import type { Integer } from 'neo4j-driver';

import type { CapabilityPattern, Role } from '../schemas/policy.ts';
import type { KnownKey, Revocation } from '../src/access/token-state.ts';
import type { Clock } from '../src/clock.ts';
import { LOCK_ACCESS } from './counter.ts';
import type { Transaction, Writer } from './driver.ts';
import { int, statement } from './statement.ts';

/** The rules that a scope carries; a scope without a roster and without policies of access carries none. */
export interface StoredRules {
  readonly ref: string;
  /** Actors of the roster, and their roles in the same order; null where the scope has none of its own. */
  readonly members: readonly string[] | null;
  readonly roles: readonly Role[] | null;
  readonly allow: readonly CapabilityPattern[] | null;
  readonly deny: readonly CapabilityPattern[] | null;
  /** What it states and inherits by name, where that was asked for. */
  readonly uses?: StoredUses;
}

/** Policies as JSON texts; null of a scope that states nothing of how it is read and recorded. */
export interface StoredUses {
  readonly own: string | null;
  /** Of the scopes that it inherits from by name as far as derivation does, in that order, with their references. */
  readonly named: readonly { readonly ref: string; readonly policies: string | null }[];
}

/** What changed in who may do what. */
export interface AccessChanges {
  /** Number of the newest change; every change takes the next one under the lock of the counter `access`. */
  readonly version: number;
  /** Scopes whose rules changed, those among them that are gone. */
  readonly scopes: readonly { readonly tenant: string; readonly path: string }[];
  /** Tokens that were revoked. */
  readonly revoked: readonly Revocation[];
  /** Signing keys that came up or were retired. */
  readonly keys: readonly KnownKey[];
}

const newest = statement<Record<string, never>, { version: number }>(
  'access.newest',
  'constraint counter_name',
  `MATCH (c:Counter {name: 'access'}) RETURN c.value AS version`,
);

// A commit becomes visible piece by piece: a new counter may be read before the rows that go with it. Writing first waits for
// the change that holds the counter, so that everything up to the version is readable.
const changes = statement<{ since: Integer; scopes_since: Integer; now: Integer }, AccessChanges>(
  'access.changes',
  'constraint counter_name, indexes scope_access, removed_scope_access, revoked_token_access, signing_key_access',
  `MATCH (c:Counter {name: 'access'})
   SET c.touched = $now
   WITH c.value AS version
   RETURN version,
     COLLECT { MATCH (s:Scope) WHERE s.access_version > $scopes_since RETURN s {.tenant, .path} }
       + COLLECT { MATCH (r:RemovedScope) WHERE r.access_version > $scopes_since RETURN r {.tenant, .path} } AS scopes,
     COLLECT { MATCH (r:RevokedToken) WHERE r.access_version > $since RETURN r {.tenant, .jti, .keep_until} } AS revoked,
     COLLECT { MATCH (k:SigningKey) WHERE k.access_version > $since
       RETURN k {.kid, .public_key, .active, .retires_at} } AS keys`,
);

const locked = statement<Record<string, never>, { version: number }>(
  'access.locked',
  'constraint counter_name',
  `${LOCK_ACCESS}
   RETURN access.value AS version`,
);

/** Number of the newest change of access; none comes behind it until the transaction ends. */
export async function lockAccessWithin(transaction: Transaction): Promise<number | null> {
  return (await transaction.run(locked, {}))[0]?.version ?? null;
}

/** The rules of a scope `s` as far as they concern `$actor`, or (null) everybody: a long roster takes no longer than a short one. */
export const RULES = `.allow, .deny,
     members: CASE WHEN $actor IS NULL OR s.members IS NULL THEN s.members ELSE [actor IN s.members WHERE actor = $actor] END,
     roles: CASE WHEN $actor IS NULL OR s.members IS NULL THEN s.roles
       ELSE [i IN range(0, size(s.members) - 1) WHERE s.members[i] = $actor | s.roles[i]] END`;

/** The policies of a scope `s`, and `n`, where they may speak of how it is read and recorded: a predicate may be called so, too. */
const OWN_USES = `CASE WHEN s.policies CONTAINS '"audit"' OR s.policies CONTAINS '"default_view"' THEN s.policies END`;
const NAMED_USES = `CASE WHEN n.policies CONTAINS '"audit"' OR n.policies CONTAINS '"default_view"' THEN n.policies END`;

// By which names a scope inherits is in its newest entry of the log: those that whoever stated them could read.
const rules = statement<{ refs: readonly string[]; actor: string | null }, { rules: StoredRules }>(
  'access.rules',
  'constraint scope_ref; index policy_entry, its last entry of a scope that inherits by name',
  `UNWIND $refs AS ref
   MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = ref AND s.access_version IS NOT NULL
   RETURN s {.ref, ${RULES}, uses: {own: ${OWN_USES}, named: COLLECT {
     UNWIND CASE WHEN size(s.inherit_refs) > 0 THEN [s.ref] ELSE [] END AS inheriting
     CALL (inheriting) {
       MATCH (l:PolicyEntry) USING INDEX SEEK l:PolicyEntry(scope_ref, after_offset, number)
       WHERE l.scope_ref = inheriting AND l.after_offset >= 0 AND l.number > 0
       WITH l ORDER BY l.scope_ref DESC, l.after_offset DESC, l.number DESC LIMIT 1
       RETURN l.inherit_refs AS named
     }
     UNWIND range(0, size(named) - 1) AS i
     OPTIONAL MATCH (n:Scope) USING INDEX SEEK n:Scope(ref) WHERE n.ref = named[i]
     WITH named[i] AS other, n, i ORDER BY i
     RETURN {ref: other, policies: ${NAMED_USES}}
   }}} AS rules`,
);

/** Who changed the rules of a scope last, and when. */
export interface RulesChange {
  /** Actor id; null where it was not kept. */
  readonly by: string | null;
  /** Epoch milliseconds; null where it was not kept. */
  readonly at: number | null;
}

const changesOfRules = statement<{ refs: readonly string[] }, RulesChange & { readonly version: number }>(
  'access.rule_changes',
  'constraints scope_ref, removed_scope_ref',
  `UNWIND $refs AS ref
   OPTIONAL MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = ref
   OPTIONAL MATCH (r:RemovedScope) USING INDEX SEEK r:RemovedScope(ref) WHERE r.ref = ref
   UNWIND [s, r] AS changed
   WITH changed WHERE changed.access_version IS NOT NULL
   RETURN changed.access_version AS version, changed.changed_by AS by, changed.changed_at AS at`,
);

/** Reads who may do what. */
export class AccessReader {
  private readonly database: Writer;
  private readonly clock: Clock;

  /** @param database writes nothing but the mark by which the counter is locked */
  constructor(database: Writer, clock: Clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Everything that changed after a version, and nothing left out below the version that goes with it; null when nothing did.
   * At first, after version 0, scopes are left out: nothing is remembered of them yet.
   */
  async changes(since: number): Promise<AccessChanges | null> {
    const [now] = await this.database.read(newest, {});
    if (now === undefined) throw new Error('there is no counter of access: the store is not migrated');
    if (now.version <= since) return null;
    const [found] = await this.database.writeRepeatable(changes, {
      since: int(since),
      scopes_since: int(since === 0 ? now.version : since),
      now: int(this.clock.now()),
    });
    if (found === undefined) throw new Error('the counter of access is gone');
    return found;
  }

  /** The newest change of the rules of any of the scopes, those that are gone among them; null where there was none. */
  async lastChange(refs: readonly string[]): Promise<RulesChange | null> {
    const rows = await this.database.read(changesOfRules, { refs });
    const [newest] = [...rows].sort((a, b) => b.version - a.version);
    return newest === undefined ? null : { by: newest.by, at: newest.at };
  }

  /**
   * The rules of those of the scopes that have any, by reference; one round trip, for no scope as for many. With an actor rosters hold him
   * alone, or nobody, so that a long one takes no longer than a short one.
   */
  async rules(refs: readonly string[], actor: string | null = null): Promise<Map<string, StoredRules>> {
    const rows = await this.database.read(rules, { refs, actor });
    return new Map(rows.map((row) => [row.rules.ref, row.rules]));
  }
}
