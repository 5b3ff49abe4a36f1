import type { Statement } from './statement.ts';
import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import type { BitemporalRange } from '../../time/bitemporal-range.ts';
import type { Interval } from '../../time/interval.ts';
import type { ClaimSnapshot } from './change.ts';
import { isDenial } from './alive.ts';
import { activeFactsOf, type Claim } from './claim.ts';
import { replayConclusions, type Facts, type Replay, type ClaimStatement } from './conclusion.ts';
import {
  EMPTY_HISTORY,
  recordStatement,
  type ClaimHistory,
  type FactHistory,
  type FactRow,
} from './history.ts';

/** A claim as it was found, and what is said about it now. */
export interface ClaimInput {
  readonly claim: string;
  /** What is known of the claim; of its facts, the rows that are known now are enough. */
  readonly before: ClaimHistory;
  /** All that was said about the claim, the new statements among them, in the order of the log. */
  readonly stated: readonly ClaimStatement[];
  /** The statements that are new, in the order of the log. */
  readonly fresh: readonly Statement[];
  /** True when something was taken out or a premise changed, so that nothing of what was known may stay. */
  readonly changed: boolean;
}

/** A claim as it stands now. */
export interface ClaimOutput {
  readonly claim: string;
  readonly after: ClaimHistory;
  /** True when it was derived from its first statement on and replaces what was known. */
  readonly replayed: boolean;
  readonly snapshots: readonly ClaimSnapshot[];
  /** Which fact statements belong to from when on, in the order in which that became known. */
  readonly moves: readonly Move[];
  /** Later stretches of conclusions, which nobody stated. */
  readonly continuations: readonly Statement[];
}

/** From a recorded instant on a statement belongs to a fact; to none (null) while what it was concluded from does not hold. */
export interface Move {
  readonly id: string;
  readonly event_id: string;
  readonly fact_id: string | null;
  readonly at: number;
}

/** That an event supports a fact, while it was known to. */
export interface Support {
  readonly fact_id: string;
  readonly event_id: string;
  readonly recorded: Interval;
}

/**
 * Goes on with a claim where it stands, or tells it from its beginning: when something was taken out of it, when it has conclusions
 * (they change with what they rest on) or statements that are about it for some time only, and when a statement comes in front of one that is known already, as one that was held does.
 */
export function consolidated(input: ClaimInput, factsOf: (claim: string) => Facts): ClaimOutput {
  const { claim, before, stated, fresh } = input;
  const concludes = isConcluded(input);
  const replayed = concludes || needsFullReplay(input);
  const start = replayed ? EMPTY_HISTORY : before;
  const log = replayed ? stated.map(({ statement }) => statement) : fresh;
  const { history, snapshots } = concludes ? replayConclusions(claim, stated, factsOf) : replay(start, log);
  return {
    claim,
    after: history,
    replayed,
    snapshots: snapshots.map(snapshotOf),
    moves: movesOf(start.claim, snapshots),
    continuations: continuationsOf(snapshots),
  };
}

/** Whether a claim changes with others, since some of it rests on them or is about it for some time only. */
export function isConcluded({ stated }: Pick<ClaimInput, 'stated'>): boolean {
  return stated.some(
    ({ premises, grounds = [], assigned_during }) =>
      premises.length + grounds.length > 0 || assigned_during !== undefined,
  );
}

/** Whether something was taken out of a claim, or comes in front of what is known of it. */
export function needsFullReplay({ before, fresh, changed }: Omit<ClaimInput, 'claim' | 'stated'>): boolean {
  const newest = before.claim.statements.at(-1)?.position ?? -1;
  return changed || fresh.some(({ position }) => position < newest);
}

/** The history after some more of the log, and how the claim stood at each instant of it. */
function replay(start: ClaimHistory, log: readonly Statement[]): Replay {
  let history = start;
  const snapshots = new Map<number, Replay['snapshots'][number]>();
  for (const statement of log) {
    history = recordStatement(history, statement);
    const { recorded_at, event_id } = statement;
    snapshots.set(recorded_at, { recorded_at, event_id, claim: history.claim });
  }
  return { history, snapshots: [...snapshots.values()] };
}

function snapshotOf({ recorded_at, event_id, claim }: Replay['snapshots'][number]): ClaimSnapshot {
  const denials = claim.statements.filter(isDenial);
  return { recorded_at, event_id, activeFacts: activeFactsOf(claim), denials };
}

function continuationsOf(snapshots: Replay['snapshots']): Statement[] {
  const continuations = snapshots.flatMap(({ claim }) =>
    claim.statements.filter(({ continuation_of }) => continuation_of !== undefined),
  );
  return [...new Map(continuations.map((one) => [one.id, one])).values()];
}

