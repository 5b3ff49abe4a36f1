import { indexTerms, queryWords, soughtTerms } from '../../src/capture/search-words.ts';
import { STEP_UNITS, finished } from '../../src/recall/steps.ts';
import { findingWeak } from '../../src/recall/weak.ts';

const wish = { words: queryWords('peanut allergy').map(soughtTerms), termsOf: indexTerms };

describe('a pack', () => {
  it.each<[string, string[], boolean]>([
    ['nothing', [], true],
    ['half of the words', ['peanuts are sold here'], true],
    ['each word in another record', ['peanuts are sold here', 'an allergy of his'], true],
    ['most of the words', ['his allergies: peanuts'], false],
    ['most of the words far apart', [`peanuts ${'and more '.repeat(STEP_UNITS)} allergies`], false],
  ])('with %s is weak: %#', (_what, texts, weak) => {
    expect(finished(findingWeak(texts, wish))).toBe(weak);
  });

  it('is looked at in short steps, and no further than it has to be', () => {
    const long = 'nothing of that kind '.repeat(STEP_UNITS);
    const texts = function* (): Generator<string> {
      yield long;
      yield 'his allergies: peanuts';
      throw new Error('nobody has to look at this');
    };
    const steps = findingWeak(texts(), wish);
    const units: number[] = [];
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) units.push(step.value);
    expect(step.value).toBe(false);
    expect(units.length).toBeGreaterThan(long.length / STEP_UNITS);
    expect(Math.max(...units)).toBeLessThanOrEqual(STEP_UNITS * 1.25);
  });
});
