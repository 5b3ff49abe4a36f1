import { OPEN_END } from '../../../schemas/time.ts';
import type { BitemporalRange } from '../../time/bitemporal-range.ts';
import { intersection, isEmpty, overlap, type Interval } from '../../time/interval.ts';
import type { EvidenceInterval } from './evidence.ts';
import { judged, type Evidence, type Judgement } from './weight.ts';
import type { Learning } from '../claim/history.ts';

/** What is believed of a value, and what that rests on. */
export interface Opinion extends Judgement {
  /** When the value is held to be true, or was last; empty where it never was as far as is known. */
  readonly holds: Interval;
  readonly evidence: readonly Evidence[];
}

/** What is believed of a value for some valid time, and when that was believed. */
export interface BeliefRow extends BitemporalRange {
  readonly opinion: Opinion;
  /** When the opinion was formed, epoch milliseconds: earlier than the row where only a neighbour of it changed since. */
  readonly revised_at: number;
  /** The event that brought the opinion about. */
  readonly caused_by: string;
  /** Which revision of the belief formed the opinion, from 1. */
  readonly revision: number;
}

/** When what is believed is written anew. */
export interface RevisionPolicy {
  /** How far the confidence has to move, 0 to 1, where stance and supports stay the same. */
  readonly minChange: number;
  /** How old, in milliseconds of recorded time, an opinion has to be for that. */
  readonly cooldownMs: number;
}

/** The policy where nothing else is set: a confidence can climb only ten times by so much, which needs no pause. */
export const DEFAULT_REVISION_POLICY: RevisionPolicy = { minChange: 0.05, cooldownMs: 0 };

/** A part of valid time with what is believed in it: what a row said already, or something new. */
interface Part {
  readonly valid: Interval;
  readonly row: BeliefRow | null;
  readonly opinion: Opinion;
}

const MILLIONTHS = 1e6;

/**
 * The rows of a belief after the evidence changed in some intervals. Where stance, supports, or the time for which the value
 * holds change, or the confidence does enough, a new opinion is formed; elsewhere the old one stays. Only open rows change, and only
 * where evidence did. A change that the policy holds back is written with the next one at the same place.
 */
export function revised(
  rows: readonly BeliefRow[],
  intervals: readonly EvidenceInterval[],
  by: Learning & { readonly revision: number },
  policy: RevisionPolicy,
): readonly BeliefRow[] {
  const open = rows.filter(({ recorded }) => recorded.to === OPEN_END);
  const touched = open.filter(({ valid }) => intervals.some((one) => overlap(one.valid, valid)));
  const parts = joined([
    ...touched.flatMap((row) => untouched(row, intervals)),
    ...intervals.flatMap((interval) => decided(interval, touched, by, policy)),
  ]);
  const stays = new Set(
    parts.flatMap(({ row, valid }) => (row && sameInterval(row.valid, valid) ? [row] : [])),
  );
  const goes = new Set(touched.filter((row) => !stays.has(row)));
  const now = by.recorded_at;
  const kept = rows
    .map((row) => (goes.has(row) ? { ...row, recorded: { from: row.recorded.from, to: now } } : row))
    .filter(({ recorded }) => !isEmpty(recorded));
  const opened = parts
    .filter(({ row }) => row === null || !stays.has(row))
    .map(({ valid, row, opinion }) => ({
      valid,
      recorded: { from: now, to: OPEN_END },
      opinion,
      revised_at: row?.revised_at ?? now,
      caused_by: row?.caused_by ?? by.event_id,
      revision: row?.revision ?? by.revision,
    }));
  return opened.length === 0 ? rows : [...kept, ...opened];
}

/** What a belief says at a valid instant by its open rows; where it does not reach so far back, what it says first. */
export function saying(rows: readonly BeliefRow[], valid: number): BeliefRow | null {
  const open = rows.filter(({ recorded }) => recorded.to === OPEN_END);
  const [first] = [...open].sort((a, b) => a.valid.from - b.valid.from);
  return open.find((row) => row.valid.from <= valid && valid < row.valid.to) ?? first ?? null;
}

/** What of a row lies outside of all intervals. */
function untouched(row: BeliefRow, intervals: readonly EvidenceInterval[]): Part[] {
  let left: Interval[] = [row.valid];
  for (const { valid: out } of intervals)
    left = left
      .flatMap(({ from, to }) => [
        { from, to: Math.min(to, Math.max(from, out.from)) },
        { from: Math.max(from, Math.min(to, out.to)), to },
      ])
      .filter((one) => !isEmpty(one));
  return left.map((valid) => ({ valid, row, opinion: row.opinion }));
}

/** What is believed in one interval, in parts where different rows were there. */
function decided(
  interval: EvidenceInterval,
  rows: readonly BeliefRow[],
  by: Learning,
  policy: RevisionPolicy,
): Part[] {
  const met = rows.filter(({ valid }) => overlap(valid, interval.valid));
  const bare = met.reduce<Part[]>(
    (left, { valid }) => left.flatMap((part) => without(part, valid)),
    [{ valid: interval.valid, row: null, opinion: opinionOf(interval, interval.valid.from) }],
  );
  const over = met.map((row): Part => {
    const valid = intersection(row.valid, interval.valid);
    const opinion = opinionOf(interval, row.opinion.holds.from);
    return differs(row, opinion, by.recorded_at, policy)
      ? { valid, row: null, opinion }
      : { valid, row, opinion: row.opinion };
  });
  return [...bare, ...over];
}

function without(part: Part, { from, to }: Interval): Part[] {
  const { valid } = part;
  const sides = [
    { from: valid.from, to: Math.min(valid.to, from) },
    { from: Math.max(valid.from, to), to: valid.to },
  ];
  return sides.filter((one) => !isEmpty(one)).map((one) => ({ ...part, valid: one }));
}

function opinionOf({ holds, evidence }: EvidenceInterval, from: number): Opinion {
  return { ...judged(evidence), holds: holds ?? { from, to: from }, evidence };
}

function differs(
  row: BeliefRow,
  next: Opinion,
  now: number,
  { minChange, cooldownMs }: RevisionPolicy,
): boolean {
  const { opinion: before } = row;
  if (before.stance !== next.stance || !sameInterval(before.holds, next.holds)) return true;
  if (supportsOf(before) !== supportsOf(next)) return true;
  const moved = Math.round(Math.abs(before.confidence - next.confidence) * MILLIONTHS);
  return moved > 0 && moved >= Math.round(minChange * MILLIONTHS) && now - row.revised_at >= cooldownMs;
}

function supportsOf({ evidence }: Opinion): string {
  return JSON.stringify(evidence.flatMap(({ id, polarity }) => (polarity === 'supports' ? [id] : [])));
}

/** In the order of valid time; parts that touch and say the same are one. */
function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of [...parts].sort((a, b) => a.valid.from - b.valid.from)) {
    const last = whole.at(-1);
    const one = last?.valid.to === part.valid.from && last.row === part.row && says(last) === says(part);
    if (one) whole[whole.length - 1] = { ...last, valid: { from: last.valid.from, to: part.valid.to } };
    else whole.push(part);
  }
  return whole;
}

function says({ opinion }: Part): string {
  return JSON.stringify(opinion);
}

function sameInterval(a: Interval, b: Interval): boolean {
  return a.from === b.from && a.to === b.to;
}
