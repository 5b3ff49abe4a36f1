import {
  applyChange,
  comparisonOf,
  drawnEdges,
  modelOf,
  undrawnEdges,
  withGone,
  type GraphModel,
} from '../../src/explorer/views/time/graph-model.ts';
import type {
  DiffPage,
  GraphChange,
  GraphEdge,
  GraphNode,
  GraphSide,
  NodeType,
} from '../../src/explorer/views/time/queries.ts';

const SCOPE = 'user:a';
const NOTHING = { nodes: [], edges: [] };

function node(id: string, type: NodeType = 'fact', more: Partial<GraphNode> = {}): GraphNode {
  return {
    id,
    type,
    scope: SCOPE,
    summary: id,
    validFrom: null,
    validTo: null,
    recordedFrom: null,
    confidence: null,
    stance: null,
    more: 0,
    ...more,
  };
}

function edge(from: string, to: string, type = 'SUBJECT', more: Partial<GraphEdge> = {}): GraphEdge {
  return {
    from,
    to,
    type,
    weight: null,
    polarity: null,
    relation: null,
    role: null,
    validAt: null,
    span: null,
    ...more,
  };
}

function change(more: Partial<GraphChange>): GraphChange {
  return {
    lifecycleId: '1',
    event: 'graph_changed',
    readAgain: false,
    gone: [],
    nodes: [],
    edges: [],
    ...more,
  };
}

function drawn(model: GraphModel): [string[], string[]] {
  const edges = drawnEdges(model).map(([, { from, to, type }]) => `${from} ${type} ${to}`);
  return [[...model.nodes.keys()].sort(), edges.sort()];
}

const PRIYA = node('ent', 'entity');

describe('the pages of a graph', () => {
  it('are one graph, in which an edge waits for the page with its other end', () => {
    const first = { nodes: [node('fact')], edges: [edge('fact', 'event', 'DERIVED_FROM')] };
    expect(drawn(modelOf([first]))).toEqual([['fact'], []]);
    const second = { nodes: [node('event', 'event')], edges: [] };
    expect(drawn(modelOf([first, second]))).toEqual([['event', 'fact'], ['fact DERIVED_FROM event']]);
  });

  it('have each edge once, and those apart that differ in what they state', () => {
    const side = { nodes: [node('a'), node('b')], edges: [edge('a', 'b', 'RELATES', { relation: 'x' })] };
    const other = { nodes: [], edges: [edge('a', 'b', 'RELATES', { relation: 'y' })] };
    expect(modelOf([side, side, other]).edges.size).toBe(2);
  });
});

describe('the edges of a node that are not drawn', () => {
  it('are those that its answer counts and those whose other end is missing, fewer the more come', () => {
    const hub = node('hub', 'fact', { more: 2 });
    const first = { nodes: [hub, node('a')], edges: [edge('a', 'hub'), edge('hub', 'elsewhere')] };
    const left = (...sides: GraphSide[]): number =>
      undrawnEdges(hub, sides, drawnEdges(modelOf(sides)).length);
    expect(left(first)).toBe(3);
    const second = { nodes: [node('b'), node('elsewhere')], edges: [edge('b', 'hub')] };
    expect(left(second, first)).toBe(1);
    const third = {
      nodes: [node('c'), node('d')],
      edges: [edge('c', 'hub'), edge('d', 'hub'), edge('hub', 'd')],
    };
    expect(left(third, second, first)).toBe(0);
  });
});

