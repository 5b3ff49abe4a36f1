import type { Integer } from 'neo4j-driver';

import type { ErasurePhase, ErasureStatus } from '../../schemas/erasure.ts';
import type { ForgetLayer } from '../../schemas/forget.ts';
import { LOCK_LIFECYCLE } from '../counter.ts';
import type { Transaction, Transactions, Writer } from '../driver.ts';
import { forgetLinksWithin } from '../entity/link.ts';
import { dropEntitiesWithin } from '../forget/taken-entities.ts';
import { recordsWithin } from '../scope-events.ts';
import { int, statement, type Param, type Params } from '../statement.ts';
import { sealWithin } from './seal.ts';

/** What went wrong with an erasure. */
export interface ErasureFault {
  readonly error_code: string;
  readonly message: string;
}

/** An erasure that is to begin. */
export interface NewErasure {
  /** `ers_` and 32 hex digits. */
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly actor: string;
  /** Id of its row of the audit log, which is that of its plan too. */
  readonly audit_id: string;
  /** What goes, by layer. */
  readonly gone: Readonly<Record<ForgetLayer, number>>;
  /** Events that are meant and not held, and those that are held. */
  readonly events_total: number;
  readonly events_held: number;
  /** Key of the caller, within scope and caller, and the hash of what was sent with it; null for none. */
  readonly key: string | null;
  readonly request_hash: string | null;
  /** Ids of those of the events that events of other scopes name: their ids stay. */
  readonly named: readonly string[];
  /** Why, in the caller's words; null where nothing is said. */
  readonly note: string | null;
  /** What keeps the contents from being captured again; null where nothing does. */
  readonly suppression_id: string | null;
  /** Epoch milliseconds. */
  readonly started_at: number;
}

/** An erasure as it is kept. */
export interface StoredErasure extends Omit<NewErasure, 'named'> {
  readonly status: ErasureStatus;
  readonly phase: ErasurePhase;
  readonly events_done: number;
  readonly completed_at: number | null;
  readonly error: ErasureFault | null;
  readonly receipt: string | null;
}

type Row = Omit<StoredErasure, 'gone' | 'error'> & { readonly gone: string; readonly error: string | null };

const ROW = `r {.id, .tenant, .scope, .scope_ref, .actor, .audit_id, .gone, .events_total, .events_held, .key, .request_hash, .note, .suppression_id, .started_at,
     .status, .phase, .events_done, .completed_at, .error, .receipt}`;

const keep = statement<{ id: string; erasure: Param }, { id: string }>(
  'erasure.keep',
  'constraint erasure_id',
  `MERGE (r:Erasure {id: $id})
     ON CREATE SET r += $erasure, r.status = 'queued', r.phase = 'queued', r.events_done = 0
   RETURN r.id AS id`,
);

const byId = statement<{ id: string; tenant: string }, { erasure: Row }>(
  'erasure.by_id',
  'constraint erasure_id',
  `MATCH (r:Erasure {id: $id}) WHERE r.tenant = $tenant RETURN ${ROW} AS erasure`,
);

const byKey = statement<{ ref: string; key: string }, { erasure: Row }>(
  'erasure.by_key',
  'constraint erasure_key',
  `MATCH (r:Erasure {scope_ref: $ref, key: $key}) RETURN ${ROW} AS erasure`,
);

const named = statement<{ id: string }, { named: readonly string[] }>(
  'erasure.named',
  'constraint erasure_id',
  `MATCH (r:Erasure {id: $id}) RETURN coalesce(r.named, []) AS named`,
);

// Its plan counts as worked on, so that no other process joins.
const phase = statement<{ id: string; phase: ErasurePhase; now: Integer }, { id: string }>(
  'erasure.phase',
  'constraints erasure_id, forget_plan_id',
  `MATCH (r:Erasure {id: $id})
   SET r.touched = $id
   WITH r, r.status = 'queued' AS begins WHERE r.completed_at IS NULL
   SET r.phase = $phase
   REMOVE r.error
   FOREACH (begun IN CASE WHEN begins THEN [r] ELSE [] END | SET begun.status = 'running')
   WITH r
   OPTIONAL MATCH (p:ForgetPlan {id: r.audit_id})
   SET p.touched_at = $now
   RETURN r.id AS id`,
);

const fault = statement<{ id: string; error: string }, { id: string }>(
  'erasure.fault',
  'constraint erasure_id',
  `MATCH (r:Erasure {id: $id})
   SET r.touched = $id
   WITH r WHERE r.completed_at IS NULL
   SET r.error = $error
   RETURN r.id AS id`,
);

