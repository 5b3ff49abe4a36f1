import { OPEN_END } from '../../schemas/time.ts';
import type { Statement } from '../../src/derive/claim.ts';

/**
 * The value in force at a valid instant as it was known at a recorded one, straight from the log and by nothing else: the
 * assertion that begins last has the say, unless it has ended, was denied since, or was said never to be true. Of those that begin
 * together the last has it, where what somebody decided for is as late as the decision.
 */
export function valueAt(log: readonly Statement[], valid: number, recorded: number): string | null {
  const known = log.filter(({ recorded_at }) => recorded_at <= recorded);
  let says: Statement | null = null;
  for (const one of known) {
    if (one.kind !== 'asserted' || one.valid.from > valid) continue;
    if (displaced(known).has(one.id)) continue;
    const taken = known.some((n) => n.kind === 'never' && n.value === one.value && n.position > one.position);
    if (taken) continue;
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
  return denied ? null : value;
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
  const known = log.filter(({ recorded_at }) => recorded_at <= recorded);
  const gone = displaced(known);
  const alive = known.filter(
    (one) =>
      one.kind === 'asserted' &&
      !gone.has(one.id) &&
      !known.some((n) => n.kind === 'never' && n.value === one.value && n.position > one.position),
  );
  const end = (one: Statement): number =>
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
  const speaksOf = (one: Statement, at: number): boolean =>
    one.valid.from <= at &&
    at < end(one) &&
    (one.valid.to < OPEN_END || (one.says_from === true && at === one.valid.from));
  const instants = Array.from({ length: HORIZON }, (_, at) => at);
  const place = (one: Statement): number => placeOf(one, known);
  const picks = (a: Statement, b: Statement): Statement['policy'] | null => {
    if (a.value === b.value || !instants.some((at) => speaksOf(a, at) && speaksOf(b, at))) return null;
    const later = place(a) > place(b) ? a : b;
    // A decision goes before any confidence.
    return place(later) > later.position && later.policy === 'highest_confidence' ? undefined : later.policy;
  };
  const isSurer = (a: Statement, b: Statement): boolean =>
    a.confidence > b.confidence || (a.confidence === b.confidence && place(a) > place(b));
  const start = (one: Statement): number => {
    const isHeld = (at: number): boolean =>
      alive.some(
        (o) => picks(one, o) === 'highest_confidence' && isSurer(o, one) && o.valid.from <= at && at < end(o),
      );
    return instants.find((at) => at >= one.valid.from && !isHeld(at)) ?? Infinity;
  };
  const follows = (a: Statement, b: Statement): boolean =>
    a.valid.from > b.valid.from || (a.valid.from === b.valid.from && place(a) > place(b));
  return alive
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
    )
    .map(({ value }) => value);
}

const HORIZON = 100;
