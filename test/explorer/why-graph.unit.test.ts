import { drawn, isLayoutOf, shapeOf } from '../../src/explorer/views/why/drawing.ts';
import {
  dated,
  firstOf,
  graphOf,
  nameOf,
  signOf,
  withNeighbours,
  type WhyGraph,
} from '../../src/explorer/views/why/graph.ts';
import { layersOf, linksToldAt } from '../../src/explorer/views/why/layers.ts';
import { placed } from '../../src/explorer/views/why/place.ts';
import { cut, quoteOf, textOf } from '../../src/explorer/views/why/words.ts';

const node = (id: string, type: any, record: any = null) => ({ id, type, summary: `says ${id}`, record });
const edge = (from: string, to: string, relation: string, span: any = null) => ({ from, to, relation, span });

/** A belief on two facts, one against it, stated in two events; a concept rests on it, and an episode has one of the events. */
const DOWN = {
  nodes: [
    node('belief_1', 'belief', {
      confidence: 0.9,
      stance: 'supported',
      supports: [
        { id: 'fact_1', weight: 0.95, polarity: 'supports' },
        { id: 'fact_2', weight: 0.4, polarity: 'against' },
      ],
    }),
    node('fact_1', 'fact'),
    node('fact_2', 'fact'),
    node('evt_1', 'event'),
    node('evt_2', 'event'),
  ],
  edges: [
    edge('belief_1', 'fact_1', 'supported_by'),
    edge('belief_1', 'fact_2', 'supersedes_against'),
    edge('fact_1', 'evt_1', 'extracted_from', { start: 0, end: 4 }),
    edge('fact_2', 'evt_2', 'extracted_from'),
  ],
  truncated: false,
};
const UP = {
  nodes: [node('belief_1', 'belief', DOWN.nodes[0]?.record), node('concept_1', 'concept')],
  edges: [edge('concept_1', 'belief_1', 'supported_by')],
  truncated: false,
};
const GRAPH = graphOf([DOWN, UP]);

const NEIGHBOURS = {
  nodes: [
    { id: 'ep_1', type: 'episode' as const, summary: 'a day', confidence: null, stance: null },
    { id: 'fact_1', type: 'fact' as const, summary: 'known', confidence: 1, stance: null },
    { id: 'ent_1', type: 'entity' as const, summary: 'Ada', confidence: null, stance: null },
    { id: 'fact_9', type: 'fact' as const, summary: 'newer', confidence: 1, stance: null },
  ],
  edges: [
    { from: 'ep_1', to: 'evt_1', type: 'CONTAINS', weight: null, polarity: null, span: null },
    { from: 'fact_1', to: 'evt_1', type: 'DERIVED_FROM', weight: null, polarity: null, span: null },
    { from: 'fact_1', to: 'ent_1', type: 'SUBJECT', weight: null, polarity: null, span: null },
    { from: 'fact_1', to: 'fact_9', type: 'SUPERSEDED_BY', weight: null, polarity: null, span: null },
    {
      from: 'belief_1',
      to: 'evt_2',
      type: 'SUPPORTED_BY',
      weight: 1,
      polarity: 'against' as const,
      span: null,
    },
  ],
  pageInfo: { hasNextPage: false },
};

const idsByLayer = (graph: WhyGraph, root: string) =>
  layersOf(graph, root).map(({ steps, nodes }) => [steps, ...nodes.map(({ id }) => id)]);

describe('the graph of a why', () => {
  it('has what evidence weighs, and on which side', () => {
    expect(GRAPH.links.map((link) => [signOf(link), link.weight])).toEqual([
      ['+', 0.95],
      ['−', 0.4],
      ['', null],
      ['', null],
      ['+', null],
    ]);
  });

  it('goes down layer by layer, then up', () => {
    expect(idsByLayer(GRAPH, 'belief_1')).toEqual([
      [0, 'belief_1'],
      [-1, 'fact_1', 'fact_2'],
      [-2, 'evt_1', 'evt_2'],
      [1, 'concept_1'],
    ]);
  });

  it('grows by neighbours: each record once, each link once, without entities', () => {
    const grown = withNeighbours(GRAPH, NEIGHBOURS);
    expect(grown.nodes.map(({ id }) => id).slice(GRAPH.nodes.length)).toEqual(['ep_1', 'fact_9']);
    expect(
      grown.links.slice(GRAPH.links.length).map(({ from, to, relation }) => [from, relation, to]),
    ).toEqual([
      ['ep_1', 'contains', 'evt_1'],
      ['fact_9', 'supersedes', 'fact_1'],
      ['belief_1', 'denied_by', 'evt_2'],
    ]);
    expect(withNeighbours(grown, NEIGHBOURS)).toEqual(grown);
    expect(idsByLayer(grown, 'belief_1').at(-1)).toEqual([null, 'ep_1', 'fact_9']);
  });

  it('is told link by link, each at the farther end or beside', () => {
    const across = [
      ...withNeighbours(GRAPH, NEIGHBOURS).links,
      { from: 'fact_1', to: 'concept_1', relation: 'contradicts' as const, weight: null, span: null },
    ];
    const graph = { ...withNeighbours(GRAPH, NEIGHBOURS), links: across };
    const told = linksToldAt(graph, layersOf(graph, 'belief_1'));
    expect(told.get('evt_1')?.map(({ from }) => from)).toEqual(['fact_1', 'ep_1']);
    expect(told.get('concept_1')?.map(({ to }) => to)).toEqual(['belief_1']);
    expect(told.get('fact_1')?.map(({ relation }) => relation)).toEqual([
      'supported_by',
      'supersedes',
      'contradicts',
    ]);
    expect(told.get('ep_1')).toHaveLength(1);
    expect(new Set([...told.values()].flat().map(nameOf))).toEqual(new Set(across.map(nameOf)));
  });

  it('says of instants the day', () => {
    expect(dated('lives in Turin, from 2025-09-12T00:00:00.000Z to 2026-02-03T10:00:00Z')).toBe(
      'lives in Turin, from 2025-09-12 to 2026-02-03',
    );
    expect(dated('T12 at 10:00:00Z')).toBe('T12 at 10:00:00Z');
  });

  it('can be cut to the nearest', () => {
    const { nodes, links } = firstOf(GRAPH, 2);
    expect(nodes.map(({ id }) => id)).toEqual(['belief_1', 'fact_1']);
    expect(links).toHaveLength(1);
  });
});

