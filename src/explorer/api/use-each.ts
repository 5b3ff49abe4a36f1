import { useCallback, useEffect, useState } from 'preact/hooks';

import { ask } from './ask.ts';
import type { Document } from './document.ts';
import { isAbort, refusalOf, type Refusal } from './errors.ts';

/** Requests that are under way at once: a browser keeps six connections, and others want some too. */
const AT_ONCE = 4;

/** Answers to one document with many variables, as they come. */
export interface Each<Data> {
  /** What has come so far; null where it has not. In the order of the variables. */
  readonly answers: readonly (Data | null)[];
  /** How many have come, or were refused. */
  readonly done: number;
  /** Why the first of those was refused that were; null where none was. */
  readonly refusal: Refusal | null;
  /** Asks again what was refused. */
  readonly retry: () => void;
}

interface Held<Data> {
  readonly answers: ReadonlyMap<string, Data>;
  readonly refusals: ReadonlyMap<string, Refusal>;
}

/**
 * Asks a document once for each of many variables, a few at a time. An answer stays as long as the component, so that a list that grows
 * asks for what is new in it alone.
 */
export function useEach<Data, Variables>(
  document: Document<Data, Variables>,
  list: readonly Variables[],
): Each<Data> {
  const [held, setHeld] = useState<Held<Data>>({ answers: new Map(), refusals: new Map() });
  const [turn, setTurn] = useState(0);
  const names = list.map((variables) => JSON.stringify(variables));
  useEffect(() => {
    const gone = new AbortController();
    const waiting = list.filter((_, i) => !held.answers.has(names[i] ?? ''));
    const one = async (variables: Variables): Promise<void> => {
      const name = JSON.stringify(variables);
      try {
        const data = await ask(document, variables, gone.signal);
        setHeld((before) => ({ ...before, answers: new Map([...before.answers, [name, data]]) }));
      } catch (error) {
        if (isAbort(error)) throw error;
        setHeld((before) => ({
          ...before,
          refusals: new Map([...before.refusals, [name, refusalOf(error)]]),
        }));
      }
    };
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await one(next);
    };
    Promise.all(Array.from({ length: AT_ONCE }, work)).catch((error: unknown) => {
      if (!isAbort(error)) throw error;
    });
    return () => {
      gone.abort();
    };
  }, [document, names.join('\n'), turn]);
  const retry = useCallback(() => {
    setHeld((before) => ({ ...before, refusals: new Map() }));
    setTurn((before) => before + 1);
  }, []);
  const refused = names.flatMap((name) => held.refusals.get(name) ?? []);
  const answers = names.map((name) => held.answers.get(name) ?? null);
  return {
    answers,
    done: answers.filter((answer) => answer !== null).length + refused.length,
    refusal: refused[0] ?? null,
    retry,
  };
}
