import type { Integer } from 'neo4j-driver';

import type { Transaction, Writer } from './driver.ts';
import { DROPS, dropStatements } from './drop.ts';
import type { HeldJob } from './job.ts';
import type { PendingEvent } from './pending-event.ts';
import { nextWithin, planRebuildReads, type RebuiltScope } from './rebuild-read.ts';
import { int, statement, type Params } from './statement.ts';

/** How far the rebuild of a scope is, read with its shard held. */
export interface ScopeState {
  readonly phase: 'dropping' | 'deriving';
  /** While it is dropped: up to which offset what events state is gone. */
  readonly dropped: number;
  /** While it is derived: up to which offset events are consolidated again. Whatever lies behind it waits for the rebuild. */
  readonly cursor: number;
  /** Up to where events were consolidated before: those behind it are consolidated by the rebuild for the first time. */
  readonly head: number;
  /** Up to where the stage of the shard is. */
  readonly consolidated: number;
}

/** What is counted of a batch. */
export interface RebuiltEvents {
  readonly events: number;
  readonly stating: number;
  readonly excluded: number;
  readonly held: number;
}

interface Fence extends Params {
  id: string;
  worker: string;
  epoch: Integer;
}

const HELD = `MATCH (j:Job {id: $id})
   SET j.touched = $worker
   WITH j WHERE j.owner = $worker AND j.epoch = $epoch AND j.state = 'running'`;

const at = statement<Fence & { lease: Integer }, { at: RebuiltScope | null; through: RebuiltScope | null }>(
  'rebuild.at',
  'constraint job_id',
  `${HELD}
   SET j.expires_at = timestamp() + $lease, j.error = null
   RETURN CASE WHEN j.at_ref IS NULL THEN null ELSE {tenant: j.at_tenant, scope: j.at_scope, scope_ref: j.at_ref, shard: j.at_shard} END AS at,
     CASE WHEN j.through_scope IS NULL THEN null ELSE {tenant: j.through_tenant, scope: j.through_scope} END AS through`,
);

// The watermark is read with the shard held: what lies below it was consolidated, and nothing above it is before this ends. A forget waits for
// a rebuild that consolidation asked for, and which stands already; any other waits for the forget.
const begin = statement<
  Fence & { ref: string; tenant: string; scope: string; shard: Integer },
  { mine: boolean }
>(
  'rebuild.begin',
  'constraints job_id, shard_number, rebuild_scope, scope_ref; index forget_plan_scope',
  `${HELD}
   MATCH (s:Shard {number: $shard})
   SET s.touched = $worker
   WITH j, s
   WHERE head(COLLECT { MATCH (scope:Scope {ref: $ref}) RETURN scope.deleting_through }) IS NULL
     AND (EXISTS { MATCH (own:Rebuild {scope_ref: $ref}) WHERE own.job_id = j.id }
       OR NOT EXISTS { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = $ref })
   MERGE (r:Rebuild {scope_ref: $ref})
     ON CREATE SET r.job_id = j.id, r.tenant = $tenant, r.scope = $scope, r.shard = $shard, r.phase = 'dropping', r.dropped = 0,
       r.cursor = 0, r.head = s.consolidated
   WITH j, r WHERE r.job_id = j.id
   SET j.at_tenant = $tenant, j.at_scope = $scope, j.at_ref = $ref, j.at_shard = $shard, j.phase = r.phase
   RETURN true AS mine`,
);

const total = statement<Fence & { scopes: Integer | null; events: Integer | null }, { id: string }>(
  'rebuild.total',
  'constraint job_id',
  `${HELD}
   SET j.scopes_total = coalesce($scopes, j.scopes_total), j.events_total = coalesce($events, j.events_total)
   RETURN j.id AS id`,
);

const hold = statement<Fence & { ref: string; shard: Integer; lease: Integer }, ScopeState>(
  'rebuild.hold',
  'constraints job_id, shard_number, rebuild_scope',
  `${HELD}
   SET j.expires_at = timestamp() + $lease
   WITH j
   MATCH (s:Shard {number: $shard})
   SET s.touched = $worker
   WITH j, s
   MATCH (r:Rebuild {scope_ref: $ref}) WHERE r.job_id = j.id
   RETURN r.phase AS phase, r.dropped AS dropped, r.cursor AS cursor, r.head AS head, s.consolidated AS consolidated`,
);

interface Move extends Fence {
  ref: string;
  phase: string;
  dropped: Integer;
  cursor: Integer;
  events: Integer;
  stating: Integer;
  excluded: Integer;
  held: Integer;
}

