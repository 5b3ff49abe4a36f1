import type { SocketOptions, SocketLimits } from './socket-options.ts';
import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { handleProtocols, makeServer, type Server as Protocol } from 'graphql-ws';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';

import { errorText, StrataError } from '../src/errors.ts';
import * as limits from '../src/limits.ts';
import { addressBlock } from '../src/validation/address-block.ts';
import { SocketConnection } from './socket-connection.ts';
import { protocolOptions } from './socket-protocol.ts';

const LIMITS: SocketLimits = {
  sockets: limits.MAX_SOCKETS,
  initMs: limits.SOCKET_INIT_MS,
  initBytes: limits.SOCKET_INIT_BYTES,
  messageBytes: limits.MAX_SOCKET_MESSAGE_BYTES,
  operations: limits.MAX_SOCKET_OPERATIONS,
  idLength: limits.MAX_SOCKET_ID_LENGTH,
  sendBufferBytes: limits.SOCKET_SEND_BUFFER_BYTES,
  pingMs: limits.SOCKET_PING_MS,
  deadPings: limits.SOCKET_DEAD_PINGS,
  closeMs: limits.SOCKET_CLOSE_MS,
};

/** GraphQL over WebSocket: the `graphql-transport-ws` protocol on connections that are handed in. */
export class GraphqlSockets {
  readonly #options: SocketOptions;
  readonly #limits: SocketLimits;
  readonly #server: WebSocketServer;
  readonly #protocol: Protocol<SocketConnection>;
  readonly #connections = new Set<SocketConnection>();
  readonly #pings: NodeJS.Timeout;
  readonly #stopping = new AbortController();
  #emptied: (() => void) | null = null;
  #fault: Error | null = null;

