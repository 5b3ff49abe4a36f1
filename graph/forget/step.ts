import type { Integer } from 'neo4j-driver';

import type { ContentHash } from '../../src/capture/content-hash.ts';
import { halved, type ForgetStep } from '../../src/forget/steps.ts';
import type { Wish } from '../../src/forget/wish.ts';
import type { Transaction, Transactions, Writer } from '../driver.ts';
import { int, statement, type Param } from '../statement.ts';
import { hashesWithin, suppressWithin } from '../suppression/keep.ts';
import { holdPlanWithin, type ForgetPlan } from './plan.ts';
import { noteErasedWithin, removeBlobsWithin } from '../erasure/erased.ts';
import { holdErasureWithin, progressWithin } from '../erasure/record.ts';
import { redactWithin } from './redact.ts';
import { checkStepWithin } from './step-check.ts';
import { noteEntitiesWithin } from './taken-entities.ts';
import { writeWishes } from './wish.ts';

/** Tries for a step of one event that the database refuses, before the forget says so; the others are done meanwhile. */
const STEP_TRIES = 3;

/** Steps that are kept, or discarded, in one transaction at most: some megabytes. */
const STEPS_KEPT = 20;

/** A step as it is kept; wishes as JSON. */
interface StoredStep {
  readonly number: number;
  readonly redacted: readonly string[];
  readonly wishes: readonly string[];
  readonly tries: number;
}

const keep = statement<{ id: string; now: Integer; steps: readonly Param[] }, { kept: number }>(
  'forget.keep_steps',
  'constraint forget_step_number',
  `UNWIND $steps AS step
   MERGE (s:ForgetStep {plan_id: $id, number: step.number})
   SET s.redacted = step.redacted, s.wishes = step.wishes, s.leaving = step.leaving, s.tries = step.tries, s.kept_at = $now
   RETURN count(*) AS kept`,
);

const discard = statement<{ id: string; limit: Integer }, { discarded: number }>(
  'forget.discard_steps',
  'constraint forget_step_number',
  `MATCH (s:ForgetStep) USING INDEX SEEK s:ForgetStep(plan_id, number) WHERE s.plan_id = $id AND s.number >= 0
   WITH s LIMIT $limit
   DELETE s
   RETURN count(*) AS discarded`,
);

const next = statement<{ id: string }, StoredStep>(
  'forget.next_step',
  'constraint forget_step_number',
  `MATCH (s:ForgetStep) USING INDEX SEEK s:ForgetStep(plan_id, number) WHERE s.plan_id = $id AND s.number >= 0
   WITH s ORDER BY s.plan_id, s.number LIMIT 1
   RETURN s.number AS number, s.redacted AS redacted, s.wishes AS wishes, s.tries AS tries`,
);

const last = statement<{ id: string }, { number: number }>(
  'forget.last_step',
  'constraint forget_step_number',
  `MATCH (s:ForgetStep) USING INDEX SEEK s:ForgetStep(plan_id, number) WHERE s.plan_id = $id AND s.number >= 0
   WITH s ORDER BY s.plan_id DESC, s.number DESC LIMIT 1
   RETURN s.number AS number`,
);

// What was to be consolidated again for it is known by the plan; what its frames say of what was derived goes as well.
const done = statement<{ id: string; number: Integer; events: readonly string[] }, { number: number }>(
  'forget.step_done',
  'constraints forget_step_number, retry_id; index lifecycle_event',
  `CALL () {
     UNWIND $events AS event
     MATCH (h:StageRetry {id: event + '/consolidated'})
     SET h.forget = $id
   }
   CALL () {
     UNWIND $events AS event
     MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(event_id) WHERE f.event_id = event AND f.type IN ['extracted', 'consolidated']
     REMOVE f.data
   }
   MATCH (s:ForgetStep {plan_id: $id, number: $number})
   WITH s, s.number AS number
   DELETE s
   RETURN number`,
);

/** A step `s` that was kept before an instant for a plan that is not there. */
const LEFT = `MATCH (s:ForgetStep) USING INDEX SEEK s:ForgetStep(kept_at) WHERE s.kept_at < $before AND NOT EXISTS { MATCH (:ForgetPlan {id: s.plan_id}) }`;

const left = statement<{ before: Integer }, { id: string }>(
  'forget.left_steps',
  'index forget_step_kept; constraint forget_plan_id',
  `${LEFT}
   RETURN s.plan_id AS id LIMIT 1`,
);

const drop = statement<{ before: Integer; limit: Integer }, { dropped: number }>(
  'forget.drop_steps',
  'index forget_step_kept; constraint forget_plan_id',
  `${LEFT}
   WITH s LIMIT $limit
   DELETE s
   RETURN count(*) AS dropped`,
);

/** What one step came to. */
export interface StepOutcome {
  /** Number of the newest frame; 0 for none. */
  readonly newestFrame: number;
  /** Ids of the events that it redacted. */
  readonly redacted: readonly string[];
}

/** Keeps the steps of forgets, and does them, each in one transaction. */
export class ForgetSteps {
  private readonly database: Writer & Transactions;
  private readonly hash: ContentHash;

  /** `hash` is that of contents which are not to be captured again. */
  constructor(database: Writer & Transactions, hash: ContentHash) {
    this.database = database;
    this.hash = hash;
  }

