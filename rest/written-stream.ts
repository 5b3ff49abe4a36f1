import type { IncomingMessage, ServerResponse } from 'node:http';

import type { WrittenFrame, WrittenStream } from '../src/services/written-frames.ts';
import { openStream, type StreamOptions } from './event-stream.ts';
import { exchangeOf } from './exchange.ts';
import type { JsonAnswer, WrittenAnswer } from './handler.ts';
import { asStrataError, problemBody } from './problem.ts';
import { write } from './write.ts';

/** What a service gave: all of it, or the stream of it. */
export function writtenOrWhole(
  given: object | WrittenStream<WrittenFrame<object, object>>,
): JsonAnswer | WrittenAnswer {
  return 'frames' in given ? { status: 200, written: given.frames } : { status: 200, body: given };
}

/**
 * Prints the frames of an answer while it is made. What fails on the way is told by a last frame `error` with the body that a JSON
 * answer would have, and thrown; a client that goes stops the writing.
 */
export async function sendWritten(
  request: IncomingMessage,
  response: ServerResponse,
  frames: AsyncGenerator<WrittenFrame<object, object>>,
  { heartbeatMs }: Pick<StreamOptions, 'heartbeatMs'>,
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(': heartbeat\n\n');
  }, heartbeatMs);
  try {
    openStream(response);
    for await (const { event, data } of frames) {
      await write(response, frameText(event, data));
      // Its signal tells the model, too; this is for what comes in between.
      if (response.closed) return;
    }
    response.end();
  } catch (error) {
    if (response.closed) return;
    const { requestId } = exchangeOf(request);
    response.end(frameText('error', problemBody(asStrataError(error), requestId)));
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

function frameText(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
