import {
  isInNoEpisode,
  limitsOf,
  statesNothing,
  type Forgotten,
  type StatementLimits,
} from '../../src/derive/claim/forgotten.ts';

const wish = (layer: Forgotten['layer'], ...ids: string[]): Forgotten => ({ layer, ids });
const all = (layer: Forgotten['layer']): Forgotten => ({ layer, ids: null });

describe('how far a statement counts of which something is forgotten', () => {
  it.each<[string, readonly Forgotten[], StatementLimits | null]>([
    ['nothing', [], {}],
    ['another statement', [wish('facts', 'g'), wish('beliefs', 'g'), wish('understanding', 'g/subject')], {}],
    ['no statement', [wish('facts'), wish('beliefs'), wish('understanding')], {}],
    ['an episode', [all('episodes')], {}],
    ['the statement', [wish('facts', 'g', 'f')], null],
    ['all facts', [all('facts')], null],
    ['a belief', [wish('beliefs', 'f')], { max_layer: 'facts' }],
    ['all beliefs', [all('beliefs')], { max_layer: 'facts' }],
    ['a subject', [wish('understanding', 'f/subject')], { not_about: 'subject' }],
    ['an object', [wish('understanding', 'f/object')], { not_about: 'object' }],
    [
      'both, in two wishes',
      [wish('understanding', 'f/object'), wish('understanding', 'f/subject')],
      { max_layer: 'beliefs' },
    ],
    ['all concepts', [all('understanding')], { max_layer: 'beliefs' }],
    ['the concept of nobody', [wish('understanding', 'f')], {}],
    [
      'a belief and a subject',
      [wish('understanding', 'f/subject'), wish('beliefs', 'f')],
      { max_layer: 'facts' },
    ],
    ['a belief, and then all', [wish('beliefs', 'f'), all('facts')], null],
  ])('%s: %j', (_name, forgotten, limits) => {
    expect(limitsOf(['f'], {}, forgotten)).toEqual(limits);
  });

  it.each<[StatementLimits['max_layer'], readonly Forgotten[], StatementLimits]>([
    ['facts', [all('understanding')], { max_layer: 'facts' }],
    ['beliefs', [wish('understanding', 'f/subject')], { max_layer: 'beliefs' }],
    ['beliefs', [wish('beliefs', 'f')], { max_layer: 'facts' }],
    ['beliefs', [], { max_layer: 'beliefs' }],
  ])('is no more than %s, which its event asks for, with %j', (max_layer, forgotten, limits) => {
    expect(limitsOf(['f'], max_layer === undefined ? {} : { max_layer }, forgotten)).toEqual(limits);
  });

  it('is the same under all ids that links give it', () => {
    expect(limitsOf(['f', 'moved'], {}, [wish('facts', 'moved')])).toBeNull();
    expect(limitsOf(['f', 'moved'], {}, [wish('understanding', 'moved/object')])).toEqual({
      not_about: 'object',
    });
  });
});

describe('an event', () => {
  it('states nothing where all of it is forgotten, and not where single statements are', () => {
    expect(statesNothing([wish('facts', 'f'), all('beliefs'), all('episodes')])).toBe(false);
    expect(statesNothing([wish('facts', 'f'), all('facts')])).toBe(true);
  });

  it('is in no episode where that is forgotten', () => {
    expect(isInNoEpisode([all('facts')])).toBe(false);
    expect(isInNoEpisode([all('facts'), all('episodes')])).toBe(true);
  });
});
