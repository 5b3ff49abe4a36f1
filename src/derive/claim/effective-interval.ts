import type { Statement } from './statement.ts';
import { OPEN_END } from '../../../schemas/time.ts';
import { contains, isEmpty, overlap, type Interval } from '../../time/interval.ts';
import { ends, rankedOf, type Ranked } from './alive.ts';
import { confidenceOf } from '../belief/weight.ts';
import { grouped } from '../grouped.ts';

/** The interval during which one assertion is in effect. */
export interface EffectiveInterval {
  readonly statement: Statement;
  readonly valid: Interval;
}

/** The interval during which each assertion is in effect, and since when each is, or would be. */
export interface EffectiveIntervals {
  /** In the order of valid times; of two that stand together, the one first that begins first. */
  readonly intervals: readonly EffectiveInterval[];
  readonly startOf: (statement: Statement) => number;
  /** The assertions that count at some time, in the order of the log. */
  readonly counting: readonly Statement[];
}

/**
 * Which assertion is in effect when. At an instant it is the assertion that begins last at or before it, of those that begin together the last of
 * the log, what somebody decided for being the last when he did; it is in effect until the next one begins, until its own end, or until
 * its value is denied, whichever comes first. What was said never to be true is as if it had not been said.
 *
 * Where two values are stated for the same time, the policy of the later statement picks: by `highest_confidence` the less sure one, by
 * all that says the same for the same time, is held back until the other ends, by `keep_both` neither ends the other. What somebody decided for is held back by nothing that was
 * stated before, however sure.
 *
 * What its source is not sure of at all, and nobody decided for, yields to all else: it counts only where nothing surer is in effect at
 * its beginning, and until something surer is.
 */
export function effectiveIntervalsOf(statements: readonly Statement[]): EffectiveIntervals {
  const known = KNOWN_INTERVALS.get(statements);
  if (known !== undefined) return known;
  const alive = rankedOf(statements);
  const sure = alive.filter(({ statement, isChosen }) => statement.confidence > 0 || isChosen);
  const intervals = ruling(sure, statements);
  const found = sure.length === alive.length ? intervals : withUnsure(intervals, alive, statements);
  KNOWN_INTERVALS.set(statements, found);
  return found;
}

/** What was found of a log, for as long as that is kept: with each statement that is added, three questions are asked of the same one. */
const KNOWN_INTERVALS = new WeakMap<readonly Statement[], EffectiveIntervals>();

/** Which assertion is in effect, among some of the assertions alone. */
function ruling(alive: readonly Ranked[], statements: readonly Statement[]): EffectiveIntervals {
  const found = alive.every(({ statement }) => statement.policy === undefined)
    ? latest(alive, statements)
    : picked(alive, statements);
  const isAmong = new Set(alive.map(({ statement }) => statement));
  return { ...found, counting: statements.filter((one) => isAmong.has(one)) };
}

/** The same with what is not sure at all, in the times in which nothing surer is in effect. */
function withUnsure(
  sure: EffectiveIntervals,
  alive: readonly Ranked[],
  statements: readonly Statement[],
): EffectiveIntervals {
  const isSure = new Set(sure.counting);
  const free = alive.filter(
    ({ statement }) =>
      !isSure.has(statement) && !sure.intervals.some(({ valid }) => contains(valid, statement.valid.from)),
  );
  const unsure = ruling(free, statements);
  const left = unsure.intervals
    .map(({ statement, valid: { from, to } }) => {
      const next = sure.intervals.find(({ valid }) => valid.from > statement.valid.from);
      return { statement, valid: { from, to: Math.min(to, next?.valid.from ?? OPEN_END) } };
    })
    .filter(({ valid }) => !isEmpty(valid));
  const isFree = new Set(unsure.counting);
  return {
    intervals: [...sure.intervals, ...left].sort((a, b) => a.valid.from - b.valid.from),
    startOf: (one) => (isFree.has(one) ? unsure : sure).startOf(one),
    counting: statements.filter((one) => isSure.has(one) || isFree.has(one)),
  };
}

/** The interval that a statement speaks of, as far as nobody denied it since. */
export function statedInterval(one: Statement, statements: readonly Statement[]): Interval {
  const { from, to } = one.valid;
  if (one.has_explicit_valid_from !== true && to === OPEN_END) return NOTHING;
  return { from, to: Math.min(to === OPEN_END ? from + 1 : to, endOf(one, statements)) };
}

const NOTHING: Interval = { from: 0, to: 0 };

