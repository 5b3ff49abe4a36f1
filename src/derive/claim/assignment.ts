import { OPEN_END } from '../../../schemas/time.ts';

/** An interval of recorded time in which a statement is about its claim. */
export interface AssignmentInterval {
  readonly from: number;
  /** `OPEN_END` while it is. */
  readonly to: number;
  /** What began it: the event that states it, or the entry of a link. */
  readonly by: string;
  /** The entry of a link that ended it; null while it is. */
  readonly until: string | null;
}

/** From a recorded instant on, what is stated is about this claim, with this value. */
export interface ClaimAssignment {
  readonly at: number;
  readonly claim: string;
  readonly value: string;
  /** The event that states it, or the entry of a link. */
  readonly by: string;
}

/** Which claim a statement of a linked entity is assigned to, and which one what was stated with it is assigned to at any time. */
export interface Reassignment {
  /** In the order of time. */
  readonly assigned_during: readonly AssignmentInterval[];
  /** In the order of time, the first from when it was stated on. */
  readonly assignments: readonly ClaimAssignment[];
}

/** The intervals in which one statement is assigned to a claim. */
export function assignmentIntervals(
  assignments: readonly ClaimAssignment[],
  own: (assignment: ClaimAssignment) => boolean,
): AssignmentInterval[] {
  return assignments.flatMap((assignment, i): AssignmentInterval[] => {
    const next = assignments[i + 1];
    if (!own(assignment)) return [];
    return [{ from: assignment.at, to: next?.at ?? OPEN_END, by: assignment.by, until: next?.by ?? null }];
  });
}

/** Stretches of several as one list, in the order of time and without overlap. */
export function joinIntervals(all: readonly AssignmentInterval[]): AssignmentInterval[] {
  const joined: AssignmentInterval[] = [];
  for (const next of [...all].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = joined.at(-1);
    if (last === undefined || last.to < next.from) joined.push(next);
    else if (last.to < next.to) joined[joined.length - 1] = { ...last, to: next.to, until: next.until };
  }
  return joined;
}

/**
 * Whether a statement is about its claim while what it rests on is about another one (`claim`). Both may be moved by the same link: then
 * each is where the other one is, and neither claim rests on what the other one was before.
 */
export function restsOnAnother(
  { assigned_during }: Reassignment,
  { assignments }: Reassignment,
  claim: string,
): boolean {
  return assignments.some((assignment, i) => {
    const since = i === 0 ? -Infinity : assignment.at;
    const until = assignments[i + 1]?.at ?? Infinity;
    return assignment.claim === claim && assigned_during.some(({ from, to }) => from < until && since < to);
  });
}