const move = statement<Move, { id: string }>(
  'rebuild.move',
  'constraints job_id, rebuild_scope',
  `MATCH (j:Job {id: $id})
   MATCH (r:Rebuild {scope_ref: $ref})
   SET r.phase = $phase, r.dropped = $dropped, r.cursor = $cursor, j.phase = $phase, j.events_done = j.events_done + $events,
     j.stating = j.stating + $stating, j.excluded = j.excluded + $excluded, j.held = j.held + $held
   RETURN j.id AS id`,
);

const restart = statement<{ ref: string; head: Integer }, { phase: string }>(
  'rebuild.restart',
  'constraint rebuild_scope',
  `MATCH (r:Rebuild {scope_ref: $ref})
   SET r.phase = 'dropping', r.dropped = 0, r.cursor = 0, r.head = $head
   RETURN r.phase AS phase`,
);

const leave = statement<{ id: string; ref: string }, { id: string }>(
  'rebuild.leave',
  'constraints job_id, rebuild_scope',
  `MATCH (j:Job {id: $id})
   MATCH (r:Rebuild {scope_ref: $ref})
   DELETE r
   SET j.through_tenant = j.at_tenant, j.through_scope = j.at_scope, j.scopes_done = j.scopes_done + 1
   REMOVE j.at_tenant, j.at_scope, j.at_ref, j.at_shard
   RETURN j.id AS id`,
);

const complete = statement<Fence & { now: Integer }, { id: string }>(
  'rebuild.complete',
  'constraint job_id',
  `${HELD}
   SET j.state = 'completed', j.phase = 'done', j.finished_at = $now
   REMOVE j.owner, j.active, j.expires_at, j.retry_at
   RETURN j.id AS id`,
);

const repeated = statement<Fence & { shard: Integer; lease: Integer }, { done: number }>(
  'rebuild.repeated',
  'constraints job_id, shard_number',
  `${HELD}
   MATCH (s:Shard {number: $shard})
   SET s.touched = $worker
   SET j.phase = 'deriving', j.error = null, j.expires_at = timestamp() + $lease
   RETURN j.events_done AS done`,
);

const repeatedMore = statement<
  { id: string; events: Integer; stating: Integer; excluded: Integer; held: Integer },
  { id: string }
>(
  'rebuild.repeated_more',
  'constraint job_id',
  `MATCH (j:Job {id: $id})
   SET j.events_done = j.events_done + $events, j.stating = j.stating + $stating, j.excluded = j.excluded + $excluded,
     j.held = j.held + $held
   RETURN j.id AS id`,
);

const park = statement<{ id: string; reason: string; attempts: Integer; now: Integer }, { id: string }>(
  'rebuild.park',
  'constraints event_id, retry_id',
  `MATCH (e:Event {id: $id})
   MERGE (h:StageRetry {id: e.id + '/consolidated'})
   SET h.event_id = e.id, h.tenant = e.tenant, h.scope_ref = e.scope_ref, h.shard = e.shard, h.stage = 'consolidated',
     h.state = 'failed', h.reason = $reason, h.attempts = $attempts, h.since = $now
   REMOVE h.deferred_offset
   RETURN h.id AS id`,
);

const widen = statement<Fence, { id: string }>(
  'rebuild.widen',
  'constraint job_id',
  `${HELD}
   SET j.phase = 'waiting', j.events_done = 0, j.stating = 0, j.excluded = 0, j.held = 0
   REMOVE j.event_ids, j.events_total
   RETURN j.id AS id`,
);

/** A transaction of a rebuild that holds its job, and the shard of its scope. */
export class RebuildStep {
  private readonly transaction: Transaction;
  private readonly fence: Fence;

  constructor(transaction: Transaction, { id, epoch }: Pick<HeldJob, 'id' | 'epoch'>, worker: string) {
    this.transaction = transaction;
    this.fence = { id, worker, epoch: int(epoch) };
  }

  /** Prolongs the lease; answers the scope that the job is at and the last one that it is through with. Null when the lease is lost. */
  async at(
    leaseMs: number,
  ): Promise<{ at: RebuiltScope | null; through: Pick<RebuiltScope, 'tenant' | 'scope'> | null } | null> {
    return (await this.transaction.run(at, { ...this.fence, lease: int(leaseMs) }))[0] ?? null;
  }

  /** Begins with a scope; false when the lease is lost, another job is at that scope, or its events are being redacted. */
  async begin({ scope_ref, tenant, scope, shard }: RebuiltScope): Promise<boolean> {
    const params = { ...this.fence, ref: scope_ref, tenant, scope, shard: int(shard) };
    return (await this.transaction.run(begin, params)).length > 0;
  }

  /** Says how much there is to do, where that is known. */
  async total({ scopes, events }: { scopes?: number; events?: number }): Promise<void> {
    await this.transaction.run(total, { ...this.fence, scopes: optional(scopes), events: optional(events) });
  }

