import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import { changes, concerned, latest, NOTHING_STANDS, type EvidenceInterval } from './evidence.ts';
import { revised, saying, type BeliefRow, type RevisionPolicy } from './revise.ts';
import type { ClaimChange, ClaimSnapshot, ClaimStand } from '../claim/change.ts';
import type { KeyedIds } from '../keyed-ids.ts';

/** A belief as the store has it. */
export interface StoredBelief {
  readonly id: string;
  readonly value: string;
  /**
   * Of a claim that goes on: the rows that are open or were closed at the instant of its first moment, and end behind the first valid
   * instant that is asked for; of one that is replayed, all.
   */
  readonly rows: readonly BeliefRow[];
  /** Revisions that were made before the instant of the first moment. */
  readonly revisions: number;
}

/** What has to be known of a belief: its rows that end behind a valid instant. */
export interface BeliefNeed {
  readonly id: string;
  readonly value: string;
  readonly from: number;
}

/** A change of a claim, seen by the beliefs about it. */
export interface BeliefPlan {
  readonly change: ClaimChange;
  readonly steps: readonly Step[];
  readonly needs: readonly BeliefNeed[];
}

interface Step {
  readonly snapshot: ClaimSnapshot;
  /** Where the evidence changed, by value. */
  readonly intervals: ReadonlyMap<string, readonly EvidenceInterval[]>;
}

/** What a belief says for one reading, in short. */
export interface BeliefSummary {
  readonly stance: BeliefRow['opinion']['stance'];
  readonly confidence: number;
}

/** What has to be written so that the store says what a belief has become. */
export interface BeliefDifference {
  readonly opened: readonly BeliefRow[];
  /** Rows that are known until another instant than before. */
  readonly moved: readonly BeliefRow[];
  readonly removed: readonly BeliefRow[];
}

/** That a belief was revised; `before` is null for one that began, `after` for one that is gone. */
export interface Revision {
  readonly id: string;
  /** The event that brought it about; null where the belief is gone because what it rested on was taken out of the log. */
  readonly event_id: string | null;
  readonly before: BeliefSummary | null;
  readonly after: BeliefSummary | null;
}

/** A belief after a change. */
export interface RevisedBelief {
  readonly id: string;
  readonly value: string;
  /** As it was found; null for one that was not there. */
  readonly stored: StoredBelief | null;
  /** The valid instant behind which all of its open rows were found; null where only some that changed at the same instant were. */
  readonly found_from: number | null;
  readonly rows: readonly BeliefRow[];
  /** Where it begins with this change: the place in the log of the statement that it begins with. */
  readonly begins: { readonly position: number; readonly recorded_at: number } | null;
  readonly revisions: readonly Revision[];
}

/** Where a change of a claim touches beliefs, and what has to be known of these. */
export function planned(change: ClaimChange, ids: KeyedIds): BeliefPlan {
  let before: ClaimStand = change.replayed ? NOTHING_STANDS : change.before;
  const steps = change.snapshots.map((snapshot): Step => {
    const found = [...concerned(before, snapshot)]
      .map((value) => [value, changes(value, before, snapshot)] as const)
      .filter(([, intervals]) => intervals.length > 0);
    before = snapshot;
    return { snapshot, intervals: new Map(found) };
  });
  const from = new Map<string, number>();
  for (const { intervals } of steps)
    for (const [value, all] of intervals)
      from.set(value, Math.min(from.get(value) ?? OPEN_END, ...all.map(({ valid }) => valid.from)));
  const { place, claim } = change;
  const needs = [...from].map(([value, at]) => ({
    id: ids.belief(place.scope_ref, claim, value),
    value,
    from: at,
  }));
  return { change, steps, needs };
}

/**
 * The beliefs about a claim after a change of it. A claim that goes on finds beliefs as they were before the instant of its first
 * moment: what was formed at that same instant is taken back, for what an instant leaves behind is one thing, however many
 * steps it took.
 */
export function believed(
  { change, steps, needs }: BeliefPlan,
  stored: readonly StoredBelief[],
  policy: RevisionPolicy,
): RevisedBelief[] {
  const found = new Map(stored.map((belief) => [belief.value, belief]));
  const ids = new Map(needs.map(({ value, id }) => [value, id]));
  for (const { value, id } of stored) ids.set(value, id);
  const from = new Map(needs.map((need) => [need.value, need.from]));
  return [...ids]
    .map(([value, id]) => ({
      id,
      value,
      stored: found.get(value) ?? null,
      found_from: change.replayed ? FIRST_INSTANT : (from.get(value) ?? null),
    }))
    .map((belief) => {
      const outcome = follow(belief, { change, steps }, policy);
      const revisions = change.replayed ? compared(belief, outcome, change) : outcome.revisions;
      return { ...belief, ...outcome, revisions };
    });
}

