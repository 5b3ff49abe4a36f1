import { stretchesOf } from '../../src/recall/cut-place.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const parts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    'river ',
    '👩‍🚀',
    '🇩🇪🇫🇷',
    'e\u0301\u0323',
    '\r\n',
    '한국어',
    'क्षि',
    '\u0600\u0661',
    '   ',
    'ก\u0e33',
  ),
);

describe('a text in stretches', () => {
  it('has no gaps, and is cut between characters as a reader counts them', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), fc.integer({ min: 90, max: 200 }), (some, units) => {
        const text = some.join('');
        const edges = new Set([text.length]);
        for (const { index } of new Intl.Segmenter('und').segment(text)) edges.add(index);
        const stretches = [...stretchesOf(text, units)];
        expect(stretches.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text);
        for (const { from, to } of stretches) expect([edges.has(to), to > from]).toEqual([true, true]);
      }),
      { numRuns: inDepth(200, 1000) },
    );
  });

  it('is cut at blanks where there are some', () => {
    for (const { to } of [...stretchesOf('some words of prose '.repeat(1000), 500)].slice(0, -1))
      expect(to % 20 === 4 || to % 20 === 10 || to % 20 === 13 || to % 20 === 19).toBe(true);
  });

  it.each([
    ['blanks', ' '],
    ['a word', 'x'],
    ['flags', '🇩🇪'],
    ['marks', '\u0301'],
    ['characters of several parts', '👩‍🚀'],
    ['Han', '今'],
  ])('has few of them where it is all %s', (_, unit) => {
    const text = unit.repeat(Math.ceil(2 ** 20 / unit.length));
    const stretches = [...stretchesOf(text, 1600)];
    expect(stretches.length).toBeLessThan(text.length / 700);
    expect(Math.max(...stretches.map(({ from, to }) => to - from))).toBeLessThan(2 * 1600);
  });
});
