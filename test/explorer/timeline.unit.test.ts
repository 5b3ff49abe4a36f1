import { chosenIn, sightParameters } from '../../src/explorer/views/timeline/choice.ts';
import { inOrder, itemOfFound } from '../../src/explorer/views/timeline/items.ts';
import {
  around,
  barsOf,
  clamped,
  clustersOf,
  extentOf,
  lanesOf,
  moved,
  type Item,
} from '../../src/explorer/views/timeline/line.ts';

const RULER = { x: (ms: number) => ms, width: 1000 };

function event(start: number, actor = 'user:a'): Item {
  return { id: `evt_${actor}_${start}`, kind: 'event', start, end: start, text: '', actor };
}

function episode(start: number, end: number | null): Item {
  return { id: `ep_${start}_${end}`, kind: 'episode', start, end, text: '', actor: null };
}

describe('the line', () => {
  it('holds everything with a margin, and something where there is nothing', () => {
    const { from, to } = extentOf([event(0), episode(100_000_000, null)], 0);
    expect([from < 0, to > 100_000_000]).toEqual([true, true]);
    expect(extentOf([], 7_200_000)).toEqual({ from: 3_600_000, to: 7_200_000 });
    const single = extentOf([event(500)], 0);
    expect(single.to).toBeGreaterThan(single.from);
  });

  it('makes one mark of events that are near, and leaves out what is not in sight', () => {
    const clusters = clustersOf(
      [event(100), event(110), event(126), event(300), event(-5), event(2000)],
      RULER,
    );
    expect(clusters.map(({ items }) => items.map(({ start }) => start))).toEqual([[100, 110], [126], [300]]);
    expect(clusters[0]?.x).toBe(105);
  });

  it('gives those actors lanes of their own that have most', () => {
    const events = Array.from({ length: 8 }, (_, i) =>
      Array.from({ length: i + 1 }, (__, n) => event(n * 100, `user:${i}`)),
    ).flat();
    expect(lanesOf(events, RULER).map(({ name }) => name)).toEqual([
      'user:7',
      'user:6',
      'user:5',
      'user:4',
      'user:3',
      '3 other actors',
    ]);
    expect(lanesOf([event(1)], RULER)).toHaveLength(1);
  });

  it('puts episodes that overlap below each other, and counts those without room', () => {
    const { bars, rows, hidden } = barsOf([episode(0, 100), episode(50, 200), episode(150, null)], RULER);
    expect(bars.map(({ row, x, width }) => [row, x, width])).toEqual([
      [0, 0, 100],
      [1, 50, 150],
      [0, 150, 850],
    ]);
    expect([rows, hidden]).toEqual([2, 0]);
    const many = Array.from({ length: 10 }, (_, i) => episode(i, 900));
    expect(barsOf(many, RULER)).toMatchObject({ rows: 6, hidden: 4 });
    expect(barsOf([episode(-100, -50), episode(1200, null)], RULER).bars).toEqual([]);
  });

  it('is moved and made nearer about its middle', () => {
    expect(moved({ from: 0, to: 10_000 }, 0.5, 1)).toEqual({ from: 5000, to: 15_000 });
    expect(moved({ from: 0, to: 10_000 }, 0, 0.5)).toEqual({ from: 2500, to: 7500 });
    const nearest = moved({ from: 0, to: 10 }, 0, 0.5);
    expect(nearest.to - nearest.from).toBe(1000);
  });

  it('stays within the years 1 to 9999, however often it is pressed', () => {
    const pressed = (by: number, factor: number) => {
      let sight = { from: Date.parse('2025-01-01T00:00:00Z'), to: Date.parse('2027-01-01T00:00:00Z') };
      for (let press = 0; press < 20_000; press += 1) sight = clamped(moved(sight, by, factor));
      return sightParameters(sight);
    };
    const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
    expect(pressed(0, 2)).toEqual({ from: first, to: last });
    expect(pressed(0.5, 1).to).toBe(last);
    expect(pressed(-0.5, 1)).toEqual({ from: first, to: '0003-01-01T00:00:00.000Z' });
    expect(clamped({ from: 5, to: 9 })).toEqual({ from: 5, to: 9 });
  });

  it('goes around items of several instants', () => {
    expect(around([event(100), event(200)])).toEqual({ from: 50, to: 250 });
    expect(around([event(100), event(100)])).toBeNull();
  });
});

describe('what stands on the line', () => {
  it('is there once, newest first', () => {
    expect(inOrder([event(1), event(3), event(1), event(2)]).map(({ start }) => start)).toEqual([3, 2, 1]);
  });

  it('has an end where it is an event, or over', () => {
    const node = { id: 'x', summary: 's', validFrom: '1970-01-01T00:00:01Z', validTo: null };
    expect(itemOfFound({ ...node, type: 'event' })[0]).toMatchObject({ start: 1000, end: 1000 });
    expect(itemOfFound({ ...node, type: 'episode' })[0]).toMatchObject({ start: 1000, end: null });
    expect(itemOfFound({ ...node, type: 'event', validFrom: null })).toEqual([]);
  });
});

describe('what is chosen', () => {
  it('is in sight only where it is a stretch', () => {
    const from = '2025-01-01T00:00:00Z';
    const to = '2025-02-01T00:00:00Z';
    expect(chosenIn({ from, to }).sight).toEqual({ from: Date.parse(from), to: Date.parse(to) });
    expect(chosenIn({ from: to, to: from }).sight).toBeNull();
    expect(chosenIn({ from, to: 'never', actor: '' })).toMatchObject({ sight: null, actor: null });
  });
});
