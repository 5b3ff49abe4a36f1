import type { Integer } from 'neo4j-driver';

import type { Writer } from './driver.ts';
import { int, statement, type Param, type Params } from './statement.ts';

/** What a rebuild is about. */
export interface JobTarget {
  /** Tenant that is rebuilt; null for all. */
  readonly of_tenant: string | null;
  /** Path of the one scope that is rebuilt; null for all of the tenant. */
  readonly scope: string | null;
  /** Ids of the events that are derived again; null for all of the scope. */
  readonly event_ids: readonly string[] | null;
}

/** How far a job is. */
export interface JobProgress {
  readonly state: 'queued' | 'running' | 'completed';
  readonly phase: 'waiting' | 'dropping' | 'deriving' | 'done';
  readonly scopes_done: number;
  readonly scopes_total: number;
  readonly events_done: number;
  /** Null where they are not counted beforehand: of more than one scope. */
  readonly events_total: number | null;
  /** Of the events done: those that state something, that were taken out, and that are held or were given up. */
  readonly stating: number;
  readonly excluded: number;
  readonly held: number;
  /** Epoch milliseconds. */
  readonly requested_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  /** Why the last try failed, where it will be tried again; null while all is well. */
  readonly error: string | null;
}

/** A job as it is stored. */
export interface StoredJob extends JobTarget, JobProgress {
  readonly id: string;
  /** Tenant and actor of who asked for it. */
  readonly tenant: string;
  readonly actor: string;
}

/** A job that this worker holds the lease of. */
export interface HeldJob extends StoredJob {
  /** Grows with every change of owner; what an older one writes changes nothing. */
  readonly epoch: number;
}

/** A job that is asked for. */
export interface NewJob extends JobTarget {
  readonly id: string;
  /** What no two jobs that are not finished share. */
  readonly active: string;
  readonly tenant: string;
  readonly actor: string;
  readonly requested_at: number;
}

const JOB = `j {.id, .tenant, .actor, .of_tenant, .scope, .event_ids, .state, .phase, .scopes_done, .scopes_total, .events_done, .events_total,
     .stating, .excluded, .held, .requested_at, .started_at, .finished_at, .error, .epoch}`;

const ask = statement<{ active: string; props: Param }, { job: StoredJob }>(
  'job.ask',
  'constraint job_active',
  `MERGE (j:Job {active: $active})
     ON CREATE SET j += $props
   RETURN ${JOB} AS job`,
);

const byId = statement<{ id: string; tenant: string | null; actor: string | null }, { job: StoredJob }>(
  'job.by_id',
  'constraint job_id',
  `MATCH (j:Job {id: $id}) WHERE $actor IS NULL OR (j.actor = $actor AND j.tenant = $tenant) RETURN ${JOB} AS job`,
);

const FREE = `(j.owner IS NULL OR j.owner = $worker OR j.expires_at <= timestamp()) AND coalesce(j.retry_at, 0) <= timestamp()`;

const waiting = statement<{ worker: string }, { id: string }>(
  'job.waiting',
  'index job_state',
  `UNWIND ['running', 'queued'] AS state
   CALL (state) {
     MATCH (j:Job) USING INDEX SEEK j:Job(state, requested_at) WHERE j.state = state AND j.requested_at >= 0
     WITH j ORDER BY j.state, j.requested_at
     WITH j WHERE ${FREE}
     WITH j LIMIT 1
     RETURN j.id AS id
   }
   RETURN id LIMIT 1`,
);

// The lock is taken by writing before the lease is looked at, so that of two claimers one sees the other's claim.
const claim = statement<{ id: string; worker: string; lease: Integer; now: Integer }, { job: HeldJob }>(
  'job.claim',
  'constraint job_id',
  `MATCH (j:Job {id: $id})
   SET j.touched = $worker
   WITH j WHERE j.state IN ['queued', 'running'] AND ${FREE}
   SET j.epoch = j.epoch + 1, j.expires_at = timestamp() + $lease, j.state = 'running', j.started_at = coalesce(j.started_at, $now)
   SET j.owner = $worker
   RETURN ${JOB} AS job`,
);

const release = statement<
  { id: string; worker: string; error: string | null; rest: Integer },
  { id: string }
>(
  'job.release',
  'constraint job_id',
  `MATCH (j:Job {id: $id})
   SET j.touched = $worker
   WITH j WHERE j.owner = $worker
   SET j.error = $error, j.retry_at = timestamp() + $rest
   REMOVE j.owner
   RETURN j.id AS id`,
);

const sweep = statement<{ before: Integer; limit: Integer }, { swept: number }>(
  'job.sweep',
  'index job_end',
  `MATCH (j:Job) WHERE j.finished_at < $before
   WITH j LIMIT $limit
   DELETE j
   RETURN count(*) AS swept`,
);

/** A job that nobody has begun, as it is stored beside its key. */
export function jobProps({ active: _, requested_at, ...job }: NewJob): Params {
  return {
    ...job,
    requested_at: int(requested_at),
    state: 'queued',
    phase: 'waiting',
    epoch: int(0),
    scopes_done: int(0),
    scopes_total: int(job.scope === null ? 0 : 1),
    events_done: int(0),
    events_total: null,
    stating: int(0),
    excluded: int(0),
    held: int(0),
  };
}

/** Jobs as callers ask for them and look at them. */
export class JobStore {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Writes a job, unless one about the same is not finished yet; answers the one that there is. */
  async ask(job: NewJob): Promise<StoredJob> {
    const [row] = await this.writer.writeRepeatable(ask, { active: job.active, props: jobProps(job) });
    if (row === undefined) throw new Error('a job that was written is not there');
    return row.job;
  }

  /** One job, of whom it was asked for by (default: of anybody); null where there is none. */
  async byId(
    id: string,
    { tenant, actor }: { readonly tenant: string | null; readonly actor: string | null } = {
      tenant: null,
      actor: null,
    },
  ): Promise<StoredJob | null> {
    return (await this.writer.read(byId, { id, tenant, actor }))[0]?.job ?? null;
  }

  /** Removes jobs that were finished before an instant, so many at most. */
  async sweep(before: number, limit: number): Promise<void> {
    await this.writer.writeRepeatable(sweep, { before: int(before), limit: int(limit) });
  }
}

/** Takes, keeps and gives back the leases of jobs; leases expire by the clock of the database. */
export class JobLeases {
  private readonly writer: Writer;
  private readonly worker: string;
  private readonly leaseMs: number;

  constructor(writer: Writer, worker: string, leaseMs: number) {
    this.writer = writer;
    this.worker = worker;
    this.leaseMs = leaseMs;
  }

  /** Takes a job that nobody works at, the one that was begun or asked for first; null where there is none. */
  async claim(now: number): Promise<HeldJob | null> {
    const { worker } = this;
    const [found] = await this.writer.read(waiting, { worker });
    if (found === undefined) return null;
    const params = { id: found.id, worker, lease: int(this.leaseMs), now: int(now) };
    return (await this.writer.writeRepeatable(claim, params))[0]?.job ?? null;
  }

  /** Gives a job back, for whoever comes after `restMs`; says why, where it failed. */
  async release(id: string, { error, restMs }: { error: string | null; restMs: number }): Promise<void> {
    await this.writer.writeRepeatable(release, { id, worker: this.worker, error, rest: int(restMs) });
  }
}
