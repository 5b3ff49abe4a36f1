import type { TemporalPhrase } from '../../../schemas/temporal-phrase.ts';
import type { Calendar } from '../calendar.ts';
import { isoNamed } from './iso.ts';
import { eachOf, sizeOf, type Context, type Meaning, type Rule } from './meaning.ts';
import { decadeNamed, named, weekNamed, yearNamed } from './names.ts';
import { placed } from './ordinal.ts';
import { ownInterval } from './own.ts';
import { portionNamed } from './portion.ts';
import {
  aroundNamed,
  awayNamed,
  besideNamed,
  dayNamed,
  directedNamed,
  partly,
  rollingNamed,
  unitAlone,
} from './relative.ts';
import { isOneIn, memberIn } from './series.ts';

/** Words of one period at most; `two weeks before the last sunday of october last year` has ten, and work grows with their square. */
const MAX_PERIOD_WORDS = 16;

const FILLERS =
  /^(?:in|on|at|during|around|about|over|within|throughout|for|from|of|the|this|sometime|some time|roughly|circa|back|way back) (.+)$/;

/** The more particular comes first: what stands later would read a part of it in another sense. */
const RULES: readonly Rule[] = [
  isoNamed,
  dayNamed,
  placed,
  rollingNamed,
  awayNamed,
  partly,
  directedNamed,
  besideNamed,
  portionNamed,
  named,
  aroundNamed,
  yearNamed,
  decadeNamed,
  weekNamed,
  unitAlone,
];

const ownNamed: Rule = (text, { own, calendar, reference }) => {
  const phrase = own.get(text);
  return phrase === undefined ? null : ownInterval(phrase, calendar, reference);
};

const cycleOf = (meaning: Meaning): number => (meaning.kind === 'series' ? meaning.series.cycle : Infinity);

/** The finer of two meanings within the coarser one: the Monday of a week, the evening of a day, the May of a year. */
function combined(a: Meaning, b: Meaning): Meaning | null {
  const aInside = sizeOf(a) === sizeOf(b) ? cycleOf(a) <= cycleOf(b) : sizeOf(a) < sizeOf(b);
  const [inner, outer] = aInside ? [a, b] : [b, a];
  if (inner.kind !== 'series' || !isOneIn(inner.series, sizeOf(outer))) return null;
  const { series, point } = inner;
  const made = eachOf(outer, series.size, (stretch) => memberIn(series, stretch));
  return made.kind === 'refused' ? made : { ...made, point };
}

const LINK = /^(?:of|in|on|at|during|from) /;

/** Two parts side by side: `yesterday evening`, `the 5th of may 2024`, `friday of last week at 5pm`. */
function composed(text: string, { read }: Context): Meaning | null {
  let refusal: Meaning | null = null;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) {
    const right = read(text.slice(at + 1).replace(LINK, ''));
    const left = right === null ? null : read(text.slice(0, at));
    if (left === null || right === null) continue;
    if (left.kind === 'refused' || right.kind === 'refused') {
      refusal ??= left.kind === 'refused' ? left : right;
      continue;
    }
    const found = combined(left, right);
    if (found !== null && found.kind !== 'refused') return found;
    refusal ??= found;
  }
  return refusal;
}

function meaningOf(text: string, context: Context): Meaning | null {
  if (text === '' || text.split(' ').length > MAX_PERIOD_WORDS) return null;
  for (const rule of [ownNamed, ...RULES, composed]) {
    const meaning = rule(text, context);
    if (meaning !== null) return meaning;
  }
  const rest = FILLERS.exec(text)?.[1];
  return rest === undefined ? null : context.read(rest);
}

/** What the reading of a phrase goes by; each part of it is read once. */
export function contextOf(
  reference: number,
  calendar: Calendar,
  own: ReadonlyMap<string, TemporalPhrase>,
): Context {
  const known = new Map<string, Meaning | null>();
  const context: Context = {
    reference,
    calendar,
    own,
    read: (text) => {
      const before = known.get(text);
      if (before !== undefined) return before;
      const meaning = meaningOf(text, context);
      known.set(text, meaning);
      return meaning;
    },
  };
  return context;
}
