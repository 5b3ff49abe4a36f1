import { joinedWith, type FateEdge, type FateGraph, type FateNode } from './fate.ts';
import type { NodeType } from './queries.ts';

/** The columns from what was captured to what was made of it. */
export const COLUMNS: readonly NodeType[] = ['event', 'episode', 'fact', 'belief', 'concept'];
/** Size of a node, and what is between them. */
export const NODE = { width: 190, height: 46, across: 44, down: 12, top: 30 } as const;
const SWEEPS = 4;

/** A node in its place. */
export interface Placed extends FateNode {
  readonly x: number;
  readonly y: number;
}

/** A graph in its places, and the size of all of it. */
export interface Layout {
  readonly nodes: readonly Placed[];
  readonly edges: readonly FateEdge[];
  /** Columns that have nodes, and where each begins. */
  readonly columns: readonly { readonly type: NodeType; readonly x: number }[];
  readonly width: number;
  readonly height: number;
}

/** Places nodes in a column for each type; in a column they stand in the order of the middle of those that they are joined with. */
export function layoutOf({ nodes, edges }: FateGraph): Layout {
  const types = COLUMNS.filter((type) => nodes.some((node) => node.type === type));
  const columns = types.map((type) => nodes.filter((node) => node.type === type));
  const joined = joinedWith({ nodes, edges });
  const place = new Map<string, number>();
  const number = (column: readonly FateNode[]): void => {
    // The middle of a column is 0, so that columns of different lengths are aligned by their middles.
    for (const [i, { id }] of column.entries()) place.set(id, i - (column.length - 1) / 2);
  };
  for (const column of columns) number(column);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const middle = new Map(column.map(({ id }) => [id, middleOf(id, joined, place)]));
      column.sort((a, b) => (middle.get(a.id) ?? 0) - (middle.get(b.id) ?? 0));
      number(column);
    }
  const longest = Math.max(1, ...columns.map(({ length }) => length));
  const height = NODE.top + longest * (NODE.height + NODE.down);
  const xOf = (type: NodeType): number => types.indexOf(type) * (NODE.width + NODE.across);
  const yOf = (id: string): number =>
    NODE.top + ((place.get(id) ?? 0) + (longest - 1) / 2) * (NODE.height + NODE.down);
  return {
    nodes: columns.flat().map((node) => ({ ...node, x: xOf(node.type), y: yOf(node.id) })),
    edges,
    columns: types.map((type) => ({ type, x: xOf(type) })),
    // Two of the last column are joined on its right.
    width: Math.max(1, types.length) * (NODE.width + NODE.across) - NODE.across / 2,
    height,
  };
}

function middleOf(
  id: string,
  joined: ReadonlyMap<string, readonly FateNode[]>,
  place: ReadonlyMap<string, number>,
): number {
  const others = joined.get(id) ?? [];
  if (others.length === 0) return place.get(id) ?? 0;
  return others.reduce((sum, other) => sum + (place.get(other.id) ?? 0), 0) / others.length;
}
