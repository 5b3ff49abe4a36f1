import { chosenIn, MOST_PAGES } from '../../src/explorer/views/time/choice.ts';
import { nextNeighbours, withNeighbours } from '../../src/explorer/views/time/neighbours.ts';
import { onDisc, placed, roundsFor } from '../../src/explorer/views/time/place.ts';
import type { AxisTimes, GraphPage } from '../../src/explorer/views/time/queries.ts';
import { barsOf, indexAt, stepAfter, stepBefore, stepsOf } from '../../src/explorer/views/time/steps.ts';
import { edgeInWords } from '../../src/explorer/views/time/words.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

function times(changes: [string, number][], bucketMs: number | null = null): AxisTimes {
  return { tMin: null, tMax: null, bucketMs, changes: changes.map(([at, count]) => ({ at, count })) };
}

describe('the steps of a slider', () => {
  const pages = [
    times([
      ['2024-05-01T00:00:00Z', 2],
      ['2027-01-01T00:00:00Z', 1],
    ]),
    times([
      ['2023-08-01T00:00:00Z', 1],
      ['2024-05-01T00:00:00Z', 3],
    ]),
  ];
  const steps = stepsOf(pages, NOW);

  it('are those of all pages in order, with now among them', () => {
    expect(steps.map(({ at, count }) => [at, count])).toEqual([
      ['2023-08-01T00:00:00.000Z', 1],
      ['2024-05-01T00:00:00.000Z', 5],
      [null, 0],
      ['2027-01-01T00:00:00.000Z', 1],
    ]);
  });

  it('look at a stretch from its end', () => {
    const [first] = stepsOf([times([['2024-05-01T00:00:00Z', 2]], 1000)], NOW);
    expect(first?.at).toBe('2024-05-01T00:00:01.000Z');
  });

  it('are found by an instant that is none of them', () => {
    expect(indexAt(steps, '2025-01-01T00:00:00Z')).toBe(1);
    expect(indexAt(steps, '2000-01-01T00:00:00Z')).toBe(0);
    expect(indexAt(steps, null)).toBe(2);
    expect(stepBefore(steps, '2025-01-01T00:00:00Z')?.at).toBe('2024-05-01T00:00:00.000Z');
    expect(stepAfter(steps, '2025-01-01T00:00:00Z')?.at).toBeNull();
    expect(stepAfter(steps, null)?.at).toBe('2027-01-01T00:00:00.000Z');
    expect(stepAfter(steps, '2028-01-01T00:00:00Z')).toBeNull();
    expect(stepBefore(steps, '2023-08-01T00:00:00Z')).toBeNull();
  });

  it('are drawn as bars, the higher the more changes', () => {
    const bars = barsOf(steps, 300, 10);
    expect(bars.split('M').slice(1)).toHaveLength(3);
    expect(bars).toContain('M100.0 10V0.0');
    expect(barsOf([], 300, 10)).toBe('');
  });
});

describe('places', () => {
  it('are the same each time', () => {
    expect(placed(['a', 'b'], new Map(), new Map())).toEqual(
      new Map([
        ['a', onDisc(0)],
        ['b', onDisc(1)],
      ]),
    );
  });

  it('stay, and what is new comes beside its neighbours', () => {
    const before = new Map([
      ['a', { x: 100, y: 100 }],
      ['b', { x: 300, y: 100 }],
    ]);
    const after = placed(['a', 'b', 'new', 'lone'], new Map([['new', ['a', 'b']]]), before);
    expect([after.get('a'), after.get('b')]).toEqual([...before.values()]);
    const { x, y } = after.get('new')!;
    expect(Math.hypot(x - 200, y - 100)).toBeLessThan(20);
    expect(after.get('lone')).toEqual(onDisc(4));
  });

  it('take fewer rounds the more there are', () => {
    expect(roundsFor(10)).toBeGreaterThan(roundsFor(5000));
    expect(roundsFor(0)).toBe(roundsFor(1));
  });
});

