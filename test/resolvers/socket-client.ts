import { connect, type Socket } from 'node:net';

import { WebSocket, type ClientOptions } from 'ws';

import { eventually } from '../support/wait.ts';

/** How a socket ended. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A socket below every library: it sends what it is told and keeps what it is sent. */
export interface RawSocket {
  readonly socket: WebSocket;
  readonly received: any[];
  readonly closed: Promise<Closed>;
  /** Sends a text as it is, anything else as JSON. */
  send(message: unknown): void;
  /** The first message, not taken before, that fits. */
  next(what: string, fits?: (message: any) => boolean): Promise<any>;
  /** Says `connection_init` and waits for its acknowledgement. */
  init(payload?: Record<string, unknown>): Promise<void>;
  subscribe(id: string, query: string, variables?: Record<string, unknown>): void;
}

/** Opens a socket to `/graphql` of the service at `url`; rejects when the upgrade is refused. */
export async function openSocket(
  url: string,
  options: ClientOptions & { subprotocol?: string | null; path?: string } = {},
): Promise<RawSocket> {
  const { subprotocol = 'graphql-transport-ws', path = '/graphql', ...rest } = options;
  const address = `${url.replace('http', 'ws')}${path}`;
  const socket =
    subprotocol === null ? new WebSocket(address, rest) : new WebSocket(address, subprotocol, rest);
  const received: any[] = [];
  const taken = new Set<unknown>();
  socket.on('message', (data: Buffer) => received.push(JSON.parse(data.toString())));
  const closed = new Promise<Closed>((resolve) => {
    socket.once('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve).once('error', reject);
  });
  socket.on('error', () => undefined);
  const send = (message: unknown): void => {
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  };
  const next = async (what: string, fits: (message: any) => boolean = () => true): Promise<any> => {
    const found = await eventually(what, () => received.find((one) => !taken.has(one) && fits(one)));
    taken.add(found);
    return found;
  };
  return {
    socket,
    received,
    closed,
    send,
    next,
    init: async (payload) => {
      send({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) });
      await next('the acknowledgement', ({ type }) => type === 'connection_ack');
    },
    subscribe: (id, query, variables) => {
      send({ id, type: 'subscribe', payload: { query, ...(variables === undefined ? {} : { variables }) } });
    },
  };
}

/** Opens a connection to `/graphql` that sends its messages and takes nothing, not even the answer to its handshake. */
export async function openDeaf(url: string, messages: readonly unknown[]): Promise<Socket> {
  const { port, host, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.pause();
  socket.write(
    `GET /graphql HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  const [init, ...more] = messages;
  if (init !== undefined) socket.write(frameOf(JSON.stringify(init)));
  if (more.length > 0) await acknowledged(socket);
  for (const message of more) socket.write(frameOf(JSON.stringify(message)));
  return socket;
}

/** Reads until the caller is acknowledged, and nothing more. */
async function acknowledged(socket: Socket): Promise<void> {
  let came = '';
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer): void => {
      came += chunk.toString('latin1');
      if (!came.includes('connection_ack')) return;
      socket.off('data', take).pause();
      resolve();
    };
    socket.on('data', take).resume();
  });
}

/** A text frame of a client, masked with zeros. */
function frameOf(text: string): Buffer {
  const payload = Buffer.from(text);
  const { length } = payload;
  const head = length < 126 ? [0x81, 0x80 | length] : [0x81, 0xfe, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), payload]);
}
