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
  /** Days that the deployment kept events when the pass began; null for ever. */
  readonly default_days: number | null;
}

/** The same with what is known of the last sweep. */
export interface SweepStatus extends SweepState {
  readonly running: boolean;
  /** JSON text of the report of the last sweep; null where none has ended. */
  readonly last: string | null;
}

const STATE = `r.after AS after, r.passed AS passed, r.pass AS pass, r.default_days AS default_days`;

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

const begin = statement<{ tenant: string }, { pass: number }>(
  'retention.begin_pass',
  'constraint retention_sweep_tenant',
  `MERGE (r:RetentionSweep {tenant: $tenant})
     ON CREATE SET ${FRESH}
   SET r.after = '', r.passed = 0, r.pass = r.pass + 1
   RETURN r.pass AS pass`,
);

const release = statement<
  { tenant: string; owner: string; last: string | null; swept_at: Integer | null },
  { tenant: string }
>(
  'retention.release',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   SET r.touched = $owner
   WITH r WHERE r.owner = $owner
   SET r.last = coalesce($last, r.last), r.swept_at = coalesce($swept_at, r.swept_at)
   REMOVE r.owner, r.expires_at
   RETURN r.tenant AS tenant`,
);

const status = statement<{ tenant: string }, SweepStatus>(
  'retention.status',
  'constraint retention_sweep_tenant',
  `MATCH (r:RetentionSweep {tenant: $tenant})
   RETURN ${STATE}, r.owner IS NOT NULL AND r.expires_at > timestamp() AS running, r.last AS last`,
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

  /** Has the next sweep of a tenant begin another pass; answers its number. Throws `DATABASE_UNAVAILABLE`. */
  async beginPass(tenant: string): Promise<number> {
    const [row] = await this.database.writeRepeatable(begin, { tenant });
    if (row === undefined) throw new Error('a sweep that was just written is not there');
    return row.pass;
  }

  /** Gives a tenant back, with the report of the sweep (JSON text), and when it began where it ran by itself. Throws `DATABASE_UNAVAILABLE`. */
  async release(
    { tenant, owner }: SweepLease,
    { last, sweptAt }: { readonly last: string | null; readonly sweptAt: number | null },
  ): Promise<void> {
    const swept_at = sweptAt === null ? null : int(sweptAt);
    await this.database.writeRepeatable(release, { tenant, owner, last, swept_at });
  }

  /** How far the sweeps of a tenant are. */
  async status(tenant: string): Promise<SweepStatus> {
    const [found] = await this.database.read(status, { tenant });
    return found ?? { after: '', passed: 0, pass: 1, default_days: null, running: false, last: null };
  }
}

/** Has the next sweep of a tenant begin another pass, within the transaction that changes its rules. */
export async function beginPassWithin(transaction: Transaction, tenant: string): Promise<void> {
  await transaction.run(begin, { tenant });
}
