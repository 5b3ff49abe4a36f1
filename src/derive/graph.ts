import {
  GRAPH_EDGE_TYPES,
  MAX_NODE_EDGES,
  type GraphEdge,
  type GraphEdgeType,
  type GraphNode,
} from '../../schemas/graph.ts';
import { OPEN_END, toRfc3339 } from '../../schemas/time.ts';
import type { LayerRecord } from './layer-record.ts';
import { nodeOf } from './provenance.ts';

/** An edge of a node as the store has it. Instants are epoch milliseconds. */
export interface NodeEdge {
  /** The node that was asked about. */
  readonly asked: string;
  /** Whether it leads from that node. */
  readonly out: boolean;
  readonly type: GraphEdgeType;
  /** Id of the node at its other end. */
  readonly other: string;
  /** Place in the log of that node. */
  readonly position: number;
  readonly weight: number | null;
  readonly polarity: 'supports' | 'against' | null;
  readonly relation: string | null;
  readonly role: string | null;
  readonly valid_at: number | null;
  readonly recorded_from: number | null;
  readonly span: readonly [number, number] | null;
}

/** A node before its edges are counted. */
export type BareNode = Omit<GraphNode, 'more'>;

/** What a page of a graph is made of. */
export interface GraphParts {
  /** The nodes of the page, in order. */
  readonly nodes: readonly BareNode[];
  readonly edges: readonly NodeEdge[];
  /** The nodes at the other ends that may be shown, by id. */
  readonly ends: ReadonlyMap<string, BareNode>;
  /** Whether an edge to such an end is shown. */
  readonly shows: (edge: NodeEdge, end: BareNode) => boolean;
  /** Whether an end that is not of the page comes with the edges to it. */
  readonly brings: (end: BareNode) => boolean;
}

/** A part of a graph, and where it is not whole. */
export interface MadeGraph {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  /** Whether some edges of the kind and way of an edge that is shown, or of one that would be, were left out. */
  readonly isCut: (edge: GraphEdge) => boolean;
}

/** Edges of one kind and way that are shown of each of so many nodes, at most: of many nodes each gets less. */
export function edgesEach(nodes: number): number {
  return Math.max(10, Math.min(MAX_NODE_EDGES, Math.floor(MAX_PAGE_EDGES / Math.max(1, nodes))));
}

/** Edges of one kind and way of all nodes of a page together, about. */
const MAX_PAGE_EDGES = 20_000;

/** A page of a graph: of each of its nodes at most {@link edgesEach} edges of each kind and way, those to what is newest. */
export function graphOf({ nodes, edges, ends, shows, brings }: GraphParts): MadeGraph {
  const onPage = new Map(nodes.map((node) => [node.id, node]));
  const found = distinct(edges).flatMap((edge) => {
    const end = onPage.get(edge.other) ?? ends.get(edge.other);
    return end === undefined ? [] : [{ edge, end }];
  });
  const { taken: shown, cut } = firstOfEach(
    found.filter(({ edge, end }) => shows(edge, end)),
    edgesEach(nodes.length),
  );
  const touched = new Set(shown.map(({ edge }) => edgeKey(edge)));
  const more = new Map<string, number>();
  for (const { edge } of found)
    if (!touched.has(edgeKey(edge))) more.set(edge.asked, (more.get(edge.asked) ?? 0) + 1);
  const brought = new Map(
    shown.flatMap(({ end }) => (!onPage.has(end.id) && brings(end) ? [[end.id, end]] : [])),
  );
  return {
    nodes: [
      ...nodes.map((node) => ({ ...node, more: more.get(node.id) ?? 0 })),
      ...[...brought.values()].map((node) => ({ ...node, more: 0 })),
    ],
    edges: shown.map(({ edge }) => toGraphEdge(edge)),
    isCut: ({ from, to, type }) =>
      cut.has(groupKey({ asked: from, type, out: true })) ||
      cut.has(groupKey({ asked: to, type, out: false })),
  };
}

/** The node of a record. `valid` is the valid instant that it is read at, null for any: what lies behind it is not told. */
export function toGraphNode(read: LayerRecord, valid: number | null): BareNode {
  const { id, type, summary } = nodeOf(read);
  return { id, type, scope: read.record.scope, summary, ...timesOf(read, valid), ...opinionOf(read) };
}

/** The node of an entity; `name` is null where it was given none. */
export function entityNode(entity: { id: string; scope: string; name: string | null }): BareNode {
  const { id, scope, name } = entity;
  return { id, type: 'entity', scope, summary: name ?? id, ...TIMELESS, recorded_from: null };
}

const TIMELESS = { valid_from: null, valid_to: null };