function movesOf(start: Claim, snapshots: Replay['snapshots']): Move[] {
  let before = start;
  return snapshots.flatMap(({ recorded_at: at, claim }) => {
    const moved = claim.statements
      .filter(({ id }) => claim.factOf.get(id) !== before.factOf.get(id))
      .map(({ id, event_id }) => ({ id, event_id, fact_id: claim.factOf.get(id) ?? null, at }));
    const fallen = before.statements
      .filter(({ id }) => before.factOf.has(id) && !claim.factOf.has(id))
      .map(({ id, event_id }) => ({ id, event_id, fact_id: null, at }));
    before = claim;
    return [...moved, ...fallen];
  });
}

/** A row together with the fact that it is of. */
export interface RowOfFact {
  readonly fact: Pick<FactHistory, 'id' | 'value'>;
  readonly row: FactRow;
  /** What was known of the fact before the row; undefined where nothing was. */
  readonly before?: FactRow | undefined;
}

/** A further interval of a fact that others interrupt. */
export interface Resumption extends BitemporalRange {
  readonly fact: Pick<FactHistory, 'id' | 'value'>;
}

/** What has to be written so that the store says what a claim has become. */
export interface ClaimDifference {
  /** Statements that belong to another fact than before, or to one at last. */
  readonly belonging: readonly { readonly id: string; readonly fact_id: string }[];
  readonly rows: readonly RowOfFact[];
  readonly removed: readonly RowOfFact[];
  readonly resumptions: readonly Resumption[];
  readonly dropped: readonly Resumption[];
  readonly supports: readonly Support[];
  /** Supports that were known and go over to another fact. */
  readonly ended: readonly { readonly fact_id: string; readonly event_id: string; readonly at: number }[];
}

/** The difference between what was known of a claim and what is; of one that is replayed, everything. */
export function difference(before: ClaimHistory, { after, replayed, moves }: ClaimOutput): ClaimDifference {
  const old = replayed ? EMPTY_HISTORY : before;
  // A conclusion that has fallen keeps the fact that it made.
  const last = new Map(
    moves.flatMap(({ id, fact_id }) => (fact_id === null ? [] : [[id, fact_id] as const])),
  );
  const belonging = [...last].map(([id, fact_id]) => ({ id, fact_id }));
  const rows: RowOfFact[] = [];
  const removed: RowOfFact[] = [];
  const resumptions: Resumption[] = [];
  const dropped: Resumption[] = [];
  for (const fact of after.facts.values()) {
    const known = old.facts.get(fact.id)?.rows ?? [];
    for (const [i, row] of fact.rows.entries())
      if (!known.includes(row)) rows.push({ fact, row, before: fact.rows[i - 1] ?? known.at(-1) });
    const kept = new Set(fact.rows.map(({ recorded: { from } }) => from));
    removed.push(...known.filter((row) => !kept.has(row.recorded.from)).map((row) => ({ fact, row })));
    const [were, are] = [resumptionsOf(known), resumptionsOf(fact.rows)];
    for (const [key, one] of are) if (!isSameRange(were.get(key), one)) resumptions.push({ fact, ...one });
    const since = known.at(-1)?.recorded.from ?? FIRST_INSTANT;
    for (const [key, one] of were) {
      if (are.has(key)) continue;
      // What was known before the row that it was known with last goes on to have been known until then.
      const { from } = one.recorded;
      if (from < since) resumptions.push({ fact, ...one, recorded: { from, to: since } });
      else dropped.push({ fact, ...one });
    }
  }
  return { belonging, rows, removed, resumptions, dropped, ...supportsOf(old.claim, moves) };
}

function isSameRange(a: BitemporalRange | undefined, { valid, recorded }: BitemporalRange): boolean {
  return a?.valid.to === valid.to && a.recorded.to === recorded.to;
}

/** The further intervals of a fact with the time in which each was known, by where both begin. */
function resumptionsOf(rows: readonly FactRow[]): Map<string, BitemporalRange> {
  const found = new Map<string, BitemporalRange>();
  for (const { extents, recorded } of rows)
    for (const { from, to, since } of extents.slice(1))
      found.set(`${since} ${from}`, { valid: { from, to }, recorded: { from: since, to: recorded.to } });
  return found;
}

function supportsOf(old: Claim, moves: readonly Move[]): Pick<ClaimDifference, 'supports' | 'ended'> {
  const byStatement = new Map<string, Move[]>();
  for (const move of moves) byStatement.set(move.id, [...(byStatement.get(move.id) ?? []), move]);
  const ended = [...byStatement].flatMap(([id, [first]]) => {
    const fact_id = old.factOf.get(id);
    return fact_id === undefined || first === undefined
      ? []
      : [{ fact_id, event_id: first.event_id, at: first.at }];
  });
  const supports = [...byStatement.values()].flatMap((all) =>
    all.flatMap(({ fact_id, event_id, at }, i) =>
      fact_id === null ? [] : [{ fact_id, event_id, recorded: { from: at, to: all[i + 1]?.at ?? OPEN_END } }],
    ),
  );
  return { supports, ended };
}
