import { CHANNELS, CHANNEL_SIGNALS, NEWEST, RELEVANCE, SIGNALS } from '../../src/recall/recipe.ts';

const weightsOf = ({ channels }: typeof RELEVANCE) =>
  CHANNELS.flatMap((channel) => {
    const weight = channels[channel];
    return weight === undefined ? [] : [[channel, weight] as const];
  });

describe.each([
  ['relevance', RELEVANCE],
  ['newest', NEWEST],
])('the recipe of %s', (_name, recipe) => {
  it('says of each number what it was chosen on', () => {
    const weights = [...weightsOf(recipe).map(([, weight]) => weight), recipe.speaker_boost, recipe.variant];
    for (const { weight, chosen_on } of weights) {
      expect(weight).toBeGreaterThan(0);
      expect(chosen_on).not.toBe('');
    }
  });

  it('lets no other formulation weigh more than the query', () => {
    expect(recipe.variant.weight).toBeLessThanOrEqual(1);
  });
});

describe('the recipe of relevance', () => {
  it('has every list, and so every signal', () => {
    const channels = weightsOf(RELEVANCE).map(([channel]) => channel);
    expect(channels).toEqual(CHANNELS);
    expect(new Set(channels.map((channel) => CHANNEL_SIGNALS[channel]))).toEqual(new Set(SIGNALS));
  });

  it('weighs text and the two vectors as 1 : 0.5 : 0.5, the ratio that was measured', () => {
    const text = weightsOf(RELEVANCE).filter(([channel]) => CHANNEL_SIGNALS[channel] === 'keyword');
    expect(text.reduce((sum, [, { weight }]) => sum + weight, 0)).toBe(1);
    expect(RELEVANCE.channels.turn_vector?.weight).toBe(0.5);
    expect(RELEVANCE.channels.window_vector?.weight).toBe(0.5);
  });
});
