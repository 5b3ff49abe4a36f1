import type { Statement } from '../../src/explorer/views/conflicts/queries.ts';
import {
  questionOf,
  settlementInWords,
  settlementOf,
  sidesOf,
} from '../../src/explorer/views/conflicts/sides.ts';

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
  it.each([
    ['pick', { action: 'pick', winner: 'a', reason: 'seen' }],
    ['split', { action: 'split', earlier: 'a', later: 'b', boundary: '1970-01-01' }],
    ['dismiss', { action: 'dismiss', reason: 'seen' }],
    [
      'new_information',
      { action: 'new_information', record: { object: { literal: { datatype: 'string', value: '1959' } } } },
    ],
  ] as const)('sends of a form what belongs to %s', (action, sent) => {
    expect(settlementOf(action, filled)).toEqual(sent);
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
