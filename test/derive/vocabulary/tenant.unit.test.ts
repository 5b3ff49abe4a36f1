import { SHIPPED, type Vocabulary } from '../../../src/derive/vocabulary.ts';
import type { Definition } from '../../../src/derive/vocabulary/definition.ts';
import { TenantVocabulary, type VocabularyLayer } from '../../../src/derive/vocabulary/tenant.ts';
import { termNames } from '../../../src/derive/vocabulary/terms.ts';

const layer = (
  name: string,
  levels: readonly string[] | null,
  ...definitions: (Partial<Definition> & { name: string })[]
): VocabularyLayer => ({
  name,
  levels,
  definitions: definitions.map((each) => ({ id: each.name, synonyms: [], ...each })),
});

const A = ['a'];
const AB = ['a', 'ab'];

describe('the vocabularies of a tenant', () => {
  const tenant = new TenantVocabulary([
    layer('words', null, { name: 'employer', synonyms: ['works_at', 'boss'], cardinality: 'many' }),
    layer('alpha', A, { name: 'boss', cardinality: 'exclusive' }, { name: 'ranks', synonyms: ['level'] }),
    layer('beta', A, { name: 'ranks', cardinality: 'many', synonyms: ['grade'] }),
    layer('deep', AB, { name: 'firm', synonyms: ['employer'] }),
  ]);
  const at = (levels: readonly string[]): Vocabulary => tenant.at(levels, 0)!.over(SHIPPED);

  it.each([
    [
      'a name of the whole tenant, with a shipped one and its synonyms',
      ['z'],
      'employed_by',
      'employer',
      'many',
    ],
    ['what a scope says before that', A, 'boss', 'boss', 'exclusive'],
    ['what is said for the whole tenant, in a scope', A, 'works_at', 'employer', 'many'],
    ['the nearest scope, for all that went by a name', AB, 'works_at', 'firm', 'many'],
    ['of one scope the first by name', A, 'grade', 'ranks', 'many'],
    ['what nobody says here', A, 'enjoys', 'likes', 'many'],
  ] as const)('goes by %s', (_, levels, asked, canonical, cardinality) => {
    const vocabulary = at(levels);
    expect([vocabulary.canonical(asked), vocabulary.cardinality(canonical)]).toEqual([
      canonical,
      cardinality,
    ]);
  });

  it('says the same in places where the same holds, and nothing where nothing does', () => {
    expect(tenant.at(['z'], 0)!.key).toBe(tenant.at([], 0)!.key);
    expect(tenant.at(A, 0)!.key).not.toBe(tenant.at(AB, 0)!.key);
    expect(at(A)).toBe(at(A));
    expect(new TenantVocabulary([layer('alpha', A, { name: 'boss' })]).at(['z'], 0)).toBeNull();
  });

  it('says how many values a predicate has only where it is told so', () => {
    const silent = new TenantVocabulary([
      layer('w', null, { name: 'residence', synonyms: ['lives_in'] }, { name: 'zzz' }),
    ]);
    const vocabulary = silent.at([], 0)!.over(SHIPPED);
    expect([vocabulary.canonical('lives in'), vocabulary.cardinality('residence')]).toEqual([
      'residence',
      SHIPPED.cardinality(SHIPPED.canonical('lives_in')),
    ]);
    expect([vocabulary.knows('residence'), vocabulary.knows('zzz'), vocabulary.cardinality('zzz')]).toEqual([
      true,
      false,
      'one',
    ]);
    const pattern = new TenantVocabulary([
      layer('w', null, { name: 'likes_tea', synonyms: ['fond_of_tea'] }),
    ]);
    expect(pattern.at([], 0)!.over(SHIPPED).cardinality('likes_tea')).toBe('many');
  });

  it('changes with time where an entry does', () => {
    const timed = new TenantVocabulary([
      layer('w', null, { name: 'old', synonyms: ['x'], to: 5, replaced_by: 'new' }, { name: 'new' }),
    ]);
    const named = (instant: number, text: string): string =>
      timed.at([], instant)!.over(SHIPPED).canonical(text);
    expect([named(4, 'x'), named(5, 'x'), named(5, 'old')]).toEqual(['old', 'new', 'new']);
    expect(timed.at([], 4)!.key).not.toBe(timed.at([], 5)!.key);
  });

  it('knows every spelling that a predicate may have in what counts, that of the place first', () => {
    const spellings = (text: string, place: readonly string[], ...counting: string[]): string[] =>
      tenant.spellings(text, SHIPPED, { place, counts: (name) => counting.includes(name) }, 0);
    expect(spellings('works_at', AB, 'words', 'alpha', 'beta', 'deep').slice(0, 2)).toEqual([
      'firm',
      'employer',
    ]);
    expect(new Set(spellings('boss', A, 'words', 'alpha', 'beta', 'deep'))).toEqual(
      new Set(['boss', 'employer', 'works_at']),
    );
    expect(new Set(spellings('works_at', [], 'words'))).toEqual(new Set(['employer', 'works_at', 'boss']));
    expect(spellings('grade', [])).toEqual(['grade']);
    expect(spellings('enjoys', [], 'words')).toEqual(['likes']);
  });
});

describe('the other names of a term', () => {
  const layers = [
    layer('words', null, { id: 'arr', name: 'annual recurring revenue', synonyms: ['arr'] }),
    layer('pirates', AB, { id: 'arr', name: 'arr', synonyms: ['ahoy'] }),
  ];

  it.each([
    ['A.R.R', ['a'], []],
    ['ARR', ['a'], ['annual recurring revenue']],
    ['Annual  Recurring Revenue', ['a'], ['arr']],
    ['arr', AB, ['ahoy']],
  ] as const)('of %j at %j are %j', (name, levels, others) => {
    expect(termNames(layers, levels, 0)(name)).toEqual(others);
  });
});
