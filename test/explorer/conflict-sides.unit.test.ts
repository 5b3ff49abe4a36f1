import type { Statement } from '../../src/explorer/views/conflicts/queries.ts';
import {
  questionOf,
  settlementInWords,
  settlementOf,
  sidesOf,
} from '../../src/explorer/views/conflicts/sides.ts';
import {
  entitiesCalled,
  kindInWords,
  kindsOf,
  literalOf,
} from '../../src/explorer/views/conflicts/value-kind.ts';

const statement = (id: string, object: string, subject = 'ent_tern'): Statement => ({
  id,
  eventId: `evt_${id}`,
  subject,
  object,
  validFrom: '1962-01-01T00:00:00Z',
  validFromBasis: 'stated',
  validTo: null,
  recordedFrom: '2025-01-01T00:00:00Z',
  status: 'active',
  sourceAuthority: 'user:jonas',
  extractor: 'triple',
  confidence: 1,
});
const records = [statement('a', '1962'), statement('b', '1958'), statement('c', '1962')];
const filled = {
  winner: 'a',
  earlier: 'a',
  later: 'b',
  boundary: '1970-01-01',
  value: '1959',
  kind: 'literal string',
  validFrom: '',
  validTo: '',
  reason: 'seen',
};

describe('the sides of a conflict', () => {
  it('are its values in the order in which they were first stated, each with all that states it', () => {
    expect(
      sidesOf({ records }).map(({ value, statements }) => [value, statements.map(({ id }) => id)]),
    ).toEqual([
      ['1962', ['a', 'c']],
      ['1958', ['b']],
    ]);
  });

  it('are subjects where several claim what one may have', () => {
    const claims = [statement('a', 'crown', 'ent_ann'), statement('b', 'crown', 'ent_bob')];
    expect(sidesOf({ records: claims }).map(({ value }) => value)).toEqual([
      'ent_ann crown',
      'ent_bob crown',
    ]);
  });

  it('make a question', () => {
    expect(questionOf({ records, predicate: 'built_in' }, 'Tern')).toBe('Tern built in: 1962 or 1958?');
  });
});

describe('a settlement', () => {
  const object = { literal: { datatype: 'number', value: 1959 } };

  it.each([
    ['pick', { action: 'pick', winner: 'a', reason: 'seen' }],
    ['split', { action: 'split', earlier: 'a', later: 'b', boundary: '1970-01-01' }],
    ['dismiss', { action: 'dismiss', reason: 'seen' }],
    ['new_information', { action: 'new_information', record: { object } }],
  ] as const)('sends of a form what belongs to %s', (action, sent) => {
    expect(settlementOf(action, filled, action === 'new_information' ? { object } : {})).toEqual(sent);
  });

  it('leaves what is empty to the service to refuse', () => {
    expect(settlementOf('pick', { ...filled, winner: '' })).toEqual({ action: 'pick', reason: 'seen' });
    expect(settlementOf('new_information', { ...filled, value: '' })).toEqual({
      action: 'new_information',
      record: {},
    });
  });

  it('is told by the values that it names', () => {
    const none = { winner: null, boundary: null, earlier: null, later: null, reason: null };
    expect(settlementInWords({ records }, { ...none, action: 'pick', winner: 'b' })).toBe('1958 holds');
    const split = { ...none, action: 'split', earlier: 'a', later: 'b', boundary: '1970-01-01' } as const;
    expect(settlementInWords({ records }, split)).toBe('1962 holds until 1970-01-01, 1958 from then on');
  });
});

describe('a value that holds instead', () => {
  it('is of a kind that the sides have', () => {
    const number = { type: 'literal', datatype: 'number' } as const;
    expect(kindsOf([number, { type: 'entity' }, number])).toEqual(['literal number', 'entity']);
    expect(kindsOf([])).toEqual(['literal string']);
    const kinds = ['entity', 'literal number', 'literal x:weight'] as const;
    expect(kinds.map(kindInWords)).toEqual(['an entity', 'a number', 'x:weight']);
  });

  it.each([
    ['literal number', '1959.5', 1959.5],
    ['literal integer', '1959', 1959],
    ['literal boolean', 'true', true],
    ['literal number', 'many', 'many'],
    ['literal string', '1959', '1959'],
    ['literal date', '1959-05-01', '1959-05-01'],
    ['literal x:size', '{"metres":9}', { metres: 9 }],
  ])('that is %s and typed as %s is sent as %j', (kind, typed, value) => {
    expect(literalOf(kind, typed)).toEqual({ literal: { datatype: kind.slice(8), value } });
  });

  it('is the entity that has a name, as one of several or in another spelling', () => {
    const entities = [
      { id: 'ent_1', name: 'New Bergen', aliases: [] },
      { id: 'ent_2', name: null, aliases: ['Bergen', 'Björgvin'] },
    ];
    expect(entitiesCalled(' bergen ', entities).map(({ id }) => id)).toEqual(['ent_2']);
    expect(entitiesCalled('new  BERGEN', entities).map(({ id }) => id)).toEqual(['ent_1']);
    expect(entitiesCalled('ent_1', entities)).toEqual([]);
  });
});
