import type { Base } from './base.ts';
import type { Database } from '../../graph/driver.ts';
import { Manifests } from '../../graph/erasure/manifest.ts';
import { ForgetReader } from '../../graph/forget/reader.ts';
import { RetentionScopes } from '../../graph/retention/scope.ts';
import { RetentionSweeps } from '../../graph/retention/sweep.ts';
import { RETENTION_LEASE_MS } from '../limits/retention.ts';
import { ForgetStart } from '../services/forget-start.ts';
import { RetentionErasing } from '../services/retention-erasing.ts';
import { RetentionJob } from '../services/retention-job.ts';
import { RetentionSweeper } from '../services/retention-sweeper.ts';
import { RetentionSweeping } from '../services/retention-sweeping.ts';
import type { Audit } from './audit.ts';
import type { ForgetWork } from './forget.ts';
import type { Gate } from './gate.ts';
import type { HoldWork } from './legal-holds.ts';
import type { Ledger } from './ledger.ts';

/** What erases records that are kept long enough. */
export interface RetentionWork {
  readonly retentionSweeps: RetentionSweeps;
  readonly sweptScopes: RetentionScopes;
  readonly sweeper: RetentionSweeper;
  readonly retention: RetentionJob;
}

/** Builds what sweeps beside requests. */
export function createRetentionWork(
  database: Database,
  parts: Base & Pick<Gate, 'feed'> & Pick<Ledger, 'head'> & Pick<Audit, 'changes'> & ForgetWork & HoldWork,
): RetentionWork {
  const { head, ids, clock, log, metrics, config } = parts;
  const retentionSweeps = new RetentionSweeps(database, RETENTION_LEASE_MS);
  const sweptScopes = new RetentionScopes(database);
  const erasing = new RetentionErasing({
    starts: new ForgetStart({
      plans: parts.plans,
      steps: parts.steps,
      manifests: new Manifests(database),
      runner: parts.forgets,
      feed: parts.feed,
      clock,
      leaseWaitMs: config.forget.leaseWaitMs,
    }),
    reader: new ForgetReader(database, parts.keyedIds),
    settling: parts.settling,
    holds: parts.holds,
    runner: parts.forgets,
    erasures: parts.erasures,
    changes: parts.changes,
    ids,
    clock,
  });
  const sweeper = new RetentionSweeper({
    sweeps: retentionSweeps,
    scopes: sweptScopes,
    erasing,
    head,
    ids,
    clock,
    metrics,
    log,
  });
  const job = { sweeper, scopes: sweptScopes, clock, log, settings: config.retention };
  return { retentionSweeps, sweptScopes, sweeper, retention: new RetentionJob(job) };
}

/** Builds what sweeps when somebody asks. */
export function createSweeping({
  access,
  head,
  config,
  sweeper,
  retentionSweeps: sweeps,
  sweptScopes,
}: Pick<Gate, 'access'> & Pick<Ledger, 'head'> & Base & RetentionWork): RetentionSweeping {
  return new RetentionSweeping({
    access,
    sweeper,
    sweeps,
    scopes: sweptScopes,
    head,
    settings: config.retention,
  });
}
