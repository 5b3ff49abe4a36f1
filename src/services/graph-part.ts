import { GRAPH_NODE_TYPES, type GraphNodeType, type GraphQuery } from '../../schemas/graph.ts';
import { NODE_TYPES, type NodeType } from '../../schemas/provenance.ts';
import { graphOf, toGraphNode, type BareNode, type MadeGraph } from '../derive/graph.ts';
import type { LayerRecord } from '../derive/layer-record.ts';
import type { Call } from './access.ts';
import type { GraphEdges, GraphEnd, GraphInstants } from './graph-edges.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** What a part of a graph is of. */
export interface GraphPart {
  readonly selection: ReadableSelection;
  readonly types: ReadonlySet<GraphNodeType>;
  /** What the records of the pages have to be beside that; null for any. */
  readonly wants: ((read: LayerRecord) => boolean) | null;
  readonly at: GraphInstants;
}

/** The layers that say something of entities. */
const SAYING = ['fact', 'belief', 'concept'] as const;

/** The nodes of the records of a page, with their edges, and what no page has at the ends of these. */
export async function graphPart(
  edges: GraphEdges,
  call: Call,
  page: readonly LayerRecord[],
  { selection, types, wants, at }: GraphPart,
): Promise<MadeGraph> {
  const nodes = page.map((read) => toGraphNode(read, at.valid));
  const ids = nodes.map(({ id }) => id);
  const own = new Set(ids);
  const found = await edges.read(call, ids, types, at);
  const isOnPages = ({ node, read }: GraphEnd): boolean =>
    read !== null && covers(selection, node.scope) && (wants?.(read) ?? true);
  const foreign = new Set([...found.ends].flatMap(([id, end]) => (isOnPages(end) ? [] : [id])));
  const graph = graphOf({
    nodes,
    edges: found.edges,
    ends: nodesOf(found.ends),
    shows: ({ out, other }) => out || (!own.has(other) && foreign.has(other)),
    brings: ({ id }) => foreign.has(id),
  });
  return narrowed(graph, types);
}

/** The nodes at other ends, by id. */
export function nodesOf(ends: ReadonlyMap<string, GraphEnd>): Map<string, BareNode> {
  return new Map([...ends].map(([id, { node }]) => [id, node]));
}

/** The kinds of nodes that a query asks for. */
export function typesOf({ types, view }: Pick<GraphQuery, 'types' | 'view'>): ReadonlySet<GraphNodeType> {
  const asked = new Set(types ?? GRAPH_NODE_TYPES);
  return view === 'raw' ? new Set([...asked].filter((type) => type === 'event')) : asked;
}

/** The layers that have to be walked for nodes of the types: entities come with what is said of them, and so do the others about one. */
export function walkedOf(types: ReadonlySet<GraphNodeType>, about: boolean): ReadonlySet<NodeType> {
  const layers = NODE_TYPES.filter((type) => types.has(type));
  const saysNothing = !SAYING.some((layer) => types.has(layer));
  return new Set(saysNothing && (about || types.has('entity')) ? [...layers, ...SAYING] : layers);
}

/** Nodes of the types, and the edges between nodes of such. */
function narrowed({ nodes, edges, ...graph }: MadeGraph, types: ReadonlySet<GraphNodeType>): MadeGraph {
  const left = new Set(nodes.filter(({ type }) => !types.has(type)).map(({ id }) => id));
  return {
    ...graph,
    nodes: nodes.filter(({ id }) => !left.has(id)),
    edges: edges.filter(({ from, to }) => !left.has(from) && !left.has(to)),
  };
}

/** Whether a page of the selection has what lies in a scope. */
export function covers({ paths }: ReadableSelection, scope: string): boolean {
  return paths.some((path) => {
    if (!path.endsWith('/*')) return path === scope;
    const top = path.slice(0, -2);
    return scope === top || scope.startsWith(`${top}/`);
  });
}
