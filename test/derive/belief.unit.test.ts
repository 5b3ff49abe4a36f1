import { confidenceOf, judged, weightOf, type Evidence } from '../../src/derive/belief/weight.ts';
import { denies, never, says, stances, type Line } from './agm-world.ts';

function evidence(weight: number, polarity: Evidence['polarity']): Evidence {
  return { type: 'fact', id: `${polarity} ${weight}`, weight, polarity };
}

function statements(...confidences: number[]) {
  return confidences.map((confidence, i) => ({
    id: `s${i}`,
    event_id: `e${i}`,
    position: i,
    recorded_at: i,
    value: 'x',
    kind: 'asserted' as const,
    valid: { from: 0, to: 1 },
    confidence,
  }));
}

describe('the weight of evidence', () => {
  it('is the confidences by half, by a third and so on, each event once', () => {
    expect(weightOf(statements(1))).toBe(1);
    expect(weightOf(statements(0.5, 1))).toBe(1.25);
    expect(weightOf(statements(1, 1, 1))).toBe(1.833333);
    const [first, second] = statements(0.4, 0.9);
    if (first && second) expect(weightOf([first, { ...second, event_id: first.event_id }])).toBe(0.9);
  });

  it.each([
    ['nothing', [], { stance: 'deprecated', confidence: 0.5, lower: 0.05, upper: 0.95 }],
    // Beta(3, 1): the quantiles are the cube roots of the probabilities.
    [
      'one certain statement',
      [evidence(1, 'supports')],
      { stance: 'supported', confidence: 0.75, lower: 0.368403, upper: 0.983048 },
    ],
    [
      'one certain statement against',
      [evidence(1, 'against')],
      { stance: 'contradicted', confidence: 0.25, lower: 0.016952, upper: 0.631597 },
    ],
    ['one as likely as not', [evidence(0.5, 'supports')], { stance: 'supported', confidence: 0.666667 }],
    ['a weak one', [evidence(0.4, 'supports')], { stance: 'uncertain', confidence: 0.642857 }],
    // Beta(3, 3) is symmetric.
    [
      'both sides alike',
      [evidence(1, 'supports'), evidence(1, 'against')],
      { stance: 'uncertain', confidence: 0.5, lower: 0.189255, upper: 0.810745 },
    ],
  ])('of %s', (_name, given, expected) => {
    expect(judged(given)).toMatchObject(expected);
  });

  it('has an interval around the mean that narrows as statements come', () => {
    const widths = [0, 1, 4, 16, 64].map((weight) => {
      const { confidence, lower, upper } = judged([evidence(weight, 'supports')]);
      expect(lower).toBeLessThan(confidence);
      expect(confidence).toBeLessThan(upper);
      return upper - lower;
    });
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
  });
});

describe('the confidence of a fact', () => {
  it.each([
    [[0], 0],
    [[0.1], 0.1],
    [[1], 1],
    [[1, 1], 0.8],
    [[0.1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9], 0.850571],
  ])('of statements at %j is %d', (confidences, expected) => {
    expect(confidenceOf(statements(...confidences))).toBeCloseTo(expected, 5);
  });

  it('is that of a belief where several events say it, and that of its source where one does', () => {
    const [first, second] = statements(0.4, 0.9);
    if (first && second) expect(confidenceOf([first, { ...second, event_id: first.event_id }])).toBe(0.9);
    const several = statements(0.4, 0.9, 0.7);
    const [belief] = [judged([evidence(weightOf(several), 'supports')])];
    expect(confidenceOf(several)).toBe(belief.confidence);
  });
});

describe('the stance of a belief', () => {
  const cases: readonly [string, readonly Line[], Record<string, string>, number?][] = [
    [
      'flips where a later value begins',
      [says('home', 'paris', { from: 10 }), says('home', 'london', { from: 20 })],
      { 'home=paris': 'contradicted', 'home=london': 'supported' },
      20,
    ],
    [
      'is as it was before the later value begins',
      [says('home', 'paris', { from: 10 }), says('home', 'london', { from: 20 })],
      { 'home=paris': 'supported' },
      19,
    ],
    [
      'returns with the value',
      [
        says('home', 'paris', { from: 10 }),
        says('home', 'london', { from: 20 }),
        says('home', 'paris', { from: 30 }),
      ],
      { 'home=paris': 'supported', 'home=london': 'contradicted' },
      30,
    ],
    [
      'is deprecated when what was stated has ended and nothing speaks against it',
      [says('home', 'paris', { from: 10, to: 20 })],
      { 'home=paris': 'deprecated' },
      20,
    ],
    ['is contradicted by a denial alone', [denies('allergy', 'nuts')], { 'allergy=nuts': 'contradicted' }],
    [
      'is contradicted at every time by a value that never held',
      [says('home', 'paris', { from: 10 }), never('home', 'paris')],
      { 'home=paris': 'contradicted' },
      10,
    ],
    [
      'of a conclusion is deprecated when its premise falls',
      [
        says('home', 'paris', { from: 10 }),
        says('language', 'french', { from: 10, premises: [{ claim: 'home', value: 'paris' }] }),
        never('home', 'paris'),
      ],
      { 'home=paris': 'contradicted', 'language=french': 'deprecated' },
      10,
    ],
  ];

  for (const [name, lines, expected, valid] of cases)
    it(name, () => {
      expect(Object.fromEntries(stances(lines, valid))).toEqual(expected);
    });
});
