import { OPEN_END } from '../../../schemas/time.ts';
import { contains, outside } from '../../time/interval.ts';
import { rankedOf, type Ranked } from './alive.ts';
import type { EffectiveIntervals } from './intervals.ts';
import { latest } from './latest.ts';
import { picked } from './picked.ts';
import { hasStatedEnd, type Statement } from './statement.ts';

/**
 * Which assertion is in effect when. At an instant it is the assertion that begins last at or before it, of those that begin together the last of
 * the log, what somebody decided for being the last when he did; it is in effect until the next one begins, until its own end, or until
 * its value is denied, whichever comes first. One with a stated end interrupts what is in effect at its beginning only while it holds:
 * from its end on, that goes on, unless it has ended meanwhile by its own end or a denial (decisions 5.2). One of the value that is in
 * effect at its beginning interrupts nothing: it says where that value ends. What was said never to be true is as if it had not been said.
 *
 * Where two values are stated for the same time, the policy of the later statement picks: by `highest_confidence` the less sure one, by
 * all that says the same for the same time, is held back until the other ends, by `keep_both` neither ends the other. What somebody decided for is held back by nothing that was
 * stated before, however sure.
 *
 * What its source is not sure of at all, and nobody decided for, yields to all else: it counts only where nothing surer is in effect at
 * its beginning, and until something surer is; what is surer and has a stated end only interrupts it.
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
  const endedBy = new Map([...sure.endedBy, ...unsure.endedBy]);
  const left = unsure.intervals.flatMap(({ statement, valid }) => {
    const later = sure.intervals.filter((one) => one.valid.from > statement.valid.from);
    const over = later.find((one) => !hasStatedEnd(one.statement));
    const to = Math.min(valid.to, over?.valid.from ?? OPEN_END);
    if (over !== undefined && to < valid.to) endedBy.set(statement.id, over.statement);
    return outside(
      { from: valid.from, to },
      later.map((one) => one.valid),
    ).map((piece) => ({ statement, valid: piece }));
  });
  const isFree = new Set(unsure.counting);
  return {
    intervals: [...sure.intervals, ...left].sort((a, b) => a.valid.from - b.valid.from),
    startOf: (one) => (isFree.has(one) ? unsure : sure).startOf(one),
    counting: statements.filter((one) => isSure.has(one) || isFree.has(one)),
    endedBy,
  };
}
