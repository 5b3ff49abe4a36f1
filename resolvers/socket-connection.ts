import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { CloseCode, MessageType, type SubscribeMessage } from 'graphql-ws';
import { WebSocket, type RawData } from 'ws';

import { StrataError } from '../src/errors.ts';
import type { Principal } from '../src/services/access.ts';
import type { BodyBudget, BodyRoom } from '../src/services/body-budget.ts';
import { addressBlock } from '../src/validation/address-block.ts';
import { readMessage, type ReadMessage, type SocketJson } from './socket-message.ts';

/** Bounds of one socket; the defaults and their reasons stand in src/limits.ts. */
export interface ConnectionLimits {
  readonly initBytes: number;
  readonly idLength: number;
  readonly operations: number;
  readonly sendBufferBytes: number;
  readonly deadPings: number;
}

/** What a connection is built from. */
export interface ConnectionOptions {
  /** Where it comes from; it takes places of that block until it is recognised. */
  readonly address: string;
  readonly limits: ConnectionLimits;
  readonly readJson: SocketJson;
  /** Bounds the bytes of what is worked on; without it nothing does. */
  readonly bodies?: Pick<BodyBudget, 'enter'>;
  /** Told of faults of the service while a message was handled; the socket is closed. */
  readonly onFault: (error: unknown) => void;
}

/** One operation, from its `subscribe` until its last answer has left. */
export interface Operation {
  /** What the operation is answered with instead of being run: too many run, or its message may not be stored. */
  readonly refusal: StrataError | null;
  /** Ends with the operation, its `complete` or the socket. */
  readonly gone: AbortController;
  readonly ended: Promise<unknown>;
  /** SHA-256 (hex) of its message. */
  readonly sha256: string;
  /** Whether it is a subscription, once that is known. */
  subscription: boolean;
}

/** Thrown into an operation whose socket is gone. */
export class SocketGone extends Error {
  constructor() {
    super('the socket is gone');
    this.name = 'SocketGone';
  }
}

/**
 * One socket below the protocol: reads messages, keeps count of what runs, and sends no faster than the client takes. A
 * client that takes nothing is not read from either.
 */
export class SocketConnection {
  readonly request: IncomingMessage;
  readonly address: string;
  readonly addressBlock: string;
  /** When it was opened, milliseconds of the process's own clock. */
  readonly opened = performance.now();
  /** The caller, once recognised. */
  principal: Principal | null = null;
  /** Ends the watch over the caller. */
  release: () => void = () => undefined;
  /** Operations by id; one whose `complete` has come stays until it has ended. */
  readonly operations = new Map<string, Operation>();
  /** Operations begun since the socket was opened. */
  begun = 0;
  /** Subscriptions that have not ended. */
  subscriptions = 0;
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  #silentPings = 0;
  /** Operations that have not ended, those included that wait for their id to be free. */
  #running = 0;
  #handle: ((text: string) => Promise<void>) | null = null;

  constructor(socket: WebSocket, request: IncomingMessage, raw: Duplex, options: ConnectionOptions) {
    this.#socket = socket;
    this.address = options.address;
    this.addressBlock = addressBlock(options.address);
    this.request = request;
    this.#options = options;
    socket.on('message', (data, isBinary) => void this.#receive(data, isBinary));
    socket.on('pong', () => (this.#silentPings = 0));
    socket.on('ping', (data) => {
      this.#silentPings = 0;
      socket.pong(data, false, this.#taken);
      this.#holdBack();
    });
    // The protocol closes the socket itself; `ws` only asks for somebody to listen.
    socket.on('error', () => {
      socket.terminate();
    });
    this.#boundStranger(raw);
  }

  /** The subprotocol agreed upon; empty when there is none. */
  get protocol(): string {
    return this.#socket.protocol;
  }

  /** Whether messages still reach the client. */
  get open(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Hands every message to the protocol; its promise ends with the operation that the message began. */
  onMessage(handle: (text: string) => Promise<void>): void {
    this.#handle = handle;
  }

  /** Resolves when the client has taken the message, so that nobody produces faster. Rejects when it never will. */
  send(text: string): Promise<void> {
    if (!this.open) return Promise.reject(new SocketGone());
    return new Promise((resolve, reject) => {
      this.#socket.send(text, (error) => {
        this.#taken();
        if (error) reject(new SocketGone());
        else resolve();
      });
      this.#holdBack();
    });
  }

  /** Closes the socket; a reason longer than the 123 bytes that a frame can hold is cut. */
  close(code: number, reason: string): void {
    let text = reason;
    while (Buffer.byteLength(text) > 123) text = text.slice(0, -1);
    this.#socket.resume();
    this.#socket.close(code, text);
  }

  /** Cuts the connection without a word. */
  terminate(): void {
    this.#socket.terminate();
  }

  /** Pings the client, or cuts it when neither an answer nor any progress came for too long. */
  ping(): void {
    if (this.#silentPings >= this.#options.limits.deadPings) {
      this.terminate();
      return;
    }
    this.#silentPings += 1;
    if (this.open) this.#socket.ping();
  }

  /** Ends what runs; for a socket that is closed. */
  abandon(): void {
    for (const { gone } of this.operations.values()) gone.abort();
  }

  readonly #taken = (): void => {
    this.#silentPings = 0;
    if (this.#socket.isPaused && this.#socket.bufferedAmount < this.#options.limits.sendBufferBytes) {
      this.#socket.resume();
    }
  };

  #holdBack(): void {
    if (this.#socket.bufferedAmount >= this.#options.limits.sendBufferBytes) this.#socket.pause();
  }

  /** Before the caller is recognised next to nothing is read; who goes on after the refusal is cut before its answer. */
  #boundStranger(raw: Duplex): void {
    const { initBytes } = this.#options.limits;
    let came = 0;
    const count = (chunk: Buffer): void => {
      came += chunk.length;
      if (this.principal !== null) raw.off('data', count);
      else if (came > 2 * initBytes && !this.open) this.terminate();
      else if (came > initBytes) this.#refuseStranger();
    };
    raw.on('data', count);
  }

  #refuseStranger(): void {
    this.close(CloseCode.Unauthorized, 'Too much before connection_init');
  }

