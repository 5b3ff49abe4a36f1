import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { ANSWER_PATIENCE_MS } from './patience.ts';
import { within } from './wait.ts';

/** Collects all garbage of this process, as often as `--expose-gc` would let a program do it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Collects garbage again and again until `work` has come to something. */
export async function whileCollecting<T>(work: Promise<T>): Promise<T> {
  const collecting = setInterval(collectGarbage, 20);
  try {
    return await within('what garbage must not lose', work, ANSWER_PATIENCE_MS);
  } finally {
    clearInterval(collecting);
  }
}
