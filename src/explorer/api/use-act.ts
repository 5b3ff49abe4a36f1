import { useEffect, useRef, useState } from 'preact/hooks';

import { isAbort, refusalOf, type Refusal } from './errors.ts';

/** Something that a person starts: whether it is under way, and why it was refused the last time. */
export interface Act {
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  /** Starts it. What it is refused with stays until it is started again. */
  readonly start: (work: (signal: AbortSignal) => Promise<void>) => void;
}

/** For a button that has something done. Whoever leaves the view stops waiting for it. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const gone = useRef(new AbortController());
  useEffect(() => {
    gone.current = new AbortController();
    return () => {
      gone.current.abort();
    };
  }, []);
  const start = (work: (signal: AbortSignal) => Promise<void>): void => {
    const { signal } = gone.current;
    setBusy(true);
    setRefusal(null);
    work(signal).then(
      () => {
        setBusy(false);
      },
      (error: unknown) => {
        if (isAbort(error)) return;
        setBusy(false);
        setRefusal(refusalOf(error));
      },
    );
  };
  return { isBusy, refusal, start };
}
