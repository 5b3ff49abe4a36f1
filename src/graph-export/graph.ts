import type { GraphEdge, GraphNode } from '../../schemas/graph.ts';

/** Who and what made a record; null where nobody is known. */
export interface Origin {
  /** Actor who said what an event holds. */
  readonly actor: string | null;
  /** Actor who handed an event in. */
  readonly caller: string | null;
  /** What read a fact out of its event: a model, or a part of the service. */
  readonly extractor: string | null;
}

/** A node of an exported graph. */
export interface ExportNode extends Omit<GraphNode, 'more'> {
  readonly origin: Origin;
  /** Of a fact that others interrupted when it was true, earliest first; `valid_from` and `valid_to` are those at the asked instant. */
  readonly intervals?: readonly Interval[];
}

/** When something is true: RFC 3339, `valid_to` null for no end. */
export type Interval = Pick<GraphNode, 'valid_from' | 'valid_to'>;

/** What is said of a graph as a whole, by name. */
export type GraphAbout = Readonly<Record<string, string | number | boolean>>;

/** A graph as writers see it: each pass over the nodes, or over the edges, brings the same ones, some at a time. */
export interface ExportGraph {
  readonly about: GraphAbout;
  /** The first pass has to end before edges are asked for. */
  nodes(): AsyncIterable<readonly ExportNode[]>;
  /** Edges between nodes of the graph. */
  edges(): AsyncIterable<readonly GraphEdge[]>;
}

/** Writes a graph in some format, piece by piece. */
export type GraphWriter = (graph: ExportGraph) => AsyncGenerator<string>;

/** A property of nodes or edges, as it is called in the interface. */
export interface Property<T> {
  readonly name: string;
  readonly type: 'string' | 'double' | 'integer';
  /** Undefined where there is none. */
  readonly of: (item: T) => string | number | undefined;
}

/** What a node says beside its id. */
export const NODE_PROPERTIES: readonly Property<ExportNode>[] = [
  { name: 'type', type: 'string', of: ({ type }) => type },
  { name: 'scope', type: 'string', of: ({ scope }) => scope },
  { name: 'summary', type: 'string', of: ({ summary }) => summary },
  { name: 'valid_from', type: 'string', of: ({ valid_from }) => valid_from ?? undefined },
  { name: 'valid_to', type: 'string', of: ({ valid_to }) => valid_to ?? undefined },
  { name: 'recorded_from', type: 'string', of: ({ recorded_from }) => recorded_from ?? undefined },
  { name: 'confidence', type: 'double', of: ({ confidence }) => confidence },
  { name: 'stance', type: 'string', of: ({ stance }) => stance },
];

/** What an edge says beside its ends. */
export const EDGE_PROPERTIES: readonly Property<GraphEdge>[] = [
  { name: 'type', type: 'string', of: ({ type }) => type },
  { name: 'weight', type: 'double', of: ({ weight }) => weight },
  { name: 'polarity', type: 'string', of: ({ polarity }) => polarity },
  { name: 'relation', type: 'string', of: ({ relation }) => relation },
  { name: 'role', type: 'string', of: ({ role }) => role },
  { name: 'valid_at', type: 'string', of: ({ valid_at }) => valid_at },
  { name: 'span_start', type: 'integer', of: ({ span }) => span?.start },
  { name: 'span_end', type: 'integer', of: ({ span }) => span?.end },
  { name: 'recorded_from', type: 'string', of: ({ recorded_from }) => recorded_from },
];

/** The properties that an item has, with their values. */
export function propertiesOf<T>(
  item: T,
  properties: readonly Property<T>[],
): { readonly name: string; readonly type: Property<T>['type']; readonly value: string | number }[] {
  return properties.flatMap(({ name, type, of }) => {
    const value = of(item);
    return value === undefined ? [] : [{ name, type, value }];
  });
}

/** Numbers the edges of a graph in the order in which they come: `e0`, `e1` … */
export function edgeIds(): () => string {
  let next = 0;
  return () => `e${next++}`;
}
