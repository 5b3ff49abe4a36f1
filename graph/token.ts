import type { Integer } from 'neo4j-driver';

import type { KnownKey } from '../src/access/token-state.ts';
import { appendAuditWithin, type FinishedBatch } from './audit.ts';
import { LOCK_ACCESS } from './counter.ts';
import { levelProps } from './columns.ts';
import type { Reader, Transactions, Writer } from './driver.ts';
import { int, statement } from './statement.ts';

const activeKey = statement<Record<string, never>, { kid: string }>(
  'token.active_key',
  'index signing_key_active',
  'MATCH (k:SigningKey {active: true}) RETURN k.kid AS kid',
);

const activate = statement<
  { kid: string; public_key: string; held: readonly string[]; now: Integer; retires_at: Integer },
  { active: string }
>(
  'token.activate_key',
  'constraints counter_name, signing_key_kid; index signing_key_active',
  `${LOCK_ACCESS}
   WITH *, access.value + 1 AS version
   SET access.value = version
   WITH version
   OPTIONAL MATCH (a:SigningKey {active: true})
   WITH version, a, a IS NULL OR (a.kid <> $kid AND a.kid IN $held) AS becomes
   CALL (version, a, becomes) {
     WITH version, a, becomes WHERE becomes
     FOREACH (former IN CASE WHEN a IS NULL THEN [] ELSE [a] END |
       SET former.active = false, former.retires_at = $retires_at, former.access_version = version)
     MERGE (k:SigningKey {kid: $kid}) ON CREATE SET k.public_key = $public_key, k.created_at = $now
     SET k.active = true, k.retires_at = null, k.access_version = version
     RETURN count(k) AS changed
   }
   RETURN CASE WHEN changed > 0 THEN $kid ELSE a.kid END AS active`,
);

const publicKey = statement<{ kid: string }, { public_key: string }>(
  'token.public_key',
  'constraint signing_key_kid',
  'MATCH (k:SigningKey {kid: $kid}) RETURN k.public_key AS public_key',
);

/** The signing keys that the processes of a deployment agree on. */
export class SigningKeyStore {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** The kid of the key that tokens are signed with; null before there was one. */
  async active(): Promise<string | null> {
    return (await this.writer.read(activeKey, {}))[0]?.kid ?? null;
  }

  /** The public text of a key of the deployment, also of one that signs no more; null where there is none. */
  async publicKey(kid: string): Promise<string | null> {
    return (await this.writer.read(publicKey, { kid }))[0]?.public_key ?? null;
  }

  /**
   * Makes a key the active one when there is none, or when the active one is among those held; the former is good until
   * `retiresAt`. Answers the kid of the active key as it is then. Instants are epoch milliseconds.
   */
  async activate(
    key: Pick<KnownKey, 'kid' | 'public_key'>,
    held: readonly string[],
    { now, retiresAt }: { now: number; retiresAt: number },
  ): Promise<string> {
    const params = { ...key, held, now: int(now), retires_at: int(retiresAt) };
    const rows = await this.writer.writeRepeatable(activate, params);
    const [row] = rows;
    if (row === undefined) throw new Error('there is no counter of access: the store is not migrated');
    return row.active;
  }
}

const revoke = statement<
  { tenant: string; jti: string; by: string; reason: string | null; now: Integer; keep_until: Integer },
  { version: number }
>(
  'token.revoke',
  'constraints counter_name, revoked_token',
  `${LOCK_ACCESS}
   WITH *, access.value + 1 AS version
   SET access.value = version
   WITH version
   MERGE (r:RevokedToken {tenant: $tenant, jti: $jti})
     ON CREATE SET r.revoked_at = $now, r.revoked_by = $by, r.reason = $reason, r.keep_until = $keep_until
     ON MATCH SET r.keep_until = CASE WHEN r.keep_until < $keep_until THEN $keep_until ELSE r.keep_until END
   SET r.access_version = version
   RETURN version`,
);

