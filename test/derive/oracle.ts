import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END } from '../../schemas/time.ts';

/**
 * The value in force at a valid instant as it was known at a recorded one, straight from the log and by nothing else: the
 * assertion that begins last has the say, unless it has ended, was denied since, or was said never to be true. Of those that begin
 * together the last has it, where what somebody decided for is as late as the decision. Where one with a stated end is over, what it
 * interrupted has the say again, unless that has ended meanwhile. What its source is not sure of at all is not
 * heard where something surer has the say as it begins, nor while something surer has, nor any more once something surer has that has
 * no stated end.
 */
export function valueAt(log: readonly Statement[], valid: number, recorded: number): string | null {
  const known = knownAt(log, recorded);
  const { sure, unsure } = counting(known);
  const surely = (at: number): Statement | null => inForce(sure, at, known);
  const free = unsure.filter((one) => surely(one.valid.from) === null);
  const found = surely(valid) ?? inForce(free, valid, known);
  if (found === null || sure.includes(found)) return found?.value ?? null;
  const isOver = sure.some(({ valid: { from } }) => {
    const says = from > found.valid.from && from <= valid ? surely(from) : null;
    return says?.valid.to === OPEN_END;
  });
  return isOver ? null : found.value;
}

/** The one of the assertions that has the say at a valid instant, if there were no others. */
function inForce(all: readonly Statement[], valid: number, known: readonly Statement[]): Statement | null {
  const says = lastAt(all, valid, known);
  if (says === null || valid < endOf(says, known)) return says;
  return inForce(interruptedBy(says, all, known), valid, known);
}

/** The one of the assertions that begins last at a valid instant or before it. */
function lastAt(all: readonly Statement[], valid: number, known: readonly Statement[]): Statement | null {
  let last: Statement | null = null;
  for (const one of all) {
    if (one.valid.from > valid) continue;
    const isLater = (than: Statement): boolean =>
      one.valid.from > than.valid.from ||
      (one.valid.from === than.valid.from && placeOf(one, known) >= placeOf(than, known));
    if (last === null || isLater(last)) last = one;
  }
  return last;
}

/**
 * What goes on where an assertion is over: nothing where it had no stated end, else what was stated to begin before it. Where it says
 * the end of a value that was in force already, that value has ended with it, and what that one had interrupted goes on.
 */
function interruptedBy(one: Statement, all: readonly Statement[], known: readonly Statement[]): Statement[] {
  if (one.valid.to === OPEN_END) return [];
  const before = all.filter(({ valid }) => valid.from < one.valid.from);
  const inForceThen = inForce(before, one.valid.from, known);
  return inForceThen?.value === one.value ? interruptedBy(inForceThen, before, known) : before;
}

/**
 * What ended a value that was in force up to an instant, as was known at a recorded one, where the latest counts and all are sure to some
 * degree: the first assertion with no stated end that begins while the value would still hold, whatever interrupted it before; else the
 * one that begins there. Null where it ends as it says itself, or by a denial alone.
 */
export function enderAt(log: readonly Statement[], end: number, recorded: number): Statement | null {
  const known = knownAt(log, recorded);
  const { sure } = counting(known);
  const one = inForce(sure, end - 1, known);
  if (one === null) throw new Error('nothing was in force');
  if (one.valid.to === end) return null;
  const inFront = ({ valid: { from } }: Statement): Statement | null =>
    inForce(
      sure.filter(({ valid }) => valid.from < from),
      from,
      known,
    );
  const later = sure
    .filter((other) => other.valid.from > one.valid.from && lastAt(sure, other.valid.from, known) === other)
    .sort((a, b) => a.valid.from - b.valid.from);
  // Another assertion of the value, while it is in force, goes on with it.
  const goesOn = later.find((other) => other.value === one.value && inFront(other) === one);
  const would = Math.min(endOf(one, known), goesOn?.valid.from ?? OPEN_END);
  const ender = later.find(({ valid }) => valid.to === OPEN_END && valid.from < would);
  if (ender !== undefined && ender.valid.from < endOf(ender, known)) return ender;
  const next = inForce(sure, end, known);
  return next?.valid.from === end ? next : null;
}

