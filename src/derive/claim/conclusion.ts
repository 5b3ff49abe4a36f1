import type { Ground, Statement } from './statement.ts';
import { createHash } from 'node:crypto';

import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import { contains, intersection, isEmpty, type Interval } from '../../time/interval.ts';
import { claimAfter } from './fold.ts';
import { EMPTY_CLAIM, type Claim } from './claim.ts';
import {
  isSameTime,
  revisedFacts,
  type ClaimHistory,
  type FactHistory,
  type FactRow,
  type Learning,
} from './history.ts';
import type { ClaimAssignment, AssignmentInterval } from './assignment.ts';

/**
 * What a conclusion rests on: that a claim has a value. Null for what is not there (any more): it never holds. What always holds, such
 * as an event that is there, is no premise.
 */
export type Premise = {
  readonly claim: string;
  readonly value: string;
  /** Where it is to be found over recorded time, where its entities were linked: from the first on, and before it too. */
  readonly assignments?: readonly ClaimAssignment[];
} | null;

/** A statement of a claim, with what it rests on; most rest on nothing. */
export interface ClaimStatement {
  readonly statement: Statement;
  readonly premises: readonly Premise[];
  /** Of a declared belief, the reasons that it names: each weighs by itself, and the belief stands without them. */
  readonly grounds?: readonly ClaimGround[];
  /** The recorded time in which it is about this claim; left out where that is all the time since it was recorded. */
  readonly assigned_during?: readonly AssignmentInterval[];
}

/** A reason that a declared belief names. */
export interface ClaimGround extends Pick<Ground, 'type' | 'id'> {
  readonly premise: Premise | 'always';
}

/** A claim as far as conclusions need it: the histories of its facts, of which rows that say only how sure a fact is may be left out. */
export type Facts = ReadonlyMap<string, FactHistory>;

/** A claim with its history, and how it stood at each instant at which it changed. */
export interface Replay {
  readonly history: ClaimHistory;
  readonly snapshots: readonly (Learning & { readonly claim: Claim })[];
}

/**
 * The history of a claim of which some statements are conclusions. A conclusion holds while it says so itself and each of its
 * premises holds, as far as was known at each instant: so the claim changes wherever one of its premises does. `factsOf` gives
 * the facts of a claim that a premise names; `own` is the claim itself, of which no value is a reason to declare another.
 */
export function replayConclusions(
  own: string,
  all: readonly ClaimStatement[],
  factsOf: (claim: string) => Facts,
): Replay {
  let facts = new Map<string, FactHistory>();
  const snapshots = learnings(own, all, factsOf).map((by) => {
    const known = all.filter(({ statement }) => statement.recorded_at <= by.recorded_at);
    const claim = claimAfter(
      known.flatMap((claimStatement) =>
        holding(withoutOwn(claimStatement, own, by.recorded_at), factsOf, by.recorded_at),
      ),
    );
    facts = revisedFacts(facts, claim, by);
    return { ...by, claim };
  });
  return { history: { claim: snapshots.at(-1)?.claim ?? EMPTY_CLAIM, facts }, snapshots };
}

/** A statement without the reasons that are values of its own claim at an instant. */
function withoutOwn(claimStatement: ClaimStatement, own: string, now: number): ClaimStatement {
  const { grounds } = claimStatement;
  if (grounds === undefined) return claimStatement;
  const isOwn = ({ premise }: ClaimGround): boolean =>
    premise !== null && premise !== 'always' && assignmentAt(premise, now).claim === own;
  return { ...claimStatement, grounds: grounds.filter((ground) => !isOwn(ground)) };
}

/** Where a premise is to be found as known at an instant. */
function assignmentAt(premise: NonNullable<Premise>, now: number): Pick<ClaimAssignment, 'claim' | 'value'> {
  return premise.assignments?.filter(({ at }) => at <= now).at(-1) ?? premise;
}

/** Every instant at which something is said or what a conclusion rests on changes, with the event, or the entry of a link, that did it. */
function learnings(
  own: string,
  all: readonly ClaimStatement[],
  factsOf: (claim: string) => Facts,
): Learning[] {
  const byInstant = new Map<number, string>();
  for (const claimStatement of all) {
    const { statement } = claimStatement;
    const claims = [
      ...claimStatement.premises.flatMap(claimsOf),
      ...reasonsOf(claimStatement)
        .flatMap(claimsOf)
        .filter((claim) => claim !== own),
    ];
    const facts = claims.flatMap((claim) => [...factsOf(claim).values()]);
    const rows = facts.flatMap((fact) => fact.rows.filter(changesTime));
    for (const { recorded, caused_by } of rows)
      if (recorded.from > statement.recorded_at && !byInstant.has(recorded.from))
        byInstant.set(recorded.from, caused_by);
  }
  const moves = all.flatMap((claimStatement) => movesOf(claimStatement));
  for (const [at, by] of moves.sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1)))
    byInstant.set(at, by);
  // What the claim itself says at an instant is the nearer cause.
  for (const { statement, assigned_during } of all)
    if (assigned_during?.every(({ by }) => by !== statement.event_id) !== true)
      byInstant.set(statement.recorded_at, statement.event_id);
  return [...byInstant]
    .map(([recorded_at, event_id]) => ({ recorded_at, event_id }))
    .sort((a, b) => a.recorded_at - b.recorded_at);
}

