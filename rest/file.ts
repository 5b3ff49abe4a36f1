import type { IncomingMessage, ServerResponse } from 'node:http';

import { StrataError } from '../src/errors.ts';
import type { ExportedFile } from '../src/services/operations.ts';
import type { StreamOptions } from './event-stream.ts';
import { write } from './write.ts';

/**
 * Sends a file as it is made, as the connection takes it; a browser stores it. It begins when the first piece is there, so that what fails
 * before is told as every other error. Beyond it a failure, and a stop of the server, cuts the connection: without its end no client takes
 * what came for the whole.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { mediaType, fileName, pieces }: ExportedFile,
  { ending }: Pick<StreamOptions, 'ending'>,
): Promise<void> {
  const begin = (): void => {
    response.statusCode = 200;
    response.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
    response.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
    response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
  };
  const cut = (): void => {
    response.destroy();
  };
  if (ending.aborted)
    throw new StrataError('SERVER_SHUTTING_DOWN', 'the server is stopping; ask another process');
  ending.addEventListener('abort', cut, { once: true });
  try {
    if (request.method !== 'HEAD')
      for await (const piece of pieces) {
        if (!response.headersSent) begin();
        await write(response, piece);
        if (response.closed) return;
      }
    if (!response.headersSent) begin();
    response.end();
  } finally {
    ending.removeEventListener('abort', cut);
  }
}
