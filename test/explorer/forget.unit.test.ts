import { phasesOf } from '../../src/explorer/views/forget/erasure/phases.ts';
import { receiptFile } from '../../src/explorer/views/forget/erasure/receipt-file.ts';
import { fateGraph, joinedWith, sampleOf } from '../../src/explorer/views/forget/fate.ts';
import { layoutOf, NODE } from '../../src/explorer/views/forget/layout.ts';
import type { Ids, NeighbourhoodData } from '../../src/explorer/views/forget/queries.ts';
import {
  countsInWords,
  howOf,
  selectedBy,
  selectionInWords,
} from '../../src/explorer/views/forget/selection.ts';
import { wantedBy } from '../../src/explorer/views/audit/wanted.ts';

const NONE: Ids = { events: [], episodes: [], facts: [], beliefs: [], understanding: [] };

describe('a selection', () => {
  it.each([
    [{}, null],
    [{ how: 'erase' }, null],
    [
      { all: 'yes', entity: 'Jonas' },
      { scope: 'a:b', confirmAll: true },
    ],
    [{ entity: 'Jonas' }, { scope: 'a:b', selector: { aboutEntity: 'Jonas' } }],
    [{ labels: 'x, y z' }, { scope: 'a:b', selector: { labels: ['x', 'y z'] } }],
    [{ ids: 'evt_1, evt_2\nevt_1' }, { scope: 'a:b', selector: { memoryIds: ['evt_1', 'evt_2'] } }],
    [{ from: '2025-01-01' }, { scope: 'a:b', selector: { validDuring: ['2025-01-01', '9999-12-31'] } }],
    [
      { to: '2025-01-01', axis: 'recorded' },
      { scope: 'a:b', selector: { recordedDuring: ['1970-01-01', '2025-01-01'] } },
    ],
  ])('of the address %j is %j', (parameters, selected) => {
    expect(selectedBy('a:b', parameters)).toEqual(selected);
  });

  it('is told in words', () => {
    const selector = { aboutEntity: 'Jonas', predicate: 'works_as' };
    expect(selectionInWords({ scope: 'a:b', selector })).toBe('what is about Jonas and says works as');
    expect(selectionInWords({ scope: 'a:b', confirmAll: true })).toBe('everything');
  });

  it('goes no further than it is asked to', () => {
    expect([howOf({}), howOf({ how: 'all' }), howOf({ how: 'erase' })]).toEqual([
      'derived_only',
      'derived_only',
      'erase',
    ]);
  });

  it('is counted in words', () => {
    const counts = { events: 0, episodes: 1, facts: 2, beliefs: 0, understanding: 1 };
    expect(countsInWords(counts)).toBe('1 episode, 2 facts, 1 concept');
  });
});

const fact = (id: string, others: readonly string[]): readonly [string, NeighbourhoodData] => [
  id,
  {
    node: {
      __typename: 'Fact',
      id,
      subject: { id: 'ent_a', name: 'Ann' },
      predicate: 'lives_in',
      object: { type: 'entity', id: 'ent_o', name: 'Oslo' },
      confidence: 1,
      validFrom: '2025-01-01T00:00:00Z',
      validTo: null,
    },
    neighbours: {
      nodes: [
        ...others.map((other) => ({ id: other, type: 'event' as const, summary: other })),
        { id: 'ent_a', type: 'entity', summary: 'Ann' },
      ],
      edges: [
        ...others.map((to) => ({ from: id, to, type: 'DERIVED_FROM' })),
        { from: id, to: 'ent_a', type: 'SUBJECT' },
      ],
    },
  },
];

