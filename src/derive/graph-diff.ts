import type { GraphDiff, GraphEdge, GraphNode } from '../../schemas/graph.ts';
import type { MadeGraph } from './graph.ts';

/** What is different, and how much is not. */
export type Difference = Pick<GraphDiff, 'appeared' | 'gone' | 'changed' | 'unchanged'>;

/**
 * What a part of a graph has become. Only the nodes in `compared` count as gone or unchanged: others come with the edges that need them,
 * and go with the last one, and so does what leads from an entity. Where not all edges of a node are read on one side, none is told that
 * is missing there.
 */
export function graphDiff(before: MadeGraph, after: MadeGraph, compared: ReadonlySet<string>): Difference {
  const nodes = compare(before.nodes, after.nodes, ({ id }) => id, sayingOf);
  const edges = compare(before.edges, after.edges, edgeKey, (edge) => JSON.stringify(edge));
  const appeared = edges.appeared.filter((edge) => !before.isCut(edge));
  const still = new Set(after.nodes.map(({ id }) => id));
  const gone = edges.gone.filter(
    (edge) => !after.isCut(edge) && (edge.type !== 'SAME_AS' || still.has(edge.from)),
  );
  const needed = new Set(appeared.flatMap(({ from, to }) => [from, to]));
  return {
    appeared: {
      nodes: nodes.appeared.filter(({ id }) => compared.has(id) || needed.has(id)),
      edges: appeared,
    },
    gone: { nodes: nodes.gone.filter(({ id }) => compared.has(id)), edges: gone },
    changed: { nodes: nodes.changed, edges: edges.changed },
    unchanged: {
      nodes: nodes.same.filter(({ id }) => compared.has(id)).length,
      edges: edges.same.length,
    },
  };
}

function compare<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (one: T) => string,
  textOf: (one: T) => string,
): { appeared: T[]; gone: T[]; changed: { before: T; after: T }[]; same: T[] } {
  const old = new Map(before.map((one) => [keyOf(one), one]));
  const now = new Map(after.map((one) => [keyOf(one), one]));
  const both = [...now].flatMap(([key, one]) => {
    const was = old.get(key);
    return was === undefined ? [] : [{ before: was, after: one }];
  });
  const isSame = (pair: { before: T; after: T }): boolean => textOf(pair.before) === textOf(pair.after);
  return {
    appeared: [...now].flatMap(([key, one]) => (old.has(key) ? [] : [one])),
    gone: [...old].flatMap(([key, one]) => (now.has(key) ? [] : [one])),
    changed: both.filter((pair) => !isSame(pair)),
    same: both.filter(isSame).map(({ after: one }) => one),
  };
}

/** What a node says, without how many edges an answer left out. */
function sayingOf(node: GraphNode): string {
  return JSON.stringify({ ...node, more: 0 });
}

function edgeKey({ from, to, type, relation, polarity }: GraphEdge): string {
  return JSON.stringify([from, to, type, relation, polarity]);
}
