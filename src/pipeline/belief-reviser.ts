import { BeliefStore } from '../../graph/belief/store.ts';
import type { WrittenBeliefs } from '../../graph/belief/writes.ts';
import type { Transaction } from '../../graph/driver.ts';
import {
  believed,
  planned,
  type BeliefPlan,
  type BeliefSummary,
  type StoredBelief,
} from '../derive/belief/change.ts';
import type { RevisionPolicy } from '../derive/belief/revise.ts';
import { hasChanged, type ClaimChange } from '../derive/claim/change.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import { seenBy } from '../derive/claim/max-layer.ts';
import { Prefetch } from './prefetch.ts';

/** That a belief was revised, as a frame tells it. */
export interface BeliefRevised {
  readonly id: string;
  /** The event that brought it about; null where the belief is gone because what it rested on was taken out of the log. */
  readonly event_id: string | null;
  /** Null for a belief that began. */
  readonly confidence_before: number | null;
  /** Null for a belief that is gone. */
  readonly confidence_after: number | null;
  readonly stance_before: BeliefSummary['stance'] | null;
  readonly stance_after: BeliefSummary['stance'] | null;
}

/** What became of beliefs, and which of what conclusions name began or is gone: what rests on that has to be replayed. */
export interface Revisions extends WrittenBeliefs {
  readonly revised: readonly BeliefRevised[];
}

/** Revises beliefs in the transaction that changes what they rest on. */
export class BeliefReviser {
  private readonly policy: RevisionPolicy;
  private readonly ids: KeyedIds;
  private readonly plans = new WeakMap<ClaimChange, BeliefPlan>();

  constructor(policy: RevisionPolicy, ids: KeyedIds) {
    this.policy = policy;
    this.ids = ids;
  }

  /** What the store has of the beliefs about changed claims; it may be asked for before the facts are written. */
  prefetched(transaction: Transaction): Prefetch<readonly StoredBelief[]> {
    return new Prefetch((changes) => new BeliefStore(transaction).load(this.plansOf(changes)));
  }

  /**
   * Brings the beliefs about claims up to their changes, each claim once, and says which were revised, in the order of the changes
   * and of recorded time. Reads what was not read ahead, and writes once, whatever the number of changes. The facts have to be written
   * before.
   */
  async revise(
    transaction: Transaction,
    changes: readonly ClaimChange[],
    prefetched = this.prefetched(transaction),
  ): Promise<Revisions> {
    const plans = this.plansOf(changes);
    if (plans.length === 0) return { revised: [], newlyResolved: [], lost: [] };
    const store = new BeliefStore(transaction);
    const found = await prefetched.of(changes);
    const outcomes = plans.map((plan) => ({
      change: plan.change,
      beliefs: believed(plan, found.get(plan.change.claim) ?? [], this.policy),
    }));
    const written = await store.write(outcomes);
    const revised = outcomes.flatMap(({ beliefs }) =>
      beliefs.flatMap(({ revisions }) =>
        revisions.map(({ id, event_id, before, after }) => ({
          id,
          event_id,
          confidence_before: before?.confidence ?? null,
          confidence_after: after?.confidence ?? null,
          stance_before: before?.stance ?? null,
          stance_after: after?.stance ?? null,
        })),
      ),
    );
    return { revised, ...written };
  }

  private plansOf(changes: readonly ClaimChange[]): BeliefPlan[] {
    return changes.filter(hasChanged).map((change) => {
      const plan = this.plans.get(change) ?? planned(seenBy('beliefs', change), this.ids);
      this.plans.set(change, plan);
      return plan;
    });
  }
}
