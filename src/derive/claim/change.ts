import type { ActiveFact, Statement } from './statement.ts';
import type { Term } from '../../../schemas/triple.ts';
import { isDenial } from './alive.ts';
import { claimAfter } from './fold.ts';
import { activeFactsOf, type Claim } from './claim.ts';

/** Where a claim lies; empty for one of which nothing is left. */
export interface ScopeKey {
  readonly tenant: string;
  readonly scope: string;
  /** Reference of the scope, which its tenant is part of. */
  readonly scope_ref: string;
}

/** A claim as one instant of recorded time left it. */
export interface ClaimSnapshot {
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  /** The event that brought the change: the last one of the log, where several share the instant. */
  readonly event_id: string;
  /** The facts that stand from then on, in the order of their valid times. */
  readonly activeFacts: readonly ActiveFact[];
  /** Denials known by then, in the order of the log. */
  readonly denials: readonly Statement[];
}

/** How a claim stands, apart from when that became known. */
export type ClaimStand = Pick<ClaimSnapshot, 'activeFacts' | 'denials'>;

/** What a value of a claim says, in the terms of the first statement that named it. */
export interface ValueTerms {
  readonly subject: Extract<Term, { type: 'entity' }>;
  readonly predicate: string;
  readonly object: Term;
  /** That it is only assumed how many values the predicate has at once; left out where that is known. */
  readonly cardinality_assumed?: true;
  /** That it is about nothing but itself, so that its subject is no entity; left out where there is one. */
  readonly of_itself?: true;
}

/** What became of one claim in one consolidation; what rests on facts is revised by it. */
export interface ClaimChange {
  readonly claim: string;
  readonly place: ScopeKey;
  /** True when an event was taken out, or a premise changed: the moments are all that the claim ever had, and replace what was derived. */
  readonly replayed: boolean;
  /** How the claim stood just before the instant of the first moment (`standBefore`); of one that is replayed, nothing. */
  readonly before: ClaimStand;
  /** In recorded order, one per instant. */
  readonly snapshots: readonly ClaimSnapshot[];
  /** Of a claim of which only a part was looked at, the facts in it; the others stay as they are. */
  readonly within?: ReadonlySet<string>;
  /** By canonical value; all values of the moments. */
  readonly terms: ReadonlyMap<string, ValueTerms>;
}

/** Whether anything came of a claim that what rests on its facts has to follow. */
export function hasChanged({ replayed, snapshots }: ClaimChange): boolean {
  return replayed || snapshots.length > 0;
}

/**
 * How a claim stands by the statements that were known before a recorded instant. `appended`: those since then all begin behind all
 * before, so that they have moved none of these to another fact.
 */
export function standBefore(claim: Claim, recordedAt: number, appended = false): ClaimStand {
  const early = claim.statements.filter((one) => one.recorded_at < recordedAt);
  const same = appended || early.length === claim.statements.length;
  const then = same ? { statements: early, factOf: claim.factOf } : claimAfter(early);
  return { activeFacts: activeFactsOf(then), denials: early.filter(isDenial) };
}
