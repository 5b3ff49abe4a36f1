import { SHIPPED, spelt, Vocabulary } from '../../src/derive/vocabulary.ts';
import { CODE } from '../../src/derive/vocabulary/code.ts';
import { EVERYDAY } from '../../src/derive/vocabulary/everyday.ts';
import { HEALTH } from '../../src/derive/vocabulary/health.ts';
import { PATTERNS } from '../../src/derive/vocabulary/patterns.ts';
import { pluralOf } from '../../src/derive/vocabulary/plural.ts';
import { COUNTABLE, NAMED_THINGS } from '../../src/derive/vocabulary/things.ts';
import { WORK } from '../../src/derive/vocabulary/work.ts';

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

/** Lines of a table, as their words. */
function wordsOf(lines: string): string[][] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(' '));
}

describe('what the service knows by itself', () => {
  it('are at least 300 predicates, each name once', () => {
    const tables = [EVERYDAY, WORK, HEALTH, CODE].flatMap(({ one, many, exclusive }) =>
      [one, many, exclusive].flatMap((lines) => lines.split('\n').map((line) => line.trim())),
    );
    const named = tables.filter((line) => line !== '');
    expect(named.length).toBeGreaterThanOrEqual(300);
    const names = [
      ...named.flatMap((line) => line.split(' ')),
      ...wordsOf(COUNTABLE).flatMap(([singular = '', plural = pluralOf(singular)]) => [
        `has_${singular}`,
        `has_${plural}`,
        plural,
      ]),
      ...wordsOf(NAMED_THINGS).flatMap(([predicate, singular = '', plural = pluralOf(singular)]) =>
        [singular, plural].flatMap((noun) => [noun, `has_${noun}`]).filter((noun) => noun !== predicate),
      ),
      ...Object.keys(PATTERNS),
    ];
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
    for (const name of names) expect(spelt(name)).toBe(name);
  });

  it.each([
    [
      'many',
      ['has child', 'children', 'has_pet', 'plays', 'takes_medicine', 'has_email', 'authored', 'imports'],
    ],
    [
      'many',
      ['hobbies', 'has_hobby', 'allergic_to', 'diagnosed_with', 'depends_on', 'attended', 'sister_of'],
    ],
    ['many', ['likes_food', 'has_gadgets', 'visited_country', 'speaks_fluently', 'wants_to_see']],
    ['many', ['favorite_books', 'favourite_films', 'current_medications', 'current_projects']],
    ['many', ['primary_languages', 'default_reviewers', 'latest_results', 'favorite_people']],
    ['many', ['skills', 'symptoms', 'goals', 'tags', 'aliases', 'milestones', 'endpoints', 'features']],
    ['many', ['nationalities', 'action_items', 'subsidiaries', 'known_issues', 'neighbours', 'parts']],
    ['one', ['plays_for', 'takes_place_in', 'has_number_of_employees', 'has_opening_hours']],
    ['one', ['has_working_hours', 'has_business_hours', 'has_current_project', 'has_favorite_book']],
    ['one', ['current_address', 'default_alias', 'primary_dns', 'latest_news', 'current_headquarters']],
    ['one', ['lives_in', 'birth_year', 'blood_type', 'salary', 'headquartered_in', 'default_branch']],
    ['one', ['favorite_band', 'number_of_rooms', 'current_project', 'review_date', 'build_version']],
    ['exclusive', ['ceo_of', 'owner_of', 'mayor_of']],
  ] as const)('%s: %j', (cardinality, names) => {
    const known = names.map((name) => SHIPPED.canonical(name));
    expect(known.filter((name) => !SHIPPED.knows(name))).toEqual([]);
    expect(known.filter((name) => SHIPPED.cardinality(name) !== cardinality)).toEqual([]);
  });

  it.each([
    'orbits',
    'has_gadget',
    'has_boss',
    'has_radius',
    'has_thesis',
    'likes_',
    'has_bias',
    'plays_in',
    'takes_over',
    'takes_off_at',
    'plans_to_retire_in',
    'wants_to_work_for',
    'constructor',
    '__proto__',
  ])('of %s it assumes one value', (name) => {
    expect([SHIPPED.knows(name), SHIPPED.cardinality(name)]).toEqual([false, 'one']);
  });
});

describe('names of one thing', () => {
  it.each([
    ['skilled_in', ['skill', 'skills', 'has_skill', 'has_skills']],
    ['also_known_as', ['alias', 'aliases', 'has_alias', 'has_aliases']],
    ['goal', ['goals', 'has_goal', 'has_goals']],
    ['has_symptom', ['symptom', 'symptoms', 'has_symptoms']],
    ['opening_hours', ['has_opening_hours', 'business_hours', 'has_business_hours']],
    ['number_of_employees', ['headcount', 'has_number_of_employees', 'has_headcount']],
    ['favorite_band', ['has_favorite_band']],
    ['due_on', ['due_date', 'deadline', 'has_deadline', 'has_due_date']],
    ['related_to', ['relates_to']],
  ])('meet as %s', (name, others) => {
    expect(others.map((other) => SHIPPED.canonical(other))).toEqual(others.map(() => name));
  });

  it.each([
    ['related_to', 'relative_of'],
    ['belongs_to', 'member_of'],
    ['insured_by', 'health_insurance'],
    ['raises', 'throws'],
    ['takes_place_in', 'takes_place_at'],
  ])('are not those of another: %s, %s', (name, other) => {
    expect(SHIPPED.canonical(name)).not.toBe(SHIPPED.canonical(other));
  });
});

describe('a pattern', () => {
  const own = new Vocabulary({
    'has_*': { cardinality: 'one' },
    'has_*s': { cardinality: 'many' },
    has_glasses: { cardinality: 'exclusive' },
    '*': { cardinality: 'many' },
    'a*b*': { cardinality: 'many' },
  });

  it.each([
    ['has_glasses', 'exclusive', true],
    ['has_cats', 'many', true],
    ['has_boss', 'one', true],
    ['has_', 'one', false],
    ['axbx', 'one', false],
    ['cats', 'one', false],
  ])('says nothing where a name or a longer one does: %s', (name, cardinality, known) => {
    expect([own.cardinality(name), own.knows(name)]).toEqual([cardinality, known]);
  });

  it('of a file goes before that of the service, and names before both', () => {
    const both = SHIPPED.overruledBy(
      new Vocabulary({ 'likes_*': { cardinality: 'one' }, 'wants_to_*': { cardinality: 'many' } }),
    );
    const names = ['likes_food', 'has_child', 'has_gadgets', 'wants_to_live_in'];
    expect(names.map((name) => both.cardinality(name))).toEqual(['one', 'many', 'many', 'many']);
    expect(both.knows('plans_to_live_in')).toBe(false);
  });
});
