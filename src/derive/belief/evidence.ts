import type { ActiveFact, Statement } from '../claim/statement.ts';
import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import { intersection, isEmpty, overlap, type Interval } from '../../time/interval.ts';
import { evidenceOf, shares, supportOf, type Evidence } from './weight.ts';
import type { ClaimStand } from '../claim/change.ts';

/** A claim of which nothing stands. */
export const NOTHING_STANDS: ClaimStand = { activeFacts: [], denials: [] };

/** An interval of valid time in which the same speaks for a value and against it. */
export interface EvidenceInterval {
  readonly valid: Interval;
  /** When the value is held to be true: its fact here, or the one before; null where it has none. */
  readonly holds: Interval | null;
  readonly evidence: readonly Evidence[];
}

/** An interval before it is asked who stands there, which is asked only where something changes. */
interface Outline {
  readonly valid: Interval;
  readonly holds: Interval | null;
  /** Null: whatever else stands there. */
  readonly evidence: readonly Evidence[] | null;
}

const ALWAYS: Interval = { from: FIRST_INSTANT, to: OPEN_END };

/**
 * Where the evidence about a value became another one, with what it is now, in the order of time.
 *
 * While a fact of the value stands, its statements support it, and other facts that stand at the same time count against it.
 * After such a fact counts against it what ended it: the next fact of another value, from its beginning on, and denials. It is
 * that one fact, not every later one: what is long contradicted is not revised at each further value, so that a claim of n values
 * costs n revisions rather than n². Where the value has no fact before, denials count against it, or else, at the moment at which it
 * lost its fact, what stands instead.
 */
export function changes(value: string, before: ClaimStand, now: ClaimStand): EvidenceInterval[] {
  return differing(outline(value, before), outline(value, now)).flatMap((piece) => {
    const { evidence } = piece;
    return evidence === null ? instead(piece, value, now) : [{ ...piece, evidence }];
  });
}

/** The values about which the evidence may have changed. */
export function concerned(before: ClaimStand, now: ClaimStand): Set<string> {
  const [a, b] = [before.activeFacts, now.activeFacts];
  const values = new Set<string>();
  if (laps(a) || laps(b)) for (const { value } of [...a, ...b]) values.add(value);
  let start = 0;
  while (start < a.length && start < b.length && same(a[start], b[start])) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && same(a.at(-1 - end), b.at(-1 - end))) end += 1;
  // The fact in front of what changed has another one behind it now.
  const first = Math.max(0, start - 1);
  const changed = [...a.slice(first, a.length - end), ...b.slice(first, b.length - end)];
  if (start < a.length || start < b.length) for (const { value } of changed) values.add(value);
  const known = new Set(before.denials.map(({ id }) => id));
  const left = new Set(now.denials.map(({ id }) => id));
  for (const { id, value } of now.denials) if (!known.has(id)) values.add(value);
  for (const { id, value } of before.denials) if (!left.has(id)) values.add(value);
  return values;
}

/** The last statement about a value that is known. */
export function latest(value: string, { activeFacts, denials }: ClaimStand): Statement | null {
  const said = activeFacts.filter((fact) => fact.value === value).flatMap(({ supports }) => supports);
  const all = [...said, ...denials.filter((one) => one.value === value)];
  return all.reduce<Statement | null>(
    (last, one) => (last && last.position > one.position ? last : one),
    null,
  );
}

function laps(activeFacts: readonly ActiveFact[]): boolean {
  return activeFacts.some(({ valid }, i) => valid.to > (activeFacts[i + 1]?.valid.from ?? OPEN_END));
}

function same(a: ActiveFact | undefined, b: ActiveFact | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (a === b) return true;
  return (
    a.id === b.id &&
    a.valid.from === b.valid.from &&
    a.valid.to === b.valid.to &&
    a.supports.length === b.supports.length &&
    a.supports.every(
      ({ id, grounds }, i) => id === b.supports[i]?.id && sameGrounds(grounds, b.supports[i].grounds),
    )
  );
}

function sameGrounds(a: Statement['grounds'], b: Statement['grounds']): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

function outline(value: string, stand: ClaimStand): Outline[] {
  const own: { readonly fact: ActiveFact; readonly at: number }[] = [];
  for (const [at, fact] of stand.activeFacts.entries()) if (fact.value === value) own.push({ fact, at });
  const denials = stand.denials.filter((denial) => denial.value === value);
  const gap = { from: ALWAYS.from, to: own[0]?.fact.valid.from ?? ALWAYS.to };
  const lapping = laps(stand.activeFacts);
  return [
    ...gapOf(gap, null, { denials, ender: undefined }),
    ...own.flatMap(({ fact, at }, i) => {
      const behind = { from: fact.valid.to, to: own[i + 1]?.fact.valid.from ?? ALWAYS.to };
      const ender = next(fact, stand.activeFacts, lapping ? 0 : at + 1);
      return [...within(fact, lapping ? stand.activeFacts : []), ...gapOf(behind, fact, { denials, ender })];
    }),
  ];
}

