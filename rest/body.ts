import type { IncomingMessage } from 'node:http';

import type { BodyCap } from '../schemas/operation/definition.ts';
import { StrataError } from '../src/errors.ts';
import {
  MAX_AUTH_BODY_BYTES,
  MAX_BODY_BYTES,
  MAX_BULK_BODY_BYTES,
  MAX_GRAPHQL_BODY_BYTES,
} from '../src/limits.ts';
import type { ReadingRoom } from '../src/services/reading-room.ts';
import { BODY_PACE, BodyReading, type BodyPace } from './body-reading.ts';
import { noteBody } from './exchange.ts';
import { tooLarge } from './too-large.ts';

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

/**
 * The bytes of the body, unpacked when it is gzip, into a room. More than `limitBytes`, packed or unpacked, or more than a packed
 * body may unpack to: `PAYLOAD_TOO_LARGE`, and what is still on its way is thrown away unread, so that the connection can be
 * used again. Slower than a body may come: `REQUEST_TIMEOUT`.
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  room: ReadingRoom = ANY_ROOM,
  pace: BodyPace = BODY_PACE,
): Promise<Buffer> {
  const encoding = encodingOf(request);
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw unsupported('a body may be packed with gzip and with nothing else');
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const reading = new BodyReading(request, { limitBytes, room, pace, packed: encoding === 'gzip' });
  const { bytes, sha256 } = await reading.whole();
  if (bytes.length > 0) noteBody(request, sha256);
  return bytes;
}

/** Whether a request surely has no more bytes of body than so many: none is packed, and their number is told. */
export function announcesAtMost(request: IncomingMessage, bytes: number): boolean {
  const length = request.headers['content-length'];
  return length !== undefined && Number(length) <= bytes && encodingOf(request) === 'identity';
}

function encodingOf(request: IncomingMessage): string {
  return (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
}

/** Room without bounds, for what is bounded otherwise. */
const ANY_ROOM: ReadingRoom = {
  grow: () => undefined,
  shrink: () => undefined,
  came: () => undefined,
  whenLost: () => undefined,
  arrived: () => undefined,
};
