import {
  CHANNELS,
  CHANNEL_SIGNALS,
  NEWEST,
  RECENT,
  RELEVANCE,
  SIGNALS,
  TEXT_WEIGHTS,
} from '../../src/recall/recipe.ts';

const weightsOf = ({ channels }: typeof RELEVANCE) =>
  CHANNELS.flatMap((channel) => {
    const weight = channels[channel];
    return weight === undefined ? [] : [[channel, weight] as const];
  });

describe.each([
  ['relevance', RELEVANCE],
  ['relevance with the newer first', RECENT],
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

describe('the recipes', () => {
  it('have every list, and so every signal', () => {
    const channels = weightsOf(RECENT).map(([channel]) => channel);
    expect(channels).toEqual(CHANNELS);
    expect(new Set(channels.map((channel) => CHANNEL_SIGNALS[channel]))).toEqual(new Set(SIGNALS));
    expect(weightsOf(RELEVANCE).map(([channel]) => channel)).toEqual(
      CHANNELS.filter((name) => name !== 'recency'),
    );
  });

  it('weigh words and the two vectors as 1 : 0.5 : 0.5, the ratio that was measured', () => {
    const { bm25, vector, window_vector } = RELEVANCE.channels;
    expect([bm25, vector, window_vector].map((one) => one?.weight)).toEqual([1, 0.5, 0.5]);
  });

  it('say of the weight of each text what it was chosen on', () => {
    for (const { weight, chosen_on } of Object.values(TEXT_WEIGHTS)) {
      expect(weight).toBeGreaterThan(0);
      expect(chosen_on).not.toBe('');
    }
  });
});
