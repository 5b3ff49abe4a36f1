import type { IncomingMessage, ServerResponse } from 'node:http';

import { write } from './write.ts';

/** Media type of one JSON object a line. */
export const LINES = 'application/x-ndjson; charset=utf-8';

/**
 * Sends objects, one a line, as the connection takes them. It begins when the first are there, so that what fails before is told as every
 * other error; beyond them a failure cuts the connection.
 */
export async function sendLines(
  request: IncomingMessage,
  response: ServerResponse,
  lines: AsyncIterable<readonly object[]>,
): Promise<void> {
  const begin = (): void => {
    response.statusCode = 200;
    response.setHeader('Content-Type', LINES);
  };
  if (request.method !== 'HEAD')
    for await (const some of lines) {
      if (!response.headersSent) begin();
      await write(response, some.map((one) => `${JSON.stringify(one)}\n`).join(''));
      if (response.closed) return;
    }
  if (!response.headersSent) begin();
  response.end();
}
