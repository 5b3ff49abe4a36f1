import type { GraphPage } from './queries.ts';

/** A page of what a node has to do with others. */
export interface NeighbourPage {
  /** Id of the node. */
  readonly node: string;
  readonly page: GraphPage;
}

/** Pages of neighbours, in the order in which they were read. */
export interface Added {
  /** What was looked at when they were read. */
  readonly key: string;
  readonly pages: readonly NeighbourPage[];
}

/** With one more page; those of what was looked at before go. */
export function withNeighbours({ key: before, pages }: Added, key: string, page: NeighbourPage): Added {
  return { key, pages: before === key ? [...pages, page] : [page] };
}

/** Where the neighbours of a node go on: `after` is null at their beginning, and the answer at their end. */
export function nextNeighbours(
  pages: readonly NeighbourPage[],
  node: string,
): { readonly after: string | null } | null {
  const last = pages.findLast((each) => each.node === node);
  if (last === undefined) return { after: null };
  const { hasNextPage, endCursor } = last.page.pageInfo;
  return hasNextPage ? { after: endCursor } : null;
}
