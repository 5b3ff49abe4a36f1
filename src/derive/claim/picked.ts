import { OPEN_END } from '../../../schemas/time.ts';
import { contains, outside, overlap, type Interval } from '../../time/interval.ts';
import { confidenceOf } from '../belief/weight.ts';
import type { Ranked } from './alive.ts';
import { endOf, statedInterval, type EffectiveIntervals } from './intervals.ts';
import { hasStatedEnd, type Statement } from './statement.ts';

/** An assertion with its place among those that count, what it says, and where it ends. */
interface Contender extends Ranked {
  readonly place: number;
  readonly said: Interval;
  readonly end: number;
  /** How sure it is by all that says the same for the same time. */
  readonly confidence: number;
}

/** Which of some assertions are in effect where policies pick between them, given all statements of the claim. */
export function picked(
  alive: readonly Ranked[],
  statements: readonly Statement[],
): Omit<EffectiveIntervals, 'counting'> {
  const speaking = alive.map((one) => ({ ...one, said: statedInterval(one.statement, statements) }));
  const all = speaking.map((one, place): Contender => {
    const confidence = confidenceOf(alike(one, speaking));
    return { ...one, place, end: endOf(one.statement, statements), confidence };
  });
  const starts = new Map(all.map((one) => [one, startOf(one, all)]));
  const ordered = [...all].sort((a, b) => (follows(a, b) ? 1 : -1));
  const endings = endingsOf(ordered, starts);
  const pieces = new Map<Contender, readonly Interval[]>();
  for (const [i, one] of [...ordered.entries()].reverse()) {
    const others = ordered.slice(i + 1).filter((other) => policyOf(one, other) !== 'keep_both');
    const valid = { from: starts.get(one) ?? OPEN_END, to: endIn(endings, one) };
    pieces.set(
      one,
      outside(
        valid,
        others.flatMap((other) => pieces.get(other) ?? []),
      ),
    );
  }
  const intervals = all
    .flatMap((one) => (pieces.get(one) ?? []).map((valid) => ({ statement: one.statement, valid })))
    .sort((a, b) => a.valid.from - b.valid.from);
  const byId = new Map([...starts].map(([{ statement }, start]) => [statement.id, start]));
  const endedBy = new Map(
    [...endings].flatMap(([{ statement, end }, { at, by }]) =>
      by !== null && at < end ? [[statement.id, by] as const] : [],
    ),
  );
  return { intervals, startOf: ({ id, valid }) => byId.get(id) ?? valid.from, endedBy };
}

/** Where an assertion ends for good, and by which one without a stated end; null where one of its own value or beginning goes on with it. */
interface Ending {
  readonly at: number;
  readonly by: Statement | null;
}

/** Where a contender ends by itself, or by others for good. */
function endIn(endings: ReadonlyMap<Contender, Ending>, one: Contender): number {
  return Math.min(one.end, endings.get(one)?.at ?? OPEN_END);
}

/**
 * Where others end assertions for good: one that has no stated end, begins together with it, or is of the value that it has in effect
 * then. `ordered`: as they follow one another ({@link follows}).
 */
function endingsOf(
  ordered: readonly Contender[],
  starts: ReadonlyMap<Contender, number>,
): ReadonlyMap<Contender, Ending> {
  const endings = new Map<Contender, Ending>();
  const before: Contender[] = [];
  for (const next of ordered) {
    const start = starts.get(next) ?? OPEN_END;
    if (isBegun(next, start)) {
      const isStatedAgain = before.some(({ statement }) => statement.value === next.statement.value);
      const inEffect = new Set(isStatedAgain ? standingAt(start, before, starts, endings) : []);
      for (const one of before) {
        const sameValue = one.statement.value === next.statement.value && inEffect.has(one);
        const isOpen = !hasStatedEnd(next.statement);
        const isEnding = isOpen || isBegunTogether(one, next) || sameValue;
        if (!isEnding || policyOf(one, next) === 'keep_both') continue;
        const by = isOpen && !sameValue && start < next.end ? next.statement : null;
        if (start < (endings.get(one)?.at ?? OPEN_END)) endings.set(one, { at: start, by });
      }
    }
    before.push(next);
  }
  return endings;
}

/** Those of some contenders, in their order, that are in effect at an instant. */
function standingAt(
  instant: number,
  contenders: readonly Contender[],
  starts: ReadonlyMap<Contender, number>,
  endings: ReadonlyMap<Contender, Ending>,
): Contender[] {
  const standing: Contender[] = [];
  for (const one of [...contenders].reverse()) {
    const valid = { from: starts.get(one) ?? OPEN_END, to: endIn(endings, one) };
    if (!contains(valid, instant)) continue;
    if (standing.every((other) => policyOf(one, other) === 'keep_both')) standing.push(one);
  }
  return standing;
}

function isBegunTogether(a: Contender, b: Contender): boolean {
  return a.statement.valid.from === b.statement.valid.from;
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
