import { OPEN_END } from '../../schemas/time.ts';
import { factItem } from '../../schemas/fact.ts';
import { matchesObject, toFactItem, toTimelineItem, type HydratedFact } from '../../src/derive/fact-item.ts';
import { MAX_SHOWN_SUPPORTS } from '../../src/limits/reading.ts';

const FACT: HydratedFact = {
  id: 'fact_1',
  tenant: 't',
  scope: 'user:a',
  position: 7,
  recorded_at: 2_000,
  subject_id: 'ent_a',
  subject_name: 'A',
  predicate: 'lives_in',
  object: '{"type":"entity","id":"ent_paris","name":"Paris"}',
  bytes: 49,
  object_id: 'ent_paris',
  object_name: null,
  confidence: 0.5,
  extractor: 'triple',
  premises: null,
  cardinality_assumed: false,
  valid_from: 1_000,
  valid_to: OPEN_END,
  superseded_by: null,
  ended_at: null,
  supports: [
    [9, 'evt_b'],
    [7, 'evt_a'],
  ],
};

describe('the wire form of a fact', () => {
  it('has open ends as null, supports in the order of the log, and leaves out what is not so', () => {
    const item = toFactItem(FACT);
    expect(item).toEqual({
      id: 'fact_1',
      scope: 'user:a',
      subject: { type: 'entity', id: 'ent_a', name: 'A' },
      predicate: 'lives_in',
      object: { type: 'entity', id: 'ent_paris', name: 'Paris' },
      supports: ['evt_a', 'evt_b'],
      valid_from: '1970-01-01T00:00:01.000Z',
      valid_to: null,
      recorded_from: '1970-01-01T00:00:02.000Z',
      recorded_to: null,
      confidence: 0.5,
      extractor: 'triple',
    });
    expect(factItem.parse(item)).toEqual(item);
  });

  it('says what ended it, and what it was concluded from', () => {
    const ended = {
      ...FACT,
      valid_to: 5_000,
      superseded_by: 'fact_2',
      ended_at: 6_000,
      premises: ['fact_0'],
    };
    expect(toFactItem(ended)).toMatchObject({
      valid_to: '1970-01-01T00:00:05.000Z',
      recorded_to: '1970-01-01T00:00:06.000Z',
      superseded_by: 'fact_2',
      premises: ['fact_0'],
    });
  });

  it('says so where not all supports are shown', () => {
    const supports = Array.from({ length: MAX_SHOWN_SUPPORTS + 1 }, (_, i) => [i, `evt_${i}`] as const);
    const item = toFactItem({ ...FACT, supports });
    expect([item.supports.length, item.supports_capped]).toEqual([MAX_SHOWN_SUPPORTS, true]);
  });

  it('on a timeline has the name of an entity, or the value of a literal, as its value', () => {
    expect(toTimelineItem(FACT)).toMatchObject({ fact_id: 'fact_1', value: 'Paris' });
    const number = { ...FACT, object: '{"type":"literal","datatype":"number","value":25.5}' };
    expect(toTimelineItem(number).value).toBe(25.5);
    expect(toTimelineItem({ ...FACT, object: '{"type":"entity","id":"x"}' }).value).toBe('x');
  });
});

describe('an object that is asked for', () => {
  const asked = { ids: new Set(['ent_paris']), text: 'PARIS' };
  it.each([
    [{ type: 'entity', id: 'ent_paris' }, true],
    [{ type: 'entity', id: 'ent_other', name: 'paris' }, true],
    [{ type: 'entity', id: 'ent_other', name: 'London' }, false],
    [{ type: 'literal', datatype: 'string', value: 'Paris' }, true],
    [{ type: 'literal', datatype: 'string', value: 'Paris, Texas' }, false],
    [{ type: 'literal', datatype: 'number', value: 3 }, false],
  ] as const)('%j: %s', (object, matches) => {
    expect(matchesObject(object, asked)).toBe(matches);
  });

  it('may be the text of a number or of a truth value', () => {
    const none = new Set<string>();
    const number = { type: 'literal', datatype: 'number', value: 25.5 } as const;
    expect(matchesObject(number, { ids: none, text: '25.5' })).toBe(true);
    const flag = { type: 'literal', datatype: 'boolean', value: true } as const;
    expect(matchesObject(flag, { ids: none, text: 'true' })).toBe(true);
  });
});