/** What is known at a recorded instant; a denial of which its source is not sure at all denies nothing. */
function knownAt(log: readonly Statement[], recorded: number): Statement[] {
  return log.filter(
    ({ kind, confidence, recorded_at }) =>
      recorded_at <= recorded && (confidence > 0 || kind === 'asserted' || kind === 'settled'),
  );
}

/**
 * The assertions that were neither said later never to be true nor decided against: those that somebody is sure of to some degree, or
 * decided for, and the others.
 */
function counting(known: readonly Statement[]): { sure: Statement[]; unsure: Statement[] } {
  const gone = displaced(known);
  const left = known.filter(
    (one) =>
      one.kind === 'asserted' &&
      !gone.has(one.id) &&
      !known.some((n) => n.kind === 'never' && n.value === one.value && n.position > one.position),
  );
  const chosen = new Set(deciding(known).flatMap(({ decision }) => decision?.rests_on ?? []));
  const isSure = ({ id, confidence }: Statement): boolean => confidence > 0 || chosen.has(id);
  return { sure: left.filter(isSure), unsure: left.filter((one) => !isSure(one)) };
}

/**
 * How sure one can be of statements that say the same: of what one event says as sure as it is, of what several do by what is expected
 * of a probability after twice the sum of their confidences, each divided by its place among them, has been seen to be so. A source that is not sure at all has seen nothing.
 */
export function confidenceOf(statements: readonly Statement[]): number {
  const byEvent = new Map<string, number>();
  for (const { event_id, confidence } of statements.filter((one) => one.confidence > 0))
    byEvent.set(event_id, Math.max(byEvent.get(event_id) ?? 0, confidence));
  const [most = 0, ...others] = [...byEvent.values()].sort((a, b) => b - a);
  if (others.length === 0) return most;
  const seen = 2 * others.reduce((sum, confidence, i) => sum + confidence / (i + 2), most);
  return (1 + seen) / (2 + seen);
}

/** The first decision about each conflict that all is stated for. */
function deciding(known: readonly Statement[]): Statement[] {
  const settled = new Set<string>();
  return known.filter(({ decision }) => {
    if (decision === undefined || settled.has(decision.conflict_id)) return false;
    if (!decision.rests_on.every((id) => known.some((one) => one.id === id && one.kind === 'asserted')))
      return false;
    settled.add(decision.conflict_id);
    return true;
  });
}

/** The statements that somebody decided against. */
function displaced(known: readonly Statement[]): Set<string> {
  return new Set(deciding(known).flatMap(({ decision }) => decision?.displaces ?? []));
}

/** Where a statement stands in the log: where it was last decided for, else where it was made. */
function placeOf({ id, position }: Statement, known: readonly Statement[]): number {
  return deciding(known).findLast(({ decision }) => decision?.rests_on.includes(id))?.position ?? position;
}

/**
 * The values at a pair of instants where policies pick between what is stated for the same time, found out instant by instant:
 * instants of the log are small numbers, and from `HORIZON` on nothing changes any more.
 */
export function valuesAt(log: readonly Statement[], valid: number, recorded: number): string[] {
  const known = knownAt(log, recorded);
  const { sure, unsure } = counting(known);
  const saysSurely = standingAmong(sure, known);
  const values = saysSurely(valid);
  if (values.length > 0) return values.map(({ value }) => value);
  const free = unsure.filter((one) => saysSurely(one.valid.from).length === 0);
  return standingAmong(
    free,
    known,
  )(valid)
    .filter(({ valid: { from } }) =>
      INSTANTS.every(
        (at) => at <= from || at > valid || saysSurely(at).every((one) => one.valid.to < OPEN_END),
      ),
    )
    .map(({ value }) => value);
}