describe('the drawing of a why', () => {
  const frame = { width: 800, height: 600 };
  const taskOf = (graph: WhyGraph, way: 'down' | 'across' | null, size = frame) => {
    const { cards, lines } = drawn(graph, () => undefined);
    return { cards: cards.map(({ id }) => id), lines, way, frame: size };
  };

  it('has the words of a fact between it and its event', () => {
    const { cards, lines } = drawn(GRAPH, () => 'four words of it');
    expect(cards.find(({ kind }) => kind === 'words')).toMatchObject({
      text: '“four words of it”',
      record: 'evt_1',
    });
    expect(lines.map(({ look, text }) => [look, text])).toEqual([
      ['for', '+ 0.95'],
      ['against', '− 0.4'],
      ['rests', ''],
      ['part', ''],
      ['rests', ''],
      ['for', '+'],
    ]);
  });

  it('has what rests above what it rests on, with the words in between', () => {
    const { cards } = drawn(GRAPH, () => undefined);
    const { ys } = placed(taskOf(GRAPH, 'down'));
    const y = new Map(cards.map(({ id, kind }, i) => [kind === 'words' ? 'words' : id, ys[i]]));
    const order = ['concept_1', 'belief_1', 'fact_1', 'words', 'evt_1'].map(
      (name) => y.get(name) ?? Number.NaN,
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(new Set(order).size).toBe(order.length);
  });

  it('puts nothing upon one another', () => {
    const { xs, ys } = placed(taskOf(GRAPH, 'across'));
    expect(new Set(xs.map((x, i) => `${x} ${ys[i]}`)).size).toBe(xs.length);
  });

  it('goes across in a wide frame and down in a high one', () => {
    const many = {
      nodes: Array.from({ length: 12 }, (_, i) => ({ ...GRAPH.nodes[1]!, id: `fact_${i}` })),
      links: Array.from({ length: 11 }, (_, i) => ({
        ...GRAPH.links[0]!,
        from: 'fact_0',
        to: `fact_${i + 1}`,
      })),
    };
    expect(placed(taskOf(many, null, { width: 500, height: 1000 })).way).toBe('across');
    expect(placed(taskOf(many, null, { width: 3000, height: 300 })).way).toBe('down');
  });

  it('is laid out again where records or links come or go, or another way is asked for, and not for texts', () => {
    const shape = shapeOf(drawn(GRAPH, () => undefined));
    const layout = { shape, way: 'down' as const, places: new Map() };
    const isStill = (graph: WhyGraph, text?: string) =>
      isLayoutOf(layout, shapeOf(drawn(graph, () => text)), 'down');
    expect(isStill(GRAPH, 'words that came late')).toBe(true);
    expect(isStill({ ...GRAPH, nodes: GRAPH.nodes.map((one) => ({ ...one, summary: 'other' })) })).toBe(true);
    expect(isStill({ nodes: GRAPH.nodes.toReversed(), links: GRAPH.links.toReversed() })).toBe(true);
    expect(isStill(withNeighbours(GRAPH, NEIGHBOURS))).toBe(false);
    expect(isStill({ ...GRAPH, links: GRAPH.links.slice(1) })).toBe(false);
    expect(isStill({ ...GRAPH, links: GRAPH.links.map((link) => ({ ...link, span: null })) })).toBe(false);
    expect([isLayoutOf(layout, shape, 'across'), isLayoutOf(layout, shape, null)]).toEqual([false, false]);
    expect(isLayoutOf(null, shape, 'down')).toBe(false);
  });
});

describe('the words of an event', () => {
  it('are counted in characters, not in code units', () => {
    expect(quoteOf('👋 I moved to Turin', { start: 2, end: 9 })).toEqual({
      before: '👋 ',
      words: 'I moved',
      after: ' to Turin',
    });
  });

  it('come with some of what stands around them', () => {
    const { before, words, after } = quoteOf(`${'a'.repeat(200)}word${'b'.repeat(200)}`, {
      start: 200,
      end: 204,
    });
    expect([before, words, after]).toEqual([`…${'a'.repeat(60)}`, 'word', `${'b'.repeat(60)}…`]);
  });

  it('stand in the text of the content, where it has one', () => {
    expect(textOf({ kind: 'message', text: '' })).toBe('');
    expect(textOf({ kind: 'blob_ref', transcript: 'said' })).toBe('said');
    expect(textOf({ kind: 'json', data: { a: 1 } })).toBeNull();
  });

  it('are cut at the end', () => {
    expect(cut('👋👋👋', 3)).toBe('👋👋👋');
    expect(cut('👋👋👋', 2)).toBe('👋…');
  });
});
