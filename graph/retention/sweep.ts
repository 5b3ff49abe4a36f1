import type { Integer } from 'neo4j-driver';

import type { Transaction, Writer } from '../driver.ts';
import { int, statement, type Params } from '../statement.ts';

/** How far the sweeps of a tenant are. */
export interface SweepState {
  /** Path of the scope that was gone through last in the pass under way; empty at its beginning. */
  readonly after: string;
  /** Scopes that were gone through in the pass under way. */
  readonly passed: number;
  /** Number of the pass, from 1; another one begins at the end, and when rules change. */
  readonly pass: number;
  /** Number of the pass since which walks through scopes count; one that was kept by an earlier pass begins anew. 0: all count. */
  readonly since: number;
  /** Days that the deployment kept events when the pass began; null for ever. */
  readonly default_days: number | null;
}

/** The same with what is known of the last sweep. */
export interface SweepStatus extends SweepState {
  readonly running: boolean;
  /** Null where none has ended. */
  readonly last: SweepLast | null;
}

/** The last sweep that ended. */
export interface SweepLast {
  /** JSON text. */
  readonly report: string;
  /** Who asked for it. */
  readonly actor: string;
}

/** What a sweep held, and the rules that it went by, when something of it was about to begin. */
export interface SweepFence extends SweepLease {
  /** Version of the rules of the tenant. */
  readonly rules: number;
}

const STATE = `r.after AS after, r.passed AS passed, r.pass AS pass, coalesce(r.since, 0) AS since, r.default_days AS default_days`;

/** Version of the rules of the tenant: raised by whatever changes what a scope keeps. */
const RULES = 'coalesce(r.rules, 0)';

/** A tenant that no sweep has met is as one at the beginning of its first pass. */
const FRESH = `r.after = '', r.passed = 0, r.pass = 1, r.swept_at = 0`;

interface ClaimParams extends Params {
  tenant: string;
  owner: string;
  lease: Integer;
  due: Integer;
}

// Written to before it is looked at, so that of two claimers one sees the other's claim.
const claim = statement<ClaimParams, SweepState>(
  'retention.claim',
  'constraint retention_sweep_tenant',
  `MERGE (r:RetentionSweep {tenant: $tenant})
     ON CREATE SET ${FRESH}
   SET r.touched = $owner
   WITH r WHERE (r.owner IS NULL OR r.owner = $owner OR r.expires_at <= timestamp()) AND r.swept_at <= $due
   SET r.owner = $owner, r.expires_at = timestamp() + $lease
   RETURN ${STATE}`,
);

interface AdvanceParams extends Params {
  tenant: string;
  owner: string;
  lease: Integer;
  pass: Integer;
  after: string;
  passed: Integer;
  default_days: Integer | null;
}

// Where rules changed meanwhile, another pass has begun, and where this one was does not count.
const advance = statement<AdvanceParams, SweepState>(
  'retention.advance',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   SET r.touched = $owner
   WITH r WHERE r.owner = $owner
   SET r.expires_at = timestamp() + $lease
   FOREACH (same IN CASE WHEN r.pass = $pass THEN [r] ELSE [] END |
     SET same.after = $after, same.passed = $passed, same.default_days = $default_days)
   RETURN ${STATE}`,
);

interface BeginParams extends Params {
  tenant: string;
  owner: string;
  anew: boolean;
  default_days: Integer | null;
}

const begin = statement<BeginParams, SweepState>(
  'retention.begin_pass',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   SET r.touched = $owner
   WITH r WHERE r.owner = $owner
   SET r.after = '', r.passed = 0, r.pass = r.pass + 1, r.default_days = $default_days
   FOREACH (anew IN CASE WHEN $anew THEN [r] ELSE [] END | SET anew.since = anew.pass)
   RETURN ${STATE}`,
);

const renew = statement<{ tenant: string; owner: string; lease: Integer }, { rules: number }>(
  'retention.renew',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   SET r.touched = $owner
   WITH r WHERE r.owner = $owner
   SET r.expires_at = timestamp() + $lease
   RETURN ${RULES} AS rules`,
);

// A scope that is gone has nothing to keep.
const keepProgress = statement<
  { tenant: string; owner: string; lease: Integer; ref: string; progress: string },
  { tenant: string }
>(
  'retention.keep_progress',
  'constraints retention_sweep_tenant, scope_ref',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   SET r.touched = $owner
   WITH r WHERE r.owner = $owner
   SET r.expires_at = timestamp() + $lease
   WITH r
   OPTIONAL MATCH (s:Scope {ref: $ref})
   SET s.retention_progress = $progress
   RETURN r.tenant AS tenant`,
);

const changeRules = statement<{ tenant: string; again: boolean }, { rules: number }>(
  'retention.change_rules',
  'constraint retention_sweep_tenant',
  `MERGE (r:RetentionSweep {tenant: $tenant})
     ON CREATE SET ${FRESH}
   SET r.rules = ${RULES} + 1
   FOREACH (other IN CASE WHEN $again THEN [r] ELSE [] END |
     SET other.after = '', other.passed = 0, other.pass = other.pass + 1)
   RETURN r.rules AS rules`,
);

