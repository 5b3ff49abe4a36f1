import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END } from '../../schemas/time.ts';
import type { ClaimStatement } from '../../src/derive/claim/conclusion.ts';
import { consolidated } from '../../src/derive/claim/consolidate.ts';
import { DEFAULT_REVISION_POLICY } from '../../src/derive/belief/revise.ts';
import { contains } from '../../src/time/interval.ts';
import { EMPTY_HISTORY, type FactHistory } from '../../src/derive/claim/history.ts';
import { BeliefShelf } from './belief-story.ts';

/** One line of a log: what is said about a claim, in the order of the list; `with` the line before: in the same commit. */
export interface Line {
  readonly claim: string;
  readonly value: string;
  readonly kind?: 'denied' | 'never';
  /** Since when, as a number; default: the place of the line. */
  readonly from?: number;
  readonly to?: number;
  readonly confidence?: number;
  readonly together?: boolean;
  /** What it was concluded from; of claims that come earlier in the alphabet. */
  readonly premises?: readonly { readonly claim: string; readonly value: string }[];
}

const LATER = 10_000;

/** What is said: a value since an instant. */
export function says(claim: string, value: string, rest: Omit<Line, 'claim' | 'value'> = {}): Line {
  return { claim, value, ...rest };
}

/** That a value ends. */
export function denies(claim: string, value: string, rest: Omit<Line, 'claim' | 'value'> = {}): Line {
  return { claim, value, kind: 'denied', ...rest };
}

/** That a value never held. */
export function never(claim: string, value: string): Line {
  return { claim, value, kind: 'never' };
}

function saidOf(lines: readonly Line[]): Map<string, ClaimStatement[]> {
  const byClaim = new Map<string, ClaimStatement[]>();
  let now = 0;
  for (const [i, line] of lines.entries()) {
    if (line.together !== true) now += 1;
    const valid = { from: line.from ?? now, to: line.to ?? OPEN_END };
    const { claim, value, kind = 'asserted', confidence = 1, premises = [] } = line;
    const statement: Statement = {
      id: `s${i}`,
      event_id: `e${i}`,
      position: i + 1,
      recorded_at: now,
      kind,
      value,
      confidence,
      valid,
    };
    byClaim.set(claim, [...(byClaim.get(claim) ?? []), { statement, premises }]);
  }
  return byClaim;
}

/** The beliefs that a log makes: `claim=value` with the stance, at a valid instant, as known at the end of the log. */
export function stances(lines: readonly Line[], valid = LATER): Map<string, string> {
  const facts = new Map<string, ReadonlyMap<string, FactHistory>>();
  const found = new Map<string, string>();
  for (const [claim, stated] of [...saidOf(lines)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const fresh = stated.map(({ statement }) => statement);
    const input = { claim, before: EMPTY_HISTORY, stated, fresh, changed: false };
    const { after, snapshots } = consolidated(input, (name) => facts.get(name) ?? new Map());
    facts.set(claim, after.facts);
    const shelf = new BeliefShelf(DEFAULT_REVISION_POLICY);
    shelf.replay(snapshots);
    for (const [value, rows] of shelf.beliefs) {
      const row = rows.find((one) => one.recorded.to === OPEN_END && contains(one.valid, valid));
      if (row) found.set(`${claim}=${value}`, row.opinion.stance);
    }
  }
  return found;
}

/** The belief set: what is supported, in order. */
export function supported(lines: readonly Line[], valid = LATER): string[] {
  const all = [...stances(lines, valid)].filter(([, stance]) => stance === 'supported');
  return all.map(([name]) => name).sort();
}