  async #receive(data: RawData, isBinary: boolean): Promise<void> {
    this.#silentPings = 0;
    try {
      await this.#take(data as Buffer, isBinary);
    } catch (error) {
      if (error instanceof SocketGone) return;
      this.#options.onFault(error);
      this.close(CloseCode.InternalServerError, 'Internal server error');
    }
  }

  async #take(bytes: Buffer, isBinary: boolean): Promise<void> {
    if (this.principal === null && bytes.length > this.#options.limits.initBytes) {
      this.#refuseStranger();
      return;
    }
    const read = isBinary ? null : this.#read(bytes);
    if (!this.open) return;
    if (read === null) {
      this.close(CloseCode.BadRequest, 'Invalid message received');
      return;
    }
    const { message } = read;
    if (message.type === MessageType.Complete) this.operations.get(message.id)?.gone.abort();
    if (message.type === MessageType.Subscribe) await this.#begin(message, read, bytes);
    else await this.#handle?.(bytes.toString('utf8'));
  }

  /** The message; null when it is none. One with too many values closes the socket as one with too many bytes does. */
  #read(bytes: Buffer): ReadMessage | null {
    try {
      return readMessage(bytes, this.#options.readJson);
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      this.close(TOO_LARGE, error.message);
      return null;
    }
  }

  /** An id may be used again after its `complete`; what still ends under it is waited for, or the two would be mixed up. */
  async #begin({ id }: SubscribeMessage, read: ReadMessage, bytes: Buffer): Promise<void> {
    if (id.length > this.#options.limits.idLength) {
      this.close(CloseCode.BadRequest, `The id has more than ${this.#options.limits.idLength} characters`);
      return;
    }
    const before = this.operations.get(id);
    if (before !== undefined && !before.gone.signal.aborted) {
      this.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
      return;
    }
    const limit = this.#options.limits.operations;
    if (this.#running >= 2 * limit) {
      this.close(CloseCode.BadRequest, 'Too many operations');
      return;
    }
    const crowded = this.#running >= limit ? tooMany(limit) : null;
    const room = this.#options.bodies?.enter(this.principal, this.addressBlock);
    const full = crowded === null && room ? refusalOf(room, bytes.length, read.values) : null;
    const gone = new AbortController();
    this.begun += 1;
    this.#running += 1;
    const run = async (): Promise<void> => {
      await before?.ended;
      if (!gone.signal.aborted) await this.#handle?.(bytes.toString('utf8'));
    };
    const ended = run();
    const operation = {
      refusal: crowded ?? full ?? read.refusal,
      gone,
      ended: ended.then(nothing, nothing),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      subscription: false,
    };
    this.operations.set(id, operation);
    try {
      await ended;
    } finally {
      gone.abort();
      room?.leave();
      this.#running -= 1;
      if (this.operations.get(id) === operation) this.operations.delete(id);
    }
  }
}

/** The close code of WebSocket for a message that is too large. */
const TOO_LARGE = 1009;

/** Takes the room of a message; why there is none, else null. */
function refusalOf(room: BodyRoom, bytes: number, values: number): StrataError | null {
  try {
    room.arrived();
    room.grow(bytes);
    room.growByValues(values);
    return null;
  } catch (error) {
    if (error instanceof StrataError) return error;
    throw error;
  }
}

function tooMany(limit: number): StrataError {
  return new StrataError('SERVER_BUSY', `this socket has ${limit} operations running, as many as may be`, {
    details: { reason: 'operations', limit },
  });
}

const nothing = (): undefined => undefined;
