import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import type { Interval } from '../interval.ts';
import { readByChrono } from './chrono.ts';
import { spanning, tied, type Context, type Meaning, type Rule } from './meaning.ts';
import { MONTH } from './words.ts';

/** The meaning of one side of a span, by the rules and else by chrono-node. */
function sideOf(text: string, context: Context): Meaning | null {
  return context.read(text) ?? readByChrono(text, context);
}

/** One side tied to the reference; null where it is not understood. */
function onlySide(text: string, context: Context): ReturnType<typeof tied> | null {
  const meaning = sideOf(text, context);
  return meaning === null ? null : tied(meaning, { kind: 'past', reference: context.reference });
}

const OPEN: readonly (readonly [
  words: RegExp,
  make: (interval: Interval, point: boolean, reference: number) => Interval,
])[] = [
  [/^(?:ever )?since (.+)$/, ({ from }, _point, reference) => ({ from, to: reference })],
  [
    /^(?:from|starting)(?: from| on| in| with)? (.+) (?:on|onwards?|forward)$/,
    ({ from }, _point, reference) => ({ from, to: reference }),
  ],
  [/^(?:before|prior to|earlier than) (.+)$/, ({ from }) => ({ from: FIRST_INSTANT, to: from })],
  [
    /^(?:until|till|til|up to|up until|up till|through|by) (.+)$/,
    ({ from, to }, point) => ({ from: FIRST_INSTANT, to: point ? from : to }),
  ],
  [
    /^(?:after|later than) (.+)$/,
    ({ from, to }, point, reference) => {
      const begin = point ? from : to;
      return { from: begin, to: begin < reference ? reference : OPEN_END };
    },
  ],
];

/**
 * `since x` ends with the reference, `before x` and `until x` begin with the first instant, without x and with it. `after x` begins when x
 * is over and ends with the reference, as memory looks back; where x is not over then, it has no end. A clock time is its beginning.
 */
const open: Rule = (text, context) => {
  for (const [words, make] of OPEN) {
    const rest = words.exec(text)?.[1];
    const side = rest === undefined ? null : onlySide(rest, context);
    if (side?.kind === 'refused') return side;
    if (side !== null) return spanning(make(side.interval, side.point, context.reference));
  }
  return null;
};

const NUMBER = String.raw`(?:the )?\d{1,2}(?:st|nd|rd|th)?`;
const BARE = new RegExp(`^${NUMBER}$`);
const DAY_FIRST = new RegExp(`^${NUMBER} ((?:of )?${MONTH}\\b.*)$`);
const MONTH_FIRST = new RegExp(`^(${MONTH}) ${NUMBER}$`);
const BARE_YEAR = new RegExp(`^(${NUMBER})( \\d{4})?$`);
const HOUR = /^\d{1,2}(?::\d{2})?$/;
const HALF = /^\d{1,2}(?::\d{2})? ?([ap]m)\b/;

/** Both sides with what only one of them says of both: `5 to 10 may`, `may 5 to 10`, `2 to 4 pm`. */
function completed(left: string, right: string): readonly [left: string, right: string] {
  const month = DAY_FIRST.exec(right)?.[1];
  if (BARE.test(left) && month !== undefined) return [`${left} ${month}`, right];
  const before = MONTH_FIRST.exec(left)?.[1];
  const [, day, year = ''] = BARE_YEAR.exec(right) ?? [];
  if (before !== undefined && day !== undefined) return [`${left}${year}`, `${before} ${day}${year}`];
  const half = HALF.exec(right)?.[1];
  return half !== undefined && HOUR.test(left) ? [`${left} ${half}`, right] : [left, right];
}

/**
 * The two sides tied together. What says when of itself decides; of the other the nearest in that direction is meant. Where neither does,
 * the one that comes less often is tied first: `tuesday 3pm to 5pm`, but the end where they come as often, as memory looks back.
 */
function tiedTogether(
  begin: Meaning,
  end: Meaning,
  context: Context,
): readonly [ReturnType<typeof tied>, ReturnType<typeof tied>] {
  const past = { kind: 'past', reference: context.reference } as const;
  const beginFirst =
    begin.kind !== 'series' || (end.kind === 'series' && begin.series.cycle > end.series.cycle);
  if (beginFirst) {
    const left = tied(begin, past);
    return [left, tied(end, left.kind === 'fixed' ? { kind: 'from', at: left.interval.from } : past)];
  }
  const right = tied(end, past);
  return [tied(begin, right.kind === 'fixed' ? { kind: 'up_to', at: right.interval.from } : past), right];
}

function between(left: string, right: string, context: Context): Meaning | null {
  const [first, last] = completed(left, right);
  const begin = sideOf(first, context);
  const end = begin === null ? null : sideOf(last, context);
  if (begin === null || end === null) return null;
  const [from, to] = tiedTogether(begin, end, context);
  if (from.kind === 'refused') return from;
  if (to.kind === 'refused') return to;
  return spanning({ from: from.interval.from, to: to.point ? to.interval.from : to.interval.to });
}

const WORDS = String.raw`to|until|till|til|through|thru|up to|-`;
const FORMS: readonly (readonly [whole: RegExp, words: RegExp])[] = [
  [/^(?:in |the (?:time|period) )*between (?:the )?(.+)$/, new RegExp(` (?:and|${WORDS}) `, 'g')],
  [/^(?:in |the (?:time|period) )*(?:from|since) (.+)$/, new RegExp(` (?:${WORDS}) `, 'g')],
  [/^(.+)$/, new RegExp(` (?:${WORDS}) |(?<=[a-z0-9])-(?=[a-z0-9])`, 'g')],
];

/**
 * `between x and y`, `from x to y`, `x - y`: from the beginning of x to the end of y; a clock time or an instant as the end does not belong
 * to it.
 */
const range: Rule = (text, context) => {
  for (const [whole, words] of FORMS) {
    const rest = whole.exec(text)?.[1];
    if (rest === undefined) continue;
    for (const match of rest.matchAll(words)) {
      const meaning = between(rest.slice(0, match.index), rest.slice(match.index + match[0].length), context);
      if (meaning !== null) return meaning;
    }
  }
  return null;
};

/** What a whole phrase means: an open or closed span between two times, one time by the rules, or what chrono-node finds. */
export const readWhole: Rule = (text, context) =>
  open(text, context) ?? context.read(text) ?? range(text, context);
