import type { Request, Response } from 'express';

import { sendBytes } from './bytes.ts';
import { EVENT_STREAM, sendEventStream, type StreamOptions } from './event-stream.ts';
import { sendFile } from './file.ts';
import type { Answer } from './handler.ts';
import { sendLines } from './lines.ts';
import { sendWritten } from './written-stream.ts';

/** Sends what a handler answered; resolves when a stream or its bytes have ended, at once for anything else. */
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
  if ('written' in answer) return sendWritten(request, response, answer.written, streams);
  if ('bytes' in answer) return sendBytes(request, response, answer.bytes);
  if ('lines' in answer) return sendLines(request, response, answer.lines);
  if ('file' in answer) return sendFile(request, response, answer.file, streams);
  if ('empty' in answer) {
    response.status(answer.status).end();
    return;
  }
  // Express would answer 304 to some conditional requests; nothing here is ever to be kept by a cache.
  const { contentType, text } = 'body' in answer ? jsonText(answer.body) : answer;
  response.status(answer.status);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

function jsonText(body: object): { contentType: string; text: string } {
  return { contentType: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}
