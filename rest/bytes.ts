import type { IncomingMessage, ServerResponse } from 'node:http';

import { StrataError } from '../src/errors.ts';
import type { IncomingBytes, OutgoingBytes } from '../src/services/blob-operations.ts';
import { readBody } from './body.ts';
import { byteRange, namesTag, type ByteRange } from './range.ts';
import { write } from './write.ts';

/** The body of a request as bytes, read when they are asked for. */
export function incomingBytes(request: IncomingMessage): IncomingBytes {
  const {
    'content-type': contentType,
    'content-length': length,
    'content-encoding': packed,
  } = request.headers;
  return {
    contentType: contentType ?? null,
    length: length === undefined || packed !== undefined ? null : Number(length),
    read: (limitBytes, room) => readBody(request, limitBytes, room),
  };
}

/**
 * Sends bytes, or the one range that is asked for, piece by piece as the connection takes them. Whatever they are, a browser only
 * stores them. Throws `RANGE_NOT_SATISFIABLE`; beyond the first piece a failure cuts the connection.
 */
export async function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: OutgoingBytes,
): Promise<void> {
  const tag = `"${bytes.sha256}"`;
  response.setHeader('ETag', tag);
  response.setHeader('Accept-Ranges', 'bytes');
  if (namesTag(request.headers['if-none-match'], tag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const range = wantedRange(request, tag, bytes.sizeBytes);
  if (range === 'none') {
    response.setHeader('Content-Range', `bytes */${bytes.sizeBytes}`);
    throw new StrataError(
      'RANGE_NOT_SATISFIABLE',
      `there are ${bytes.sizeBytes} bytes, the range begins behind them`,
      {
        details: { size_bytes: bytes.sizeBytes },
      },
    );
  }
  const { from, to } = range === 'whole' ? { from: 0, to: bytes.sizeBytes } : range;
  const begin = (): void => {
    response.statusCode = range === 'whole' ? 200 : 206;
    if (range !== 'whole') response.setHeader('Content-Range', `bytes ${from}-${to - 1}/${bytes.sizeBytes}`);
    response.setHeader('Content-Type', bytes.contentType);
    response.setHeader('Content-Length', to - from);
    response.setHeader('Content-Disposition', 'attachment');
    response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox; frame-ancestors 'none'");
  };
  if (request.method === 'HEAD') begin();
  else await sendPieces(response, bytes.read(from, to), begin);
  response.end();
}

/** Begins when the first piece is there, so that what fails before is told as every other error. */
async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
  begin: () => void,
): Promise<void> {
  for await (const piece of pieces) {
    if (!response.headersSent) begin();
    await write(response, piece);
    if (response.closed) return;
  }
}

function wantedRange(request: IncomingMessage, tag: string, sizeBytes: number): ByteRange | 'whole' | 'none' {
  const { range, 'if-range': condition } = request.headers;
  const applies = request.method === 'GET' && (condition === undefined || condition === tag);
  return applies ? byteRange(range, sizeBytes) : 'whole';
}
