import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { ask } from './ask.ts';
import type { Document, Page } from './document.ts';
import { isAbort, refusalOf, type Refusal } from './errors.ts';

/** A list that was read in part. */
export interface Pages<Item> {
  readonly items: readonly Item[];
  /** `ready` for more, at the `end`, `loading` the next page, or `refused` it. */
  readonly state: 'loading' | 'ready' | 'end' | 'refused';
  readonly refusal: Refusal | null;
  /** Reads the next page; after a refusal the same one again. */
  readonly more: () => void;
  /** Reads from the beginning. */
  readonly reload: () => void;
}

interface Held<Item> extends Omit<Pages<Item>, 'more' | 'reload'> {
  readonly cursor: string | null;
}

const NOTHING: Held<never> = { items: [], state: 'loading', refusal: null, cursor: null };
const UNASKED: Held<never> = { items: [], state: 'end', refusal: null, cursor: null };

/**
 * Reads a list page by page, from the beginning whenever its variables change; nothing for null. `pageOf` finds the page in an answer. Behind a
 * page without items the next one is read at once.
 */
export function usePages<Data, Variables extends { readonly after: string | null }, Item>(
  document: Document<Data, Variables>,
  variables: Omit<Variables, 'after'> | null,
  pageOf: (data: Data) => Page<Item>,
): Pages<Item> {
  const key = JSON.stringify(variables);
  const [held, setHeld] = useState<Held<Item>>(NOTHING);
  const [turn, setTurn] = useState(0);
  const gone = useRef(new AbortController());
  const read = (before: Held<Item>): void => {
    const { signal } = gone.current;
    setHeld({ ...before, state: 'loading', refusal: null });
    ask(document, { ...variables, after: before.cursor } as Variables, signal).then(
      (data) => {
        if (signal.aborted) return;
        const { nodes, pageInfo } = pageOf(data);
        const { hasNextPage, endCursor: cursor } = pageInfo;
        // Where few of what is looked through match, a page may hold none of them.
        if (nodes.length === 0 && hasNextPage) {
          read({ ...before, cursor });
          return;
        }
        const items = [...before.items, ...nodes];
        setHeld({ items, state: hasNextPage ? 'ready' : 'end', refusal: null, cursor });
      },
      (error: unknown) => {
        if (!isAbort(error)) setHeld({ ...before, state: 'refused', refusal: refusalOf(error) });
      },
    );
  };
  useEffect(() => {
    gone.current = new AbortController();
    if (variables === null) setHeld(UNASKED);
    else read(NOTHING);
    return () => {
      gone.current.abort();
    };
  }, [document, key, turn]);
  const reload = useCallback(() => {
    setTurn((before) => before + 1);
  }, []);
  const { items, state, refusal } = held;
  const more = (): void => {
    if (state === 'ready' || state === 'refused') read(held);
  };
  return { items, state, refusal, more, reload };
}
