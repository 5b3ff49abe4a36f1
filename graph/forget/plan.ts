import type { Integer } from 'neo4j-driver';

import { isPostponed } from '../episode/leaving.ts';
import type { Cascade } from '../../schemas/forget.ts';
import { shardOf } from '../../src/capture/scope-key.ts';
import { lockAccessWithin } from '../access.ts';
import { appendAuditWithin, type FinishedBatch } from '../audit.ts';
import { LOCK_LIFECYCLE } from '../counter.ts';
import type { Transaction, Transactions, Writer } from '../driver.ts';
import { isKeyTaken, keepErasureWithin, type NewErasure } from '../erasure/record.ts';
import { forgetLinksWithin } from '../entity/link.ts';
import { lockHoldsWithin } from '../legal-hold/read.ts';
import { isFencedWithin, type SweepFence } from '../retention/sweep.ts';
import { recordsWithin } from '../scope-events.ts';
import { int, statement, type Param, type Params } from '../statement.ts';
import { dropEntitiesWithin } from './taken-entities.ts';

/** A forget that is to be carried out. */
export interface ForgetPlan {
  /** Id of its row of the audit log, which names it. */
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly actor: string;
  readonly cascade: Cascade;
  /** Whether all that the scope holds is redacted: then nothing of it stays linked either. */
  readonly empties: boolean;
  /** The erasure that it carries out; null where it forgets. */
  readonly erasure_id: string | null;
  /** What keeps the contents that it redacts from being captured again; null where nothing does. */
  readonly suppression_id: string | null;
}

/** What keeps a forget from beginning. */
export type ForgetObstacle =
  | 'rebuilding'
  | 'deleting'
  | 'forgetting'
  | 'no preview'
  | 'holds changed'
  | 'rules changed'
  | 'rights changed'
  | 'key taken';

interface HeldScope {
  readonly rebuilding: boolean;
  readonly deleting: boolean;
  readonly forgetting: boolean;
  /** Whether an earlier try began it, and its answer was lost. */
  readonly begun: boolean;
}

// With the shard held, no rebuild of the scope and no other forget begins meanwhile.
const hold = statement<{ ref: string; shard: Integer; id: string }, HeldScope>(
  'forget.hold_scope',
  'constraints shard_number, rebuild_scope, scope_ref, forget_plan_id, audit_batch_id; index forget_plan_scope',
  `MATCH (shard:Shard {number: $shard})
   SET shard.touched = $id
   WITH shard
   RETURN EXISTS { MATCH (r:Rebuild {scope_ref: $ref}) } AS rebuilding,
     EXISTS { MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = $ref AND s.deleting_through >= 0 } AS deleting,
     EXISTS { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = $ref AND p.id <> $id } AS forgetting,
     EXISTS { MATCH (:ForgetPlan {id: $id}) } OR EXISTS { MATCH (:AuditBatch {id: $id}) } AS begun`,
);

// Whoever executes a preview takes it: nobody does so twice.
const take = statement<{ id: string }, { id: string }>(
  'forget.take_preview',
  'constraint forget_preview_id',
  `MATCH (p:ForgetPreview {id: $id})
   WITH p, p.id AS id
   DELETE p
   RETURN id`,
);

const keep = statement<{ plan: Param; id: string }, { id: string }>(
  'forget.keep_plan',
  'constraint forget_plan_id',
  `MERGE (p:ForgetPlan {id: $id})
   SET p += $plan
   RETURN p.id AS id`,
);

// Locked first: whoever else ends the same plan finds none any more.
const holdPlan = statement<{ id: string }, { id: string }>(
  'forget.hold_plan',
  'constraint forget_plan_id',
  `MATCH (p:ForgetPlan {id: $id})
   SET p.ending = $id
   RETURN p.id AS id`,
);

// Whoever does a step holds the plan first: a step comes before another of the same plan, and before its end, or behind them.
const touch = statement<{ id: string; now: Integer }, { id: string }>(
  'forget.touch_plan',
  'constraint forget_plan_id',
  `MATCH (p:ForgetPlan {id: $id})
   SET p.touched_at = $now
   RETURN p.id AS id`,
);

const PLAN = 'p {.id, .tenant, .scope, .scope_ref, .actor, .cascade, .empties, .erasure_id, .suppression_id}';

interface OfPreviewParams extends Params {
  ref: string;
  actor: string;
  preview: string;
}

/** A forget that is under way, and what its caller is answered when it is over, as JSON. */
export interface BegunForget {
  readonly plan: ForgetPlan;
  readonly answer: string;
}

