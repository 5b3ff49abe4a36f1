import { MessageType, validateMessage, type Message } from 'graphql-ws';

import { StrataError } from '../src/errors.ts';

/** A message as read; `refusal` says what of it may not be stored, `null`: nothing. */
export interface ReadMessage {
  readonly message: Message;
  readonly refusal: StrataError | null;
  /** Values of JSON in it, names of fields included; 0 where something may not be stored. */
  readonly values: number;
}

/** Reads JSON, telling the number of its values before it is taken apart. Throws `INVALID_BODY`, `PAYLOAD_TOO_LARGE`. */
export type SocketJson = (bytes: Uint8Array, counted: (values: number) => void) => unknown;

const FROM_CLIENTS: ReadonlySet<MessageType> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/**
 * Reads one message of the protocol; null when it is none: malformed JSON, a shape that the protocol does not know, or
 * content that may not be stored in a message that has no id to answer to. Throws `PAYLOAD_TOO_LARGE` for one with
 * more values than are taken apart.
 */
export function readMessage(bytes: Uint8Array, readJson: SocketJson): ReadMessage | null {
  let values = 0;
  const { value, refusal } = readValue(bytes, (text) => readJson(text, (counted) => (values = counted)));
  const message = asMessage(value);
  if (
    message === null ||
    !FROM_CLIENTS.has(message.type) ||
    (refusal !== null && message.type !== MessageType.Subscribe)
  )
    return null;
  return { message, refusal, values };
}

function readValue(
  bytes: Uint8Array,
  readJson: (bytes: Uint8Array) => unknown,
): { value: unknown; refusal: StrataError | null } {
  try {
    return { value: readJson(bytes), refusal: null };
  } catch (error) {
    if (!(error instanceof StrataError) || error.code !== 'INVALID_BODY') throw error;
    return { value: parsed(bytes), refusal: error };
  }
}

/** The value of JSON that is well formed, whatever it holds; undefined when it is malformed. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8')) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError || (error as Error).name === 'SyntaxError') return undefined;
    throw error;
  }
}

/** The protocol's own check throws plain errors and nothing else. */
function asMessage(value: unknown): Message | null {
  try {
    return validateMessage(value);
  } catch (error) {
    if (error === null) throw error;
    return null;
  }
}
