import { z } from 'zod';

import { pageCursor, pageLimit } from './listing.ts';
import { nameText } from './text.ts';
import { answeredInstant, calendarDate } from './time.ts';

/** Characters of a time phrase at most: the longest sensible one has about eighty; more only costs time to read. */
export const MAX_PHRASE_LENGTH = 200;
/** Characters of the name of an own phrase at most: it is typed as part of a question. */
export const MAX_PHRASE_NAME_LENGTH = 64;
/** Characters of the expression of an own phrase at most: two durations with every part of five digits fit. */
export const MAX_PHRASE_EXPRESSION_LENGTH = 128;

/** What the named anchors of an own phrase stand for is the first instant of the day, week (from Monday), month, quarter or year; `now` is the reference itself. */
export const PHRASE_ANCHORS = [
  'now',
  'today',
  'this_week',
  'this_month',
  'this_quarter',
  'this_year',
] as const;

/** A named anchor of an own phrase. */
export type PhraseAnchor = (typeof PHRASE_ANCHORS)[number];

/** A step in calendar time: months first, then days, then elapsed time. Each part may be negative. */
export interface CalendarStep {
  readonly months: number;
  readonly days: number;
  readonly milliseconds: number;
}

const DURATION =
  /^([+-]?)P(?=.)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/i;
/** What every expression looks like; not all that does is one. */
const EXPRESSION = '^[+-]?[Pp][0-9A-Za-z]+\\.\\.[+-]?[Pp][0-9A-Za-z]+$';
const SECOND_MS = 1000;
const DAY_MS = 86_400 * SECOND_MS;

/** The step of an ISO-8601 duration with an optional sign before the P; null for a text that is none. Whole numbers of up to five digits. */
export function signedDuration(text: string): CalendarStep | null {
  const parts = DURATION.exec(text);
  if (parts === null) return null;
  const sign = parts[1] === '-' ? -1 : 1;
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(2)
    .map((digits) => sign * Number((digits as string | undefined) ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Adding zero turns -0 into 0.
  return {
    months: 12 * years + months + 0,
    days: 7 * weeks + days + 0,
    milliseconds: SECOND_MS * (3600 * hours + 60 * minutes + seconds) + 0,
  };
}

/** The two steps of an expression `<ISO duration>..<ISO duration>`; null for a text that is none. */
export function phraseSteps(
  expression: string,
): { readonly from: CalendarStep; readonly to: CalendarStep } | null {
  const [first, second, ...more] = expression.split('..');
  if (first === undefined || second === undefined || more.length > 0) return null;
  const [from, to] = [signedDuration(first), signedDuration(second)];
  return from === null || to === null ? null : { from, to };
}

/** Whether the second step can lie after the first one from any anchor at all, with months as long as they get. */
function canHaveLength(expression: string): boolean {
  const steps = phraseSteps(expression);
  if (steps === null) return true;
  const months = steps.to.months - steps.from.months;
  const days = steps.to.days - steps.from.days + months * (months > 0 ? 31 : 28);
  return days * DAY_MS + steps.to.milliseconds - steps.from.milliseconds > 0;
}

/** A character that is neither blank nor among the punctuation that a question is read without. */
const SAYS_SOMETHING = /[^\s"'“”‘’«»()[\]{}.,;:!?-]/;

/** The name of an own phrase; two names that differ only in case or in blanks are one. */
export const phraseName = nameText(MAX_PHRASE_NAME_LENGTH)
  .refine((text) => SAYS_SOMETHING.test(text), 'holds nothing but blanks and punctuation')
  .meta({ allOf: [{ pattern: SAYS_SOMETHING.source }] })
  .describe(
    'What the phrase is called in a question: 1 to 64 characters, not punctuation alone; case and width of blanks do not count.',
  );

/** A time phrase that somebody has given a meaning of his own. */
export const temporalPhrase = z.strictObject({
  name: phraseName,
  anchor: z
    .string()
    .refine(
      (text) => PHRASE_ANCHORS.some((name) => name === text) || calendarDate.safeParse(text).success,
      `is neither one of ${PHRASE_ANCHORS.join(', ')} nor a date YYYY-MM-DD`,
    )
    .meta({ anyOf: [{ enum: [...PHRASE_ANCHORS] }, { format: 'date' }] })
    .describe(
      'What the durations are added to: now, or the first instant of today, this_week (from Monday), this_month, this_quarter, this_year, or of a date YYYY-MM-DD, in the time zone of the question.',
    ),
  expression: z
    .string()
    .max(MAX_PHRASE_EXPRESSION_LENGTH)
    .refine(
      (text) => phraseSteps(text) !== null,
      'is not two ISO-8601 durations with two dots between them, such as -P14D..P0D',
    )
    .refine(canHaveLength, 'ends where it begins or before')
    .meta({ pattern: EXPRESSION })
    .describe(
      'Begin and end (exclusive) as two ISO-8601 durations with an optional sign, added to the anchor in calendar time: -P14D..P0D. Years and months, cut to the end of a month, then weeks and days, then hours, minutes and seconds as elapsed time; whole numbers of up to five digits.',
    ),
});

/** A time phrase that somebody has given a meaning of his own. */
export type TemporalPhrase = z.infer<typeof temporalPhrase>;

/** Query of the list of own phrases. */
export const temporalPhraseListQuery = z.strictObject({ limit: pageLimit, cursor: pageCursor });

/** A stretch of time, half open. */
const phraseStretch = z.strictObject({
  from: answeredInstant.describe('First instant, RFC 3339 UTC.'),
  to: answeredInstant.describe('End, which does not belong to it; RFC 3339 UTC.'),
});

/** An own phrase as it is kept. */
export const temporalPhraseItem = z.strictObject({
  name: z.string().describe('What the phrase is called, as it was written last.'),
  anchor: z.string().describe('What the durations are added to: now, today, this_week, … or a date.'),
  expression: z.string().describe('Begin and end as durations from the anchor: -P14D..P0D.'),
  created_at: answeredInstant.describe('When a phrase of this name was defined first, RFC 3339 UTC.'),
  created_by: z.string().describe('Actor who did so.'),
  updated_at: answeredInstant.describe(
    'When it got the meaning that it has, RFC 3339 UTC; created_at unless it was replaced.',
  ),
  updated_by: z.string().describe('Actor who gave it that meaning.'),
  current: phraseStretch
    .nullable()
    .describe(
      'What it stands for at the instant of the answer, with days in UTC; null where that is nothing: it lies outside the years 1 to 9999, or has no length from this anchor.',
    ),
});
export type TemporalPhraseItem = z.output<typeof temporalPhraseItem>;

/** A page of own phrases. */
export const temporalPhrasePage = z.strictObject({
  items: z.array(temporalPhraseItem).describe('Phrases of the tenant, those first that were created last.'),
  has_more: z.boolean().describe('Whether there are more.'),
  next_cursor: z.string().optional().describe('Cursor of the next page; absent at the end.'),
});
export type TemporalPhrasePage = z.output<typeof temporalPhrasePage>;
