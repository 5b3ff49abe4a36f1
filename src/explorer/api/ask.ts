import { missed, reached } from './connection.ts';
import type { Document } from './document.ts';
import { ServiceError } from './errors.ts';
import { pause, pauseAfter } from './pause.ts';
import { send } from './send.ts';
import { credential, renewed, visit } from './session.ts';

/**
 * The answer to a document. What reads waits while the service is away and goes on when it is back; what writes is sent once, since
 * nobody knows what came of it. Where the key or token has ended, both wait until the same caller signs in again. Throws
 * {@link ServiceError}; aborts where another caller signs in.
 */
export async function ask<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): Promise<Data> {
  const begunIn = visit();
  let failures = 0;
  for (;;) {
    begunIn.throwIfAborted();
    const used = credential();
    const outcome = await send(document, variables, { credential: used, signal });
    if (outcome.is !== 'away') reached();
    if (outcome.is === 'answered') return outcome.data;
    if (outcome.is === 'stranger') {
      if (used === credential()) await renewed(outcome.refusal, signal);
      continue;
    }
    if (outcome.is === 'refused' || document.kind === 'mutation') throw new ServiceError(outcome.refusal);
    failures += 1;
    const ms = pauseAfter(failures, outcome.refusal.retryAfterSeconds);
    missed(outcome.refusal, ms);
    await pause(ms, signal);
  }
}