describe('a change of a graph', () => {
  const before = modelOf([
    { nodes: [node('old'), node('kept'), PRIYA], edges: [edge('old', 'ent'), edge('kept', 'ent')] },
  ]);

  it('takes out what is gone with its edges', () => {
    const after = applyChange(before, change({ gone: ['old', 'unknown'] }), SCOPE);
    expect(drawn(after)).toEqual([['ent', 'kept'], ['kept SUBJECT ent']]);
  });

  it('takes entities, and records of other scopes, out with the last edge to them', () => {
    const other = node('far', 'event', { scope: 'user:b' });
    const held = modelOf([
      { nodes: [...before.nodes.values(), other], edges: [...before.edges.values(), edge('old', 'far')] },
    ]);
    expect(drawn(applyChange(held, change({ gone: ['old'] }), SCOPE))[0]).toEqual(['ent', 'kept']);
    expect(drawn(applyChange(held, change({ gone: ['old', 'kept'] }), SCOPE))).toEqual([[], []]);
  });

  it('takes SAME_AS out with the entity that it leads from', () => {
    const held = modelOf([
      {
        nodes: [node('old'), PRIYA, node('other', 'entity')],
        edges: [edge('old', 'ent'), edge('ent', 'other', 'SAME_AS')],
      },
    ]);
    const after = applyChange(held, change({ gone: ['old'] }), SCOPE);
    expect([...after.edges.keys()]).toEqual([]);
  });

  it('puts the edges of a node in the place of those that led from it', () => {
    const after = applyChange(
      before,
      change({
        nodes: [node('kept', 'fact', { summary: 'said anew' }), node('place', 'entity')],
        edges: [edge('kept', 'place', 'OBJECT'), edge('kept', 'nowhere')],
      }),
      SCOPE,
    );
    expect(drawn(after)).toEqual([
      ['ent', 'kept', 'old', 'place'],
      ['kept OBJECT place', 'old SUBJECT ent'],
    ]);
    expect(after.nodes.get('kept')?.summary).toBe('said anew');
    expect(after.edges.size).toBe(2);
  });

  it('leaves the edges of what it only brings along as they are', () => {
    const linked = modelOf([
      {
        nodes: [...before.nodes.values(), node('other', 'entity')],
        edges: [...before.edges.values(), edge('ent', 'other', 'SAME_AS')],
      },
    ]);
    const after = applyChange(
      linked,
      change({ nodes: [node('new'), PRIYA], edges: [edge('new', 'ent')] }),
      SCOPE,
    );
    expect(drawn(after)[1]).toContain('ent SAME_AS other');
  });

  it('does no harm when it is taken twice', () => {
    const one = change({
      gone: ['old'],
      nodes: [node('new')],
      edges: [edge('new', 'kept', 'CONCLUDED_FROM')],
    });
    const once = applyChange(before, one, SCOPE);
    expect(drawn(applyChange(once, one, SCOPE))).toEqual(drawn(once));
  });
});

describe('a comparison', () => {
  const page: DiffPage = {
    appeared: { nodes: [node('new')], edges: [edge('new', 'ent')] },
    gone: { nodes: [node('old')], edges: [edge('old', 'ent')] },
    changed: {
      nodes: [{ before: node('belief', 'belief', { confidence: 0.5 }), after: node('belief', 'belief') }],
      edges: [],
    },
    unchanged: { nodes: 3, edges: 4 },
    pageInfo: { hasNextPage: false, endCursor: null },
  };

  it('marks what became of each, and counts what is the same', () => {
    const { nodes, edges, before, unchanged } = comparisonOf([
      page,
      { ...page, appeared: NOTHING, gone: NOTHING },
    ]);
    expect([...nodes]).toEqual([
      ['new', 'appeared'],
      ['old', 'gone'],
      ['belief', 'changed'],
    ]);
    expect([...edges.values()]).toEqual(['appeared', 'gone']);
    expect(before.get('belief')?.confidence).toBe(0.5);
    expect(unchanged).toEqual({ nodes: 6, edges: 8 });
  });

  it('shows what is gone beside what is there', () => {
    const later = modelOf([{ nodes: [node('new'), PRIYA], edges: [edge('new', 'ent')] }]);
    expect(drawn(withGone(later, [page]))).toEqual([
      ['ent', 'new', 'old'],
      ['new SUBJECT ent', 'old SUBJECT ent'],
    ]);
  });
});
