import type { ActiveFact, Statement } from './statement.ts';
import { OPEN_END } from '../../../schemas/time.ts';
import type { BitemporalRange } from '../../time/bitemporal-range.ts';
import { isEmpty, type Interval } from '../../time/interval.ts';
import { confidenceOf } from '../belief/weight.ts';
import { grouped } from '../grouped.ts';
import { effectiveIntervalsOf } from './effective-interval.ts';
import type { EffectiveInterval } from './intervals.ts';
import { appended, EMPTY_CLAIM, endsAsStated, inserted, activeFactsOf, type Claim } from './claim.ts';

/** An interval of a fact, and since which recorded instant it is known as a further one; of the first the instant of its row. */
export interface Extent extends Interval {
  readonly since: number;
}

/** A row of a fact: when it is true, when that was what was known, and what ended it. */
export interface FactRow extends Omit<BitemporalRange, 'valid'> {
  /**
   * When it is true, in the order of time: once, or several times where values with a stated end interrupt it. Of a fact that is true at
   * no time, one empty interval.
   */
  readonly extents: readonly Extent[];
  /** The fact that ends it for good, or that took its place at the same beginning; null for none. */
  readonly superseded_by: string | null;
  /** Since which recorded instant it is no longer the newest value; null while it is. */
  readonly ended_at: number | null;
  /** How sure the fact is by the statements that carry it; of one that is true at no time, how sure that is which began it. */
  readonly confidence: number;
  /** Whether only how sure the fact is has changed since the row before it. */
  readonly same_time: boolean;
  /** The event that made this known. */
  readonly caused_by: string;
}

/** When something became known, and by which event. */
export interface Learning {
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  readonly event_id: string;
}

/** A fact over recorded time. */
export interface FactHistory {
  readonly id: string;
  readonly value: string;
  /**
   * Without a gap in recorded time, the last one open. A row of an empty extent says that the fact is true at no time: it was displaced,
   * or said never to be true.
   */
  readonly rows: readonly FactRow[];
}

/** A claim with the history of its facts. */
export interface ClaimHistory {
  readonly claim: Claim;
  readonly facts: ReadonlyMap<string, FactHistory>;
}

/** The history of a claim about which nothing is known. */
export const EMPTY_HISTORY: ClaimHistory = { claim: EMPTY_CLAIM, facts: new Map() };

/** The history after the next statement of the log; what changes by it changes at its recorded instant. */
export function recordStatement(history: ClaimHistory, statement: Statement): ClaimHistory {
  const end = appended(history.claim, statement);
  if (end !== null) return { claim: end, facts: revisedEnd(history.facts, end, statement) };
  const claim = inserted(history.claim, statement);
  return { claim, facts: revisedFacts(history.facts, claim, statement) };
}

/** The history that a log of statements about one claim makes. */
export function historyOf(statements: readonly Statement[]): ClaimHistory {
  return statements.reduce(recordStatement, EMPTY_HISTORY);
}

/** The facts of a history once its claim is known to stand like this. */
export function revisedFacts(
  before: ReadonlyMap<string, FactHistory>,
  claim: Claim,
  by: Learning,
): Map<string, FactHistory> {
  const stands = activeFactsOf(claim);
  const facts = new Map(before);
  const begun = claim.statements
    .filter(({ id }) => claim.factOf.get(id) === id)
    .map(({ id, value }) => [id, value] as const);
  for (const [id, value] of begun) if (!facts.has(id)) facts.set(id, { id, value, rows: [] });
  const byFact = grouped(stands, ({ id }) => id);
  const successorOf = successors(claim, byFact);
  const inForceOf = new Map([...byFact].map(([id, all]) => [id, inForce(all, successorOf.get(id) ?? null)]));
  const beginnings = new Map(claim.statements.map((one) => [one.id, one]));
  for (const [id, fact] of facts) {
    const [last, begun] = [fact.rows.at(-1), beginnings.get(id)];
    const from = last?.extents[0]?.from ?? begun?.valid.from ?? 0;
    const confidence = begun?.confidence ?? last?.confidence ?? 0;
    const next = inForceOf.get(id) ?? { ...supersededAt(id, from, stands), confidence };
    const rows = revised(fact.rows, next, by);
    if (rows !== fact.rows) facts.set(id, { ...fact, rows });
  }
  return facts;
}

/**
 * What took the place of facts, by id, where they do not end by themselves: of a fact that would have gone on, what ended it for good,
 * which may come after what only interrupted it; else the fact that begins where it ends.
 */
