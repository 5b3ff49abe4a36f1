import type { FactItem, Stretch } from '../../src/explorer/views/entity/queries.ts';
import {
  drawnInstants,
  instantsOf,
  isOverlapping,
  rectanglesOf,
  termText,
  valuesOf,
  type Known,
} from '../../src/explorer/views/entity/rectangles.ts';
import { placesOf, recordedAxis, thinned, writerOf } from '../../src/explorer/views/entity/scales.ts';

const at = (text: string): number => Date.parse(text);
const stretch = (
  factId: string,
  name: string,
  validFrom: string,
  validTo: string | null = null,
): Stretch => ({
  factId,
  object: { type: 'entity', id: `ent_${name}`, name },
  validFrom,
  validTo,
});

const [R1, R2, R3] = ['2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z', '2025-03-01T00:00:00Z'].map(at) as [
  number,
  number,
  number,
];

/** Bergen, then Tromsø, then, told late, Ålesund in between. */
const KNOWN: readonly Known[] = [
  { at: R1, stretches: [stretch('b', 'Bergen', '2023-08-01')] },
  {
    at: R2,
    stretches: [stretch('b', 'Bergen', '2023-08-01', '2025-03-01'), stretch('t', 'Tromsø', '2025-03-01')],
  },
  {
    at: R3,
    stretches: [
      stretch('b', 'Bergen', '2023-08-01', '2024-09-15'),
      stretch('a', 'Ålesund', '2024-09-15', '2025-03-01'),
      stretch('t', 'Tromsø', '2025-03-01'),
    ],
  },
];

describe('rectangles of facts', () => {
  const rectangles = rectanglesOf(KNOWN);

  it('end in recorded time where something else was learned, and go on where nothing was', () => {
    expect(rectangles.map(({ value, to, since, until }) => [value, to, since, until])).toEqual([
      ['Bergen', null, R1, R2],
      ['Bergen', at('2025-03-01'), R2, R3],
      ['Tromsø', null, R2, null],
      ['Bergen', at('2024-09-15'), R3, null],
      ['Ålesund', at('2025-03-01'), R3, null],
    ]);
    expect(valuesOf(rectangles)).toEqual(['Bergen', 'Tromsø', 'Ålesund']);
  });

  it('do not meet where there is one value at once, and do where there are several', () => {
    expect(isOverlapping(rectangles)).toBe(false);
    const both = {
      at: R1,
      stretches: [stretch('x', 'Rowing', '2020-01-01'), stretch('y', 'Chess', '2021-01-01')],
    };
    expect(isOverlapping(rectanglesOf([both]))).toBe(true);
  });

  it('are not made of what is true at no time', () => {
    expect(
      rectanglesOf([{ at: R1, stretches: [stretch('n', 'Nowhere', '2024-01-01', '2024-01-01')] }]),
    ).toEqual([]);
  });

  it('change at the instants at which a fact began or stopped to be the newest', () => {
    const fact = (recordedFrom: string, recordedTo: string | null) =>
      ({ recordedFrom, recordedTo }) as FactItem;
    const facts = [fact('2025-02-01T00:00:00Z', null), fact('2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z')];
    expect(instantsOf(facts, R3)).toEqual([R1, R2]);
    expect(instantsOf(facts, R1)).toEqual([R1]);
  });

  it('that were known before the first instant have no instant from which they were', () => {
    const [, ...later] = KNOWN;
    const before = [stretch('b', 'Bergen', '2023-08-01', '2025-03-01'), stretch('o', 'Oslo', '2020-01-01')];
    const cut = rectanglesOf(later, before);
    expect(cut.map(({ value, since, until }) => [value, since, until])).toEqual([
      ['Bergen', null, R3],
      ['Tromsø', R2, null],
      ['Bergen', R3, null],
      ['Ålesund', R3, null],
    ]);
    expect(isOverlapping(cut)).toBe(false);
  });

  it('that come back are known from then on, whatever was known before', () => {
    const bergen = stretch('b', 'Bergen', '2023-08-01');
    const knowns = [
      { at: R1, stretches: [bergen] },
      { at: R2, stretches: [] },
      { at: R3, stretches: [bergen] },
    ];
    expect(rectanglesOf(knowns, [bergen]).map(({ since, until }) => [since, until])).toEqual([
      [null, R2],
      [R3, null],
    ]);
  });

  it('are drawn of the newest instants, and where earlier ones are missing from what was known before', () => {
    const facts = [R1, R2, R3].map(
      (from) => ({ recordedFrom: new Date(from).toISOString(), recordedTo: null }) as FactItem,
    );
    const drawn = (most: number, isWhole: boolean) => drawnInstants(facts, { until: R3, most, isWhole });
    expect(drawn(3, true)).toEqual({ instants: [R1, R2, R3], before: null, left: 0 });
    expect(drawn(3, false)).toEqual({ instants: [R1, R2, R3], before: R1 - 1, left: 0 });
    expect(drawn(2, true)).toEqual({ instants: [R2, R3], before: R2 - 1, left: 1 });
    expect(drawnInstants([], { until: R3, most: 2, isWhole: false }).before).toBeNull();
  });

  it('say their values as people read them', () => {
    expect(termText({ type: 'entity', id: 'ent_1', name: null })).toBe('ent_1');
    expect(termText({ type: 'literal', value: '1962' })).toBe('1962');
    expect(termText({ type: 'literal', value: 7 })).toBe('7');
    expect(termText({ type: 'literal', value: null })).toBe('null');
  });
});

describe('the axes', () => {
  it('give each change the same room, or room to scale', () => {
    expect(placesOf([0, 1, 100], 'steps', 200)).toEqual([0, 100, 200]);
    expect(placesOf([0, 1, 100], 'scale', 200)).toEqual([0, 2, 200]);
    expect(placesOf([5, 5], 'scale', 200)).toEqual([0, 200]);
  });

  it('place what has no end at their own end', () => {
    const recorded = recordedAxis([R1, R2, R3], at('2025-04-01'), { pace: 'steps', height: 300 });
    expect([R1, R2, R3, null].map(recorded.place)).toEqual([0, 100, 200, 300]);
    expect(recorded.ticks).toHaveLength(3);
  });

  it('write instants so that they can be told apart', () => {
    const write = writerOf([1000, 1005]);
    expect(write(1000)).not.toBe(write(1005));
    const days = writerOf([R1, R2]);
    expect(days(R1)).not.toMatch(/:/);
  });

  it('leave out what would stand on something else, never the last', () => {
    const ticks = [0, 5, 20, 24].map((place) => ({ at: place, text: String(place) }));
    expect(thinned(ticks, 10).map(({ at: place }) => place)).toEqual([5, 24]);
  });
});
