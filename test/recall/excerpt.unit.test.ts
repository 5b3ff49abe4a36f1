import { searchWords, wordPlaces } from '../../src/capture/search-words.ts';
import { excerptOf, type Excerpt } from '../../src/recall/excerpt.ts';
import type { Steps } from '../../src/recall/steps.ts';
import { countTokens } from '../../src/recall/token-count.ts';
import type { Sought } from '../../src/recall/word-match.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const sought = (query: string): Sought => ({
  words: new Set(searchWords(query)),
  wordsOf: searchWords,
  placesOf: wordPlaces,
});

/** Prose without any word that the tests look for. */
const filler = (sentences: number): string =>
  Array.from({ length: sentences }, (_, i) => `In chapter ${i} they walked along the river and talked.`).join(
    ' ',
  );

/** What the ranges of an excerpt hold. */
const inRanges = (text: string, { ranges }: Excerpt): string[] =>
  ranges.map(({ start, end }) => Buffer.from(text).subarray(start, end).toString());

const excerpt = (text: string, query: string, tokens: number): Excerpt => {
  const found = excerptOf(text, sought(query), tokens)!;
  expect(countTokens(found.text)).toBeLessThanOrEqual(tokens);
  expect(found.text).toBe(inRanges(text, found).join(' … '));
  expect(found.original_bytes).toBe(Buffer.byteLength(text));
  return found;
};

