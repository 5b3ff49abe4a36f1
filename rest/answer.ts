import type { Request, Response } from 'express';

import { EVENT_STREAM, sendEventStream, type StreamOptions } from './event-stream.ts';
import type { Answer } from './handler.ts';

/** Sends what a handler answered; resolves when a stream has ended, at once for anything else. */
export async function sendAnswer(
  request: Request,
  response: Response,
  answer: Answer,
  streams: StreamOptions,
): Promise<void> {
  if ('frames' in answer) {
    if (request.method !== 'HEAD') return sendEventStream(response, answer.frames, streams);
    await answer.frames.return();
    response.status(answer.status).setHeader('Content-Type', EVENT_STREAM);
    response.end();
    return;
  }
  response.status(answer.status);
  if ('body' in answer) {
    response.json(answer.body);
    return;
  }
  response.setHeader('Content-Type', answer.contentType);
  response.setHeader('Content-Length', Buffer.byteLength(answer.text));
  response.end(answer.text);
}
