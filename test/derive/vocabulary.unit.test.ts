import { SHIPPED, spelt, Vocabulary } from '../../src/derive/vocabulary.ts';

const FILE = new Vocabulary({
  home: { cardinality: 'many', synonyms: ['lives_in', 'dwelling'] },
  resides_in: { cardinality: 'exclusive' },
  works_at: { cardinality: 'many', synonyms: ['serves'] },
});

describe('a vocabulary', () => {
  it('spells a predicate in one way', () => {
    expect(['Lives-In', ' lives  in ', 'LIVES_IN', 'ｌｉｖｅｓ＿ｉｎ'].map(spelt)).toEqual(
      Array.from({ length: 4 }, () => 'lives_in'),
    );
  });

  it('knows a predicate by all of its names, and others by themselves', () => {
    expect(['Dwelling', 'lives in', 'home', 'Orbits'].map((name) => FILE.canonical(name))).toEqual([
      'home',
      'home',
      'home',
      'orbits',
    ]);
    expect(['home', 'orbits', 'constructor'].map((name) => FILE.cardinality(name))).toEqual([
      'many',
      'one',
      'one',
    ]);
  });

  it('is the same text however it was written', () => {
    const again = new Vocabulary({
      works_at: { synonyms: ['serves'], cardinality: 'many' },
      resides_in: { cardinality: 'exclusive', synonyms: [] },
      home: { cardinality: 'many', synonyms: ['dwelling', 'lives_in'] },
    });
    expect(JSON.stringify(again.predicates)).toBe(JSON.stringify(FILE.predicates));
  });
});

describe('the vocabulary of a deployment', () => {
  const both = SHIPPED.overruledBy(FILE);

  it.each([
    ['a name of the file', 'dwelling', 'home', 'many'],
    ['a shipped name that the file has as a synonym', 'lives_in', 'home', 'many'],
    ['a synonym of such a name', 'living in', 'home', 'many'],
    ['a shipped synonym that the file has as a name', 'resides_in', 'resides_in', 'exclusive'],
    ['a shipped synonym of a name that the file has too', 'employed_by', 'works_at', 'many'],
    ['a new synonym of it', 'serves', 'works_at', 'many'],
    ['what the file does not know', 'enjoys', 'likes', 'many'],
    ['what neither knows', 'orbits', 'orbits', 'one'],
  ])('goes before what the service knows: %s', (_what, name, canonical, cardinality) => {
    expect([both.canonical(name), both.cardinality(canonical)]).toEqual([canonical, cardinality]);
  });

  it('knows every name once', () => {
    const names = Object.entries(both.predicates).flatMap(([name, { synonyms = [] }]) => [name, ...synonyms]);
    expect(new Set(names).size).toBe(names.length);
    expect(both.overruledBy(FILE).predicates).toEqual(both.predicates);
    expect(SHIPPED.overruledBy(new Vocabulary({})).predicates).toEqual(SHIPPED.predicates);
  });
});