describe('what is chosen', () => {
  it('is taken from the address, and what is nonsense there is left out', () => {
    const chosen = chosenIn(
      { types: 'fact,nobody,event', pages: '9999', over: 'x', axis: 'valid', q: '' },
      {},
    );
    expect(chosen).toMatchObject({
      types: ['fact', 'event'],
      pages: MOST_PAGES,
      over: false,
      axis: 'valid',
      q: null,
    });
    expect(chosenIn({ pages: '-1' }, {})).toMatchObject({ types: null, pages: 1, axis: 'recorded' });
    expect(chosenIn({ against: 'yesterday' }, {}).against).toBeNull();
  });

  it('is not narrowed by an entity or a text while two instants are compared', () => {
    const parameters = { types: 'fact', entity: 'Maren', q: 'hull' };
    const narrowed = { types: ['fact'], entity: 'Maren', q: 'hull' };
    expect(chosenIn(parameters, {})).toMatchObject(narrowed);
    expect(chosenIn({ ...parameters, against: 'yesterday' }, {})).toMatchObject(narrowed);
    const against = '2025-01-01T00:00:00Z';
    expect(chosenIn({ ...parameters, against }, {})).toMatchObject({
      types: ['fact'],
      entity: null,
      q: null,
      against,
    });
  });

  it('is not narrowed and now while it is live', () => {
    const instants = { valid: '2025-01-01T00:00:00Z', recorded: '2025-01-01T00:00:00Z' };
    const live = chosenIn({ live: '1', types: 'fact', q: 'x', against: '2025-01-01T00:00:00Z' }, instants);
    expect(live).toMatchObject({
      isLive: true,
      types: null,
      q: null,
      valid: null,
      recorded: null,
      against: null,
    });
  });
});

describe('neighbours', () => {
  const page = (endCursor: string | null): GraphPage => ({
    nodes: [],
    edges: [],
    pageInfo: { hasNextPage: endCursor !== null, endCursor },
    withheldScopes: 0,
    ambiguousEntity: null,
  });

  it('of a node go on behind its last page, whatever was read of others', () => {
    let added = withNeighbours({ key: 'now', pages: [] }, 'now', { node: 'a', page: page('1') });
    added = withNeighbours(added, 'now', { node: 'b', page: page(null) });
    expect(nextNeighbours(added.pages, 'a')).toEqual({ after: '1' });
    expect(nextNeighbours(added.pages, 'b')).toBeNull();
    expect(nextNeighbours(added.pages, 'c')).toEqual({ after: null });
    added = withNeighbours(added, 'now', { node: 'a', page: page(null) });
    expect(nextNeighbours(added.pages, 'a')).toBeNull();
  });

  it('go when something else is looked at', () => {
    const before = withNeighbours({ key: 'now', pages: [] }, 'now', { node: 'a', page: page('1') });
    const { pages } = withNeighbours(before, 'then', { node: 'b', page: page('1') });
    expect(pages.map(({ node }) => node)).toEqual(['b']);
  });
});

describe('an edge in words', () => {
  const edge = {
    from: 'a',
    to: 'b',
    type: 'SUPPORTED_BY',
    weight: 0.5,
    polarity: 'against',
    relation: null,
    role: null,
    validAt: null,
    span: null,
  };

  it('says what speaks against a belief from both of its ends', () => {
    expect(edgeInWords(edge, true)).toBe('has against it (weight 0.50)');
    expect(edgeInWords(edge, false)).toBe('counts against (weight 0.50)');
    expect(edgeInWords({ ...edge, polarity: 'supports', weight: null }, true)).toBe('rests on');
  });

  it('of a kind that is new says its name', () => {
    expect(edgeInWords({ ...edge, type: 'NEW_KIND', weight: null }, true)).toBe('new kind');
  });
});
