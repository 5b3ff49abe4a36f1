import { once } from 'node:events';

import { ANSWER_PATIENCE_MS } from './patience.ts';

/**
 * Resolves with the first truthy answer of `look`, asked every so many milliseconds (a function is asked each time); fails with `what` when
 * the patience (milliseconds) runs out. A look counts as of when it began: on a busy machine one may take longer than the patience that is
 * left.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  patienceMs = ANSWER_PATIENCE_MS,
  everyMs: number | (() => number) = 20,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const began = performance.now();
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (began > end) throw new Error(`waited ${patienceMs} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, typeof everyMs === 'number' ? everyMs : everyMs()));
  }
}

/**
 * What work comes to; fails with `what` where that takes longer than the patience, milliseconds. Its time is its own and not a limit of the
 * product, so that it comes also where those are lost.
 */
export async function within<T>(what: string, work: Promise<T>, patienceMs: number): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => {
    over.abort();
  }, patienceMs);
  const late = once(over.signal, 'abort').then((): never => {
    throw new Error(`waited ${patienceMs} ms for: ${what}`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