  /** Keeps the steps of a plan that is to begin. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async keep(id: string, steps: readonly ForgetStep[], now: number): Promise<void> {
    const rows = steps.map((step, number) => stepRow(number, step, 0));
    for (let at = 0; at < rows.length; at += STEPS_KEPT)
      await this.database.writeRepeatable(keep, {
        id,
        now: int(now),
        steps: rows.slice(at, at + STEPS_KEPT),
      });
  }

  /** Removes the steps of a plan that does not begin. Throws `DATABASE_UNAVAILABLE`. */
  async discard(id: string): Promise<void> {
    for (let discarded = STEPS_KEPT; discarded === STEPS_KEPT;) {
      const [row] = await this.database.writeRepeatable(discard, { id, limit: int(STEPS_KEPT) });
      discarded = row?.discarded ?? 0;
    }
  }

  /**
   * Removes at most `limit` steps that were kept before an instant (epoch milliseconds) for plans that never began. Where there is none,
   * nothing is written: an empty write succeeds on a full disk too. Throws `DATABASE_UNAVAILABLE`.
   */
  async dropBefore(before: number, limit: number): Promise<void> {
    const found = await this.database.read(left, { before: int(before) });
    if (found.length > 0)
      await this.database.writeRepeatable(drop, { before: int(before), limit: int(limit) });
  }

  /**
   * Does the next step of a plan; null when there is none left. One that the database refuses is done in halves, and one of a single event
   * comes behind the others; it is tried some times, and then its failure is thrown. Throws `DATABASE_UNAVAILABLE`, and where a step would leave
   * something of what it redacts `FORGET_BACKEND_FAILED` or `ERASURE_BACKEND_FAILED`.
   */
  async next(
    plan: ForgetPlan,
    entry: { readonly id: string; readonly now: number },
  ): Promise<StepOutcome | null> {
    try {
      return await this.database.transactionRepeatable((transaction) => this.do(transaction, plan, entry));
    } catch (error) {
      // A database that is away does not take this either: then the first failure tells more.
      const goesOn = await this.divide(plan, entry.now).catch(() => false);
      if (!goesOn) throw error;
      return { newestFrame: 0, redacted: [] };
    }
  }

  private async do(
    transaction: Transaction,
    plan: ForgetPlan,
    entry: { readonly id: string; readonly now: number },
  ): Promise<StepOutcome | null> {
    const { id, tenant, scope_ref, actor, cascade, erasure_id, suppression_id } = plan;
    const { now } = entry;
    if (erasure_id !== null) await holdErasureWithin(transaction, erasure_id);
    if (!(await holdPlanWithin(transaction, id, now))) return null;
    const [found] = await transaction.run(next, { id });
    if (found === undefined) return null;
    const { wishes, redacted } = stepOf(found);
    const events = [...redacted, ...new Set(wishes.map(({ event_id }) => event_id))];
    const taken = { plan_id: id, scope_ref, number: found.number, now };
    await noteEntitiesWithin(transaction, taken, events);
    const step = { erasure_id, number: found.number, ref: scope_ref };
    const noted =
      erasure_id === null ? null : await noteErasedWithin(transaction, { ...step, erasure_id }, redacted);
    if (wishes.length > 0)
      await writeWishes(transaction, { id: entry.id, tenant, actor, now, cascade, audit_id: id }, wishes);
    // What they say is gone once they are redacted.
    const hashes =
      suppression_id === null
        ? []
        : await hashesWithin(transaction, redacted, { ref: scope_ref, hash: this.hash });
    const redaction = await redactWithin(transaction, {
      ids: redacted,
      place: { tenant, scope_ref },
      actor,
      entry: entry.id,
      now,
    });
    if (suppression_id !== null)
      await suppressWithin(transaction, { ...plan, id: suppression_id, now }, hashes);
    await transaction.run(done, { id, number: int(found.number), events });
    if (noted !== null) await removeBlobsWithin(transaction, { blobs: noted.blobs, tenant, now });
    await checkStepWithin(transaction, {
      ...{ tenant, scope_ref, erases: erasure_id !== null, events: redacted },
      ...{ redacted: redaction.ids, keys: redaction.keys, blobs: noted?.blobs ?? [] },
    });
    if (erasure_id === null || noted === null) return { newestFrame: redaction.newestFrame, redacted };
    const progress = { id: erasure_id, erased: noted.events, now };
    return { newestFrame: await progressWithin(transaction, progress), redacted };
  }

  /** Makes two steps of the next one, or puts it behind the others; false where it was tried often enough, or there is none. */
  private divide({ id, erasure_id }: ForgetPlan, now: number): Promise<boolean> {
    return this.database.transactionRepeatable(async (transaction) => {
      if (erasure_id !== null) await holdErasureWithin(transaction, erasure_id);
      if (!(await holdPlanWithin(transaction, id, now))) return false;
      const [found] = await transaction.run(next, { id });
      if (found === undefined) return false;
      const step = stepOf(found);
      const halves = halved(step);
      if (halves === null && found.tries + 1 >= STEP_TRIES) return false;
      const [{ number: end } = found] = await transaction.run(last, { id });
      const steps =
        halves === null
          ? [stepRow(found.number, NOTHING, 0), stepRow(end + 1, step, found.tries + 1)]
          : [stepRow(found.number, halves[0], 0), stepRow(end + 1, halves[1], 0)];
      await transaction.run(keep, { id, now: int(now), steps });
      return true;
    });
  }
}

const NOTHING: ForgetStep = { redacted: [], wishes: [] };

function stepRow(number: number, { redacted, wishes }: ForgetStep, tries: number): Param {
  return {
    number: int(number),
    redacted,
    wishes: wishes.map((wish) => JSON.stringify(wish)),
    leaving: wishes.flatMap(({ layer, event_id }) => (layer === 'episodes' ? [event_id] : [])),
    tries: int(tries),
  };
}

function stepOf({ redacted, wishes }: StoredStep): ForgetStep {
  return { redacted, wishes: wishes.map((wish) => JSON.parse(wish) as Wish) };
}
