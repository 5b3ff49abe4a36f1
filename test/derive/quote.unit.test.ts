import { quoteOf } from '../../src/derive/quote.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

describe('a quote', () => {
  it('is the text where that is short enough, on one line', () => {
    expect(quoteOf('  Houston,\n we have\ta problem ', 40)).toBe('Houston, we have a problem');
    expect(quoteOf('', 40)).toBe('');
    expect(quoteOf(' \n ', 40)).toBe('');
  });

  it('ends behind a word and says that it was cut', () => {
    expect(quoteOf('Houston, we have a problem', 20)).toBe('Houston, we have a…');
    expect(quoteOf('Houston, we have a problem', 17)).toBe('Houston, we have…');
    expect(quoteOf('Donaudampfschifffahrt', 10)).toBe('Donaudamp…');
  });

  it('never cuts a character in two', () => {
    expect(quoteOf('👩‍🚀👩‍🚀👩‍🚀👩‍🚀', 3)).toBe('👩‍🚀👩‍🚀…');
    expect(quoteOf('é'.repeat(20), 5)).toBe('éééé…');
  });

  it('is no longer than asked for and begins as the text does', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (words, length) => {
        const quote = quoteOf(words, length);
        expect([...new Intl.Segmenter('und').segment(quote)].length).toBeLessThanOrEqual(length);
        const line = words.trim().replace(/\s+/gu, ' ');
        expect(line.startsWith(quote.endsWith('…') ? quote.slice(0, -1) : quote)).toBe(true);
        expect(quote.isWellFormed()).toBe(true);
      }),
      { numRuns: inDepth(400, 2000) },
    );
  });

  it('looks at no more of a long text than it needs', () => {
    expect(quoteOf('word '.repeat(200_000), 12)).toBe('word word…');
  });
});
