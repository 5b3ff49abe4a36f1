import type { CalendarStep } from '../../../schemas/temporal-phrase.ts';
import { DAY_MS } from '../calendar.ts';
import { contains } from '../interval.ts';
import { eachOf, fixed, oneOf, refused, sizeOf, type Context, type Meaning, type Rule } from './meaning.ts';
import { named, unitNamed, unitRunning } from './names.ts';
import {
  current,
  daily,
  earliestFrom,
  latestBegun,
  latestOver,
  unitSeries,
  type Series,
  type Unit,
} from './series.ts';
import {
  COUNT,
  countOf,
  lengthOf,
  QUANTITY,
  quantityOf,
  stepOf,
  tableOf,
  times,
  UNIT,
  unitOf,
} from './words.ts';

const NIGHT_HOURS = [20 * 3_600_000, 30 * 3_600_000] as const;

const DAYS = tableOf({ today: 0, yesterday: -1, tomorrow: 1 });

function memberAway(series: Series, reference: number, away: number): Meaning {
  return fixed(series.at(series.index(reference) + away));
}

/** `now` (the millisecond of the reference), `today`, `yesterday`, `tomorrow`, `tonight`, `last night`. */
export const dayNamed: Rule = (text, { calendar, reference }) => {
  if (/^(?:right |just )?now$|^at the moment$|^currently$/.test(text))
    return fixed({ from: reference, to: reference + 1 }, true);
  const away = DAYS.get(text);
  if (away !== undefined) return memberAway(unitSeries(calendar, 'day', reference), reference, away);
  if (text !== 'tonight' && text !== 'last night') return null;
  return memberAway(daily(calendar, ...NIGHT_HOURS), reference, text === 'tonight' ? 0 : -1);
};

/** The unit of the calendar in which an instant lies. */
function unitAround({ calendar, reference }: Context, unit: Unit, at: number): Meaning {
  const series = unitSeries(calendar, unit, reference);
  return fixed(series.at(series.index(at)));
}

const AGO = new RegExp(`^(${QUANTITY}) (?:ago|back|earlier|before now)$`);
const AHEAD = new RegExp(
  `^(?:in (?:about |around )?(${QUANTITY})|(${QUANTITY}) (?:from now|hence|later|ahead))$`,
);
const SAME_DAY = new RegExp(`^(${QUANTITY}) ago (today|yesterday|tomorrow)$`);
const NAMES_AWAY = new RegExp(`^(?:(${COUNT}) (.+) (ago|from now)|in (${COUNT}) (.+))$`);

function singulars(text: string): string[] {
  return [text, text.replace(/s$/, ''), text.replace(/es$/, '')];
}

/** `two saturdays ago`, `in two fridays`: so many back among those that are over, or on among those to come. */
function namesAway(text: string, context: Context): Meaning | null {
  const [, far, names, way, inside, others] = NAMES_AWAY.exec(text) ?? [];
  const [count, plural] = [far ?? inside, names ?? others];
  if (count === undefined || plural === undefined) return null;
  const meaning = singulars(plural)
    .map((name) => named(name, context))
    .find((found) => found !== null);
  if (meaning?.kind !== 'series') return null;
  const { series } = meaning;
  if (way === 'ago') return backIn(series, context.reference, countOf(count));
  const next = earliestFrom(series, context.reference + 1);
  return fixed(next === null ? null : series.at(series.index(next.from) + countOf(count) - 1));
}

function backIn(series: Series, reference: number, count: number): Meaning {
  const last = latestOver(series, reference);
  if (last === null || count < 1) return refused('no_such_date');
  return fixed(series.at(series.index(last.from) - (count - 1)));
}

/** `3 days ago`, `in two weeks`: the day, the calendar week, … of the unit that is named last, so far away. */
export const awayNamed: Rule = (text, context) => {
  const { calendar, reference } = context;
  const back = AGO.exec(text)?.[1];
  const [, inside, from = inside] = AHEAD.exec(text) ?? [];
  const found = quantityOf(back ?? from ?? '');
  if (found !== null) {
    const step = times(found.step, back === undefined ? 1 : -1);
    return unitAround(context, found.unit, calendar.plus(reference, step));
  }
  const [, amount, day = ''] = SAME_DAY.exec(text) ?? [];
  const quantity = quantityOf(amount ?? '');
  if (quantity === null) return namesAway(text, context);
  const then = calendar.plus(reference, times(quantity.step, -1));
  return unitAround(context, 'day', calendar.plus(then, times(stepOf('day'), DAYS.get(day) ?? 0)));
};

