import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { ask } from './ask.ts';
import type { Document } from './document.ts';
import { isAbort, refusalOf, type Refusal } from './errors.ts';

/** How far a reading is. `data` of a reading that is repeated stays until the next answer. */
export type Reading<Data> =
  | { readonly is: 'loading'; readonly data: Data | null }
  | { readonly is: 'ready'; readonly data: Data }
  | { readonly is: 'refused'; readonly refusal: Refusal };

/** A reading, and how to repeat it. */
export interface Query<Data> {
  readonly reading: Reading<Data>;
  readonly reload: () => void;
}

/**
 * Reads while a component is shown, anew whenever its variables change, and every `everyMs` where that is given. What nobody waits for
 * any more is aborted.
 */
export function useQuery<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { everyMs }: { readonly everyMs?: number } = {},
): Query<Data> {
  const key = JSON.stringify(variables);
  const shown = useRef(key);
  const [reading, setReading] = useState<Reading<Data>>({ is: 'loading', data: null });
  const [turn, setTurn] = useState(0);
  const reload = useCallback(() => {
    setTurn((before) => before + 1);
  }, []);
  useEffect(() => {
    const gone = new AbortController();
    const isSame = shown.current === key;
    shown.current = key;
    setReading((before) => ({ is: 'loading', data: isSame && before.is !== 'refused' ? before.data : null }));
    ask(document, variables, gone.signal).then(
      (data) => {
        setReading({ is: 'ready', data });
      },
      (error: unknown) => {
        if (!isAbort(error)) setReading({ is: 'refused', refusal: refusalOf(error) });
      },
    );
    return () => {
      gone.abort();
    };
  }, [document, key, turn]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(reload, everyMs);
    return () => {
      clearInterval(timer);
    };
  }, [everyMs, reload]);
  return { reading, reload };
}
