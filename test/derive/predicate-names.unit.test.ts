import { PredicateNames } from '../../src/derive/predicate-names.ts';
import { Vocabulary } from '../../src/derive/vocabulary.ts';

describe('the spellings of a predicate', () => {
  it('are one where all vocabularies agree', () => {
    const names = new PredicateNames(new Vocabulary({}));
    expect(names.spellings('Lives-In')).toEqual(['lives_in']);
    expect(names.spellings('orbits')).toEqual(['orbits']);
  });

  it('are those that were in force before, too', () => {
    const renamed = { home: { cardinality: 'one' as const, synonyms: ['lives_in'] } };
    const names = new PredicateNames(new Vocabulary(renamed));
    expect(names.spellings('resides in')).toEqual(['home', 'lives_in', 'resides_in']);
    expect(names.spellings('home')).toEqual(['home']);
  });
});
