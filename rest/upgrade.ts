import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { StrataError } from '../src/errors.ts';
import type { Ids } from '../src/ids.ts';
import type { Log } from '../src/log.ts';
import type { LoadShedder } from '../src/services/load-shedder.ts';
import type { Drain } from './drain.ts';
import type { HeaderFamilies } from './headers.ts';
import { isWelcome, requireOwnHost, requireOwnSite, type OpenDoor } from './origin.ts';
import { asStrataError, logFault } from './problem.ts';
import { rawAnswer } from './raw-answer.ts';

/** What takes over a connection that asks for a WebSocket. */
export interface UpgradeTarget {
  /** Throws a `StrataError`, before it has written anything, when it refuses the connection. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void;
}

/** What upgrades are judged by. */
export interface UpgradeOptions {
  readonly families: HeaderFamilies;
  readonly ids: Ids;
  readonly drain: Drain;
  /** Refuses new sockets while the process is overloaded. */
  readonly shedder: Pick<LoadShedder, 'admit'>;
  /** Where a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly log: Log;
  /** Origins whose pages may open sockets beside our own, `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Given where no key is asked for: under which hosts the service may be called. */
  readonly open?: OpenDoor | null;
  /** Takers by path. */
  readonly targets: ReadonlyMap<string, UpgradeTarget>;
}

/**
 * Hands WebSocket upgrades to the target of their path; any other path is 404, a page of a foreign origin 403, a server
 * that stops or is overloaded 503, each with the body of every other error. A request to upgrade to anything else is answered as if it had
 * not asked.
 */
export function serveUpgrades(server: Server, options: UpgradeOptions): void {
  const lastAnswers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    lastAnswers.set(request.socket, response);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      const serve = (): void => {
        if (!socket.destroyed) serveAsRequest(server, request, socket, head);
      };
      // A connection that is given back while an earlier request is answered would lose the answers of what follows.
      const before = lastAnswers.get(socket);
      if (before === undefined || before.closed) serve();
      else before.once('close', serve);
      return;
    }
    try {
      targetOf(request, options).upgrade(request, socket, head, options.addressOf(request));
    } catch (error) {
      const requestId = options.ids.request();
      const refusal = asStrataError(error);
      logFault(options.log, refusal, requestId, 'upgrade');
      socket.end(rawAnswer(refusal, requestId, options.families), () => socket.destroy());
    }
  });
}

function targetOf(request: IncomingMessage, options: UpgradeOptions): UpgradeTarget {
  const target = options.targets.get((request.url ?? '').split('?', 1)[0] ?? '');
  if (target === undefined) throw new StrataError('NOT_FOUND', 'there is no socket at this path');
  if (options.drain.stopping) {
    throw new StrataError('SERVER_SHUTTING_DOWN', 'the server is stopping; connect again');
  }
  options.shedder.admit('websocket');
  // Browsers let every page open sockets to everywhere and send no preflight: the origin is ours to look at.
  if (!isWelcome(request.headers.origin, request.headers.host, options.corsOrigins)) {
    throw new StrataError('POLICY_DENIED', 'pages of this origin may not open sockets here', {
      details: { reason: 'origin', setting: 'STRATA_CORS_ORIGINS' },
    });
  }
  if (options.open) {
    requireOwnHost(request.headers, options.open);
    requireOwnSite(request, { welcome: options.corsOrigins, pages: [] });
  }
  return target;
}

/** Some HTTP clients offer HTTP/2 with each request, and Node would take the connection away from HTTP for it. */
function serveAsRequest(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const value = rawHeaders[i + 1] ?? '';
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  const keep = request.headers.connection?.split(',').map((token) => token.trim());
  const rest = keep?.filter((token) => !/^(upgrade|http2-settings)$/i.test(token)) ?? [];
  if (rest.length > 0) lines.push(`Connection: ${rest.join(', ')}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  socket.removeAllListeners('error');
  server.emit('connection', socket);
}
