import { triple as tripleSchema } from '../../schemas/triple.ts';
import { isOfItself, toDeclaredBelief, tripleOfBelief } from '../../src/derive/belief/declared.ts';
import { entityIdOf } from '../../src/derive/entity.ts';
import { stateTriple, type StatedTriple } from '../../src/derive/statement.ts';
import { canonicalPredicate, defaultCardinality } from '../../src/derive/vocabulary.ts';
import { VOCABULARY } from '../../src/derive/vocabulary/shipped.ts';

const EVENT = { id: 'evt_1', wal_offset: 7, recorded_at: 2000, observed_at: 1000, scope_ref: 'c1' };
const entity = (id: string): object => ({ type: 'entity', id });
const literal = (value: unknown, datatype: string = typeof value): object => ({
  type: 'literal',
  datatype,
  value,
});

function said(part: Record<string, unknown>, event: Partial<typeof EVENT> = {}): StatedTriple {
  const whole = { subject: entity('ent_a'), predicate: 'is', object: literal('x'), ...part };
  return stateTriple({ ...EVENT, ...event }, tripleSchema.parse(whole), defaultCardinality);
}

describe('what a triple states', () => {
  it('is about subject and predicate, with the object as its value', () => {
    const { claim, statement } = said({});
    expect(said({ object: literal('y') }).claim).toBe(claim);
    expect(said({ object: literal('y') }).statement.value).not.toBe(statement.value);
    for (const other of [{ subject: entity('ent_b') }, { predicate: 'was' }])
      expect(said(other).claim).not.toBe(claim);
    expect(said({}, { scope_ref: 'c2' }).claim).not.toBe(claim);
  });

  it('is about the object too when the predicate is many-valued', () => {
    const likes = (object: object): string => said({ predicate: 'likes', object }).claim;
    expect(likes(entity('ent_tea'))).not.toBe(likes(entity('ent_coffee')));
  });

  it('is about predicate and object when it is exclusive, with the subject as its value', () => {
    const owner = (subject: object, object = entity('ent_billing')): StatedTriple =>
      said({ predicate: 'owner of', subject, object });
    const [priya, marcus] = [owner(entity('ent_priya')), owner(entity('ent_marcus'))];
    expect(priya.claim).toBe(marcus.claim);
    expect(priya.statement.value).not.toBe(marcus.statement.value);
    expect(owner(entity('ent_priya'), entity('ent_payments')).claim).not.toBe(priya.claim);
  });

  it('begins when it says, else when it was observed, and ends when it says', () => {
    expect(said({}).statement.valid).toEqual({ from: 1000, to: 253_402_300_799_999 });
    expect(said({ valid_from: null, valid_to: null }).statement.valid.from).toBe(1000);
    expect(said({ valid_from: '1970-01-02', valid_to: '1970-01-03T00:00:00Z' }).statement.valid).toEqual({
      from: 86_400_000,
      to: 172_800_000,
    });
  });

  it('begins no later than it is recorded, unless it says so', () => {
    const ahead = { observed_at: 9000 };
    expect(said({}, ahead).statement.valid.from).toBe(2000);
    expect(said({ valid_from: '1970-01-02' }, ahead).statement.valid.from).toBe(86_400_000);
  });

  it('is the same where it is declared as a belief, under the id of its event', () => {
    const body = { scope: 'user:a', statement: 'x', confidence: 0.4, subject: 'ent_a', predicate: 'is' };
    const told = (more: object = {}): StatedTriple =>
      said(tripleOfBelief(toDeclaredBelief({ ...body, supports: ['evt_0'], ...more })));
    expect(told({ confidence: 1 })).toEqual(said({}));
    expect(told().statement.confidence).toBe(0.4);
    expect(told({ valid_from: '1970-01-02' })).toEqual(said({ valid_from: '1970-01-02', confidence: 0.4 }));
    expect(told({ predicate: 'owner of' }).claim).toBe(said({ predicate: 'owner_of' }).claim);
  });

  it('is about itself alone where it is declared of nothing else', () => {
    const body = { scope: 'user:a', statement: 'It is so.', confidence: 1, predicate: 'asserts' };
    const isAlone = (subject: string | undefined, extractor = 'declared'): boolean => {
      const triple = tripleOfBelief(toDeclaredBelief({ ...body, subject, supports: [] }));
      const { subject: about } = stateTriple(EVENT, triple, defaultCardinality);
      return isOfItself({ extractor, object: JSON.stringify(triple.object) }, about.id);
    };
    expect([undefined, 'It is so.', 'Ann', 'ent_a'].map((subject) => isAlone(subject))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isAlone(undefined, 'triple')).toBe(false);
  });

  it('denies from an instant on, or for all time where it names none', () => {
    expect(said({ polarity: 'negative' }).statement.kind).toBe('never');
    expect(said({ polarity: 'negative', valid_from: '2026-01-01' }).statement.kind).toBe('denied');
    expect(said({ polarity: 'positive' }).statement.kind).toBe('asserted');
  });

  it('has one id for one event, and another for another', () => {
    expect(said({}).statement.id).toMatch(/^fact_[0-9a-f]{32}$/);
    expect(said({}).statement.id).toBe(said({}).statement.id);
    expect(said({}, { id: 'evt_2' }).statement.id).not.toBe(said({}).statement.id);
  });

  it.each([
    [literal('25'), literal(25), false],
    [literal(25, 'integer'), literal(25), true],
    [literal(25.0), literal(25), true],
    [literal('2026-01-01', 'date'), literal('2026-01-01'), false],
    [literal({ a: 1, b: 2 }, 'pair'), literal({ b: 2, a: 1 }, 'pair'), true],
    [entity('x'), literal('x'), false],
    [literal('\u00e9'), literal('e\u0301'), false],
  ])('%j and %j are the same value: %s', (a, b, same) => {
    expect(said({ object: a }).statement.value === said({ object: b }).statement.value).toBe(same);
  });

  it('takes a literal subject as the name of an entity', () => {
    expect(said({ subject: literal('Oxygen tank 2') }).subject).toEqual({
      type: 'entity',
      id: 'ent_oxygen_tank_2',
      name: 'Oxygen tank 2',
    });
  });
});