/** Where a statement ends by itself or by a denial. */
function endOf(one: Statement, statements: readonly Statement[]): number {
  const denials = statements.filter((other) => ends(other, one));
  return Math.min(one.valid.to, ...denials.map(({ valid }) => valid.from));
}

function latest(
  alive: readonly Ranked[],
  statements: readonly Statement[],
): Omit<EffectiveIntervals, 'counting'> {
  const byBeginning = new Map<number, Statement>();
  for (const { statement } of alive) byBeginning.set(statement.valid.from, statement);
  const heads = [...byBeginning.values()].sort((a, b) => a.valid.from - b.valid.from);
  const denials = grouped(
    statements.filter(({ kind }) => kind === 'denied'),
    ({ value }) => value,
  );
  const intervals = heads
    .map((statement, i) => {
      const end = endOf(statement, denials.get(statement.value) ?? []);
      const to = Math.min(end, heads[i + 1]?.valid.from ?? OPEN_END);
      return { statement, valid: { from: statement.valid.from, to } };
    })
    .filter(({ valid }) => !isEmpty(valid));
  return { intervals, startOf: ({ valid }) => valid.from };
}

/** An assertion with its place among those that count, what it says, and where it ends. */
interface Contender extends Ranked {
  readonly place: number;
  readonly said: Interval;
  readonly end: number;
  /** How sure it is by all that says the same for the same time. */
  readonly confidence: number;
}

function picked(
  alive: readonly Ranked[],
  statements: readonly Statement[],
): Omit<EffectiveIntervals, 'counting'> {
  const speaking = alive.map((one) => ({ ...one, said: statedInterval(one.statement, statements) }));
  const all = speaking.map((one, place): Contender => {
    const confidence = confidenceOf(alike(one, speaking));
    return { ...one, place, end: endOf(one.statement, statements), confidence };
  });
  const starts = new Map(all.map((one) => [one, startOf(one, all)]));
  const intervals = all
    .map((one) => {
      const followers = all.filter((other) => follows(other, one) && policyOf(one, other) !== 'keep_both');
      const begun = followers
        .filter((other) => isBegun(other, starts.get(other) ?? OPEN_END))
        .map((other) => starts.get(other) ?? OPEN_END);
      const valid = { from: starts.get(one) ?? OPEN_END, to: Math.min(one.end, ...begun) };
      return { statement: one.statement, valid };
    })
    .filter(({ valid }) => !isEmpty(valid))
    .sort((a, b) => a.valid.from - b.valid.from);
  const byId = new Map([...starts].map(([{ statement }, start]) => [statement.id, start]));
  return { intervals, startOf: ({ id, valid }) => byId.get(id) ?? valid.from };
}

/** What says the same as one for the same time, itself among it. */
function alike(
  one: Pick<Contender, 'statement' | 'said'>,
  all: readonly Pick<Contender, 'statement' | 'said'>[],
): Statement[] {
  return all
    .filter(
      (other) =>
        other === one || (other.statement.value === one.statement.value && overlap(other.said, one.said)),
    )
    .map(({ statement }) => statement);
}

/** Since when an assertion stands: held back while one stands that it contradicts and that is surer. */
function startOf(one: Contender, all: readonly Contender[]): number {
  const surer = all.filter((other) => policyOf(one, other) === 'highest_confidence' && isSurer(other, one));
  let start = one.statement.valid.from;
  for (;;) {
    const now = start;
    const over = surer.find(({ statement, end }) => statement.valid.from <= now && now < end);
    if (over === undefined) return start;
    start = over.end;
  }
}

/** What is held back until it is over never begins. */
function isBegun({ statement, end }: Contender, start: number): boolean {
  return start === statement.valid.from || start < end;
}

/** Whether one comes behind another in valid time, of those that begin together in the log. */
function follows(one: Contender, other: Contender): boolean {
  const later = one.statement.valid.from - other.statement.valid.from;
  return later > 0 || (later === 0 && one.place > other.place);
}

function isSurer(one: Contender, other: Contender): boolean {
  const more = one.confidence - other.confidence;
  return more > 0 || (more === 0 && one.place > other.place);
}

/** What picks between two that state different values for the same time; null for two that do not. */
function policyOf(a: Contender, b: Contender): Statement['policy'] | null {
  const [one, other] = [a.statement, b.statement];
  if (one.value === other.value || one.event_id === other.event_id || !overlap(a.said, b.said)) return null;
  const later = a.place > b.place ? a : b;
  const { policy } = later.statement;
  return later.isChosen && policy === 'highest_confidence' ? undefined : policy;
}
