import { countTokens as ofLibrary } from 'gpt-tokenizer/encoding/o200k_base';

import { finished } from '../../src/recall/steps.ts';
import { countingAgain, countTokens, LONGEST_TOKEN, tokensWithin } from '../../src/recall/token-count.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const exact = (text: string): number => ofLibrary(text, { disallowedSpecial: new Set() });
const MIB = 2 ** 20;

describe('a count of tokens', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    [
      'Don’t panic!\n---\n[2026-01-31 12:00 UTC] [1] ok',
      exact('Don’t panic!\n---\n[2026-01-31 12:00 UTC] [1] ok'),
    ],
    ['東京タワーへ行く', exact('東京タワーへ行く')],
    ['👩‍🚀 \t\t5', exact('👩‍🚀 \t\t5')],
    [' '.repeat(200), exact(' '.repeat(200))],
  ])('of %j is exact', (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  it('takes the names of tokens of control for text', () => {
    expect(countTokens('<|endoftext|>')).toBe(exact('<|endoftext|>'));
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('is the same when it is remembered, whatever the limit was before', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    const limits = fc.array(fc.nat(40), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, limits, (some, asked) => {
        for (const limit of asked)
          expect(finished(countingAgain(some, limit))).toBe(tokensWithin(some, limit));
      }),
      { numRuns: inDepth(200, 500) },
    );
  });

  it('has a token for each number of up to three digits, so that heads of lines of one shape have as many', () => {
    const numbers = Array.from({ length: 1000 }, (_, i) => [
      i,
      String(i).padStart(2, '0'),
      String(i).padStart(3, '0'),
    ]);
    for (const number of numbers.flat()) expect(exact(String(number))).toBe(1);
  });

  it('is exact for any text of ordinary words', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom(' ', '\n', '\t\t', '  \r\n/', "they'll", 'USA', '12345', '…', '---'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(countTokens(text)).toBe(exact(text));
      }),
      { numRuns: inDepth(400, 2000) },
    );
  });

  it.each([
    ['words', ['tea', ' is\n', '\t\t5', ' (ready)', '!\n/', '  \r\n', ' USA', '  ']],
    ['a script without blanks', ['今日は', '天気がいい。', '東京', 'タワー', '3.14', '、']],
    ['signs', ['-+=', '!\n', '/\n/', '{', 'x', '0', ' ']],
  ])('is exact for long texts of %s, wherever they are cut to be counted', (_name, parts) => {
    const text = fc
      .array(fc.constantFrom(...parts), { minLength: 8000, maxLength: 9000, size: 'max' })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (long) => {
        const tokens = exact(long);
        expect(long.length).toBeGreaterThan(8192);
        expect(countTokens(long)).toBe(tokens);
        expect(tokensWithin(long, tokens)).toBe(tokens);
        expect(tokensWithin(long, tokens - 1)).toBeNull();
      }),
      // A shorter text would not be cut, so there is nothing to shrink.
      { numRuns: inDepth(5, 20), endOnFailure: true },
    );
  });

  it('is never below what there is, whatever runs a text has', () => {
    const run = fc
      .tuple(fc.constantFrom('a', 'Z', 'é', 'ก', '-', ' ', '\t', '\n', '/', '👍', 'ab', ' x'), fc.nat(400))
      .map(([unit, times]) => unit.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
        const text = runs.join('');
        expect(countTokens(text)).toBeGreaterThanOrEqual(exact(text));
        expect(countTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
      { numRuns: inDepth(100, 300) },
    );
  });

  it.each(['a', 'A', '-', ' ', '\n', 'ก', 'ab-', 'x\u0301'])('of a MiB of %j is done in no time', (unit) => {
    const text = unit.repeat(MIB / Buffer.byteLength(unit));
    const tokens = countTokens(text);
    expect(tokens).toBeGreaterThanOrEqual(text.length / LONGEST_TOKEN);
    expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
  });
});

describe('a count up to a limit', () => {
  it('is the count, or null above the limit', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 30 }), fc.nat(60), (text, limit) => {
        const tokens = countTokens(text);
        expect(tokensWithin(text, limit)).toBe(tokens <= limit ? tokens : null);
      }),
    );
  });

  it('has no token that is longer than it says', () => {
    expect(exact(' '.repeat(LONGEST_TOKEN))).toBe(1);
  });
});