  /** How far the rebuild of a scope is; holds its shard and prolongs the lease. Null when the lease is lost. */
  async hold({ scope_ref, shard }: RebuiltScope, leaseMs: number): Promise<ScopeState | null> {
    const params = { ...this.fence, ref: scope_ref, shard: int(shard), lease: int(leaseMs) };
    return (await this.transaction.run(hold, params))[0] ?? null;
  }

  /** The next events of the scope, behind `after` and up to `to`, while its shard is held: the stage leaves none behind `to` meanwhile. */
  next(ref: string, after: number, to: number, limit: number): Promise<PendingEvent[]> {
    return nextWithin(this.transaction, ref, { after, to, limit });
  }

  /** Drops what the next events of the scope state; how far that came, null at the end. */
  async dropStatements(ref: string, after: number, limit: number): Promise<number | null> {
    const [row] = await this.transaction.run(dropStatements, { ref, after: int(after), limit: int(limit) });
    return row?.through ?? null;
  }

  /** Drops other records of the scope, so many at most; true when none was left. */
  async dropRecords(ref: string, limit: number): Promise<boolean> {
    for (const drop of DROPS) {
      const [row] = await this.transaction.run(drop, { ref, limit: int(limit) });
      if ((row?.dropped ?? 0) > 0) return false;
    }
    return true;
  }

  /** Says how far the rebuild is now. */
  async move(
    { scope_ref }: RebuiltScope,
    { phase, dropped, cursor }: Pick<ScopeState, 'phase' | 'dropped' | 'cursor'>,
    done: RebuiltEvents,
  ): Promise<void> {
    const place = { ref: scope_ref, phase, dropped: int(dropped), cursor: int(cursor) };
    await this.transaction.run(move, { ...this.fence, ...place, ...counted(done) });
  }

  /** Begins anew with a scope; events up to `head` were consolidated before. */
  async restart({ scope_ref }: RebuiltScope, head: number): Promise<void> {
    await this.transaction.run(restart, { ref: scope_ref, head: int(head) });
  }

  /** Ends with a scope. */
  async leave({ scope_ref }: RebuiltScope): Promise<void> {
    await this.transaction.run(leave, { id: this.fence.id, ref: scope_ref });
  }

  /** Makes a job that names events one of all events of its scope, which begins from the first. */
  async widen(): Promise<void> {
    await this.transaction.run(widen, { ...this.fence });
  }

  /** Ends the job. */
  async complete(now: number): Promise<void> {
    await this.transaction.run(complete, { ...this.fence, now: int(now) });
  }

  /** How many of its events a job that names some is through with, holds their shard and prolongs the lease. Null when the lease is lost. */
  async repeated(shard: number, leaseMs: number): Promise<number | null> {
    const params = { ...this.fence, shard: int(shard), lease: int(leaseMs) };
    return (await this.transaction.run(repeated, params))[0]?.done ?? null;
  }

  /** Says that a job that names events is through with some more. */
  async repeatedMore(done: RebuiltEvents): Promise<void> {
    await this.transaction.run(repeatedMore, { id: this.fence.id, ...counted(done) });
  }

  /** Gives an event up, as a stage does, and keeps why. */
  park(id: string, failure: Parameters<typeof parkWithin>[2]): Promise<void> {
    return parkWithin(this.transaction, id, failure);
  }
}

/** Gives an event up within a transaction that derives it again, as a stage does, and keeps why. */
export async function parkWithin(
  transaction: Transaction,
  id: string,
  { reason, attempts, now }: { readonly reason: string; readonly attempts: number; readonly now: number },
): Promise<void> {
  await transaction.run(park, { id, reason, attempts: int(attempts), now: int(now) });
}

/** Has the server plan the statements of a rebuild by running them on nothing. */
export async function planRebuild(writer: Writer): Promise<void> {
  const nowhere = { tenant: '', scope: '', scope_ref: '', shard: -1 };
  await planRebuildReads(writer);
  await writer.transaction(async (transaction) => {
    const step = new RebuildStep(transaction, { id: '', epoch: 0 }, '');
    await step.at(0);
    await step.begin(nowhere);
    await step.total({});
    await step.hold(nowhere, 0);
    await step.dropStatements('', 0, 0);
    await step.dropRecords('', 0);
    await step.move(
      nowhere,
      { phase: 'dropping', dropped: 0, cursor: 0 },
      { events: 0, stating: 0, excluded: 0, held: 0 },
    );
    await step.leave(nowhere);
    await step.complete(0);
  });
}

function counted({
  events: done,
  stating,
  excluded,
  held,
}: RebuiltEvents): Record<keyof RebuiltEvents, Integer> {
  return { events: int(done), stating: int(stating), excluded: int(excluded), held: int(held) };
}

function optional(count: number | undefined): Integer | null {
  return count === undefined ? null : int(count);
}
