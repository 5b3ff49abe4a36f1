import { LAYERS, recordInWords, type MemoryRecord } from '../../records/record.ts';
import type { Ids, NeighbourhoodData, NodeType } from './queries.ts';

/** What becomes of a record. */
export type Fate = 'goes' | 'revised' | 'stays';

/** A record of the picture. */
export interface FateNode {
  readonly id: string;
  readonly type: NodeType;
  readonly words: string;
  readonly fate: Fate;
}

/** An edge of the picture. */
export interface FateEdge {
  readonly from: string;
  readonly to: string;
}

/** A small graph of what goes, what is revised, and what stays beside them. */
export interface FateGraph {
  readonly nodes: readonly FateNode[];
  readonly edges: readonly FateEdge[];
}

const TYPES: Readonly<Record<MemoryRecord['__typename'], NodeType>> = {
  Event: 'event',
  Episode: 'episode',
  Fact: 'fact',
  Belief: 'belief',
  Concept: 'concept',
};

/**
 * The first so many ids of what goes and is revised, taken in turn from each layer, so that a picture shows something of each.
 */
export function sampleOf(gone: Ids, revised: Ids, most: number): readonly string[] {
  const lists = [...LAYERS.map((layer) => gone[layer]), ...LAYERS.map((layer) => revised[layer])];
  const longest = Math.max(...lists.map(({ length }) => length));
  const turns = Array.from({ length: Math.min(longest, most) }, (_, turn) =>
    lists.flatMap((list) => list[turn] ?? []),
  );
  return [...new Set(turns.flat())].slice(0, most);
}

/**
 * The graph of what was read around some records. What is at the other ends and neither goes nor is revised stays. Entities are left
 * out: nobody selects them, and they go with the last statement of them.
 */
export function fateGraph(
  read: readonly (readonly [id: string, data: NeighbourhoodData])[],
  { gone, revised }: { readonly gone: Ids; readonly revised: Ids },
): FateGraph {
  const goes = new Set(LAYERS.flatMap((layer) => gone[layer]));
  const changes = new Set(LAYERS.flatMap((layer) => revised[layer]));
  const fateOf = (id: string): Fate => (goes.has(id) ? 'goes' : changes.has(id) ? 'revised' : 'stays');
  const nodes = new Map<string, FateNode>();
  const edges = new Map<string, FateEdge>();
  for (const [id, { node, neighbours }] of read) {
    if (node !== null)
      nodes.set(id, { id, type: TYPES[node.__typename], words: recordInWords(node), fate: fateOf(id) });
    for (const { id: other, type, summary } of neighbours?.nodes ?? [])
      if (type !== 'entity' && !nodes.has(other))
        nodes.set(other, { id: other, type, words: summary, fate: fateOf(other) });
    for (const { from, to } of neighbours?.edges ?? []) edges.set(`${from} ${to}`, { from, to });
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()].filter(({ from, to }) => nodes.has(from) && nodes.has(to)),
  };
}

/** The records at the other ends of the edges of each record, by its id; each once. */
export function joinedWith({ nodes, edges }: FateGraph): ReadonlyMap<string, readonly FateNode[]> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const joined = new Map(nodes.map(({ id }) => [id, new Set<FateNode>()]));
  for (const { from, to } of edges) {
    const [a, b] = [byId.get(from), byId.get(to)];
    if (a === undefined || b === undefined) continue;
    joined.get(from)?.add(b);
    joined.get(to)?.add(a);
  }
  return new Map([...joined].map(([id, others]) => [id, [...others]]));
}
