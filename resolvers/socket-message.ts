import { MessageType, validateMessage, type Message } from 'graphql-ws';

import { StrataError } from '../src/errors.ts';

/** A message as read; `refusal` says what of it may not be stored, `null`: nothing. */
export interface ReadMessage {
  readonly message: Message;
  readonly refusal: StrataError | null;
}

const FROM_CLIENTS: ReadonlySet<MessageType> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/**
 * Reads one message of the protocol; null when it is none: malformed JSON, a shape that the protocol does not know, or
 * content that may not be stored in a message that has no id to answer to. `readJson` throws `INVALID_BODY`.
 */
export function readMessage(bytes: Uint8Array, readJson: (bytes: Uint8Array) => unknown): ReadMessage | null {
  const { value, refusal } = readValue(bytes, readJson);
  const message = asMessage(value);
  if (
    message === null ||
    !FROM_CLIENTS.has(message.type) ||
    (refusal !== null && message.type !== MessageType.Subscribe)
  )
    return null;
  return { message, refusal };
}

function readValue(
  bytes: Uint8Array,
  readJson: (bytes: Uint8Array) => unknown,
): { value: unknown; refusal: StrataError | null } {
  try {
    return { value: readJson(bytes), refusal: null };
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
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