function successors(claim: Claim, byFact: ReadonlyMap<string, readonly ActiveFact[]>): Map<string, string> {
  const { intervals, endedBy } = effectiveIntervalsOf(claim.statements);
  const lastOf = new Map<string, EffectiveInterval>();
  for (const interval of intervals) {
    const id = claim.factOf.get(interval.statement.id) ?? '';
    if (interval.valid.to >= (lastOf.get(id)?.valid.to ?? interval.valid.to)) lastOf.set(id, interval);
  }
  // Only the beginning of a fact ends another: one that goes on does so because that other is over.
  const nextAt = new Map([...byFact].reverse().map(([id, [first]]) => [first?.valid.from, id]));
  const found = new Map<string, string>();
  for (const [id, all] of byFact) {
    const by = endedBy.get(lastOf.get(id)?.statement.id ?? '');
    const ender = by && claim.factOf.get(by.id);
    const next =
      ender !== undefined && ender !== id && byFact.has(ender) ? ender : nextAt.get(all.at(-1)?.valid.to);
    if (next !== undefined) found.set(id, next);
  }
  return found;
}

/** {@link revisedFacts}, once a statement was appended: only the last fact and the one in front of it can have changed. */
function revisedEnd(
  before: ReadonlyMap<string, FactHistory>,
  claim: Claim,
  by: Learning,
): Map<string, FactHistory> {
  const facts = new Map(before);
  const end = activeFactsOf(claim).slice(-2);
  for (const [i, stand] of end.entries()) {
    const { id, value, valid } = stand;
    const behind = end[i + 1];
    const next = behind?.valid.from === valid.to ? behind.id : null;
    const fact = facts.get(id) ?? { id, value, rows: [] };
    const rows = revised(fact.rows, inForce([stand], next), by);
    if (rows !== fact.rows) facts.set(id, { ...fact, rows });
  }
  return facts;
}

/** What a row says, apart from when it was known. */
type Known = Pick<FactRow, 'superseded_by' | 'confidence'> & {
  readonly extents: readonly Interval[];
  readonly ended: boolean;
};

function inForce(intervals: readonly ActiveFact[], next: string | null): Known {
  const last = intervals.at(-1);
  if (last === undefined) throw new Error('a fact that is in force has no interval');
  const { supports } = last;
  // What falls with its premise has ended, and nothing has come in its place.
  const superseded_by = supports.at(-1)?.valid.to === last.valid.to ? null : next;
  const extents = intervals.map(({ valid }) => valid);
  return { extents, superseded_by, confidence: confidenceOf(supports), ended: !endsAsStated(last) };
}

function supersededAt(id: string, from: number, stands: readonly ActiveFact[]): Omit<Known, 'confidence'> {
  const instead = stands.find(({ valid }) => valid.from <= from && from < valid.to);
  const superseded_by = instead === undefined || instead.id === id ? null : instead.id;
  return { extents: [{ from, to: from }], superseded_by, ended: true };
}

/** The rows after something else is known. What was known for no time leaves no row. */
function revised(
  rows: readonly FactRow[],
  next: Known,
  { recorded_at: now, event_id: caused_by }: Learning,
): readonly FactRow[] {
  const last = rows.at(-1);
  const { superseded_by, confidence } = next;
  if (last && isSameTime(last, next) && last.confidence === confidence) return rows;
  // What ends the fact and when that became known go together: another end is known only now.
  const known = last?.superseded_by === superseded_by ? last.ended_at : null;
  const ended_at = next.ended ? (known ?? now) : null;
  const recorded = { from: now, to: OPEN_END };
  const extents = extentsSince(next.extents, last?.extents ?? [], now);
  // What was known for no time leaves no row, but its change is that of the row which takes its place.
  const isFirst = last === undefined || (last.recorded.from === now && !last.same_time);
  const same_time = !isFirst && isSameTime(last, next) && last.ended_at === ended_at;
  const opened = { extents, recorded, superseded_by, ended_at, confidence, same_time, caused_by };
  const closed = rows.map((row) =>
    row === last ? { ...row, recorded: { from: row.recorded.from, to: now } } : row,
  );
  return [...closed.filter((row) => !isEmpty(row.recorded)), opened];
}

/** Intervals with the instants since which they are known: a further one that was known before goes on being so. */
function extentsSince(intervals: readonly Interval[], before: readonly Extent[], now: number): Extent[] {
  const known = new Map(before.slice(1).map((one) => [one.from, one]));
  return intervals.map(({ from, to }, i) => {
    const same = i === 0 ? undefined : known.get(from);
    return { from, to, since: same?.to === to ? same.since : now };
  });
}

/** Whether two rows say the same of when a fact is true, and of what ended it. */
export function isSameTime(
  a: Pick<Known, 'extents' | 'superseded_by'>,
  b: Pick<Known, 'extents' | 'superseded_by'>,
): boolean {
  return sameIntervals(a.extents, b.extents) && a.superseded_by === b.superseded_by;
}

function sameIntervals(a: readonly Interval[], b: readonly Interval[]): boolean {
  return a.length === b.length && a.every(({ from, to }, i) => from === b[i]?.from && to === b[i].to);
}

/** The rows of a fact as bi-temporal ranges: one for each extent. */
export function rangesOf({ rows }: FactHistory): BitemporalRange[] {
  return rows.flatMap(({ extents, recorded }) =>
    extents.map(({ from, to }) => ({ valid: { from, to }, recorded })),
  );
}
