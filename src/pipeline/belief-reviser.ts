import { BeliefStore } from '../../graph/belief-store.ts';
import type { Transaction } from '../../graph/driver.ts';
import { believed, planned, type Said } from '../derive/belief-change.ts';
import type { RevisionPolicy } from '../derive/belief.ts';
import type { ClaimChange } from '../derive/claim-change.ts';

/** That a belief was revised, as a frame tells it. */
export interface BeliefRevised {
  readonly id: string;
  /** The event that brought it about; null where the belief is gone because what it rested on was taken out of the log. */
  readonly event_id: string | null;
  /** Null for a belief that began. */
  readonly confidence_before: number | null;
  /** Null for a belief that is gone. */
  readonly confidence_after: number | null;
  readonly stance_before: Said['stance'] | null;
  readonly stance_after: Said['stance'] | null;
}

/** What became of beliefs. */
export interface Revisions {
  readonly revised: readonly BeliefRevised[];
  /** Claims of beliefs that began, where conclusions had named them before: what rests on them has to be told anew. */
  readonly woken: readonly string[];
}

/** Revises beliefs in the transaction that changes what they rest on. */
export class BeliefReviser {
  private readonly policy: RevisionPolicy;

  constructor(policy: RevisionPolicy) {
    this.policy = policy;
  }

  /**
   * Brings the beliefs about claims up to their changes, each claim once, and says which were revised, in the order of the changes
   * and of recorded time. Reads once and writes once, whatever the number of changes. The facts have to be written before.
   */
  async revise(transaction: Transaction, changes: readonly ClaimChange[]): Promise<Revisions> {
    const plans = changes.filter(({ anew, moments }) => anew || moments.length > 0).map(planned);
    if (plans.length === 0) return { revised: [], woken: [] };
    const store = new BeliefStore(transaction);
    const found = await store.load(plans);
    const outcomes = plans.map((plan) => ({
      change: plan.change,
      beliefs: believed(plan, found.get(plan.change.claim) ?? [], this.policy),
    }));
    const woken = await store.write(outcomes);
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
    return { revised, woken };
  }
}