describe('the id of a name', () => {
  it.each([
    ['Oxygen  Tank 2', 'ent_oxygen_tank_2'],
    [' marcus ', 'ent_marcus'],
    ['under_score', 'ent_under_score'],
  ])('%j is %s', (name, id) => {
    expect(entityIdOf(name)).toBe(id);
  });

  it('differs wherever the names do', () => {
    const names = [
      'C',
      'C++',
      'C#',
      'Zürich',
      'Zurich',
      '東京',
      '京都',
      '++',
      '--',
      'a-b',
      'a b',
      'x'.repeat(256),
    ];
    expect(new Set(names.map(entityIdOf)).size).toBe(names.length);
    for (const name of names) expect(entityIdOf(name)).toMatch(/^ent_[a-z0-9_]{1,140}$/);
  });
});

describe('predicates', () => {
  it.each([
    ['Lives In', 'lives_in'],
    ['resides-in', 'lives_in'],
    ['  OWNER   of ', 'owner_of'],
    ['ｌｉｋｅｓ', 'likes'],
    ['constructor', 'constructor'],
    ['__proto__', '_proto_'],
  ])('%j is spelt %s', (text, name) => {
    expect(canonicalPredicate(text)).toBe(name);
  });

  it('have one value unless the vocabulary says otherwise', () => {
    expect(['is', 'likes', 'owner_of', 'constructor'].map(defaultCardinality)).toEqual([
      'one',
      'many',
      'exclusive',
      'one',
    ]);
  });

  it('are spelt canonically in the vocabulary, and no name stands twice', () => {
    const names = Object.entries(VOCABULARY).flatMap(([name, { synonyms = [] }]) => [name, ...synonyms]);
    expect(new Set(names).size).toBe(names.length);
    for (const [name, { synonyms = [] }] of Object.entries(VOCABULARY)) {
      for (const spelling of [name, ...synonyms]) expect(canonicalPredicate(spelling)).toBe(name);
    }
  });
});
