import { MAX_PHRASE_LENGTH } from '../../schemas/temporal-phrase.ts';
import { FIRST_INSTANT, OPEN_END } from '../../schemas/time.ts';
import { readPhrase } from '../../src/time/phrase.ts';
import {
  ASKED_IN_NEW_YORK,
  ASKED_ON_WEDNESDAY,
  NEW_YORK_REFERENCE,
  REFERENCE,
  type Row,
} from './phrase-table.ts';

/** What is read, as the tables write it. */
function read(phrase: string, reference: string, timezone?: string): { from: number; to: number } | string {
  const found = readPhrase(phrase, {
    reference: Date.parse(reference),
    ...(timezone === undefined ? {} : { timezone }),
  });
  return found.ok ? found.interval : `refused: ${found.failure.fault}`;
}

function expected({ from, to }: Row, reference: string): { from: number; to: number } | string {
  const known: Record<string, number> = { '-': FIRST_INSTANT, '+': OPEN_END, now: Date.parse(reference) };
  const at = (text: string): number => known[text] ?? Date.parse(text);
  return from.startsWith('refused') ? from : { from: at(from), to: at(to) };
}

describe('a time phrase', () => {
  it.each(ASKED_ON_WEDNESDAY.map((row) => [row.phrase, row] as const))('%s', (phrase, row) => {
    expect(read(phrase, REFERENCE)).toEqual(expected(row, REFERENCE));
  });

  it.each(ASKED_IN_NEW_YORK.map((row) => [row.phrase, row] as const))('in New York: %s', (phrase, row) => {
    expect(read(phrase, NEW_YORK_REFERENCE, 'America/New_York')).toEqual(expected(row, NEW_YORK_REFERENCE));
  });

  it('that is longer than the bound is refused, one as long is read', () => {
    const padded = 'yesterday'.padEnd(MAX_PHRASE_LENGTH, ' ');
    expect(read(padded, REFERENCE)).toEqual(read('yesterday', REFERENCE));
    expect(read(`${padded} `, REFERENCE)).toBe('refused: too_long');
  });

  it.each([' ', '     ', '\n\t \u00a0 '])(
    'that goes on and on, with %j between its parts, is refused in a moment',
    (blanks) => {
      const parts = Array.from({ length: MAX_PHRASE_LENGTH }, () => '1d').join(blanks);
      expect(read(`${parts.slice(0, MAX_PHRASE_LENGTH - 2)} x`, REFERENCE)).toBe('refused: not_understood');
    },
  );

  it('that fails says why in words', () => {
    expect(readPhrase('every Monday', { reference: 0 })).toEqual({
      ok: false,
      failure: { fault: 'recurrence', reason: expect.stringMatching(/^names something that comes again/) },
    });
  });

  it.each(['__proto__', 'constructor', 'last constructor', 'the day before __proto__', 'constructor night'])(
    'is not found in what every object has: %s',
    (phrase) => {
      expect(read(phrase, REFERENCE)).toBe('refused: not_understood');
    },
  );

  it('on the day that Samoa left out is refused, and the days beside it meet', () => {
    const at = (phrase: string) => read(phrase, '2012-01-15T00:00:00.000Z', 'Pacific/Apia');
    const leap = Date.parse('2011-12-30T10:00:00Z');
    expect(at('2011-12-30')).toBe('refused: no_such_date');
    expect(at('2011-12-29')).toEqual({ from: leap - 86_400_000, to: leap });
    expect(at('2011-12-31')).toEqual({ from: leap, to: leap + 86_400_000 });
  });

  it('begins with the first instant of a day whose midnight is left out', () => {
    // Clocks in Toronto went from 23:30 on 30 March 1919 to 00:30.
    expect(read('1919-03-31', REFERENCE, 'America/Toronto')).toEqual({
      from: Date.parse('1919-03-31T04:30:00Z'),
      to: Date.parse('1919-04-01T04:00:00Z'),
    });
  });

  it('is read in a zone that does not exist by nobody', () => {
    expect(() => readPhrase('today', { reference: 0, timezone: 'Mars/Olympus' })).toThrow(RangeError);
  });

  it.each([
    ['on Monday', '2024-05-13T09:00:00.000Z', '2024-05-06'],
    ['May 15', '2024-05-15T00:00:00.000Z', '2024-05-15'],
    ['last March', '2024-03-20T00:00:00.000Z', '2023-03-01'],
    ['March', '2024-03-20T00:00:00.000Z', '2024-03-01'],
    ['this winter', '2024-01-20T00:00:00.000Z', '2023-12-01'],
    ['last weekend', '2024-05-19T12:00:00.000Z', '2024-05-11'],
    ['the weekend', '2024-05-19T12:00:00.000Z', '2024-05-18'],
    ['a month ago', '2024-03-31T12:00:00.000Z', '2024-02-01'],
    ['Friday May 5', '2024-05-15T12:00:00.000Z', '2023-05-05'],
    ['from November to February', '2024-01-20T00:00:00.000Z', '2022-11-01'],
  ])('%s, asked at %s, begins on %s', (phrase, reference, from) => {
    expect(read(phrase, reference)).toEqual(expect.objectContaining({ from: Date.parse(from) }));
  });
});