/** The first fact of another value that goes on after a fact has ended, from a place in the order of valid times on. */
function next(after: ActiveFact, activeFacts: readonly ActiveFact[], from: number): ActiveFact | undefined {
  for (let i = from; i < activeFacts.length; i += 1) {
    const fact = activeFacts[i];
    if (fact && fact.value !== after.value && fact.valid.to > after.valid.to) return fact;
  }
  return undefined;
}

/** While a fact stands; in pieces where others stand beside it. */
function within(fact: ActiveFact, all: readonly ActiveFact[]): Outline[] {
  const beside = all.filter(({ value, valid }) => value !== fact.value && overlap(valid, fact.valid));
  const held = fact.supports.flatMap(({ grounds = [] }) => grounds.flatMap(({ holds }) => holds));
  const cuts = [...beside.map(({ valid }) => valid), ...held].flatMap(({ from, to }) => [from, to]);
  return pieces(fact.valid, cuts).map((valid) => ({
    valid,
    holds: fact.valid,
    evidence: [
      ...supportOf(fact, valid.from),
      ...beside.filter((one) => overlap(one.valid, valid)).flatMap((one) => evidenceOf(one, 'against')),
    ],
  }));
}

/** Where no fact of the value stands, behind one or in front of all. */
function gapOf(
  gap: Interval,
  behind: ActiveFact | null,
  { denials, ender }: { denials: readonly Statement[]; ender: ActiveFact | undefined },
): Outline[] {
  const since = denials
    .map((denial) => ({ denial, from: denial.kind === 'never' ? ALWAYS.from : denial.valid.from }))
    .filter(({ denial, from }) => denial.kind === 'never' || from >= gap.from);
  const cuts = [...since.map(({ from }) => from), ...(ender ? [ender.valid.from] : [])];
  return pieces(gap, cuts).map((valid) => {
    const counting = since.filter(({ from }) => from <= valid.from).map(({ denial }) => denial);
    const ended = ender && ender.valid.from <= valid.from ? evidenceOf(ender, 'against') : [];
    const evidence = [...ended, ...ofDenials(counting)];
    if (behind) return { valid, holds: behind.valid, evidence };
    return { valid, holds: null, evidence: evidence.length > 0 ? evidence : null };
  });
}

/** Who stands where the value has lost its fact. */
function instead({ valid, holds }: Outline, value: string, { activeFacts }: ClaimStand): EvidenceInterval[] {
  const there = activeFacts.filter((fact) => fact.value !== value && overlap(fact.valid, valid));
  const cuts = there.flatMap((fact) => [fact.valid.from, fact.valid.to]);
  return pieces(valid, cuts).map((piece) => ({
    valid: piece,
    holds,
    evidence: there
      .filter((fact) => overlap(fact.valid, piece))
      .flatMap((fact) => evidenceOf(fact, 'against')),
  }));
}

function ofDenials(denials: readonly Statement[]): Evidence[] {
  return shares(denials).map(({ event_id, share }) => ({
    type: 'event',
    id: event_id,
    weight: share,
    polarity: 'against',
  }));
}

/** An interval, cut at the instants that lie in it. */
function pieces({ from, to }: Interval, cuts: readonly number[]): Interval[] {
  const inside = [...new Set(cuts)].filter((cut) => from < cut && cut < to).sort((a, b) => a - b);
  const starts = [from, ...inside];
  return starts.map((start, i) => ({ from: start, to: starts[i + 1] ?? to })).filter((one) => !isEmpty(one));
}

/** The parts of `now` where `before` says something else; both cover all of time. */
function differing(before: readonly Outline[], now: readonly Outline[]): Outline[] {
  const found: Outline[] = [];
  let [i, k] = [0, 0];
  for (;;) {
    const [old, next] = [before[i], now[k]];
    if (old === undefined || next === undefined) return found;
    const valid = intersection(old.valid, next.valid);
    if (!isEmpty(valid) && says(old) !== says(next)) {
      const last = found.at(-1);
      // Two parts of one interval that touch are one part.
      if (last?.valid.to === valid.from && last.valid.from >= next.valid.from)
        found[found.length - 1] = { ...next, valid: { from: last.valid.from, to: valid.to } };
      else found.push({ ...next, valid });
    }
    if (old.valid.to <= next.valid.to) i += 1;
    if (next.valid.to <= old.valid.to) k += 1;
  }
}

function says({ holds, evidence }: Outline): string {
  return evidence === null ? '' : JSON.stringify([holds, evidence]);
}
