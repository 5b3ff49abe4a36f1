import { indexTerms, queryWords, soughtTerms } from '../../src/capture/search-words.ts';
import { isWeak } from '../../src/recall/weak.ts';

describe('a pack', () => {
  it.each<[string, string[], boolean]>([
    ['nothing', [], true],
    ['half of the words', ['peanuts are sold here'], true],
    ['each word in another record', ['peanuts are sold here', 'an allergy of his'], true],
    ['most of the words', ['his allergies: peanuts'], false],
  ])('with %s is weak: %#', (_what, texts, weak) => {
    expect(isWeak(queryWords('peanut allergy').map(soughtTerms), texts.map(indexTerms))).toBe(weak);
  });
});