const ROLLING = new RegExp(
  `^(?:the |these )?(?:(last|past|previous|next|coming|following) (${QUANTITY})|within (${QUANTITY}))$`,
);
const ROLLING_ONE = new RegExp(`^(?:the (last|past|next|coming)|(past)) (${UNIT})$`);

/** `the last 30 days`, `past week`, `the next hour`: so long a time that ends or begins with the reference. */
export const rollingNamed: Rule = (text, { calendar, reference }) => {
  const [, way, amount, inside] = ROLLING.exec(text) ?? [];
  const [, direction, past = direction, unit] = ROLLING_ONE.exec(text) ?? [];
  const step = quantityOf(amount ?? inside ?? (unit === undefined ? '' : `one ${unit}`))?.step;
  if (step === undefined) return null;
  const word = way ?? past;
  if (word === 'last' || word === 'past' || word === 'previous')
    return fixed({ from: calendar.plus(reference, times(step, -1)), to: reference });
  return fixed({ from: reference, to: calendar.plus(reference, step) });
};

const DIRECTED =
  /^(?:the )?(this past|this coming|this|current|last|previous|prior|past|next|coming|upcoming|following) (.+)$/;

/** `last friday`, `this month`, `next summer`: the latest that is over, the one that runs or whose turn it is, the next to begin. */
export const directedNamed: Rule = (text, context) => {
  const { reference } = context;
  const twice = /^(?:the )?(.+) (before last|after next)$/.exec(text);
  const [, way = '', name = twice?.[1] ?? ''] = DIRECTED.exec(text) ?? [];
  const meaning = named(name, context) ?? unitNamed(name, context);
  if (meaning?.kind !== 'series') return null;
  const { series, point } = meaning;
  if (twice !== null && way === '') {
    if (twice[2] === 'before last') return backIn(series, reference, 2);
    const next = earliestFrom(series, reference + 1);
    return fixed(next === null ? null : earliestFrom(series, next.to));
  }
  if (/^(?:this|current)$/.test(way)) return fixed(current(series, reference), point);
  if (/last|past|previous|prior/.test(way)) return fixed(latestOver(series, reference), point);
  return fixed(earliestFrom(series, reference + 1), point);
};

/** The whole of a unit, which runs at the reference: `the week`, `the year`; of its parts too it is that one. */
export const unitAlone: Rule = (text, context) => {
  const name = /^the (.+)$/.exec(text)?.[1];
  return name === undefined ? null : unitRunning(name, context);
};

/** A stretch moved by an amount of time; measured from its nearer end, as a day, where it is longer than that amount. */
function moved(anchor: Meaning, step: CalendarStep, back: boolean, { calendar }: Context): Meaning {
  const by = times(step, back ? -1 : 1);
  const shifted = (at: number): number => calendar.plus(at, by);
  // A month of 31 days counts as one month.
  if (lengthOf(step) >= 0.9 * sizeOf(anchor))
    return eachOf(anchor, sizeOf(anchor), ({ from, to }) => ({ from: shifted(from), to: shifted(to) }));
  const days = daily(calendar, 0, DAY_MS);
  return eachOf(anchor, DAY_MS, ({ from, to }) => days.at(days.index(shifted(back ? from : to - 1))));
}

const BESIDE = /^(.+?) (before|prior to|after|from|following) (.+)$/;
const AMOUNT = new RegExp(`^${QUANTITY}$`);

function besideAmount(amount: string, back: boolean, anchor: Meaning, context: Context): Meaning | null {
  const quantity = AMOUNT.test(amount) ? quantityOf(amount) : null;
  if (quantity === null) return null;
  const { step, unit } = quantity;
  if (step.months !== 0 || step.days !== 0) return moved(anchor, step, back, context);
  const { calendar, reference } = context;
  const series = unitSeries(calendar, unit, reference);
  return eachOf(anchor, series.size, ({ from, to }) => {
    const at = back || to - from < DAY_MS ? from : to;
    return series.at(series.index(calendar.plus(at, times(step, back ? -1 : 1))));
  });
}

