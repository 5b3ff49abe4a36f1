import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import type { BodyCap } from '../schemas/operation/definition.ts';
import { StrataError } from '../src/errors.ts';
import {
  MAX_AUTH_BODY_BYTES,
  MAX_BODY_BYTES,
  MAX_BULK_BODY_BYTES,
  MAX_GRAPHQL_BODY_BYTES,
} from '../src/limits.ts';
import { noteBody } from './exchange.ts';

/** Bytes of a body at most, by the cap that an operation names, and of one of GraphQL. */
export type BodyLimits = Readonly<Record<BodyCap | 'graphql', number>>;

/** The caps of bodies as they stand in src/limits.ts. */
export const BODY_LIMITS: BodyLimits = {
  auth: MAX_AUTH_BODY_BYTES,
  single: MAX_BODY_BYTES,
  bulk: MAX_BULK_BODY_BYTES,
  graphql: MAX_GRAPHQL_BODY_BYTES,
};

const JSON_TYPE = /^application\/(json|[a-z0-9!#$&^_.+-]+\+json)$/;

/** True when the request says that its body is JSON; refuses other labels and charsets: `UNSUPPORTED_MEDIA_TYPE`. */
export function requireJsonLabel(request: IncomingMessage): boolean {
  const label = request.headers['content-type'];
  if (label === undefined || label.trim() === '') return false;
  const [type = '', ...parameters] = label
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!JSON_TYPE.test(type)) throw unsupported('send the body as application/json');
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8);
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) throw unsupported('send the body in UTF-8');
  return true;
}

function unsupported(message: string): StrataError {
  return new StrataError('UNSUPPORTED_MEDIA_TYPE', message);
}

/** The refusal of a body of more than so many bytes. */
export function tooLarge(limitBytes: number): StrataError {
  return new StrataError('PAYLOAD_TOO_LARGE', `the body exceeds ${limitBytes} bytes`, {
    details: { limit_bytes: limitBytes },
  });
}

/** Is told how many bytes a piece of a body has, unpacked; what it throws ends the reading. */
type Came = (bytes: number) => void;

/**
 * The bytes of the body, unpacked when it is gzip. More than `limitBytes`, packed or unpacked: `PAYLOAD_TOO_LARGE`,
 * and what is still on its way is thrown away unread, so that the connection can be used again.
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  came: Came = () => undefined,
): Promise<Buffer> {
  const bytes = await unpackedBody(request, limitBytes, came);
  noteBody(request, bytes);
  return bytes;
}

async function unpackedBody(request: IncomingMessage, limitBytes: number, came: Came): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw unsupported('a body may be packed with gzip and with nothing else');
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  if (encoding === 'gzip') return unpack(request, limitBytes, came);
  try {
    return await collect(request, limitBytes, came);
  } catch (error) {
    // A connection that breaks off is the only other thing that ends a body early.
    throw error instanceof StrataError ? error : new ClientGone();
  }
}

/** Gathers a stream up to a limit. Never destroys the stream, which may be a connection with an answer to carry. */
function collect(source: Readable, limitBytes: number, came: Came): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      try {
        if (bytes > limitBytes) throw tooLarge(limitBytes);
        came(chunk.length);
      } catch (error) {
        onError(error as Error);
      }
    };
    const onEnd = (): void => {
      settle(() => {
        resolve(Buffer.concat(chunks, bytes));
      });
    };
    const onError = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const onClose = (): void => {
      onError(new ClientGone());
    };
    const settle = (outcome: () => void): void => {
      source.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onError);
      // Late errors of a stream that nobody reads any more concern nobody.
      source.on('error', () => undefined);
      source.resume();
      outcome();
    };
    source.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onError);
  });
}

async function unpack(request: IncomingMessage, limitBytes: number, came: Came): Promise<Buffer> {
  const gunzip = createGunzip();
  let packedBytes = 0;
  const count = (chunk: Buffer): void => {
    packedBytes += chunk.length;
    if (packedBytes > limitBytes) gunzip.destroy(tooLarge(limitBytes));
  };
  const onClose = (): void => {
    if (!request.complete) gunzip.destroy(new ClientGone());
  };
  request.on('data', count).on('close', onClose);
  try {
    return await collect(request.pipe(gunzip), limitBytes, came);
  } catch (error) {
    if (error instanceof StrataError || error instanceof ClientGone) throw error;
    throw new StrataError('INVALID_BODY', 'the body is not what gzip makes', { cause: error });
  } finally {
    request.off('data', count).off('close', onClose).unpipe(gunzip);
    request.resume();
    gunzip.destroy();
  }
}

/** The client closed the connection before its request was whole or its answer was out; there is nobody to answer. */
export class ClientGone extends Error {
  constructor() {
    super('the client went away');
    this.name = 'ClientGone';
  }
}