describe('an excerpt', () => {
  it('is the whole of a text that fits', () => {
    const text = ' A short text,\n as it is. ';
    expect(excerpt(text, 'short', 50)).toEqual({
      text,
      ranges: [{ start: 0, end: Buffer.byteLength(text) }],
      original_bytes: Buffer.byteLength(text),
    });
  });

  it('is taken around what is sought, and fills its tokens', () => {
    const text = `${filler(60)} Priya keeps the spare key under the blue pot. ${filler(60)}`;
    const { text: cut, ranges } = excerpt(text, 'Where is the SPARE key?', 60);
    expect(cut).toContain('Priya keeps the spare key under the blue pot.');
    expect(ranges).toHaveLength(1);
    expect(countTokens(cut)).toBeGreaterThanOrEqual(50);
  });

  it('begins with the text where nothing is sought or found', () => {
    const text = filler(100);
    expect(excerpt(text, '', 40).ranges[0]?.start).toBe(0);
    expect(excerpt(text, 'zebra', 40)).toEqual(excerpt(text, '', 40));
  });

  it('has a range for each place that has something else of what is sought', () => {
    const text = `${filler(40)} Priya owns billing. ${filler(40)} Marcus sold the sailboat. ${filler(40)}`;
    const { text: cut, ranges } = excerpt(text, 'billing sailboat', 120);
    expect(ranges).toHaveLength(2);
    expect(cut).toMatch(/Priya owns billing\..* … .*Marcus sold the sailboat\./);
    expect(excerpt(text, 'billing sailboat', 20).ranges).toHaveLength(1);
  });

  it('makes one range of places that lie beside one another', () => {
    const text = `${filler(40)} Priya owns billing. Marcus sold the sailboat. ${filler(40)}`;
    expect(excerpt(text, 'billing sailboat', 200).ranges).toHaveLength(1);
  });

  it('goes by the rarer word, also where others are together', () => {
    const rain = 'Rain fell on the old roof all night. '.repeat(10);
    const text = `${filler(50)} ${rain} The password is swordfish. ${rain} ${filler(50)}`;
    expect(excerpt(text, 'they walked talked password', 30).text).toContain('password');
  });

  it('ends at the edge of a word where there are no blanks', () => {
    const text = 'abcdefghij-'.repeat(500);
    for (let tokens = 20; tokens < 40; tokens += 1) {
      expect(excerpt(text, '', tokens).text).toMatch(/^abcdefghij-.*(abcdefghij|-)$/);
      const middle = excerpt(`${text}swordfish-${text}`, 'swordfish', tokens).text;
      expect(middle).toMatch(/^(-|abcdefghij).*swordfish.*(abcdefghij|-)$/);
    }
  });

  it('uses the room that a place at the end of the text leaves', () => {
    const text = `${filler(60)} The end: swordfish`;
    const { text: cut, ranges } = excerpt(text, 'swordfish', 60);
    expect(ranges[0]?.end).toBe(Buffer.byteLength(text));
    expect(countTokens(cut)).toBeGreaterThanOrEqual(50);
  });

  it.each([
    ['Ｐａｓｓｗｏｒｔ', 'passwort'],
    ['ﬁnal', 'FINAL'],
    ['cafe\u0301', 'café'],
    ['5㎏', '5kg'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['«Don’t»', 'don'],
  ])('finds %j as the index does, by %j', (word, query) => {
    expect(excerpt(`${filler(50)} ${word} ${filler(50)}`, query, 30).text).toContain(word);
  });

  it('finds a word in a script without spaces', () => {
    const text = `${'今日は天気がいい。'.repeat(200)}東京タワーへ行く${'今日は天気がいい。'.repeat(200)}`;
    const found = excerpt(text, 'タワー', 60);
    expect(found.text).toContain('東京タワーへ行く');
    expect(found.ranges).toHaveLength(1);
  });

  it('is null where not even a few words fit', () => {
    expect(excerptOf(filler(3), sought('river'), 0)).toBeNull();
    expect(excerptOf(' '.repeat(5000), sought(''), 10)).toBeNull();
  });

  it('goes by what a text costs where it is shown', () => {
    const text = filler(20);
    // oxlint-disable-next-line require-yield
    function* dear(shown: string): Steps<number> {
      return 2 * countTokens(shown);
    }
    expect(countTokens(excerptOf(text, sought(''), 60, dear)!.text)).toBeLessThanOrEqual(30);
  });

  it('is found in a MiB of text, with or without blanks', () => {
    const long = filler(10_000);
    const text = `${long} swordfish ${long}`;
    expect(excerpt(text, 'the swordfish', 100).text).toContain('swordfish');
    const solid = `${'ab1-'.repeat(130_000)}swordfish${'-2cd'.repeat(130_000)}`;
    expect(excerpt(solid, 'swordfish', 100).text).toContain('swordfish');
    expect(excerpt('x'.repeat(2 ** 20), 'y', 100).text).toMatch(/^x+$/);
  });
});

describe('any excerpt', () => {
  const words = fc.array(
    fc.constantFrom('river', 'a', 'München', '(see', 'don’t,', '東京', '👩‍🚀', '—', 'x-y.'),
    {
      minLength: 30,
      maxLength: 400,
    },
  );
  const blanks = fc.constantFrom(' ', '\n', '\r\n', '  ', '\u00A0', '\u2003');

  it('of words between blanks has whole ones', () => {
    fc.assert(
      fc.property(words, blanks, fc.integer({ min: 4, max: 60 }), (all, blank, tokens) => {
        const text = all.join(blank);
        const found = excerptOf(text, sought('river see 京'), tokens);
        const parts = found === null ? [] : inRanges(text, found);
        for (const part of parts) {
          expect(part.trim()).toBe(part);
          expect(`${blank}${text}${blank}`).toContain(`${blank}${part}${blank}`);
        }
      }),
      { numRuns: inDepth(150, 500) },
    );
  });

  it('is what its ranges hold, in whole characters, within its tokens', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        'river ',
        '🇩🇪🇫🇷'.repeat(20),
        'e\u0301'.repeat(50),
        ' \u0301',
        '\r\n',
        '한국어',
        'x'.repeat(70),
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(80), (parts, tokens) => {
        const text = parts.join('');
        const found = excerptOf(text, sought('river 한국어 e'), tokens);
        expect(excerptOf(text, sought('river 한국어 e'), tokens)).toEqual(found);
        if (found === null) return;
        expect(countTokens(found.text)).toBeLessThanOrEqual(tokens);
        expect(found.text).toBe(inRanges(text, found).join(' … '));
        const edges = new Set([Buffer.byteLength(text)]);
        for (const { index } of new Intl.Segmenter('und').segment(text))
          edges.add(Buffer.byteLength(text.slice(0, index)));
        for (const [i, { start, end }] of found.ranges.entries()) {
          expect([edges.has(start), edges.has(end)]).toEqual([true, true]);
          expect(start).toBeGreaterThanOrEqual(found.ranges[i - 1]?.end ?? 0);
        }
      }),
      { numRuns: inDepth(200, 1000) },
    );
  });
});