const ofPreview = statement<OfPreviewParams, BegunForget>(
  'forget.plan_of_preview',
  'index forget_plan_scope',
  `MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = $ref AND p.preview_id = $preview AND p.actor = $actor AND p.answer IS NOT NULL
   RETURN ${PLAN} AS plan, p.answer AS answer`,
);

const finish = statement<{ id: string; now: Integer }, { newest_frame: number }>(
  'forget.finish',
  'constraints forget_plan_id, counter_name',
  `${LOCK_LIFECYCLE}
   WITH lifecycle
   MATCH (p:ForgetPlan {id: $id})
   WITH p, lifecycle, lifecycle.value + 1 AS newest_frame
   SET lifecycle.value = newest_frame
   CREATE (:LifecycleEvent {sequence: newest_frame, type: 'forgotten', tenant: p.tenant, scope: p.scope, scope_ref: p.scope_ref,
     actor: p.actor, ts: $now, data: p.frame_data})
   DELETE p
   RETURN newest_frame`,
);

const unfinished = statement<{ before: Integer; limit: Integer }, { plan: ForgetPlan }>(
  'forget.unfinished',
  'index forget_plan_touched',
  `MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(touched_at) WHERE p.touched_at < $before
   RETURN ${PLAN} AS plan LIMIT $limit`,
);

interface LeftParams extends Params {
  id: string;
  ref: string;
}

/** What consolidation has still to do for a forget: what is queued, also of decisions of the scope between what is gone, and what of its own it gave up. A rebuild of the scope is to be over too, and a replay of its episodes. */
export interface LeftToTakeOut {
  readonly queued: number;
  readonly failed: readonly string[];
}

const left = statement<LeftParams, LeftToTakeOut>(
  'forget.left_to_take_out',
  'index retry_scope; constraints rebuild_scope, episode_progress',
  `MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(scope_ref, state) WHERE h.scope_ref = $ref AND h.state IN ['queued', 'failed']
     AND (h.forget = $id OR (h.decides AND h.state = 'queued'))
   WITH h.state AS state, h.event_id AS event
   RETURN count(CASE state WHEN 'queued' THEN 1 END) + COUNT { MATCH (:Rebuild {scope_ref: $ref}) }
     + CASE WHEN ${isPostponed('$ref')} THEN 1 ELSE 0 END AS queued, collect(CASE state WHEN 'failed' THEN event END)[0..100] AS failed`,
);

const again = statement<LeftParams, { queued: number }>(
  'forget.take_out_again',
  'index retry_scope',
  `MATCH (h:StageRetry) USING INDEX SEEK h:StageRetry(scope_ref, state) WHERE h.scope_ref = $ref AND h.state = 'failed' AND h.forget = $id
   SET h.state = 'queued'
   RETURN count(h) AS queued`,
);

/** What a forget begins with. */
export interface ForgetBeginning {
  /** What its last frame says, as JSON. */
  readonly frame_data: string;
  /** What the caller is answered when it is over, as JSON; null where it is answered otherwise. */
  readonly answer: string | null;
  /** The preview that it executes; null for none. */
  readonly previewId: string | null;
  /** Whether it has steps, which are kept before; a forget without any is done with. */
  readonly hasSteps: boolean;
  /** The erasure that it carries out; null where it forgets. */
  readonly erasure: NewErasure | null;
  /** Version of the tenant's legal holds that it was planned by. */
  readonly holdsVersion: number;
  /** Version of access by which its caller was found to be allowed to; null where nobody asked for it. */
  readonly accessVersion: number | null;
  /** The sweep that it is of, and the rules that it goes by; left out where somebody asked for it. */
  readonly fence?: SweepFence;
}

/** Keeps which forgets are under way, and what is left of them. */
export class ForgetPlans {
  private readonly database: Writer & Transactions;

  constructor(database: Writer & Transactions) {
    this.database = database;
  }

