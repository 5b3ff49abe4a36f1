import type { Statement } from './claim/statement.ts';
import { createHash } from 'node:crypto';

import { overlap, type Interval } from '../time/interval.ts';
import { aliveOf, isDenial, isFounded } from './claim/alive.ts';
import { statedInterval } from './claim/intervals.ts';

/**
 * A statement of a source with what it says of its validity. Conclusions are none: what they rest on is stated by others.
 */
export interface Evidence extends Statement {
  /** Whether it says itself since when it holds; else it holds since it was observed. */
  readonly has_explicit_valid_from: boolean;
  /** Id of the conflict that it settles; null for what settles none. */
  readonly settles: string | null;
}

/** That somebody settles a conflict. */
export interface Settlement {
  readonly conflict_id: string;
  readonly event_id: string;
  /** Place in the log. */
  readonly position: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  /** `dismissed`: there is no conflict, and further evidence of the same makes none. */
  readonly status: 'manually_resolved' | 'dismissed';
  /** What holds by it; who states that again, within these bounds, opens nothing. */
  readonly holds: readonly { readonly value: string; readonly valid: Interval }[];
}

/** `withdrawn`: what one side rested on was denied since. */
export type ConflictStatus = 'open' | 'manually_resolved' | 'dismissed' | 'withdrawn';

/** Two values of a claim that has one, stated for the same time. */
export interface Conflict {
  /** UUID; the same whenever it is derived. */
  readonly id: string;
  readonly claim: string;
  /** Canonical texts, in their order. */
  readonly values: readonly [string, string];
  /** What states each value, in the order of the log; each disagreed with something on the other side. */
  readonly sides: readonly [readonly Evidence[], readonly Evidence[]];
  readonly status: ConflictStatus;
  /** Place in the log of the statement that opened it. */
  readonly position: number;
  /** When that was known of both sides, epoch milliseconds. */
  readonly detected_at: number;
  /** What ended it, null while it is open. */
  readonly resolved_at: number | null;
  readonly resolved_by: string | null;
  /** What settled it, null where nobody did. */
  readonly settlement: Settlement | null;
}

/** A claim as far as conflicts go. */
export interface Disputes {
  readonly claim: string;
  /** In the order of the log. */
  readonly statements: readonly Evidence[];
  /** In the order in which they were opened. */
  readonly conflicts: readonly Conflict[];
}

/** A claim about which nothing was said. */
export function undisputed(claim: string): Disputes {
  return { claim, statements: [], conflicts: [] };
}

/**
 * The disputes after the next statement of the log. Where it disagrees with a statement of another value it joins the conflicts in
 * which that stands, or opens one; what was settled is opened again by new evidence only, and not by evidence of what holds since.
 * A denial ends conflicts of which nothing is left. Whatever policy picks the current value plays no part. What its source is not sure of at
 * all neither contradicts nor denies.
 */
export function disputedBy(disputes: Disputes, statement: Evidence): Disputes {
  const statements = [...disputes.statements, statement];
  const known: Disputes = { ...disputes, statements };
  if (statement.kind === 'settled') return decided(known, statement);
  if (statement.confidence === 0) return known;
  if (isDenial(statement)) return withdrawn(known, statement);
  const against = aliveOf(disputes.statements).filter((other) => disagree(statement, other, statements));
  const values = [...new Set(against.map(({ value }) => value))];
  return values.reduce(
    (after, value) =>
      faced(
        after,
        statement,
        against.filter((other) => other.value === value),
      ),
    known,
  );
}

/** A decision counts as long as what it decided for is stated. */
function decided(known: Disputes, statement: Evidence): Disputes {
  const settlement = settlementOf(statement);
  const isStated = statement.decision !== undefined && isFounded(statement.decision, known.statements);
  return settlement !== null && isStated ? settledBy(known, settlement) : known;
}

/** What a statement settles; null for one that decides nothing. */
export function settlementOf({ decision, event_id, position, recorded_at }: Evidence): Settlement | null {
  if (decision === undefined) return null;
  const { conflict_id, status, holds } = decision;
  return { conflict_id, event_id, position, recorded_at, status, holds };
}

/** The disputes after somebody settled one; what is not open any more stays as it is. */
export function settledBy(disputes: Disputes, settlement: Settlement): Disputes {
  const { conflict_id, status, recorded_at: resolved_at, event_id: resolved_by } = settlement;
  const conflicts = disputes.conflicts.map((conflict) =>
    conflict.id === conflict_id && conflict.status === 'open'
      ? { ...conflict, status, resolved_at, resolved_by, settlement }
      : conflict,
  );
  return { ...disputes, conflicts };
}

/**
 * Whether two statements of different events give different values for the same time, by what they say of it. What says nothing of
 * its validity disagrees with nothing: a later value supersedes it. What says only since when it holds says nothing about later, so
 * it disagrees with what holds at its beginning.
 */
export function disagree(a: Evidence, b: Evidence, statements: readonly Evidence[]): boolean {
  if (a.value === b.value || a.event_id === b.event_id) return false;
  if (a.confidence === 0 || b.confidence === 0) return false;
  return overlap(statedInterval(a, statements), statedInterval(b, statements));
}