/** The time as long as a unit that touches a stretch: `the week before christmas` are the seven days before it. */
function besideUnit(name: string, back: boolean, anchor: Meaning, { calendar }: Context): Meaning | null {
  const found = unitOf(name);
  if (found === null) return null;
  const step = times(stepOf(found.unit), back ? -found.times : found.times);
  return eachOf(anchor, Math.abs(lengthOf(step)), ({ from, to }) =>
    back ? { from: calendar.plus(from, step), to: from } : { from: to, to: calendar.plus(to, step) },
  );
}

/** The nearest of a name beside a stretch: `the friday before 2024-05-20`, `the first monday after easter`. */
function besideName(name: string, back: boolean, anchor: Meaning, context: Context): Meaning | null {
  const plain = name.replace(back ? /^last / : /^(?:first|next) /, '');
  const meaning = named(plain, context);
  if (meaning?.kind !== 'series') return null;
  const { series } = meaning;
  return eachOf(anchor, series.size, ({ from, to }) =>
    back ? latestOver(series, from) : earliestFrom(series, to),
  );
}

/** What lies before or after something else: `two weeks before christmas`, `the day after tomorrow`, `the friday before 2024-05-20`. */
export const besideNamed: Rule = (text, context) => {
  const [, left = '', word = '', right = ''] = BESIDE.exec(text) ?? [];
  if (left === '') return null;
  const name = left.replace(/^the /, '');
  const back = word === 'before' || word === 'prior to';
  const reads = [besideAmount, besideUnit, besideName];
  const anchor = context.read(right);
  if (anchor === null || anchor.kind === 'refused') return anchor;
  for (const read of word === 'from' ? [besideAmount] : reads) {
    const found = read(name, back, anchor, context);
    if (found !== null) return found;
  }
  return null;
};

/** `earlier this week`, `later today`, `this year so far`: the part before the reference, or from it on. */
export const partly: Rule = (text, context) => {
  const { reference } = context;
  const [, word, rest] = /^(earlier|later) (.+)$/.exec(text) ?? [];
  const sofar = text === 'ytd' ? 'year' : /^(.+) (?:so far|to date)$/.exec(text)?.[1];
  const name = rest ?? sofar;
  if (name === undefined) return null;
  const meaning = context.read(name) ?? unitNamed(name, context);
  if (meaning === null || meaning.kind === 'refused') return meaning;
  const stretch = meaning.kind === 'fixed' ? meaning.interval : latestBegun(meaning.series, reference);
  if (stretch === null || !contains(stretch, reference)) return refused('contradictory');
  const { from, to } = stretch;
  const part = word === 'later' ? { from: reference, to } : { from, to: reference };
  return part.from < part.to ? fixed(part) : refused('contradictory');
};

/** The week, weekend, month, … in which something lies: `the week of may 5`, `easter weekend`. */
export const aroundNamed: Rule = (text, context) => {
  const of = /^(?:the )?(week|weekend|month|quarter|year|decade) (?:of|containing) (.+)$/.exec(text);
  const feast = /^(.+) (week|weekend)$/.exec(text);
  const [unit, rest] = of !== null ? [of[1], of[2]] : [feast?.[2], feast?.[1]];
  if (unit === undefined || rest === undefined) return null;
  const found = named(unit, context) ?? unitNamed(unit, context);
  const meaning = of === null ? feastNamed(rest, context) : context.read(rest);
  if (found?.kind !== 'series' || meaning === null || meaning.kind === 'refused') return meaning;
  const { series } = found;
  // A month lies in no week.
  if (sizeOf(meaning) > 1.1 * series.cycle) return null;
  return eachOf(meaning, series.size, ({ from }) => series.at(series.index(from)));
};

function feastNamed(text: string, context: Context): Meaning | null {
  const meaning = named(text, context);
  const yearly =
    meaning?.kind === 'series' && meaning.series.size === DAY_MS && meaning.series.cycle > 300 * DAY_MS;
  return yearly ? oneOf(meaning.series) : null;
}