function timesOf(
  read: LayerRecord,
  valid: number | null,
): Pick<GraphNode, 'valid_from' | 'valid_to' | 'recorded_from'> {
  switch (read.type) {
    case 'fact': {
      const { valid_from, valid_to, recorded_at } = read.record;
      return { ...interval(valid_from, valid_to), recorded_from: toRfc3339(recorded_at) };
    }
    case 'belief': {
      const { valid_from, valid_to, recorded_from } = read.record.row;
      return { ...interval(valid_from, valid_to), recorded_from: toRfc3339(recorded_from) };
    }
    case 'event': {
      const { observed_at, recorded_at } = read.record;
      return { ...interval(observed_at, OPEN_END), recorded_from: toRfc3339(recorded_at) };
    }
    case 'episode': {
      const { started_at, ended_at, recorded_from } = read.record;
      const ended = valid === null || ended_at <= valid ? ended_at : OPEN_END;
      return { ...interval(started_at, ended), recorded_from: toRfc3339(recorded_from) };
    }
    case 'concept':
      return { ...TIMELESS, recorded_from: toRfc3339(read.record.version.recorded_from) };
  }
}

function interval(from: number, to: number): Pick<GraphNode, 'valid_from' | 'valid_to'> {
  return { valid_from: toRfc3339(from), valid_to: to === OPEN_END ? null : toRfc3339(to) };
}

function opinionOf(read: LayerRecord): Pick<GraphNode, 'confidence' | 'stance'> {
  switch (read.type) {
    case 'fact':
      return { confidence: read.record.confidence };
    case 'belief':
      return { confidence: read.record.row.confidence, stance: read.record.row.stance };
    case 'concept':
      return { confidence: read.record.version.confidence, stance: read.record.version.stance };
    case 'event':
    case 'episode':
      return {};
  }
}

function endsOf({ asked, other, out }: NodeEdge): Pick<GraphEdge, 'from' | 'to'> {
  return out ? { from: asked, to: other } : { from: other, to: asked };
}

/** What makes an edge one: a belief may weigh a fact for one stretch of valid time and against another. */
function edgeKey(edge: NodeEdge): string {
  const { from, to } = endsOf(edge);
  return JSON.stringify([from, to, edge.type, edge.relation, edge.polarity]);
}

/** The edges of each node once, the heaviest of several and one with its words, those to what is newest first, in one order however they were read. */
function distinct(edges: readonly NodeEdge[]): NodeEdge[] {
  const sorted = [...edges].sort(
    (a, b) =>
      (b.weight ?? 0) - (a.weight ?? 0) ||
      Number(a.span === null) - Number(b.span === null) ||
      (a.recorded_from ?? 0) - (b.recorded_from ?? 0),
  );
  const one = new Map<string, NodeEdge>();
  for (const edge of sorted) {
    const key = JSON.stringify([edge.asked, edge.out, edgeKey(edge)]);
    if (!one.has(key)) one.set(key, edge);
  }
  return [...one.values()].sort(
    (a, b) =>
      GRAPH_EDGE_TYPES.indexOf(a.type) - GRAPH_EDGE_TYPES.indexOf(b.type) ||
      compare(a.asked, b.asked) ||
      b.position - a.position ||
      compare(edgeKey(a), edgeKey(b)),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function groupKey({ asked, type, out }: Pick<NodeEdge, 'asked' | 'type' | 'out'>): string {
  return JSON.stringify([asked, type, out]);
}

/** Of each node and kind and way the first, each edge once; and the groups of which not all were taken. */
function firstOfEach<E extends { readonly edge: NodeEdge }>(
  found: readonly E[],
  most: number,
): { readonly taken: readonly E[]; readonly cut: ReadonlySet<string> } {
  const counts = new Map<string, number>();
  const taken = new Map<string, E>();
  const cut = new Set<string>();
  for (const one of found) {
    const group = groupKey(one.edge);
    const count = counts.get(group) ?? 0;
    if (taken.has(edgeKey(one.edge))) continue;
    if (count >= most) cut.add(group);
    else {
      counts.set(group, count + 1);
      taken.set(edgeKey(one.edge), one);
    }
  }
  return { taken: [...taken.values()], cut };
}

/** An edge as it is shown. */
export function toGraphEdge(edge: NodeEdge): GraphEdge {
  const { type, weight, polarity, relation, role, valid_at, recorded_from, span } = edge;
  return {
    ...endsOf(edge),
    type,
    ...(weight === null ? {} : { weight }),
    ...(polarity === null ? {} : { polarity }),
    ...(relation === null ? {} : { relation }),
    ...(role === null ? {} : { role }),
    ...(valid_at === null ? {} : { valid_at: toRfc3339(valid_at) }),
    ...(span === null ? {} : { span: { start: span[0], end: span[1] } }),
    ...(recorded_from === null ? {} : { recorded_from: toRfc3339(recorded_from) }),
  };
}
