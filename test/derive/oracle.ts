import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END } from '../../schemas/time.ts';

/**
 * The value in force at a valid instant as it was known at a recorded one, straight from the log and by nothing else: the
 * assertion that begins last has the say, unless it has ended, was denied since, or was said never to be true. Of those that begin
 * together the last has it, where what somebody decided for is as late as the decision. What its source is not sure of at all is not
 * heard where something surer has the say as it begins, and no longer once something surer has.
 */
export function valueAt(log: readonly Statement[], valid: number, recorded: number): string | null {
  const known = knownAt(log, recorded);
  const { sure, unsure } = counting(known);
  const surely = (at: number): Statement | null => inForce(sure, at, known);
  const free = unsure.filter((one) => surely(one.valid.from) === null);
  const found = surely(valid) ?? inForce(free, valid, known);
  if (found === null || sure.includes(found)) return found?.value ?? null;
  const isOver = sure.some(
    ({ valid: { from } }) => from > found.valid.from && from <= valid && surely(from) !== null,
  );
  return isOver ? null : found.value;
}

/** The one of the assertions that has the say at a valid instant, if there were no others. */
function inForce(all: readonly Statement[], valid: number, known: readonly Statement[]): Statement | null {
  let says: Statement | null = null;
  for (const one of all) {
    if (one.valid.from > valid) continue;
    const isLater = (than: Statement): boolean =>
      one.valid.from > than.valid.from ||
      (one.valid.from === than.valid.from && placeOf(one, known) >= placeOf(than, known));
    if (says === null || isLater(says)) says = one;
  }
  if (says === null || valid >= says.valid.to) return null;
  const { value, position } = says;
  const begins = says.valid.from;
  const denied = known.some(
    (n) =>
      n.kind === 'denied' &&
      n.value === value &&
      n.valid.from <= valid &&
      (n.valid.from > begins || (n.valid.from === begins && n.position > position)),
  );
  return denied ? null : says;
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
      INSTANTS.every((at) => at <= from || at > valid || saysSurely(at).length === 0),
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
  return (valid) =>
    alive
      .filter((one) => start(one) <= valid && valid < end(one))
      .filter(
        (one) =>
          !alive.some(
            (o) =>
              follows(o, one) &&
              picks(one, o) !== 'keep_both' &&
              start(o) <= valid &&
              (start(o) === o.valid.from || start(o) < end(o)),
          ),
      );
}

const HORIZON = 100;
const INSTANTS = Array.from({ length: HORIZON }, (_, at) => at);
/** What two confidences that are the same may differ by, for want of digits. */
const TINY = 1e-6;

/** Whether more is more; of what is the same, the later one. */
function isAbove(more: number, isLater: boolean): boolean {
  return Math.abs(more) < TINY ? isLater : more > 0;
}
