import { objectsIn } from '../../src/models/json-object.ts';
import { reasonedIn, ReasoningFilter } from '../../src/models/reasoning.ts';
import fc from '../support/property.ts';

/** What is handed on of a text that comes in these pieces; null where it was handed on too early. */
function streamed(pieces: readonly string[], mayOmitBeginning = true): string | null {
  const filter = new ReasoningFilter({ mayOmitBeginning });
  const text = pieces.map((piece) => filter.push(piece)).join('') + filter.end();
  return filter.isTooLate ? null : text;
}

/** A text cut at places. */
function cutAt(whole: string, places: readonly number[]): string[] {
  const borders = [0, ...places.map((place) => Math.min(place, whole.length)), whole.length];
  borders.sort((a, b) => a - b);
  return borders.slice(1).map((end, i) => whole.slice(borders[i], end));
}

const PARTS = [
  '<think>',
  '</think>',
  '[THINK]',
  '[/THINK]',
  '<',
  '[',
  'think',
  '>',
  '/',
  '`',
  ' ',
  'It is.\n',
];
const anyText = fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join(''));

describe('what a model reasons', () => {
  it.each<[string, string, string]>([
    ['is closed', '<think>Maybe [1]?</think>\n\nIt is so [2].', 'It is so [2].'],
    ['has no beginning', 'Maybe [1]?\n</think>\n\nIt is so [2].', 'It is so [2].'],
    ['has no end', '<think>Maybe [1]? Or', ''],
    ['is called otherwise', '<thinking>Maybe</thinking>It is so.', 'It is so.'],
    ['is a thought', '<thought>Maybe</thought>It is so.', 'It is so.'],
    ['stands in brackets', '[THINK]Maybe [1]?[/THINK]It is so [2].', 'It is so [2].'],
    ['speaks of tags', '<think>No <think></think>, no</think>It is so.', 'It is so.'],
    ['speaks of a beginning', '<think>No <think>, no</think>It is so.', 'It is so.'],
    ['has no end the second time', '<think>No <think>, no</think>It is so. <think>Or', ''],
    ['ends twice', '<think>Maybe</think>It is</think> so.', 'It is so.'],
    ['comes twice', '<think>a</think>It <think>b</think>is.', 'It is.'],
    ['is empty', '<think>\n\n</think>\n\nIt is.', 'It is.'],
    [
      'is only spoken of',
      'Models write `<think>` before they answer.',
      'Models write `<think>` before they answer.',
    ],
    ['is not there', 'a < b, and <thin> air', 'a < b, and <thin> air'],
  ])('is taken out where it %s', (_what, whole, text) => {
    expect(reasonedIn(whole).text).toBe(text);
  });

  it.each<[string]>([
    ['<think>Maybe [1]?</think>\n\nIt is so [2].'],
    ['Maybe [1]?\n</think>\n\nIt is so [2].'],
    ['[THINK]No `<think>`[/THINK] It [is] < so.'],
    ['<think>No <think></think>, no</think>It is </think>so <think>b</think>now.'],
    ['It is so.'],
  ])('is taken out in the same way wherever %j is cut', (whole) => {
    const { text } = reasonedIn(whole);
    for (let first = 0; first <= whole.length; first += 1)
      for (let second = first; second <= whole.length; second += 1) {
        const pieces = cutAt(whole, [first, second]);
        expect(streamed(pieces)).toBe(text);
        expect([text, null]).toContain(streamed(pieces, false));
      }
    expect(streamed(Array.from(whole))).toBe(text);
  });

  it('is taken out in the same way however any text is cut', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(80), { maxLength: 8 }), (whole, places) => {
        const { text } = reasonedIn(whole);
        expect(streamed(cutAt(whole, places))).toBe(text);
        expect([text, null]).toContain(streamed(cutAt(whole, places), false));
      }),
    );
  });

  it('lets a text pass at once that is known to begin its reasoning', () => {
    const filter = new ReasoningFilter({ mayOmitBeginning: false });
    expect(['It is', ' so', ' <thi', 'nk>no</th', 'ink> now'].map((piece) => filter.push(piece))).toEqual([
      'It is',
      ' so',
      ' ',
      '',
      ' now',
    ]);
    expect(filter.isTooLate).toBe(false);
  });

  it('says where it is found too late', () => {
    const filter = new ReasoningFilter({ mayOmitBeginning: false });
    filter.push('Maybe.</think>It is.');
    expect(filter.isTooLate).toBe(false);
    const late = new ReasoningFilter({ mayOmitBeginning: false });
    for (const piece of ['Maybe.', '</think>', 'It is.']) late.push(piece);
    expect(late.isTooLate).toBe(true);
  });
});

describe('objects in a text', () => {
  it.each<[string, string, unknown[]]>([
    ['a fence', '```json\n{"a": 1}\n```', [{ a: 1 }]],
    ['prose with braces', 'Use {curly} ones, as in {"a": "}"} here: {', [{ a: '}' }]],
    ['two of them', '{"a": 1}\n{"a": 1}', [{ a: 1 }, { a: 1 }]],
    ['one within another', '{"a": {"b": 1}}', [{ a: { b: 1 } }]],
    ['none', 'nothing at all', []],
  ])('are found in %s', (_what, text, found) => {
    expect(objectsIn(text)).toEqual(found);
  });

  it('are looked for within bounds', () => {
    expect(objectsIn(`${'{'.repeat(200_000)}{"a": 1}`)).toEqual([]);
  });
});
