import type { ActiveFact, Statement } from './statement.ts';
import { OPEN_END } from '../../../schemas/time.ts';
import type { BitemporalRange } from '../../time/bitemporal-range.ts';
import { isEmpty, type Interval } from '../../time/interval.ts';
import { confidenceOf } from '../belief/weight.ts';
import { appended, EMPTY_CLAIM, endsAsStated, inserted, activeFactsOf, type Claim } from './claim.ts';

/** A row of a fact: when it is true, when that was what was known, and what ended it. */
export interface FactRow extends BitemporalRange {
  /** The fact whose beginning ends it, or that took its place at the same beginning; null for none. */
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
   * Without a gap in recorded time, the last one open. A row of no valid time says that the fact is true at no time: it was displaced,
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
  const nextAt = new Map([...stands].reverse().map((fact) => [fact.valid.from, fact.id]));
  const inForceOf = new Map(
    stands.map((fact) => [fact.id, inForce(fact, nextAt.get(fact.valid.to) ?? null)]),
  );
  const beginnings = new Map(claim.statements.map((one) => [one.id, one]));
  for (const [id, fact] of facts) {
    const [last, begun] = [fact.rows.at(-1), beginnings.get(id)];
    const from = last?.valid.from ?? begun?.valid.from ?? 0;
    const confidence = begun?.confidence ?? last?.confidence ?? 0;
    const next = inForceOf.get(id) ?? { ...supersededAt(id, from, stands), confidence };
    const rows = revised(fact.rows, next, by);
    if (rows !== fact.rows) facts.set(id, { ...fact, rows });
  }
  return facts;
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
    const rows = revised(fact.rows, inForce(stand, next), by);
    if (rows !== fact.rows) facts.set(id, { ...fact, rows });
  }
  return facts;
}

/** What a row says, apart from when it was known. */
type Known = Pick<FactRow, 'valid' | 'superseded_by' | 'confidence'> & { readonly ended: boolean };

function inForce(fact: ActiveFact, next: string | null): Known {
  const { valid, supports } = fact;
  // What falls with its premise has ended, and nothing has come in its place.
  const superseded_by = supports.at(-1)?.valid.to === valid.to ? null : next;
  return { valid, superseded_by, confidence: confidenceOf(supports), ended: !endsAsStated(fact) };
}

function supersededAt(id: string, from: number, stands: readonly ActiveFact[]): Omit<Known, 'confidence'> {
  const instead = stands.find(({ valid }) => valid.from <= from && from < valid.to);
  const superseded_by = instead === undefined || instead.id === id ? null : instead.id;
  return { valid: { from, to: from }, superseded_by, ended: true };
}

/** The rows after something else is known. What was known for no time leaves no row. */
function revised(
  rows: readonly FactRow[],
  next: Known,
  { recorded_at: now, event_id: caused_by }: Learning,
): readonly FactRow[] {
  const last = rows.at(-1);
  const { valid, superseded_by, confidence } = next;
  if (last && isSameTime(last, next) && last.confidence === confidence) return rows;
  const ended_at = next.ended ? (last?.ended_at ?? now) : null;
  const recorded = { from: now, to: OPEN_END };
  // What was known for no time leaves no row, but its change is that of the row which takes its place.
  const isFirst = last === undefined || (last.recorded.from === now && !last.same_time);
  const same_time = !isFirst && isSameTime(last, next) && last.ended_at === ended_at;
  const opened = { valid, recorded, superseded_by, ended_at, confidence, same_time, caused_by };
  const closed = rows.map((row) =>
    row === last ? { ...row, recorded: { from: row.recorded.from, to: now } } : row,
  );
  return [...closed.filter((row) => !isEmpty(row.recorded)), opened];
}

/** Whether two rows say the same of when a fact is true, and of what ended it. */
export function isSameTime(
  a: Pick<FactRow, 'valid' | 'superseded_by'>,
  b: Pick<FactRow, 'valid' | 'superseded_by'>,
): boolean {
  return sameInterval(a.valid, b.valid) && a.superseded_by === b.superseded_by;
}

function sameInterval(a: Interval, b: Interval): boolean {
  return a.from === b.from && a.to === b.to;
}
