import { useEffect, useMemo, useRef } from 'preact/hooks';

import type { Document, Page } from '../../api/document.ts';
import { usePages, type Pages } from '../../api/use-pages.ts';

/** Pages as far as they are wanted; those of before stay until the first of the new ones is there. */
export interface WantedPages<Part> extends Pages<Part> {
  /** Whether what is shown is still that of before. */
  readonly isStale: boolean;
}

/** Reads as many pages of a list as are wanted. `groupKey` says what may be shown meanwhile: pages of the same group. */
export function useWantedPages<Data, Variables extends { readonly after: string | null }, Part>(
  document: Document<Data, Variables>,
  variables: Omit<Variables, 'after'> | null,
  {
    pageOf,
    wanted,
    groupKey,
  }: { readonly pageOf: (data: Data) => Page<Part>; readonly wanted: number; readonly groupKey: string },
): WantedPages<Part> {
  const pages = usePages(document, variables, pageOf);
  const before = useRef<{ readonly key: string; readonly items: readonly Part[] }>({ key: '', items: [] });
  const { items, state, more } = pages;
  useEffect(() => {
    if (state === 'ready' && items.length < wanted) more();
  }, [state, items.length, wanted]);
  const isOnTheWay = items.length < wanted && (state === 'ready' || state === 'loading');
  // What many pages make is computed anew for each: so they are handed out in steps that double until all are there.
  const some = isOnTheWay ? 2 ** Math.floor(Math.log2(Math.max(items.length, 1))) : items.length;
  const handed = useMemo(() => items.slice(0, some), [items[0], some, items.length === 0]);
  if (handed.length > 0) before.current = { key: groupKey, items: handed };
  const isStale = items.length === 0 && state === 'loading' && before.current.key === groupKey;
  return {
    ...pages,
    state: isOnTheWay ? 'loading' : state,
    items: isStale ? before.current.items : handed,
    isStale,
  };
}

/** An answer as the one part of its page. */
export function wholePage<Part extends { readonly pageInfo: Page<Part>['pageInfo'] }>(
  part: Part | null,
): Page<Part> {
  return part === null
    ? { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }
    : { nodes: [part], pageInfo: part.pageInfo };
}