// The steps that are left go, under the lock of the erasure that each step takes as well.
const cancel = statement<{ id: string }, { left: number }>(
  'erasure.cancel',
  'constraints erasure_id, forget_step_number',
  `MATCH (r:Erasure {id: $id})
   SET r.touched = $id
   WITH r WHERE r.status IN ['queued', 'running']
   CALL (r) {
     MATCH (s:ForgetStep) USING INDEX SEEK s:ForgetStep(plan_id, number) WHERE s.plan_id = r.audit_id AND s.number >= 0
     DELETE s
     RETURN count(s) AS left
   }
   SET r.status = CASE WHEN left > 0 THEN 'cancelled' ELSE r.status END
   RETURN left`,
);

// Whoever cancels the erasure holds it too: a step is done, or is not there any more.
const hold = statement<{ id: string }, { id: string }>(
  'erasure.hold',
  'constraint erasure_id',
  `MATCH (r:Erasure {id: $id})
   SET r.touched = $id
   RETURN r.id AS id`,
);

interface ProgressParams extends Params {
  id: string;
  erased: Integer;
  now: Integer;
}

const progress = statement<ProgressParams, { newest_frame: number }>(
  'erasure.progress',
  'constraints erasure_id, counter_name',
  `${LOCK_LIFECYCLE}
   WITH lifecycle
   MATCH (r:Erasure {id: $id})
   SET r.events_done = r.events_done + $erased, r.phase = 'removing', r.status = CASE r.status WHEN 'queued' THEN 'running' ELSE r.status END
   REMOVE r.error
   WITH r, lifecycle, lifecycle.value + 1 AS newest_frame
   SET lifecycle.value = newest_frame
   CREATE (:LifecycleEvent {sequence: newest_frame, type: 'erasure_progress', tenant: r.tenant, scope: r.scope, scope_ref: r.scope_ref,
     actor: r.actor, job_id: r.id, ts: $now,
     data: '{"erasure_id":"' + r.id + '","phase":"removing","events_done":' + toString(r.events_done) + ',"events_total":' + toString(r.events_total) + '}'})
   RETURN newest_frame`,
);

interface FinishParams extends Params {
  id: string;
  plan: string;
  status: ErasureStatus;
  error: string | null;
  receipt: string;
  data: string;
  now: Integer;
}

// Locked first: whoever else ends the same plan finds none any more.
const holdPlan = statement<{ id: string; plan: string }, { status: ErasureStatus }>(
  'erasure.hold_plan',
  'constraints erasure_id, forget_plan_id',
  `MATCH (r:Erasure {id: $id})
   SET r.touched = $id
   WITH r
   MATCH (p:ForgetPlan {id: $plan})
   SET p.ending = $id
   RETURN r.status AS status`,
);

// The ids of what was erased go with the plan, unless something was found that is left.
const finish = statement<FinishParams, { newest_frame: number }>(
  'erasure.finish',
  'constraints forget_plan_id, erasure_id, erased_part, counter_name',
  `${LOCK_LIFECYCLE}
   WITH lifecycle
   MATCH (p:ForgetPlan {id: $plan})
   MATCH (r:Erasure {id: $id})
   WITH p, r, lifecycle, lifecycle.value + 1 AS newest_frame
   SET lifecycle.value = newest_frame
   CREATE (:LifecycleEvent {sequence: newest_frame, type: 'erasure_complete', tenant: r.tenant, scope: r.scope, scope_ref: r.scope_ref,
     actor: r.actor, job_id: r.id, ts: $now, data: $data})
   SET r.status = $status, r.phase = 'done', r.completed_at = $now, r.receipt = $receipt, r.error = $error
   REMOVE r.named
   FOREACH (_ IN CASE $status WHEN 'failed' THEN [1] ELSE [] END | REMOVE r.key)
   DELETE p
   WITH newest_frame
   CALL () {
     MATCH (part:ErasedPart) USING INDEX SEEK part:ErasedPart(erasure_id, number) WHERE part.erasure_id = $id AND part.number >= 0
     WITH part WHERE $status <> 'failed'
     REMOVE part.ids
   }
   RETURN newest_frame`,
);

/** The plan of an erasure, as far as its end asks for it. */
export interface EndedPlan {
  readonly id: string;
  readonly scope_ref: string;
  readonly empties: boolean;
}

/** How an erasure ended. */
export interface ErasureEnd {
  readonly status: 'completed' | 'failed' | 'cancelled';
  readonly error: ErasureFault | null;
  /** The signed receipt. */
  readonly receipt: string;
  /** What its last frame says, as JSON. */
  readonly data: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Keeps the records of erasures. */
export class ErasureStore {
  private readonly database: Writer & Transactions;

