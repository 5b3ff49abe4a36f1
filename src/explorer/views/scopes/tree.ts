import type { ScopeItem } from './queries.ts';

/** A scope with what lies below it; `item` is null where nothing was ever stored in it, so that it is on the way only. */
export interface Branch {
  readonly path: string;
  /** Its last segment. */
  readonly name: string;
  readonly item: ScopeItem | null;
  readonly children: readonly Branch[];
}

interface Growing {
  item: ScopeItem | null;
  readonly children: Map<string, Growing>;
}

/** The tree that a list of scopes makes, in the order of their names. */
export function treeOf(items: readonly ScopeItem[]): readonly Branch[] {
  const root: Growing = { item: null, children: new Map() };
  for (const item of items) {
    let place = root;
    for (const segment of item.path.split('/')) {
      const next = place.children.get(segment) ?? { item: null, children: new Map() };
      place.children.set(segment, next);
      place = next;
    }
    place.item = item;
  }
  return branchesOf(root, '');
}

function branchesOf({ children }: Growing, above: string): readonly Branch[] {
  return [...children]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, growing]) => {
      const path = above === '' ? name : `${above}/${name}`;
      return { path, name, item: growing.item, children: branchesOf(growing, path) };
    });
}
