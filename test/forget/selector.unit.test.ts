import {
  conditionsOfEvents,
  eventMeets,
  isEmptySelector,
  meetsNothing,
  recordMeets,
  type Conditions,
  type EventTraits,
  type NamedText,
  type RecordTraits,
} from '../../src/forget/selector.ts';

const ANN: NamedText = {
  text: 'Ann',
  normal: 'ann',
  ids: new Set(['Ann', 'ann', 'ent_ann', 'ent_anna']),
  names: new Set(['ann', 'ann arbor']),
  own_id: 'ent_own',
};
const EVENT: EventTraits = {
  id: 'evt_1',
  subject: 'user:teller',
  subject_normal: 'user:teller',
  labels: ['type:home', 'note'],
  observed_at: 100,
  recorded_at: 200,
  states: [],
};
const RECORD: RecordTraits = {
  id: 'fact_1',
  subject_id: 'ent_bo',
  subject_normal: 'bo',
  object_id: 'ent_oslo',
  predicate: 'lives_in',
  begins_at: 100,
  recorded_at: 200,
};
const states = (about_subject: boolean, about_entity: boolean, predicates: boolean) => ({
  about_subject,
  about_entity,
  predicates,
});

describe('an event', () => {
  const meets = (conditions: Conditions, more: Partial<EventTraits> = {}): boolean =>
    eventMeets({ ...EVENT, ...more }, conditions);

  it.each<[string, Conditions, Partial<EventTraits>]>([
    ['nothing that is asked', {}, {}],
    ['its id', { memory_ids: ['evt_2', 'evt_1'] }, {}],
    ['all labels', { labels: ['note', 'type:home'] }, {}],
    ['the beginning of a time', { valid_during: { from: 100, to: 101 } }, {}],
    ['when it was recorded', { recorded_during: { from: 0, to: 201 } }, {}],
    ['its subject by an id', { about_subject: ANN }, { subject: 'ent_anna' }],
    ['its subject by a name', { about_subject: ANN }, { subject_normal: 'ann arbor' }],
    ['what it states of a subject', { about_subject: ANN }, { states: [states(true, false, false)] }],
    ['a label as an entity', { about_entity: { ...ANN, text: 'note' } }, {}],
    ['what a label says of a kind as an entity', { about_entity: { ...ANN, text: 'home' } }, {}],
    [
      'one statement of both',
      { about_entity: ANN, predicates: ['p'] },
      { states: [states(false, true, true)] },
    ],
    [
      'its own subject and a statement',
      { about_subject: ANN, predicates: ['p'] },
      { subject: 'Ann', states: [states(false, false, true)] },
    ],
  ])('meets %s', (_what, conditions, more) => {
    expect(meets(conditions, more)).toBe(true);
  });

  it.each<[string, Conditions, Partial<EventTraits>]>([
    ['another id', { memory_ids: ['evt_2'] }, {}],
    ['one label too many', { labels: ['note', 'other'] }, {}],
    ['the end of a time', { valid_during: { from: 0, to: 100 } }, {}],
    ['when it was not recorded', { recorded_during: { from: 201, to: 300 } }, {}],
    ['a label as a subject', { about_subject: { ...ANN, text: 'note' } }, {}],
    ['a part of a label', { about_entity: { ...ANN, text: 'ome' } }, {}],
    ['an object as a subject', { about_subject: ANN }, { states: [states(false, true, false)] }],
    [
      'two statements for two conditions',
      { about_entity: ANN, predicates: ['p'] },
      { states: [states(false, true, false), states(false, false, true)] },
    ],
    ['one condition of two', { labels: ['note'], memory_ids: ['evt_2'] }, {}],
  ])('does not meet %s', (_what, conditions, more) => {
    expect(meets(conditions, more)).toBe(false);
  });
});

describe('a derived record', () => {
  it.each<[string, 'facts' | 'understanding' | 'episodes', Conditions, boolean]>([
    ['its subject', 'facts', { about_subject: { ...ANN, ids: new Set(['ent_bo']) } }, true],
    ['another subject', 'facts', { about_subject: ANN }, false],
    ['its object as a subject', 'facts', { about_subject: { ...ANN, ids: new Set(['ent_oslo']) } }, false],
    ['its object as an entity', 'facts', { about_entity: { ...ANN, ids: new Set(['ent_oslo']) } }, true],
    [
      'a subject that is its own words',
      'facts',
      { about_subject: { ...ANN, own_id: 'ent_bo', normal: 'bo' } },
      true,
    ],
    [
      'the id of these words under another name',
      'facts',
      { about_subject: { ...ANN, own_id: 'ent_bo' } },
      false,
    ],
    ['its predicate', 'facts', { predicates: ['lives_in', 'lives in'] }, true],
    ['another predicate', 'facts', { predicates: ['knows'] }, false],
    ['its beginning', 'facts', { valid_during: { from: 100, to: 101 } }, true],
    ['another time', 'facts', { valid_during: { from: 101, to: 200 } }, false],
    ['another recorded time', 'understanding', { recorded_during: { from: 0, to: 200 } }, false],
    ['labels, which it leaves to events', 'facts', { labels: ['x'] }, true],
    ['a predicate, which concepts leave to events', 'understanding', { predicates: ['knows'] }, true],
    ['a subject, which episodes leave to events', 'episodes', { about_subject: ANN }, true],
  ])('is asked for %s', (_what, layer, conditions, meets) => {
    expect(recordMeets(layer, RECORD, conditions)).toBe(meets);
  });

  it('leaves to its events what its layer has no property for', () => {
    const all: Conditions = {
      memory_ids: ['x'],
      about_subject: ANN,
      about_entity: ANN,
      predicates: ['p'],
      labels: ['l'],
      valid_during: { from: 0, to: 1 },
      recorded_during: { from: 0, to: 1 },
    };
    const left = (layer: 'facts' | 'beliefs' | 'understanding' | 'episodes') =>
      Object.keys(conditionsOfEvents(layer, all));
    expect([left('facts'), left('beliefs')]).toEqual([['labels'], ['labels']]);
    expect(left('understanding')).toEqual(['predicates', 'labels', 'valid_during']);
    expect(left('episodes')).toEqual(['about_subject', 'about_entity', 'predicates', 'labels']);
  });
});

describe('a selector', () => {
  it('is empty where it asks nothing, and meets nothing where a list is empty', () => {
    expect([
      isEmptySelector({}),
      isEmptySelector({ memory_ids: [] }),
      isEmptySelector({ predicates: ['p'] }),
    ]).toEqual([true, false, false]);
    expect([
      meetsNothing({}),
      meetsNothing({ memory_ids: [] }),
      meetsNothing({ labels: [] }),
      meetsNothing({ labels: ['l'] }),
    ]).toEqual([false, true, true, false]);
  });
});