  constructor(database: Writer & Transactions) {
    this.database = database;
  }

  /** The erasure of an id; null where the tenant has none. */
  async byId(id: string, tenant: string): Promise<StoredErasure | null> {
    return toErasure((await this.database.read(byId, { id, tenant }))[0]);
  }

  /** The erasure that was asked for with a key in a scope; null for none. */
  async byKey(ref: string, key: string): Promise<StoredErasure | null> {
    return toErasure((await this.database.read(byKey, { ref, key }))[0]);
  }

  /** Says what an erasure is doing. Throws `DATABASE_UNAVAILABLE`. */
  async enter(id: string, next: ErasurePhase, now: number): Promise<void> {
    await this.database.writeRepeatable(phase, { id, phase: next, now: int(now) });
  }

  /** Ids of the events of an erasure that events of other scopes name. */
  async named(id: string): Promise<readonly string[]> {
    return (await this.database.read(named, { id }))[0]?.named ?? [];
  }

  /** Says why an erasure rests. Throws `DATABASE_UNAVAILABLE`. */
  async rests(id: string, error: ErasureFault): Promise<void> {
    await this.database.writeRepeatable(fault, { id, error: JSON.stringify(error) });
  }

  /** Ends an erasure and its plan, with a frame that says so; answers its number, 0 where another did. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async finish(plan: EndedPlan, id: string, { now, ...end }: ErasureEnd): Promise<number> {
    const error = end.error === null ? null : JSON.stringify(end.error);
    return this.database.transactionRepeatable(async (transaction) => {
      const [held] = await transaction.run(holdPlan, { id, plan: plan.id });
      if (held === undefined) return 0;
      // Where it was cancelled, some of what the scope holds is there still.
      const empties = plan.empties && end.status !== 'cancelled';
      if (empties && !(await recordsWithin(transaction, plan.scope_ref, now)).some)
        await forgetLinksWithin(transaction, [plan.scope_ref]);
      await dropEntitiesWithin(transaction, plan.id);
      const params = { ...end, error, id, plan: plan.id, now: int(now) };
      return (await transaction.run(finish, params))[0]?.newest_frame ?? 0;
    });
  }

  /** Leaves nothing of events that were redacted but place and instant; see `sealWithin`. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async seal(ids: readonly string[], named: readonly string[]): Promise<number> {
    return this.database.transactionRepeatable((transaction) => sealWithin(transaction, { ids, named }));
  }

  /** Takes the steps away that are left of an erasure; answers how many, null where it is over. Throws `DATABASE_UNAVAILABLE`. */
  async cancel(id: string): Promise<number | null> {
    return (await this.database.writeRepeatable(cancel, { id }))[0]?.left ?? null;
  }
}

/** Keeps a new erasure within the transaction that begins its plan. */
export async function keepErasureWithin(transaction: Transaction, erasure: NewErasure): Promise<void> {
  const { id, gone, events_total, events_held, started_at, ...rest } = erasure;
  const props = {
    ...rest,
    gone: JSON.stringify(gone),
    events_total: int(events_total),
    events_held: int(events_held),
    started_at: int(started_at),
  };
  await transaction.run(keep, { id, erasure: props });
}

/** Holds an erasure until the transaction ends: nobody cancels it meanwhile. */
export async function holdErasureWithin(transaction: Transaction, id: string): Promise<void> {
  await transaction.run(hold, { id });
}

/** Counts what a step erased, within its transaction, and adds a frame that says how far it is; answers its number. */
export async function progressWithin(
  transaction: Transaction,
  { id, erased, now }: { readonly id: string; readonly erased: number; readonly now: number },
): Promise<number> {
  const [row] = await transaction.run(progress, { id, erased: int(erased), now: int(now) });
  if (row === undefined) throw new Error('a step of an erasure that is not there');
  return row.newest_frame;
}

/** Whether a key is taken in a scope, asked within a transaction that holds the scope. */
export async function isKeyTaken(transaction: Transaction, ref: string, key: string): Promise<boolean> {
  return (await transaction.run(byKey, { ref, key })).length > 0;
}

function toErasure(row: { readonly erasure: Row } | undefined): StoredErasure | null {
  if (row === undefined) return null;
  const { gone, error, ...rest } = row.erasure;
  return {
    ...rest,
    gone: JSON.parse(gone) as StoredErasure['gone'],
    error: error === null ? null : (JSON.parse(error) as ErasureFault),
  };
}
