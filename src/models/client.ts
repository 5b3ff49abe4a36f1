import OpenAI from 'openai';

import { boundedFetch } from './bounded-fetch.ts';
import type { ModelFailure } from './failure.ts';

/** Requests for one answer to an endpoint that is busy, broken or not there for the moment; its time-outs are not repeated. */
export const MODEL_TRIES = 3;

/** Pause before the second request, milliseconds; doubled before the next. */
export const MODEL_FIRST_PAUSE_MS = 500;

/** The longest `Retry-After` that is waited for within a call, milliseconds: beyond it the lane rests and the events are held. */
const MODEL_LONGEST_PAUSE_MS = 5000;

/** What a client speaks to, and how long and how much it listens. */
export interface ClientOptions {
  /** Base address of the OpenAI-compatible routes. */
  readonly url: string;
  /** Sent as bearer; null sends none. */
  readonly apiKey: string | null;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
  /** Bytes of an answer that are read. */
  readonly maxBytes: number;
}

/** A client of one endpoint. It repeats nothing by itself, and takes nothing from variables of its own. */
export function openAiClient({ url, apiKey, timeoutMs, maxBytes }: ClientOptions): OpenAI {
  return new OpenAI({
    baseURL: url,
    apiKey: apiKey ?? 'none',
    // What the package would take from variables of its own is said here, so that the settings are all there is.
    adminAPIKey: null,
    organization: null,
    project: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: timeoutMs,
    fetch: boundedFetch(maxBytes),
    defaultHeaders: apiKey === null ? { authorization: null } : {},
  });
}

/**
 * What a request answers, which is repeated while the endpoint is away for a moment. Throws `ModelFailure`; the reason of `signal`
 * when that fires.
 */
export async function patiently<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = error as ModelFailure;
      const pauseMs = Math.max(failure.retryAfterMs ?? 0, MODEL_FIRST_PAUSE_MS * 2 ** (attempt - 1));
      if (!failure.passing || attempt === MODEL_TRIES || pauseMs > MODEL_LONGEST_PAUSE_MS) throw failure;
      await pause(pauseMs, signal);
    }
  }
}

/** The value of a body that the package may hand on as text; null when it is no JSON. */
export function valueOf(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch (error) {
    if ((error as { name?: string }).name === 'SyntaxError') return null;
    throw error;
  }
}

/** Resolves after so many milliseconds; throws the reason of `signal` as soon as that fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  let wake = (): void => undefined;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', wake, { once: true });
  });
  signal.removeEventListener('abort', wake);
  signal.throwIfAborted();
}
