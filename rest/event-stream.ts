import type { ServerResponse } from 'node:http';

import type { LifecycleItem } from '../schemas/lifecycle.ts';
import { STREAM_RETRY_MS } from '../src/limits.ts';
import type { LifecycleSubscription } from '../src/services/operations.ts';
import { write } from './write.ts';

/** The media type of server-sent events. */
export const EVENT_STREAM = 'text/event-stream';

/** What the streams of a server share. */
export interface StreamOptions {
  /** Milliseconds between the comments that keep a quiet stream open. */
  readonly heartbeatMs: number;
  /** Fires when the server begins to stop. */
  readonly ending: AbortSignal;
}

const printed = new WeakMap<LifecycleItem, string>();

/** A frame as server-sent event; the text is made once, however many readers are handed the same item. */
export function eventText(item: LifecycleItem): string {
  const known = printed.get(item);
  if (known !== undefined) return known;
  const { lifecycle_id: id, event, data, ts, scope } = item;
  const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify({ ts, scope, ...data })}\n\n`;
  printed.set(item, text);
  return text;
}

/**
 * Prints frames as server-sent events until they end, the client goes or the server stops. A frame is asked for when the
 * connection has taken those before it, so no more waits here than Node holds for one connection. Throws what the frames throw.
 */
export async function sendEventStream(
  response: ServerResponse,
  frames: LifecycleSubscription,
  { heartbeatMs, ending }: StreamOptions,
): Promise<void> {
  const detach = (): void => {
    void frames.return();
  };
  const cut = (): void => {
    response.destroy();
  };
  const stop = (): void => {
    detach();
    // A client that does not take what was sent would keep the server from stopping; it resumes elsewhere.
    if (response.writableLength > 0) cut();
  };
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
  }, heartbeatMs);
  response.once('close', detach);
  ending.addEventListener('abort', stop, { once: true });
  frames.abandoned.addEventListener('abort', cut, { once: true });
  if (response.closed || ending.aborted) detach();
  try {
    openStream(response);
    response.write(`retry: ${STREAM_RETRY_MS}\n\n`);
    for await (const item of frames) await write(response, eventText(item));
    response.end();
  } finally {
    clearInterval(heartbeat);
    response.off('close', detach);
    ending.removeEventListener('abort', stop);
    frames.abandoned.removeEventListener('abort', cut);
  }
}

/** Sends the head of a stream of server-sent events. */
export function openStream(response: ServerResponse): void {
  response.statusCode = 200;
  response.setHeader('Content-Type', EVENT_STREAM);
  // Proxies that gather answers would hold frames back.
  response.setHeader('X-Accel-Buffering', 'no');
  response.flushHeaders();
}
