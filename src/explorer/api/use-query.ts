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

/** How a query is repeated. */
export interface Repeating {
  /** Milliseconds between an answer and the next poll; without it there are none. */
  readonly everyMs?: number;
  /** Whether data stay until the answer to other variables; else they go with the variables that they answer. */
  readonly keepsData?: boolean;
}

/**
 * Reads while a component is shown, anew whenever its variables change, and every `everyMs` where that is given. What is shown stays
 * until a poll is answered, a refusal too. What nobody waits for any more is aborted.
 */
export function useQuery<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { everyMs, keepsData = false }: Repeating = {},
): Query<Data> {
  const key = JSON.stringify(variables);
  const shown = useRef(key);
  const [reading, setReading] = useState<Reading<Data>>({ is: 'loading', data: null });
  const [turn, setTurn] = useState({ isPoll: false });
  const reload = useCallback(() => {
    setTurn({ isPoll: false });
  }, []);
  useEffect(() => {
    const gone = new AbortController();
    const isSame = shown.current === key;
    shown.current = key;
    if (!isSame || !turn.isPoll) setReading((before) => loading(before, isSame || keepsData));
    ask(document, variables, gone.signal).then(
      (data) => {
        setReading({ is: 'ready', data });
      },
      (error: unknown) => {
        if (!isAbort(error)) setReading((before) => refused(before, refusalOf(error)));
      },
    );
    return () => {
      gone.abort();
    };
  }, [document, key, turn]);
  useEffect(() => {
    if (everyMs === undefined || reading.is === 'loading') return undefined;
    const timer = setTimeout(() => {
      setTurn({ isPoll: true });
    }, everyMs);
    return () => {
      clearTimeout(timer);
    };
  }, [everyMs, reading]);
  return { reading, reload };
}

function loading<Data>(before: Reading<Data>, keepsData: boolean): Reading<Data> {
  return { is: 'loading', data: keepsData && before.is !== 'refused' ? before.data : null };
}

/** The same refusal again is shown with the request id that it had: an alert that changes is read out anew. */
function refused<Data>(before: Reading<Data>, refusal: Refusal): Reading<Data> {
  const isSame =
    before.is === 'refused' &&
    before.refusal.code === refusal.code &&
    before.refusal.message === refusal.message &&
    before.refusal.field === refusal.field;
  return { is: 'refused', refusal: isSame ? before.refusal : refusal };
}