const fence = statement<{ tenant: string; owner: string }, { rules: number }>(
  'retention.fence',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   SET r.touched = $owner
   WITH r WHERE r.owner = $owner
   RETURN ${RULES} AS rules`,
);

const release = statement<
  {
    tenant: string;
    owner: string;
    last: string | null;
    last_actor: string | null;
    swept_at: Integer | null;
  },
  { tenant: string }
>(
  'retention.release',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   SET r.touched = $owner
   WITH r WHERE r.owner = $owner
   SET r.last = coalesce($last, r.last), r.last_actor = coalesce($last_actor, r.last_actor), r.swept_at = coalesce($swept_at, r.swept_at)
   REMOVE r.owner, r.expires_at
   RETURN r.tenant AS tenant`,
);

const status = statement<{ tenant: string }, SweepStatus>(
  'retention.status',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   RETURN ${STATE}, r.owner IS NOT NULL AND r.expires_at > timestamp() AS running,
     CASE WHEN r.last IS NOT NULL THEN {report: r.last, actor: coalesce(r.last_actor, '')} END AS last`,
);

/** Who holds a tenant for a sweep. */
export interface SweepLease {
  readonly tenant: string;
  /** What no two sweeps share. */
  readonly owner: string;
}

/** Keeps how far the sweeps of each tenant are, and that one runs at a time. A lease expires by the clock of the database. */
export class RetentionSweeps {
  private readonly database: Writer;
  private readonly leaseMs: number;

  constructor(database: Writer, leaseMs: number) {
    this.database = database;
    this.leaseMs = leaseMs;
  }

  /**
   * Takes a tenant for a sweep; null while another one runs there, or where the last one by itself began behind `due` (epoch milliseconds).
   * Throws `DATABASE_UNAVAILABLE`.
   */
  async claim({ tenant, owner }: SweepLease, due: number): Promise<SweepState | null> {
    const params = { tenant, owner, lease: int(this.leaseMs), due: int(due) };
    return (await this.database.writeRepeatable(claim, params))[0] ?? null;
  }

  /** Says that a sweep goes on, and how far its pass is; answers how it stands now, null where the lease is lost. Throws `DATABASE_UNAVAILABLE`. */
  async advance({ tenant, owner }: SweepLease, state: SweepState): Promise<SweepState | null> {
    const { after, passed, pass, default_days } = state;
    const rows = await this.database.writeRepeatable(advance, {
      tenant,
      owner,
      lease: int(this.leaseMs),
      pass: int(pass),
      after,
      passed: int(passed),
      default_days: default_days === null ? null : int(default_days),
    });
    return rows[0] ?? null;
  }

  /**
   * Begins another pass of a sweep, with what the deployment says now; `anew` has every walk begin from nothing. Answers where it stands, null
   * where the lease is lost. Throws `DATABASE_UNAVAILABLE`.
   */
  async beginPass(
    { tenant, owner }: SweepLease,
    { anew, defaultDays }: { readonly anew: boolean; readonly defaultDays: number | null },
  ): Promise<SweepState | null> {
    const default_days = defaultDays === null ? null : int(defaultDays);
    return (await this.database.writeRepeatable(begin, { tenant, owner, anew, default_days }))[0] ?? null;
  }

  /** Says that a sweep goes on; answers the version of the rules as they are now, null where the lease is lost. Throws `DATABASE_UNAVAILABLE`. */
  async renew({ tenant, owner }: SweepLease): Promise<number | null> {
    const params = { tenant, owner, lease: int(this.leaseMs) };
    return (await this.database.writeRepeatable(renew, params))[0]?.rules ?? null;
  }

  /** Keeps how far a sweep has gone through a scope, and says that it goes on; false where the lease is lost. Throws `DATABASE_UNAVAILABLE`. */
  async keepProgress({ tenant, owner }: SweepLease, ref: string, progress: string): Promise<boolean> {
    const params = { tenant, owner, lease: int(this.leaseMs), ref, progress };
    return (await this.database.writeRepeatable(keepProgress, params)).length > 0;
  }

  /** Gives a tenant back, with the report of the sweep, and when it began where it ran by itself and is through with what it may. Throws `DATABASE_UNAVAILABLE`. */
  async release(
    { tenant, owner }: SweepLease,
    { last, sweptAt }: { readonly last: SweepLast | null; readonly sweptAt: number | null },
  ): Promise<void> {
    const swept_at = sweptAt === null ? null : int(sweptAt);
    const [report, last_actor] = last === null ? [null, null] : [last.report, last.actor];
    await this.database.writeRepeatable(release, { tenant, owner, last: report, last_actor, swept_at });
  }

  /** How far the sweeps of a tenant are. */
  async status(tenant: string): Promise<SweepStatus> {
    const [found] = await this.database.read(status, { tenant });
    return (
      found ?? { after: '', passed: 0, pass: 1, since: 0, default_days: null, running: false, last: null }
    );
  }
}

/**
 * Says that rules of a tenant change, within the transaction that changes them; `again` has the next sweep begin another pass, where more may go
 * than before.
 */
export async function changeRulesWithin(
  transaction: Transaction,
  tenant: string,
  { again }: { readonly again: boolean },
): Promise<void> {
  await transaction.run(changeRules, { tenant, again });
}

/** Whether a sweep holds its tenant still and goes by the rules that there are: neither changes until the transaction ends. */
export async function isFencedWithin(
  transaction: Transaction,
  { tenant, owner, rules }: SweepFence,
): Promise<boolean> {
  return (await transaction.run(fence, { tenant, owner }))[0]?.rules === rules;
}