/** Whether a row of a fact says of its time what the one before it does not: how sure it is changes nothing of what rests on it. */
function changesTime(row: FactRow, place: number, rows: readonly FactRow[]): boolean {
  const before = rows[place - 1];
  return before === undefined || !isSameTime(before, row) || before.ended_at !== row.ended_at;
}

/** Where links bring a statement to its claim or take it away, or do so with what it rests on; of one instant the greatest id decides. */
function movesOf(claimStatement: ClaimStatement): [number, string][] {
  const { statement, assigned_during = [] } = claimStatement;
  const own = assigned_during.flatMap(({ from, to, by, until }): [number, string][] => [
    ...(by === statement.event_id ? [] : [[from, by] as [number, string]]),
    ...(until === null ? [] : [[to, until] as [number, string]]),
  ]);
  const ofPremises = restsOn(claimStatement).flatMap((premise) =>
    (premise?.assignments ?? []).slice(1).map(({ at, by }): [number, string] => [at, by]),
  );
  return [...own, ...ofPremises.filter(([at]) => at > statement.recorded_at)];
}

function claimsOf(premise: Premise): readonly string[] {
  if (premise === null) return [];
  return [...new Set([premise.claim, ...(premise.assignments ?? []).map(({ claim }) => claim)])];
}

function restsOn(claimStatement: ClaimStatement): Premise[] {
  return [...claimStatement.premises, ...reasonsOf(claimStatement)];
}

/** The reasons that may fall. */
function reasonsOf({ grounds = [] }: ClaimStatement): Premise[] {
  return grounds.flatMap(({ premise }) => (premise === 'always' ? [] : [premise]));
}

/** What a statement asserts as its premises are known at an instant: nothing, or one statement for each interval in which all hold. */
function holding(
  { statement, premises, grounds, assigned_during }: ClaimStatement,
  factsOf: (claim: string) => Facts,
  now: number,
): readonly Statement[] {
  if (assigned_during?.some((interval) => contains(interval, now)) === false) return [];
  if (grounds !== undefined)
    return [{ ...statement, grounds: grounds.map((ground) => heldBy(ground, factsOf, now)) }];
  if (premises.length === 0) return [statement];
  const intervals = premises.reduce<readonly HeldInterval[]>(
    (left, premise) => {
      const true_ = truthOf(premise, factsOf, now);
      return left.flatMap((one) =>
        true_.map((other) => common(one, other)).filter(({ valid }) => !isEmpty(valid)),
      );
    },
    [{ valid: statement.valid, falls: false }],
  );
  if (statement.kind !== 'asserted') return intervals.length > 0 ? [statement] : [];
  return intervals.map(({ valid, falls }, i) => ({
    ...statement,
    ...(i === 0 ? {} : { id: continuationId(statement.id, valid.from), continuation_of: statement.id }),
    valid,
    ...(falls ? { falls } : {}),
  }));
}

/** An interval of valid time, and whether it ends because something was superseded or denied. */
interface HeldInterval {
  readonly valid: Interval;
  readonly falls: boolean;
}

/** What two intervals have in common; it falls with the one that ends it. */
function common(a: HeldInterval, b: HeldInterval): HeldInterval {
  const valid = intersection(a.valid, b.valid);
  return { valid, falls: [a, b].some(({ valid: { to }, falls }) => to === valid.to && falls) };
}

function heldBy({ type, id, premise }: ClaimGround, factsOf: (claim: string) => Facts, now: number): Ground {
  if (premise === 'always') return { type, id, holds: [{ from: FIRST_INSTANT, to: OPEN_END }] };
  return { type, id, holds: truthOf(premise, factsOf, now).map(({ valid }) => valid) };
}

/** When a claim has the value that a premise names, as known at an instant, in the order of time. */
function truthOf(premise: Premise, factsOf: (claim: string) => Facts, now: number): HeldInterval[] {
  if (premise === null) return [];
  const { claim, value } = assignmentAt(premise, now);
  const true_ = [...factsOf(claim).values()]
    .filter((fact) => fact.value === value)
    .flatMap(({ rows }) => rows.findLast(({ recorded }) => recorded.from <= now) ?? [])
    .flatMap(({ extents, ended_at }) =>
      extents.map(({ from, to }, i) => ({
        valid: { from, to },
        falls: ended_at !== null || i < extents.length - 1,
      })),
    )
    .filter(({ valid }) => !isEmpty(valid))
    .sort((a, b) => a.valid.from - b.valid.from);
  return joined(true_);
}

/** Stretches that follow one another without a gap are one. */
function joined(intervals: readonly HeldInterval[]): HeldInterval[] {
  const whole: HeldInterval[] = [];
  for (const next of intervals) {
    const last = whole.at(-1);
    if (last && next.valid.from <= last.valid.to && last.valid.to !== OPEN_END) {
      const longer = next.valid.to > last.valid.to ? next : last;
      whole[whole.length - 1] = {
        valid: { from: last.valid.from, to: longer.valid.to },
        falls: longer.falls,
      };
    } else whole.push(next);
  }
  return whole;
}

/** Id of the fact of a later interval of a conclusion: the first interval goes by the id of the statement. */
function continuationId(id: string, from: number): string {
  return `fact_${createHash('sha256').update(`${id} ${from}`).digest('hex').slice(0, 32)}`;
}
