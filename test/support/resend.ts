import type { Answer } from './client.ts';
import { eventually } from './wait.ts';

/**
 * The answer of a request that is sent again while a busy service refuses it and says that it may be (503, `retriable`). It may have been
 * done all the same, so what is captured needs a key.
 */
export function unrefused(what: string, send: () => Promise<Answer>, patienceMs?: number): Promise<Answer> {
  return eventually(
    what,
    async () => {
      const answer = await send();
      return (answer.status !== 503 || answer.json?.retriable !== true) && answer;
    },
    patienceMs,
  );
}
