import type { DiffPage, GraphChange, GraphEdge, GraphNode, GraphSide } from './queries.ts';

/** A graph as it is held: nodes by id, edges by {@link edgeKey}. An edge may wait here for its other end. */
export interface GraphModel {
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly edges: ReadonlyMap<string, GraphEdge>;
}

/** What became of a node or an edge between two instants. */
export type Mark = 'appeared' | 'gone' | 'changed';

/** What two instants have to do with each other: by node and by edge, with what each said before. */
export interface Comparison {
  readonly nodes: ReadonlyMap<string, Mark>;
  readonly edges: ReadonlyMap<string, Mark>;
  readonly before: ReadonlyMap<string, GraphNode>;
  readonly unchanged: { readonly nodes: number; readonly edges: number };
}

/** No nodes and no edges. */
export const NO_GRAPH: GraphModel = { nodes: new Map(), edges: new Map() };

/** What makes an edge the same one. */
export function edgeKey({ from, to, type, relation, polarity }: GraphEdge): string {
  return [from, to, type, relation ?? '', polarity ?? ''].join(' ');
}

/** What pages have together; where two tell of the same node, the later one is right. */
export function modelOf(sides: readonly GraphSide[]): GraphModel {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  for (const side of sides) {
    for (const node of side.nodes) nodes.set(node.id, node);
    for (const edge of side.edges) edges.set(edgeKey(edge), edge);
  }
  return { nodes, edges };
}

/** The edges of which both ends are there. */
export function drawnEdges({ nodes, edges }: GraphModel): [string, GraphEdge][] {
  return [...edges].filter(([, { from, to }]) => nodes.has(from) && nodes.has(to));
}

/** How many edges of a node there are at least beyond the `drawn` ones, by what the one of `sides` says that brought the node. */
export function undrawnEdges(node: GraphNode, sides: readonly GraphSide[], drawn: number): number {
  const side = sides.find(({ nodes }) => nodes.includes(node));
  const known = side?.edges.filter(({ from, to }) => from === node.id || to === node.id) ?? [];
  return Math.max(0, known.length + node.more - drawn);
}

/** The graph of a scope after a change of it: what is gone goes with its edges, what changed takes the place of what it was. */
export function applyChange(before: GraphModel, change: GraphChange, scope: string): GraphModel {
  const nodes = new Map(before.nodes);
  const gone = new Set(change.gone);
  for (const id of gone) nodes.delete(id);
  const renewed = new Set(
    change.nodes.filter((node) => node.scope === scope && node.type !== 'entity').map(({ id }) => id),
  );
  const edges = new Map(
    [...before.edges].filter(([, { from, to }]) => !gone.has(from) && !gone.has(to) && !renewed.has(from)),
  );
  for (const node of change.nodes) nodes.set(node.id, node);
  for (const edge of change.edges)
    if (nodes.has(edge.from) && nodes.has(edge.to)) edges.set(edgeKey(edge), edge);
  return withoutLoose({ nodes, edges }, scope);
}

/** Entities and records of other scopes go with the last edge to them, and `SAME_AS` with the entity that it leads from. */
function withoutLoose({ nodes, edges }: GraphModel, scope: string): GraphModel {
  const held = new Set<string>();
  for (const { from, to, type } of edges.values()) {
    held.add(to);
    if (type !== 'SAME_AS') held.add(from);
  }
  const kept = new Map(
    [...nodes].filter(([id, node]) => held.has(id) || (node.type !== 'entity' && node.scope === scope)),
  );
  const isKept = ({ from, to, type }: GraphEdge): boolean =>
    type !== 'SAME_AS' || (kept.has(from) && kept.has(to));
  return { nodes: kept, edges: new Map([...edges].filter(([, edge]) => isKept(edge))) };
}

/** What the pages of a comparison say together. */
export function comparisonOf(pages: readonly DiffPage[]): Comparison {
  const nodes = new Map<string, Mark>();
  const edges = new Map<string, Mark>();
  const before = new Map<string, GraphNode>();
  const unchanged = { nodes: 0, edges: 0 };
  for (const { appeared, gone, changed, unchanged: same } of pages) {
    for (const [side, mark] of [
      [appeared, 'appeared'],
      [gone, 'gone'],
    ] as const) {
      for (const { id } of side.nodes) nodes.set(id, mark);
      for (const edge of side.edges) edges.set(edgeKey(edge), mark);
    }
    for (const change of changed.nodes) {
      nodes.set(change.after.id, 'changed');
      before.set(change.after.id, change.before);
    }
    for (const { after } of changed.edges) edges.set(edgeKey(after), 'changed');
    unchanged.nodes += same.nodes;
    unchanged.edges += same.edges;
  }
  return { nodes, edges, before, unchanged };
}

/** The graph at the later instant with what was there at the earlier one alone, so that both can be seen in one picture. */
export function withGone(later: GraphModel, pages: readonly DiffPage[]): GraphModel {
  const both = modelOf(pages.flatMap(({ gone, appeared }) => [gone, appeared]));
  return {
    nodes: new Map([...both.nodes, ...later.nodes]),
    edges: new Map([...both.edges, ...later.edges]),
  };
}

/** The ids at the other ends of the edges of each node. */
export function neighboursOf(edges: Iterable<GraphEdge>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const note = (id: string, other: string): void => {
    const known = found.get(id);
    if (known === undefined) found.set(id, [other]);
    else known.push(other);
  };
  for (const { from, to } of edges) {
    note(from, to);
    note(to, from);
  }
  return found;
}
