import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { EndOfClaim, StoredClaim, WindowOfClaim } from '../../graph/claim/read.ts';
import type { StoredStatement } from '../../graph/stored-statement.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { claimAfter } from '../derive/claim/fold.ts';
import { revisedFacts } from '../derive/claim/history.ts';
import { grouped } from '../derive/grouped.ts';
import { byPosition, inputOf } from './stored-claims.ts';

/** As much of a claim as new statements can change; `more` where the end that was read is too short to tell, `all` where all is needed. */
export type ClaimWindow = StoredClaim | 'more' | 'all';

/**
 * As much of a claim as has to be known to go on with it, given its end and new statements, so that what is told about a thing for the
 * ten thousandth time costs no more than the first. A statement can end, support, interrupt or break apart what is in force where it
 * begins, and the weight of that counts against the fact in front of it, and nothing else changes: so the window begins in front of that
 * at the second cut ({@link cutsOf}) from the earliest beginning back. What was recorded at the same instant as the first new statement
 * counts as new, for what an instant leaves behind is one thing.
 */
export function windowOf(end: EndOfClaim, fresh: readonly NewStatement[]): ClaimWindow {
  const { whole, plain, claim } = end;
  if (whole) return end;
  const since = Math.min(...fresh.map(({ recorded_at }) => recorded_at));
  const before = end.statements.filter(({ recorded_at }) => recorded_at < since);
  const same = end.statements.filter(({ recorded_at }) => recorded_at >= since);
  const later = [...same, ...fresh];
  if (!plain || !arePlain(before, later)) return 'all';
  const earliest = Math.min(...later.map(({ valid_from }) => valid_from));
  const [, first] = cutsOf(before, end.reached).filter((cut) => cut <= earliest);
  if (first === undefined) return 'more';
  const statements = [...before.filter(({ valid_from }) => valid_from >= first), ...same];
  const facts = new Set(statements.map(({ fact_id }) => fact_id));
  const rows = end.rows.filter(({ fact_id }) => facts.has(fact_id));
  const appended = isBehind(before, later) ? 'behind' : 'between';
  const window: StoredClaim = { claim, statements, rows, appended };
  if (!agrees(window)) return 'all';
  return appended === 'behind' || same.length === 0 || replaysAlike(window, since) ? window : 'all';
}

/**
 * How far a window goes back, and since when what is new of it was recorded. What came late at that same instant, and lies in front of
 * the window, is not seen in it: where something was believed anew by it, the window is not enough.
 */
export function windowBounds(
  { claim, statements }: StoredClaim,
  fresh: readonly NewStatement[],
): WindowOfClaim {
  return {
    claim,
    first: Math.min(...statements.map(({ valid_from }) => valid_from)),
    since: Math.min(...fresh.map(({ recorded_at }) => recorded_at)),
  };
}

/**
 * Whether each statement is an assertion that is left to the latest, of which its source is sure at all, counts in every layer, was about the claim from the first, comes
 * behind in the log, and takes no other one's place: a value that loses its fact is seen by one that may lie far in front.
 */
function arePlain(
  before: readonly StoredStatement[],
  later: readonly (StoredStatement | NewStatement)[],
): boolean {
  const last = Math.max(...before.map(({ position }) => position));
  const begun = new Set(before.map(({ valid_from }) => valid_from));
  return later.every(({ kind, premises, position, valid_from, confidence, ...one }) => {
    const unusual = one.policy ?? one.max_layer ?? one.not_about ?? one.moved ?? null;
    const isPlain = kind === 'asserted' && premises.length === 0 && unusual === null && confidence > 0;
    const isFree = !begun.has(valid_from);
    begun.add(valid_from);
    return isPlain && isFree && position > last;
  });
}

/** Whether each statement begins after all before it, in the order of the log. */
function isBehind(
  before: readonly StoredStatement[],
  later: readonly (StoredStatement | NewStatement)[],
): boolean {
  const order = [...later].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
  let newest = Math.max(...before.map(({ valid_from }) => valid_from));
  return order.every(({ valid_from }) => {
    const follows = valid_from > newest;
    newest = valid_from;
    return follows;
  });
}

/**
 * Whether its statements, told by themselves up to an instant, belong to the facts that they belong to, but for what was broken off at
 * that instant from a fact that is told by its own name: then that is how the claim stood before it.
 */
function replaysAlike({ statements, rows }: StoredClaim, since: number): boolean {
  const { before } = inputOf(
    { claim: '', statements: statements.filter(({ recorded_at }) => recorded_at < since), rows: [] },
    { fresh: [], premises: new Map(), changed: false },
  );
  const { factOf } = claimAfter(before.claim.statements);
  const recent = new Set(
    rows.flatMap(({ fact_id, recorded_from }) => (recorded_from >= since ? [fact_id] : [])),
  );
  const now = before.claim.factOf;
  return before.claim.statements.every(({ id }) => {
    const fact = now.get(id) ?? '';
    const replayed = factOf.get(id) ?? '';
    // A fact of which a row is recent may be an old one: only the one that it is told to be a piece of tells.
    return replayed === fact || (recent.has(fact) && now.get(replayed) === replayed);
  });
}

/**
 * Where a claim may be cut, the last instant first: nothing that was stated to begin before holds there or behind, and all facts behind
 * begin behind. That is where a statement with no stated end begins, which ends whatever is in force, and where nothing else was stated to
 * hold. `reached`: whether something that is not among the statements may hold where they begin.
 */
function cutsOf(statements: readonly StoredStatement[], reached: boolean): number[] {
  const ordered = [...statements].sort((a, b) => a.valid_from - b.valid_from || byPosition(a, b));
  const together = [...grouped(ordered, ({ valid_from }) => valid_from)].map(([from, all]) => ({
    from,
    all,
  }));
  let reach = reached ? Infinity : -Infinity;
  const clean = together.filter(({ from, all }) => {
    const head = all.at(-1)?.valid_to ?? from;
    const isClean = from < head && (head === OPEN_END || reach <= from);
    reach = Math.max(reach, ...all.map(({ valid_to }) => valid_to));
    return isClean;
  });
  const isClean = new Set(clean.map(({ from }) => from));
  const begunBefore = new Set<string>();
  return together.reverse().flatMap(({ from, all }) => {
    for (const { fact_id } of all) if (fact_id !== null) begunBefore.add(fact_id);
    for (const { id } of all) begunBefore.delete(id);
    return begunBefore.size === 0 && isClean.has(from) ? [from] : [];
  });
}

/** Whether its statements alone make the rows that are known of its facts: whatever else was said has no part in them. */
function agrees(window: StoredClaim): boolean {
  const { before } = inputOf(window, { fresh: [], premises: new Map(), changed: false });
  const replayed = revisedFacts(before.facts, before.claim, { recorded_at: 0, event_id: '' });
  return (
    replayed.size === before.facts.size && [...replayed].every(([id, fact]) => before.facts.get(id) === fact)
  );
}