/**
 * How sure it is that two values, as people read them, are two: 1, or 0.5 where they may be two spellings of one, which is so when
 * their letters differ in one at most and their digits in none.
 */
export function conflictConfidence(one: string, other: string): number {
  const sameDigits = one.replace(/\P{N}/gu, '') === other.replace(/\P{N}/gu, '');
  const [a, b] = [letters(one), letters(other)];
  return sameDigits && a !== '' && near(a, b) ? NEAR : 1;
}

const NEAR = 0.5;
/** Shorter names that differ in one letter are different names. */
const NEAR_LENGTH = 4;
/** A statement faces others of one other value. */
function faced(disputes: Disputes, statement: Evidence, others: readonly Evidence[]): Disputes {
  const value = others[0]?.value ?? '';
  const ofPair = disputes.conflicts.filter(
    ({ values }) => values.includes(statement.value) && values.includes(value),
  );
  const holding = (other: Evidence, status: ConflictStatus): Conflict | undefined =>
    ofPair.find((conflict) => conflict.status === status && evidenceOf(conflict).includes(other));
  const joined = new Map<string, Evidence[]>();
  const fresh: Evidence[] = [];
  for (const other of others.filter((each) => !isSettled(disputes, statement, each))) {
    const conflict = holding(other, 'open') ?? holding(other, 'dismissed');
    if (conflict === undefined) fresh.push(other);
    else joined.set(conflict.id, []);
  }
  const [first] = [...joined.keys()].filter((id) =>
    ofPair.some((conflict) => conflict.id === id && conflict.status === 'open'),
  );
  if (first !== undefined) joined.set(first, fresh);
  const conflicts = disputes.conflicts.map((conflict) => {
    const more = joined.get(conflict.id);
    return more === undefined ? conflict : withEvidence(conflict, [statement, ...more]);
  });
  if (first !== undefined || fresh.length === 0) return { ...disputes, conflicts };
  return { ...disputes, conflicts: [...conflicts, opened(disputes.claim, statement, fresh)] };
}

/** Whether what a statement says against another was settled: by the statement itself, or in its favour. */
function isSettled({ conflicts, statements }: Disputes, statement: Evidence, other: Evidence): boolean {
  const said = statedInterval(statement, statements);
  return conflicts.some((conflict) => {
    if (!evidenceOf(conflict).includes(other)) return false;
    if (conflict.id === statement.settles) return true;
    const holds = conflict.status === 'manually_resolved' ? (conflict.settlement?.holds ?? []) : [];
    return holds.some(({ value, valid }) => value === statement.value && lies(said, valid));
  });
}

function lies(inner: Interval, outer: Interval): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}

function opened(claim: string, statement: Evidence, others: readonly Evidence[]): Conflict {
  const value = others[0]?.value ?? '';
  const values: [string, string] =
    statement.value < value ? [statement.value, value] : [value, statement.value];
  return {
    id: uuidOf(claim, ...values, statement.id),
    claim,
    values,
    sides: values.map((each) => (each === statement.value ? [statement] : others)) as [
      Evidence[],
      Evidence[],
    ],
    status: 'open',
    position: statement.position,
    detected_at: Math.max(statement.recorded_at, ...others.map(({ recorded_at }) => recorded_at)),
    resolved_at: null,
    resolved_by: null,
    settlement: null,
  };
}

function evidenceOf({ sides }: Conflict): Evidence[] {
  return sides.flat();
}

function withEvidence(conflict: Conflict, more: readonly Evidence[]): Conflict {
  const [first, second] = conflict.values.map((value, i) =>
    [...new Set([...(conflict.sides[i] ?? []), ...more.filter((one) => one.value === value)])].sort(
      (a, b) => a.position - b.position,
    ),
  );
  return { ...conflict, sides: [first ?? [], second ?? []] };
}

/** Ends the open conflicts in which nothing disagrees any more. */
function withdrawn(disputes: Disputes, by: Evidence): Disputes {
  const { statements } = disputes;
  const alive = new Set(aliveOf(statements));
  const goesOn = ({ sides: [one, other] }: Conflict): boolean =>
    one.some((a) => alive.has(a) && other.some((b) => alive.has(b) && disagree(a, b, statements)));
  const conflicts = disputes.conflicts.map((conflict): Conflict => {
    if (conflict.status !== 'open' || goesOn(conflict)) return conflict;
    return { ...conflict, status: 'withdrawn', resolved_at: by.recorded_at, resolved_by: by.event_id };
  });
  return { ...disputes, conflicts };
}

/** A UUID (version 8, RFC 9562) out of what defines it. */
function uuidOf(...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The letters of a value without case and accents. */
function letters(value: string): string {
  return value.normalize('NFKD').toLowerCase().replace(/\P{L}/gu, '');
}

/** Whether two texts are the same but for one letter that is there, missing or another. */
function near(one: string, other: string): boolean {
  if (one === other) return true;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || short.length < NEAR_LENGTH) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = long.slice(same + 1);
  return rest === short.slice(same + (short.length === long.length ? 1 : 0));
}