describe('the picture of a preview', () => {
  const gone = { ...NONE, facts: ['f1'], events: ['e1'] };
  const revised = { ...NONE, facts: ['f2'] };
  const graph = fateGraph([fact('f1', ['e1', 'e2']), fact('f2', ['e2'])], { gone, revised });

  it('says of each record what becomes of it, and leaves entities out', () => {
    expect(graph.nodes.map(({ id, fate }) => [id, fate])).toEqual([
      ['f1', 'goes'],
      ['e1', 'goes'],
      ['e2', 'stays'],
      ['f2', 'revised'],
    ]);
    expect(graph.edges).toEqual([
      { from: 'f1', to: 'e1' },
      { from: 'f1', to: 'e2' },
      { from: 'f2', to: 'e2' },
    ]);
    expect(graph.nodes[0]?.words).toBe('Ann lives in Oslo');
  });

  it('says of each record what it is joined with, once for each', () => {
    const doubled = { ...graph, edges: [...graph.edges, { from: 'e1', to: 'f1' }] };
    const joined = [...joinedWith(doubled)].map(([id, others]) => [id, ...others.map((other) => other.id)]);
    expect(joined).toEqual([
      ['f1', 'e1', 'e2'],
      ['e1', 'f1'],
      ['e2', 'f1', 'f2'],
      ['f2', 'e2'],
    ]);
  });

  it('takes some of each layer, what goes first', () => {
    const many = { ...NONE, events: ['e1', 'e2', 'e3'], facts: ['f1'] };
    expect(sampleOf(many, { ...NONE, beliefs: ['b1'] }, 4)).toEqual(['e1', 'f1', 'b1', 'e2']);
    expect(sampleOf(NONE, NONE, 4)).toEqual([]);
  });

  it('has a column for each layer that has records, and no two of them in one place', () => {
    const { nodes, columns, width, height } = layoutOf(graph);
    expect(columns.map(({ type }) => type)).toEqual(['event', 'fact']);
    expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length);
    for (const { x, y } of nodes) {
      expect(x + NODE.width).toBeLessThanOrEqual(width);
      expect(y + NODE.height).toBeLessThanOrEqual(height);
    }
  });

  it('puts beside each other what is joined', () => {
    const nodes = ['a', 'b'].flatMap((name) => [
      { id: `e${name}`, type: 'event' as const, words: '', fate: 'goes' as const },
      { id: `f${name}`, type: 'fact' as const, words: '', fate: 'goes' as const },
    ]);
    const crossed = layoutOf({
      nodes: [
        ...nodes.filter(({ type }) => type === 'event'),
        ...nodes.filter(({ type }) => type === 'fact').reverse(),
      ],
      edges: [
        { from: 'ea', to: 'fa' },
        { from: 'eb', to: 'fb' },
      ],
    });
    const yOf = (id: string) => crossed.nodes.find((node) => node.id === id)?.y;
    expect([yOf('ea'), yOf('eb')]).toEqual([yOf('fa'), yOf('fb')]);
  });
});

describe('an erasure', () => {
  it('has done the steps before the one that it is at', () => {
    expect(phasesOf({ phase: 'sealing', status: 'running' }).map(({ state }) => state)).toEqual([
      'done',
      'done',
      'under way',
      'to come',
    ]);
    expect(new Set(phasesOf({ phase: 'done', status: 'completed' }).map(({ state }) => state))).toEqual(
      new Set(['done']),
    );
    expect(phasesOf({ phase: 'removing', status: 'cancelled' })[0]?.state).toBe('left out');
  });

  it('has a receipt with the keys that the command line reads', () => {
    const file = receiptFile({
      erasureId: 'ers_1',
      receipt: 'v4',
      kid: 'k',
      publicKey: 'p',
      claims: { a: 1 },
    });
    expect(JSON.parse(file)).toEqual({
      erasure_id: 'ers_1',
      receipt: 'v4',
      kid: 'k',
      public_key: 'p',
      claims: { a: 1 },
    });
  });
});

describe('the audit log', () => {
  const nothing = { actor: null, capability: null, decision: null, scope: null, since: null };

  it('is asked for what the address says', () => {
    expect(wantedBy(null, {})).toEqual(nothing);
    expect(wantedBy('a:b', { decision: 'deny', since: '2026-01-02' })).toEqual({
      ...nothing,
      scope: 'a:b/*',
      decision: 'deny',
      since: '2026-01-02T00:00:00Z',
    });
    expect(wantedBy('a:b', { below: 'no', decision: 'perhaps' })).toEqual({ ...nothing, scope: 'a:b' });
  });
});