/** Where a statement ends: by itself, or by a denial of what it says. */
const endOf = (one: Statement, known: readonly Statement[]): number =>
  Math.min(
    one.valid.to,
    ...known
      .filter(
        (n) =>
          n.kind === 'denied' &&
          n.value === one.value &&
          (n.valid.from > one.valid.from || (n.valid.from === one.valid.from && n.position > one.position)),
      )
      .map(({ valid: { from } }) => from),
  );

/** Those of some assertions that stand at a valid instant, if there were no others. */
function standingAmong(
  alive: readonly Statement[],
  known: readonly Statement[],
): (valid: number) => Statement[] {
  const end = (one: Statement): number => endOf(one, known);
  const speaksOf = (one: Statement, at: number): boolean =>
    one.valid.from <= at &&
    at < end(one) &&
    (one.valid.to < OPEN_END || (one.has_explicit_valid_from === true && at === one.valid.from));
  const place = (one: Statement): number => placeOf(one, known);
  const picks = (a: Statement, b: Statement): Statement['policy'] | null => {
    if (a.value === b.value || !INSTANTS.some((at) => speaksOf(a, at) && speaksOf(b, at))) return null;
    const later = place(a) > place(b) ? a : b;
    // A decision goes before any confidence.
    return place(later) > later.position && later.policy === 'highest_confidence' ? undefined : later.policy;
  };
  // What says the same for the same time counts together.
  const weigh = (one: Statement): number =>
    confidenceOf(
      alive.filter(
        (o) =>
          o === one || (o.value === one.value && INSTANTS.some((at) => speaksOf(o, at) && speaksOf(one, at))),
      ),
    );
  const isSurer = (a: Statement, b: Statement): boolean => isAbove(weigh(a) - weigh(b), place(a) > place(b));
  const starts = new Map(
    alive.map((one): [Statement, number] => {
      const isHeld = (at: number): boolean =>
        alive.some(
          (o) =>
            picks(one, o) === 'highest_confidence' && isSurer(o, one) && o.valid.from <= at && at < end(o),
        );
      return [one, INSTANTS.find((at) => at >= one.valid.from && !isHeld(at)) ?? Infinity];
    }),
  );
  const start = (one: Statement): number => starts.get(one) ?? Infinity;
  const follows = (a: Statement, b: Statement): boolean =>
    a.valid.from > b.valid.from || (a.valid.from === b.valid.from && place(a) > place(b));
  const ordered = [...alive].sort((a, b) => (follows(a, b) ? 1 : -1));
  /** Those of the first so many that stand at an instant, if no more were stated. */
  const standing = (count: number, valid: number): Statement[] => {
    const first = ordered.slice(0, count);
    const found: Statement[] = [];
    for (const one of [...first].reverse()) {
      if (start(one) > valid || valid >= end(one)) continue;
      if (found.some((o) => picks(one, o) !== 'keep_both')) continue;
      const isOver = first.some((o, i) => follows(o, one) && start(o) <= valid && endsForGood(o, one, i));
      if (!isOver) found.push(one);
    }
    return found;
  };
  /** Whether one does not go on behind a later one: that has no stated end, takes its place, or is about the same value, then in force. */
  const endsForGood = (o: Statement, one: Statement, count: number): boolean => {
    if (picks(one, o) === 'keep_both' || (start(o) !== o.valid.from && start(o) >= end(o))) return false;
    if (o.valid.to === OPEN_END || o.valid.from === one.valid.from) return true;
    return o.value === one.value && standing(count, start(o)).includes(one);
  };
  return (valid) => standing(ordered.length, valid);
}

const HORIZON = 100;
const INSTANTS = Array.from({ length: HORIZON }, (_, at) => at);
/** What two confidences that are the same may differ by, for want of digits. */
const TINY = 1e-6;

/** Whether more is more; of what is the same, the later one. */
function isAbove(more: number, isLater: boolean): boolean {
  return Math.abs(more) < TINY ? isLater : more > 0;
}