/** The difference between what was found of a belief and what is now; of one that is replayed, everything. */
export function beliefDifference({ stored, rows }: RevisedBelief, replayed: boolean): BeliefDifference {
  const found = stored?.rows ?? [];
  if (replayed) return { opened: rows, moved: [], removed: found };
  const known = new Map(found.map((row) => [placeOf(row), row]));
  const kept = new Map(rows.map((row) => [placeOf(row), row]));
  const missing = <Row>(of: ReadonlyMap<string, Row>, from: ReadonlyMap<string, Row>): Row[] =>
    [...of].flatMap(([place, row]) => (from.has(place) ? [] : [row]));
  return {
    opened: missing(kept, known),
    moved: [...kept].flatMap(([place, row]) => {
      const before = known.get(place);
      return before !== undefined && before.recorded.to !== row.recorded.to ? [row] : [];
    }),
    removed: missing(known, kept),
  };
}

/** What no two rows of a belief share, once what they say is part of it: an instant may leave something else behind in the end. */
function placeOf({ recorded, ...row }: BeliefRow): string {
  return JSON.stringify([recorded.from, row]);
}

type Followed = Pick<RevisedBelief, 'rows' | 'begins' | 'revisions'>;

function follow(
  { id, value, stored }: Pick<RevisedBelief, 'id' | 'value' | 'stored'>,
  { change, steps }: Pick<BeliefPlan, 'change' | 'steps'>,
  policy: RevisionPolicy,
): Followed {
  const since = change.snapshots[0]?.recorded_at ?? OPEN_END;
  let last = stored?.rows ?? [];
  let rows = change.replayed ? [] : takenBack(last, since);
  let made = change.replayed ? 0 : (stored?.revisions ?? 0);
  let begins: Followed['begins'] = null;
  const revisions: Revision[] = [];
  for (const { snapshot, intervals } of steps) {
    const here = intervals.get(value);
    if (here) rows = revised(rows, here, { ...snapshot, revision: made + 1 }, policy);
    if (made === 0 && rows.length > 0) begins = beginning(value, snapshot);
    if (rows.some(({ revision }) => revision === made + 1)) made += 1;
    if (rows !== last && JSON.stringify(rows) !== JSON.stringify(last)) {
      const at = Math.max(snapshot.recorded_at, here?.[0]?.valid.from ?? snapshot.recorded_at);
      revisions.push({
        id,
        event_id: snapshot.event_id,
        before: inShort(last, at),
        after: inShort(rows, at),
      });
    }
    last = rows;
  }
  return { rows, begins, revisions };
}

/** Rows as they were before an instant. */
function takenBack(rows: readonly BeliefRow[], since: number): readonly BeliefRow[] {
  if (rows.every(({ recorded }) => recorded.from < since && recorded.to === OPEN_END)) return rows;
  return rows
    .filter(({ recorded }) => recorded.from < since)
    .map((row) =>
      row.recorded.to < since ? row : { ...row, recorded: { from: row.recorded.from, to: OPEN_END } },
    );
}

function beginning(value: string, snapshot: ClaimSnapshot): { position: number; recorded_at: number } {
  const said = latest(value, snapshot);
  if (said === null) throw new Error(`a belief about ${value} begins without a statement`);
  return { position: said.position, recorded_at: snapshot.recorded_at };
}

/** What replaying a claim came to, belief by belief. */
function compared(
  { id, stored }: Pick<RevisedBelief, 'id' | 'stored'>,
  { rows }: Followed,
  change: ClaimChange,
): Revision[] {
  const old = stored?.rows ?? [];
  const at = Math.max(
    ...[...old, ...rows].map(({ recorded }) => recorded.from),
    change.snapshots.at(-1)?.recorded_at ?? 0,
  );
  const [before, after] = [inShort(old, at), inShort(rows, at)];
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const newest = [...rows].sort((a, b) => b.revised_at - a.revised_at)[0];
  return [{ id, event_id: newest?.caused_by ?? null, before, after }];
}

function inShort(rows: readonly BeliefRow[], valid: number): BeliefSummary | null {
  const row = saying(rows, valid);
  return row && { stance: row.opinion.stance, confidence: row.opinion.confidence };
}