const sweep = statement<{ now: Integer; limit: Integer }, { removed: number }>(
  'token.sweep_revocations',
  'index revoked_token_end',
  `MATCH (r:RevokedToken) WHERE r.keep_until < $now
   WITH r LIMIT $limit
   DELETE r
   RETURN count(*) AS removed`,
);

/** A revocation to store; instants are epoch milliseconds. */
export interface NewRevocation {
  /** `*` for every tenant. */
  readonly tenant: string;
  readonly jti: string;
  /** Actor id of who revokes. */
  readonly by: string;
  readonly reason: string | null;
  readonly now: number;
  readonly keepUntil: number;
}

/** Writes revocations. */
export class RevocationStore {
  private readonly writer: Writer & Transactions;

  constructor(writer: Writer & Transactions) {
    this.writer = writer;
  }

  /**
   * Stores a revocation, a repeat keeps the first, for as long as the later end; and adds rows of the audit log. Answers the
   * newest number of that, 0 when nothing was added.
   */
  revoke(
    { keepUntil, now, ...revocation }: NewRevocation,
    batches: readonly FinishedBatch[],
  ): Promise<number> {
    return this.writer.transactionRepeatable(async (transaction) => {
      await transaction.run(revoke, { ...revocation, now: int(now), keep_until: int(keepUntil) });
      return appendAuditWithin(transaction, batches, now);
    });
  }

  /** Removes revocations of tokens that could not be good any more; answers how many. */
  async sweep(now: number, limit: number): Promise<number> {
    return (await this.writer.writeRepeatable(sweep, { now: int(now), limit: int(limit) }))[0]?.removed ?? 0;
  }
}

const knownTenant = statement<{ id: string }, { id: string }>(
  'tenant.known',
  'constraint tenant_id',
  'MATCH (t:Tenant {id: $id}) RETURN t.id AS id',
);

const signUp = statement<
  {
    tenant: string;
    actor: string;
    now: Integer;
    source: string | null;
    email: string | null;
    display_name: string | null;
    scopes: readonly { path: string; ref: string; levels: Record<string, string> }[];
  },
  { scopes: number }
>(
  'tenant.sign_up',
  'constraints counter_name, tenant_id, scope_ref',
  `${LOCK_ACCESS}
   WITH *, access.value + 1 AS version
   SET access.value = version
   WITH version
   MERGE (t:Tenant {id: $tenant})
     ON CREATE SET t.created_at = $now, t.created_by = $actor, t.source = $source, t.email = $email,
       t.display_name = $display_name
   WITH version
   UNWIND $scopes AS scope
   MERGE (s:Scope {ref: scope.ref})
     ON CREATE SET s.tenant = $tenant, s.path = scope.path, s += scope.levels, s.created_by = $actor, s.created_at = $now,
       s.auto_provisioned = false
   SET s.members = [$actor], s.roles = ['owner'], s.access_version = version
   RETURN count(s) AS scopes`,
);

/** Who signs up, and with what. */
export interface NewTenant {
  readonly id: string;
  /** Owner of the scopes. */
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly source: string | null;
  readonly email: string | null;
  readonly displayName: string | null;
  /** Scopes that the actor owns, each with its reference and those of all levels, root first. */
  readonly scopes: readonly {
    readonly path: string;
    readonly ref: string;
    readonly levelRefs: readonly string[];
  }[];
}

/** Reads and makes tenants. */
export class TenantStore {
  private readonly reader: Reader;
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.reader = writer;
    this.writer = writer;
  }

  /** Whether somebody signed up for the tenant. */
  async knows(id: string): Promise<boolean> {
    return (await this.reader.read(knownTenant, { id })).length > 0;
  }

  /** Makes a tenant with its scopes, in one transaction. */
  async signUp({ id, actor, now, source, email, displayName, scopes }: NewTenant): Promise<void> {
    await this.writer.writeRepeatable(signUp, {
      tenant: id,
      actor,
      now: int(now),
      source,
      email,
      display_name: displayName,
      scopes: scopes.map(({ path, ref, levelRefs }) => ({
        path,
        ref,
        levels: levelProps(levelRefs),
      })),
    });
  }
}
