import type { ScopeWithRules, ScopeRules } from './rules.ts';

/** A scope below another, with its own rules. */
export interface ScopeBelow {
  readonly path: string;
  readonly rules: ScopeRules | null;
}

/**
 * What of a scope and those below it may be read: the readable paths, and how many parts of the tree are withheld, a part
 * being a scope that may not be read below one that may (or the root), however much lies below it.
 */
export function prunedTree(
  root: ScopeWithRules,
  below: readonly ScopeBelow[],
  mayRead: (place: ScopeWithRules) => boolean,
): { readonly readable: string[]; readonly withheld: number } {
  const places = new Map<string, { place: ScopeWithRules; readable: boolean }>();
  const visit = (place: ScopeWithRules): boolean => {
    const readable = mayRead(place);
    places.set(place.path, { place, readable });
    return readable;
  };
  const readable = visit(root) ? [root.path] : [];
  let withheld = readable.length === 0 ? 1 : 0;
  // Parents come before their children; a level that nobody wrote to has no rules of its own.
  const sorted = [...below].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, rules } of sorted) {
    const above = nearest(path, root.path, places);
    const gap = path.slice(above.place.path.length + 1).split('/').length - 1;
    const between = Array.from({ length: gap }, () => null);
    if (visit({ path, levels: [...above.place.levels, ...between, rules] })) readable.push(path);
    else if (above.readable) withheld += 1;
  }
  return { readable, withheld };
}

function nearest(
  path: string,
  root: string,
  places: ReadonlyMap<string, { place: ScopeWithRules; readable: boolean }>,
): { place: ScopeWithRules; readable: boolean } {
  let at = path;
  while (at.length > root.length) {
    at = at.slice(0, at.lastIndexOf('/'));
    const found = places.get(at);
    if (found !== undefined) return found;
  }
  throw new Error(`${path} does not lie below ${root}`);
}