  constructor(options: SocketOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    // The types of the library do not know `closeTimeout`: how long it reads on, and keeps, after it has closed a socket.
    const server: ServerOptions & { closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      maxPayload: this.#limits.messageBytes,
      closeTimeout: this.#limits.closeMs,
      autoPong: false,
      handleProtocols: (offered) => handleProtocols(offered),
    };
    this.#server = new WebSocketServer(server);
    this.#server.on('wsClientError', (error) => (this.#fault = error));
    const { upgradeHeaders = {} } = options;
    this.#server.on('headers', (lines) => {
      lines.push(...Object.entries(upgradeHeaders).map(([name, value]) => `${name}: ${value}`));
    });
    // Every subscription listens, and there may be many.
    setMaxListeners(0, this.#stopping.signal);
    const { initMs } = this.#limits;
    this.#protocol = makeServer(protocolOptions({ ...options, initMs, stopping: this.#stopping.signal }));
    this.#pings = setInterval(() => {
      for (const connection of this.#connections) connection.ping();
    }, this.#limits.pingMs);
    this.#pings.unref();
  }

  /** Sockets open now. */
  get size(): number {
    return this.#connections.size;
  }

  /** Subscriptions running now. */
  get subscriptions(): number {
    let running = 0;
    for (const { subscriptions } of this.#connections) running += subscriptions;
    return running;
  }

  /**
   * Takes a connection from an address over. Throws `SERVER_BUSY` when there are too many sockets, or too many from the
   * address whose caller is not recognised yet, and `INVALID_HEADER` when the request is
   * not a WebSocket handshake; then nothing has been written.
   */
  upgrade(
    request: IncomingMessage,
    raw: Duplex,
    head: Buffer,
    address = request.socket.remoteAddress ?? '',
  ): void {
    if (this.#connections.size >= this.#limits.sockets) {
      throw new StrataError('SERVER_BUSY', `${this.#limits.sockets} sockets are open, as many as may be`, {
        details: { reason: 'sockets', limit: this.#limits.sockets },
      });
    }
    const block = addressBlock(address);
    this.#refuseStrangers(block);
    this.#fault = null;
    this.#server.handleUpgrade(request, raw, head, (socket) => {
      this.#open(socket, request, raw, address);
    });
    // `ws` tells of a bad handshake before `handleUpgrade` returns.
    const fault = this.#fault as Error | null;
    if (fault !== null) throw new StrataError('INVALID_HEADER', `no WebSocket handshake: ${fault.message}`);
  }

  /**
   * Ends the subscriptions, each with its `complete`, refuses what is asked anew, and lets queries and mutations finish for at
   * most `graceMs`; then closes every socket with 1001 and cuts those that do not answer in time. Resolves when none is left:
   * true when every query and mutation was answered within the grace. To be called once upgrades are refused.
   */
  async close(graceMs: number): Promise<boolean> {
    this.#stopping.abort();
    const answered = await this.#settle(graceMs);
    clearInterval(this.#pings);
    await this.#closeAll();
    return answered;
  }

  /** A reader who takes nothing is given no more time for the end of its subscription than for the answer to a closing. */
  async #settle(graceMs: number): Promise<boolean> {
    const running = [...this.#connections].flatMap(({ operations }) => [...operations.values()]);
    const ends = (subscription: boolean): Promise<unknown> =>
      Promise.all(running.filter((one) => one.subscription === subscription).map(({ ended }) => ended));
    const [answered] = await Promise.all([
      within(ends(false), graceMs),
      within(ends(true), Math.min(graceMs, this.#limits.closeMs)),
    ]);
    return answered;
  }

  async #closeAll(): Promise<void> {
    if (this.#connections.size === 0) return;
    const emptied = new Promise<void>((resolve) => (this.#emptied = resolve));
    for (const connection of this.#connections) connection.close(1001, 'Going away');
    const cut = setTimeout(() => {
      for (const connection of this.#connections) connection.terminate();
    }, this.#limits.closeMs);
    await emptied;
    clearTimeout(cut);
  }

  /** Whoever is recognised at once is not kept out by those who only hold places. */
  #refuseStrangers(block: string): void {
    const limit = Math.ceil(this.#limits.sockets * limits.TENANT_SHARE);
    let strangers = 0;
    for (const { principal, addressBlock: from } of this.#connections) {
      if (principal === null && from === block) strangers += 1;
    }
    if (strangers < limit) return;
    const message = `${limit} sockets from this address have not said who they are, as many as may be`;
    throw new StrataError('SERVER_BUSY', message, { details: { reason: 'address_sockets', limit } });
  }

  #open(socket: WebSocket, request: IncomingMessage, raw: Duplex, address: string): void {
    const { log, readJson, bodies } = this.#options;
    const began = performance.now();
    const connection = new SocketConnection(socket, request, raw, {
      limits: this.#limits,
      address,
      readJson,
      ...(bodies ? { bodies } : {}),
      onFault: (error) => {
        log.error('a message of a socket could not be handled', {
          error: error instanceof Error ? error.stack : errorText(error),
        });
      },
    });
    this.#connections.add(connection);
    const closed = this.#protocol.opened(
      {
        protocol: connection.protocol,
        send: (text) => connection.send(text),
        close: (code, reason) => {
          connection.close(code ?? 1000, reason ?? '');
        },
        onMessage: (handle) => {
          connection.onMessage(handle);
        },
      },
      connection,
    );
    socket.once('close', (code, reason) => {
      connection.abandon();
      connection.release();
      this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#emptied?.();
      log.info('socket', {
        code,
        ms: Math.round((performance.now() - began) * 10) / 10,
        operations: connection.begun,
        tenant: connection.principal?.tenant ?? null,
        actor: connection.principal?.actor ?? null,
      });
      closed(code, reason.toString('utf8')).catch((error: unknown) => {
        log.error('a socket was not cleared away wholly', { error: errorText(error) });
      });
    });
  }
}

/** Whether work ends within so many milliseconds. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const inTime = await Promise.race([work.then(() => true), patience]);
  clearTimeout(timer);
  return inTime;
}
