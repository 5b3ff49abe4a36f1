import type { EndOfClaim, StoredClaim, WindowOfClaim } from '../../graph/claim.ts';
import type { NewStatement } from '../../graph/claim-row.ts';
import type { StoredStatement } from '../../graph/stored-statement.ts';
import { revisedFacts } from '../derive/history.ts';
import { inputOf } from './stored-claims.ts';

/** As much of a claim as new statements can change; `more` where the end that was read is too short to tell, `all` where all is needed. */
export type ClaimWindow = StoredClaim | 'more' | 'all';

/**
 * As much of a claim as has to be known to go on with it, given its end and new statements, so that what is told about a thing for the
 * ten thousandth time costs no more than the first. That is possible where each new statement begins after all that was said before:
 * it can end or support the fact in force, and the weight of that fact counts against the one before it, and nothing else changes. What
 * was recorded at the same instant as the first new statement counts as new, for what an instant leaves behind is one thing.
 */
export function windowOf(end: EndOfClaim, fresh: readonly NewStatement[]): ClaimWindow {
  const { whole, plain, claim } = end;
  if (whole) return end;
  const since = Math.min(...fresh.map(({ recorded_at }) => recorded_at));
  const before = end.statements.filter(({ recorded_at }) => recorded_at < since);
  const same = end.statements.filter(({ recorded_at }) => recorded_at >= since);
  if (!plain || !follows(before, [...same, ...fresh])) return 'all';
  const first = beginOfFacts(before);
  if (first === null) return 'more';
  const statements = [...before.filter(({ valid_from }) => valid_from >= first), ...same];
  const facts = new Set(statements.map(({ fact_id }) => fact_id));
  const rows = end.rows.filter(({ fact_id }) => facts.has(fact_id));
  const window: StoredClaim = { claim, statements, rows, appended: true };
  return agrees(window) ? window : 'all';
}

/**
 * How far a window goes back, and since when what is new of it was recorded. What came late at that same instant, and lies in front of
 * the window, is not seen in it: where something was believed anew by it, the window is not enough.
 */
export function reachOf({ claim, statements }: StoredClaim, fresh: readonly NewStatement[]): WindowOfClaim {
  return {
    claim,
    first: Math.min(...statements.map(({ valid_from }) => valid_from)),
    since: Math.min(...fresh.map(({ recorded_at }) => recorded_at)),
  };
}

/** Whether each statement is an assertion that begins after all before it, is left to the latest, counts in every layer and was about the claim from the first, in the order of the log. */
function follows(
  before: readonly StoredStatement[],
  later: readonly (StoredStatement | NewStatement)[],
): boolean {
  const order = [...later].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  let newest = Math.max(...before.map(({ valid_from }) => valid_from));
  for (const { kind, premises, policy, reaches, moved, valid_from } of order) {
    const unusual = policy ?? reaches ?? moved ?? null;
    if (kind !== 'asserted' || premises.length > 0 || unusual !== null || valid_from <= newest) return false;
    newest = valid_from;
  }
  const last = Math.max(...before.map(({ position }) => position));
  return order.every(({ position }) => position > last);
}

/** Where the last fact but one begins in valid time, told by one before it that is another; null where there is none. */
function beginOfFacts(before: readonly StoredStatement[]): number | null {
  const byBeginning = new Map<number, StoredStatement>();
  for (const one of before) {
    const other = byBeginning.get(one.valid_from);
    if (other === undefined || other.position < one.position) byBeginning.set(one.valid_from, one);
  }
  const heads = [...byBeginning.values()]
    .filter(({ valid_from, valid_to }) => valid_from < valid_to)
    .sort((a, b) => b.valid_from - a.valid_from);
  const facts = new Set<string | null>();
  let first: number | null = null;
  for (const { fact_id, valid_from } of heads) {
    facts.add(fact_id);
    if (facts.size === 3) return first;
    first = valid_from;
  }
  return null;
}

/** Whether its statements alone make the rows that are known of its facts: whatever else was said has no part in them. */
function agrees(window: StoredClaim): boolean {
  const { before } = inputOf(window, { fresh: [], premises: new Map(), changed: false });
  const told = revisedFacts(before.facts, before.claim, { recorded_at: 0, event_id: '' });
  return told.size === before.facts.size && [...told].every(([id, fact]) => before.facts.get(id) === fact);
}
