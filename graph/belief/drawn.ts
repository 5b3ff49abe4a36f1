import type { RevisedBelief } from '../../src/derive/belief/change.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import type { Evidence } from '../../src/derive/belief/weight.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';
import { joined, type Interval } from '../../src/time/interval.ts';
import { Columns } from '../columns.ts';
import { int, real, type Param } from '../statement.ts';

/** An edge from a belief to what it rests on, as it is sent. */
export const SUPPORT = new Columns(
  ['id', 'weight', 'polarity', 'recorded_from', 'recorded_to'],
  ['recorded_from', 'recorded_to'],
);

/** An edge from a belief to one that it contradicts, as it is sent. */
export const CONTRADICTION = new Columns(
  ['by', 'belief_id', 'recorded_from', 'recorded_to'],
  ['recorded_from', 'recorded_to'],
);

/**
 * Which evidence of the beliefs about a claim is cited by no row but those that a change of it found and made, so that edges follow from
 * these: all that supports a belief that was not there, and what was recorded by this change first.
 */
export class FreshEvidence {
  private readonly change: ClaimChange;
  private recorded: ReadonlySet<string> | null = null;

  constructor(change: ClaimChange) {
    this.change = change;
  }

  /** Whether all rows that cite it, whatever belief they are of, are among those that were found and made. */
  isNew({ type, id }: Evidence): boolean {
    if (this.change.replayed) return true;
    this.recorded ??= firstRecorded(this.change);
    return this.recorded.has(`${type} ${id}`);
  }

  /** Whether evidence of a belief is fresh, and no edge leads to it yet. */
  of({ stored }: RevisedBelief): (evidence: Evidence) => boolean {
    if (stored === null) return () => true;
    if (this.change.replayed) return () => false;
    const cited = new Set(stored.rows.flatMap(({ opinion }) => opinion.evidence.map(evidenceKey)));
    return (evidence) => this.isNew(evidence) && !cited.has(evidenceKey(evidence));
  }
}

/** What tells a fact or event from all others. */
export function evidenceKey({ type, id }: Evidence): string {
  return `${type} ${id}`;
}

/** The edges from a belief to those facts, or events, that are fresh. */
export function drawnSupports(
  rows: readonly BeliefRow[],
  type: Evidence['type'],
  isFresh: (evidence: Evidence) => boolean,
): Param[] {
  const found = new Map<string, { readonly evidence: Evidence; readonly recorded: Interval[] }>();
  for (const { recorded, opinion } of rows)
    for (const evidence of opinion.evidence) {
      if (evidence.type !== type || !isFresh(evidence)) continue;
      const key = `${evidence.id} ${evidence.weight} ${evidence.polarity}`;
      const one = found.get(key) ?? { evidence, recorded: [] };
      found.set(key, one);
      one.recorded.push(recorded);
    }
  return [...found.values()].flatMap(({ evidence: { id, weight, polarity }, recorded }) =>
    joined(recorded).map(({ from, to }) =>
      SUPPORT.row({ id, weight: real(weight), polarity, recorded_from: int(from), recorded_to: int(to) }),
    ),
  );
}

/** What supports beliefs, and which. */
export type Supporters = ReadonlyMap<string, readonly RevisedBelief[]>;

/** By {@link evidenceKey}, the beliefs that it supports or did. */
export function supportersOf(beliefs: readonly RevisedBelief[]): Supporters {
  const found = new Map<string, RevisedBelief[]>();
  for (const belief of beliefs)
    for (const { opinion } of belief.rows)
      for (const evidence of opinion.evidence) {
        if (evidence.polarity !== 'supports') continue;
        const key = evidenceKey(evidence);
        const those = found.get(key) ?? [];
        if (those.at(-1) !== belief) those.push(belief);
        found.set(key, those);
      }
  return found;
}

/** Which beliefs contradict one. */
export interface Contradictions {
  readonly drawn: readonly Param[];
  /** By {@link evidenceKey}, what counts against it and supports a belief from which the edges do not follow. */
  readonly unsure: ReadonlySet<string>;
}

/** The edges to a belief from those that were not there before, where all that they rest on and that counts against it is fresh. */
export function drawnContradictions(
  belief: RevisedBelief,
  supporters: Supporters,
  isFresh: (evidence: Evidence) => boolean,
): Contradictions {
  const found = new Map<RevisedBelief, { keys: Set<string>; recorded: Interval[]; isKnown: boolean }>();
  for (const { recorded, opinion } of belief.rows)
    for (const evidence of opinion.evidence) {
      if (evidence.polarity !== 'against') continue;
      const key = evidenceKey(evidence);
      for (const by of supporters.get(key) ?? []) {
        if (by === belief) continue;
        const one = found.get(by) ?? { keys: new Set(), recorded: [], isKnown: by.stored === null };
        found.set(by, one);
        one.keys.add(key);
        one.recorded.push(recorded);
        one.isKnown &&= isFresh(evidence);
      }
    }
  const edge = (by: string, { from, to }: Interval): Param =>
    CONTRADICTION.row({ by, belief_id: belief.id, recorded_from: int(from), recorded_to: int(to) });
  return {
    drawn: [...found].flatMap(([{ id }, { isKnown, recorded }]) =>
      isKnown ? joined(recorded).map((one) => edge(id, one)) : [],
    ),
    unsure: new Set([...found.values()].flatMap(({ isKnown, keys }) => (isKnown ? [] : [...keys]))),
  };
}

/** The facts and events that were recorded with the first snapshot of a change, or later. */
function firstRecorded({ before, snapshots }: ClaimChange): ReadonlySet<string> {
  const since = snapshots[0]?.recorded_at ?? Infinity;
  const known = new Set(before.activeFacts.map(({ id }) => id));
  const recorded = new Set<string>();
  for (const { activeFacts, denials } of snapshots) {
    for (const { id, supports } of activeFacts)
      if (!known.has(id)) {
        known.add(id);
        const late = supports.filter((one) => one.recorded_at >= since);
        if (late.some((one) => one.id === id)) recorded.add(`fact ${id}`);
        for (const { event_id, grounds } of late)
          if (grounds !== undefined) recorded.add(`event ${event_id}`);
      }
    for (const { event_id, recorded_at } of denials)
      if (recorded_at >= since) recorded.add(`event ${event_id}`);
  }
  return recorded;
}