  /**
   * Keeps a plan of which the steps are kept, takes the preview that it is of, and adds its rows of the audit log, unless something is
   * going on in the scope that it would meet, the preview was taken, or legal holds, rules of retention or rights that it goes by have changed
   * since: answers what. May be repeated. Throws `DATABASE_UNAVAILABLE`.
   */
  begin(
    plan: ForgetPlan,
    { frame_data, answer, previewId, hasSteps, erasure, holdsVersion, accessVersion, fence }: ForgetBeginning,
    audit: { readonly batches: readonly FinishedBatch[]; readonly now: number },
  ): Promise<{ obstacle: ForgetObstacle | null; newestAudit: number }> {
    return this.database.transactionRepeatable(async (transaction) => {
      const { id, scope_ref: ref } = plan;
      // Changes of access take their lock before any other.
      const isAllowed = accessVersion === null || (await lockAccessWithin(transaction)) === accessVersion;
      const version = await lockHoldsWithin(transaction, plan.tenant, audit.now);
      const [held] = await transaction.run(hold, { ref, shard: int(shardOf(ref)), id });
      if (held?.begun === true) return { obstacle: null, newestAudit: 0 };
      if (!isAllowed) return { obstacle: 'rights changed' as const, newestAudit: 0 };
      const obstacle = obstacleOf(held);
      if (obstacle !== null) return { obstacle, newestAudit: 0 };
      if (version !== holdsVersion) return { obstacle: 'holds changed' as const, newestAudit: 0 };
      if (fence !== undefined && !(await isFencedWithin(transaction, fence)))
        return { obstacle: 'rules changed' as const, newestAudit: 0 };
      const key = erasure?.key ?? null;
      if (key !== null && (await isKeyTaken(transaction, ref, key)))
        return { obstacle: 'key taken' as const, newestAudit: 0 };
      const isTaken = previewId === null || (await transaction.run(take, { id: previewId })).length > 0;
      if (!isTaken) return { obstacle: 'no preview' as const, newestAudit: 0 };
      if (erasure !== null) await keepErasureWithin(transaction, erasure);
      const begun = { ...plan, frame_data, answer, preview_id: previewId, touched_at: int(audit.now) };
      if (hasSteps || erasure !== null) await transaction.run(keep, { plan: begun, id });
      return { obstacle, newestAudit: await appendAuditWithin(transaction, audit.batches, audit.now) };
    });
  }

  /** The forget that executes a preview of a scope for a caller, while it is under way; null for none. */
  async ofPreview(ref: string, actor: string, preview: string): Promise<BegunForget | null> {
    return (await this.database.read(ofPreview, { ref, actor, preview }))[0] ?? null;
  }

  /** Ends a plan of which every step is done, with a frame that says so; answers its number, 0 where another did. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async finish({ id, scope_ref, empties }: ForgetPlan, now: number): Promise<number> {
    return this.database.transactionRepeatable(async (transaction) => {
      // Who finds the plan gone does not touch what was linked since.
      if ((await transaction.run(holdPlan, { id })).length === 0) return 0;
      // What was captured into it since is derived by what is linked there.
      if (empties && !(await recordsWithin(transaction, scope_ref, now)).some)
        await forgetLinksWithin(transaction, [scope_ref]);
      await dropEntitiesWithin(transaction, id);
      return (await transaction.run(finish, { id, now: int(now) }))[0]?.newest_frame ?? 0;
    });
  }

  /** Says that a plan was worked on: it is not looked at again for a while. Throws `DATABASE_UNAVAILABLE`. */
  async touch({ id }: ForgetPlan, now: number): Promise<void> {
    await this.database.writeRepeatable(touch, { id, now: int(now) });
  }

  /** Plans on which nobody has worked since an instant (epoch milliseconds), at most so many. */
  async unfinished(before: number, limit: number): Promise<ForgetPlan[]> {
    const rows = await this.database.read(unfinished, { before: int(before), limit: int(limit) });
    return rows.map(({ plan }) => plan);
  }

  /** What consolidation has still to take out, or to derive anew, for a plan. */
  async left({ id, scope_ref: ref }: ForgetPlan): Promise<LeftToTakeOut> {
    return (await this.database.read(left, { id, ref }))[0] ?? { queued: 0, failed: [] };
  }

  /** Has consolidation try again what it gave up of a plan. Throws `DATABASE_UNAVAILABLE`. */
  async takeOutAgain({ id, scope_ref: ref }: ForgetPlan): Promise<void> {
    await this.database.writeRepeatable(again, { id, ref });
  }
}

/** Holds a plan until the transaction ends, and says that it was worked on; false when it is over. */
export async function holdPlanWithin(transaction: Transaction, id: string, now: number): Promise<boolean> {
  return (await transaction.run(touch, { id, now: int(now) })).length > 0;
}

function obstacleOf(held: HeldScope | undefined): ForgetObstacle | null {
  if (held === undefined) throw new Error('a shard is not there: the store is not migrated');
  if (held.rebuilding) return 'rebuilding';
  if (held.deleting) return 'deleting';
  return held.forgetting ? 'forgetting' : null;
}
