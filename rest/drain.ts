import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';

import type { RequestHandler } from 'express';

import { StrataError } from '../src/errors.ts';

/** Counts the requests in flight and, once a stop has begun, refuses new ones. */
export class Drain {
  readonly #inFlight = new Set<ServerResponse>();
  #stopping = false;
  readonly #waiting: (() => void)[] = [];

  readonly #ending = new AbortController();

  constructor() {
    // Every open stream listens, and there may be many.
    setMaxListeners(0, this.#ending.signal);
  }

  /** Fires when a stop begins: answers that would go on for ever end then, so that nobody waits for them. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Requests being answered now. */
  get inFlight(): number {
    return this.#inFlight.size;
  }

  /** True once a stop has begun. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /**
   * Begins the stop: from now on requests get 503 `SERVER_SHUTTING_DOWN`, and every answer closes its connection.
   * Resolves when the last request that was in flight is answered or its client is gone.
   */
  begin(): Promise<void> {
    this.#stopping = true;
    for (const response of this.#inFlight) closeAfter(response);
    this.#ending.abort();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#settle();
    });
  }

  /** Stands behind the header middleware, before any work is done. */
  readonly middleware: RequestHandler = (_request, response, next) => {
    if (this.#stopping) {
      closeAfter(response);
      throw new StrataError('SERVER_SHUTTING_DOWN', 'the server is stopping; send the request again');
    }
    this.#inFlight.add(response);
    response.once('close', () => {
      this.#inFlight.delete(response);
      this.#settle();
    });
    next();
  };

  #settle(): void {
    if (this.#inFlight.size > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

function closeAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
