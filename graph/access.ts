import type { CapabilityPattern, Role } from '../schemas/policy.ts';
import type { KnownKey, Revocation } from '../src/access/token-state.ts';
import type { Reader } from './driver.ts';
import { int, statement } from './statement.ts';

/** The rules that a scope carries; a scope without a roster and without policies of access carries none. */
export interface StoredRules {
  readonly ref: string;
  /** Actors of the roster, and their roles in the same order; null where the scope has none of its own. */
  readonly members: readonly string[] | null;
  readonly roles: readonly Role[] | null;
  readonly allow: readonly CapabilityPattern[] | null;
  readonly deny: readonly CapabilityPattern[] | null;
}

/** What changed in who may do what. */
export interface AccessChanges {
  /** Number of the newest change; every change takes the next one under the lock of the counter `access`. */
  readonly version: number;
  /** Scopes whose rules changed. */
  readonly scopes: readonly { readonly tenant: string; readonly path: string }[];
  /** Tokens that were revoked. */
  readonly revoked: readonly Revocation[];
  /** Signing keys that came up or were retired. */
  readonly keys: readonly KnownKey[];
}

// The counter is read first: rows may be newer than the version that goes with them, never older.
const changes = statement<{ since: bigint }, AccessChanges>(
  'access.changes',
  'constraint counter_name, indexes scope_access, revoked_token_access, signing_key_access',
  `MATCH (c:Counter {name: 'access'})
   WITH c.value AS version
   RETURN version,
     COLLECT { MATCH (s:Scope) WHERE s.access_version > $since RETURN s {.tenant, .path} } AS scopes,
     COLLECT { MATCH (r:RevokedToken) WHERE r.access_version > $since RETURN r {.tenant, .jti, .keep_until} } AS revoked,
     COLLECT { MATCH (k:SigningKey) WHERE k.access_version > $since
       RETURN k {.kid, .public_key, .active, .retires_at} } AS keys`,
);

const rules = statement<{ refs: readonly string[] }, { version: number; rules: StoredRules[] }>(
  'access.rules',
  'constraints counter_name, scope_ref',
  `MATCH (c:Counter {name: 'access'})
   WITH c.value AS version
   RETURN version, COLLECT {
     UNWIND $refs AS ref
     MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = ref AND s.access_version IS NOT NULL
     RETURN s {.ref, .members, .roles, .allow, .deny}
   } AS rules`,
);

/** Reads who may do what. */
export class AccessReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** What changed after a version. */
  async changes(since: number): Promise<AccessChanges> {
    const [found] = await this.reader.read(changes, { since: int(since) });
    if (found === undefined) throw new Error('there is no counter of access: the store is not migrated');
    return found;
  }

  /** The rules of those of the scopes that have any, by reference, and a version that they are at least as new as. */
  async rules(refs: readonly string[]): Promise<{ version: number; rules: Map<string, StoredRules> }> {
    const [found] = await this.reader.read(rules, { refs });
    if (found === undefined) throw new Error('there is no counter of access: the store is not migrated');
    return { version: found.version, rules: new Map(found.rules.map((row) => [row.ref, row])) };
  }
}
