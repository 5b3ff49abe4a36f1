import { createClient, type Client } from 'graphql-ws';

import { live, missed, reached } from './connection.ts';
import type { Document } from './document.ts';
import { away, refusalOfGraphql, ServiceError, type GraphqlError } from './errors.ts';
import { pause, pauseAfter } from './pause.ts';
import { credential, renewed, visit } from './session.ts';

/** The code that a socket is closed with whose key or token is refused. */
const FORBIDDEN = 4403;

/** How one run of a subscription ended. */
type Ending =
  | { readonly is: 'complete' }
  | { readonly is: 'refused'; readonly errors: readonly GraphqlError[] }
  | { readonly is: 'closed'; readonly code: number; readonly why: string };

/**
 * Follows a subscription until `signal` is aborted: through broken connections, with a growing pause between tries, and past the end
 * of a credential, unless another caller signs in. `variables` is asked before each run, so that it can name where to go on. `take`
 * answers whether to go on. Throws {@link ServiceError} where the service refuses it.
 */
export async function follow<Data, Variables extends object>(
  document: Document<Data, Variables>,
  variables: () => Variables,
  { take, signal }: { readonly take: (data: Data) => boolean; readonly signal: AbortSignal },
): Promise<void> {
  const begunIn = visit();
  let failures = 0;
  const client = openClient(() => (failures = 0));
  const stop = (): void => void client.dispose();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      begunIn.throwIfAborted();
      const { ending, goesOn } = await runOnce(client, { document, variables: variables(), take, signal });
      if (!goesOn || signal.aborted) return;
      if (ending.is === 'refused') throw refusedBy(ending.errors);
      live.value = false;
      if (ending.is === 'closed' && ending.code === FORBIDDEN) {
        await renewed(away(ending.why), signal);
        continue;
      }
      failures += 1;
      const ms = pauseAfter(failures, null);
      if (ending.is === 'closed') missed(away('The live connection is broken.'), ms);
      await pause(ms, signal);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    live.value = null;
    await client.dispose();
  }
}

function openClient(onAcknowledged: () => void): Client {
  return createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: () => {
      const key = credential();
      return key === null ? {} : { authorization: `Bearer ${key}` };
    },
    retryAttempts: 0,
    on: {
      connected: () => {
        onAcknowledged();
        reached();
        live.value = true;
      },
    },
  });
}

function runOnce<Data, Variables extends object>(
  client: Client,
  run: {
    readonly document: Document<Data, Variables>;
    readonly variables: Variables;
    readonly take: (data: Data) => boolean;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly ending: Ending; readonly goesOn: boolean }> {
  return new Promise((resolve) => {
    let goesOn = true;
    const payload = { query: run.document.text, variables: run.variables as Record<string, unknown> };
    const unsubscribe = client.subscribe<Data>(payload, {
      next: ({ data, errors }) => {
        if (errors !== undefined) {
          resolve({ ending: { is: 'refused', errors }, goesOn });
          unsubscribe();
          return;
        }
        if (data === undefined || data === null) return;
        goesOn = run.take(data);
        if (!goesOn) unsubscribe();
      },
      error: (problem) => {
        resolve({ ending: endingOf(problem), goesOn });
      },
      complete: () => {
        resolve({ ending: { is: 'complete' }, goesOn });
      },
    });
    // Else it is sent, when the socket is there, to one that is being closed.
    run.signal.addEventListener('abort', unsubscribe, { once: true });
  });
}

function endingOf(problem: unknown): Ending {
  if (Array.isArray(problem)) return { is: 'refused', errors: problem as GraphqlError[] };
  const { code = 0, reason = '' } = problem as { readonly code?: number; readonly reason?: string };
  return { is: 'closed', code, why: reason };
}

function refusedBy(errors: readonly GraphqlError[]): ServiceError {
  const [error = { message: 'the subscription was refused' }] = errors;
  return new ServiceError(refusalOfGraphql(error));
}
