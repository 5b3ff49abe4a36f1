import type { SocketLimits } from '../../resolvers/socket-options.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Express } from 'express';

import { makeExecutableSchema } from '@graphql-tools/schema';

import { addressOf, createApp } from '../../rest/app.ts';
import { Drain } from '../../rest/drain.ts';
import { HeaderFamilies } from '../../rest/headers.ts';
import { createHttpServer, stopServer } from '../../rest/server.ts';
import { recogniseSocket } from '../../rest/socket-credentials.ts';
import { serveUpgrades } from '../../rest/upgrade.ts';
import { Documents } from '../../resolvers/document.ts';
import type { DocumentRules } from '../../resolvers/socket-execution.ts';
import { GraphqlSockets } from '../../resolvers/socket.ts';
import { errorFormatter } from '../../resolvers/error-formatter.ts';
import { readJson } from '../../src/capture/read-json.ts';
import { systemClock } from '../../src/clock.ts';
import { StrataError } from '../../src/errors.ts';
import { systemIds } from '../../src/ids.ts';
import { silentLog, type Log } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { AccessService, type Call } from '../../src/services/access.ts';
import { BodyBudget } from '../../src/services/body-budget.ts';
import { readInTurns } from '../../src/services/json-reader.ts';
import type { LoadShedder } from '../../src/services/load-shedder.ts';
import { RateLimits, type RateSettings } from '../../src/services/rate-limit.ts';
import { echoServices, UNLIMITED } from '../rest/harness.ts';
import { atEase } from '../support/load.ts';
import { NO_RULES } from '../support/principals.ts';

/** The operator key of this server. */
export const KEY = 'key-of-the-test';

/** What the little schema's resolvers report. */
export interface Seen {
  /** Calls, in the order in which operations began. */
  readonly calls: Call[];
  /** Iterators that were asked to end. */
  ended: number;
  /** Events that iterators were asked for. */
  pulled: number;
  /** Let go of mutations that wait. */
  readonly held: (() => void)[];
  /** Contexts made. */
  contexts: number;
}

/** A server with a little schema behind the socket: its documents are read and its errors told as those of the service. */
export interface SocketServer {
  readonly url: string;
  readonly server: Server;
  readonly sockets: GraphqlSockets;
  readonly seen: Seen;
  readonly drain: Drain;
  /** Lets what runs finish for at most so many milliseconds; default 0. */
  stop(graceMs?: number): Promise<void>;
}

const TYPES = `
  type Query { hello(name: String): String  wait: String }
  type Mutation { store(body: String): String  hold: String }
  type Subscription { count(to: Int!): Int!  never: Int  refused: Int  broken: Int  large(size: Int!): String  stalled: Int }
`;

interface SocketContext {
  readonly call: Call;
  readonly cut: () => void;
}

/** Numbers from 1; `to` bounds them, `null`: the first never comes. */
function numbers(
  seen: Seen,
  to: number | null,
  shape: (n: number) => unknown,
): AsyncIterableIterator<unknown> {
  let n = 0;
  let end: (() => void) | null = null;
  const over = { done: true as const, value: undefined };
  return {
    next: async () => {
      seen.pulled += 1;
      if (to === null) {
        await new Promise<void>((resolve) => (end = resolve));
        return over;
      }
      n += 1;
      return n > to ? over : { done: false, value: shape(n) };
    },
    return: () => {
      seen.ended += 1;
      end?.();
      return Promise.resolve(over);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function held(seen: Seen): Promise<string> {
  return new Promise((resolve) => {
    seen.held.push(() => {
      resolve('held');
    });
  });
}

function rulesOf(seen: Seen, log: Log): DocumentRules {
  const resolvers = {
    Query: {
      hello: (_: unknown, { name }: { name?: string }) => `hello ${name ?? 'you'}`,
      wait: (_: unknown, __: unknown, { call }: SocketContext) =>
        new Promise((resolve) => {
          call.signal.addEventListener('abort', () => {
            seen.ended += 1;
            resolve('gone');
          });
        }),
    },
    Mutation: {
      store: (_: unknown, { body }: { body: string }) => body,
      hold: () => held(seen),
    },
    Subscription: {
      count: {
        subscribe: (_: unknown, { to }: { to: number }) => numbers(seen, to, (count) => ({ count })),
      },
      never: { subscribe: () => numbers(seen, null, () => null) },
      refused: {
        subscribe: () => {
          throw new StrataError('INVALID_QUERY', 'no such cursor', { details: { field_path: 'cursor' } });
        },
      },
      broken: {
        subscribe: () =>
          numbers(seen, 2, (n) => {
            if (n === 2) throw new StrataError('DATABASE_UNAVAILABLE', 'the database is away');
            return { broken: n };
          }),
      },
      large: {
        subscribe: (_: unknown, { size }: { size: number }) =>
          numbers(seen, 10_000, () => ({ large: 'x'.repeat(size) })),
      },
      stalled: {
        subscribe: (_: unknown, __: unknown, { cut }: SocketContext) => {
          setImmediate(cut);
          return numbers(seen, null, () => null);
        },
      },
    },
  };
  const schema = makeExecutableSchema({ typeDefs: TYPES, resolvers });
  const documents = new Documents(schema, { introspection: true });
  return {
    schema,
    read: (text) => documents.read(text),
    context: (call, _origin, cut) => {
      seen.contexts += 1;
      if (!seen.calls.includes(call)) seen.calls.push(call);
      return { call, cut };
    },
    tell: errorFormatter(schema, log),
  };
}

/** What a server is made of; the defaults are a keyed one without limits of requests. */
interface SocketServerOptions {
  limits?: Partial<SocketLimits>;
  corsOrigins?: string[];
  posture?: 'open' | 'keyed';
  rates?: Partial<RateSettings>;
  bodies?: BodyBudget;
  shedder?: LoadShedder;
  trustProxy?: number;
  log?: Log;
}

/** Lets a server take the upgrades, as the service does. */
function takeUpgrades(
  server: Server,
  { app, sockets, drain }: { app: Express; sockets: GraphqlSockets; drain: Drain },
  { posture, corsOrigins = [], shedder = atEase() }: SocketServerOptions,
): void {
  serveUpgrades(server, {
    families: new HeaderFamilies(['Cortex']),
    ids: systemIds,
    drain,
    shedder,
    log: silentLog,
    corsOrigins,
    open: posture === 'open' ? { host: '127.0.0.1', anyHost: false } : null,
    targets: new Map([['/graphql', sockets]]),
    addressOf: (request) => addressOf(app, request),
  });
}

/** Starts the server on a free port. */
export async function startSocketServer(options: SocketServerOptions = {}): Promise<SocketServer> {
  const log = options.log ?? silentLog;
  const seen: Seen = { calls: [], ended: 0, pulled: 0, held: [], contexts: 0 };
  const families = new HeaderFamilies(['Cortex']);
  const access = new AccessService({
    posture: options.posture === 'open' ? { kind: 'open' } : { kind: 'keyed', key: KEY },
    preset: 'dev_local',
    tenants: ['acme'],
    rules: NO_RULES,
  });
  const drain = new Drain();
  const metrics = new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' });
  const rates = new RateLimits({ ...UNLIMITED, ...options.rates }, metrics);
  const app = createApp({
    services: echoServices([]),
    access,
    rates,
    bodies: new BodyBudget(),
    shedder: atEase(),
    log: silentLog,
    ids: systemIds,
    clock: systemClock,
    readJson: readInTurns,
    drain,
    version: '0.0.0',
    metrics,
    options: { trustProxy: options.trustProxy ?? false },
  });
  const server = createHttpServer(app, systemIds);
  const sockets = new GraphqlSockets({
    rules: rulesOf(seen, log),
    rates,
    bodies: options.bodies ?? new BodyBudget(),
    ...(options.shedder ? { shedder: options.shedder } : {}),
    recognise: (request, payload, attempt) =>
      recogniseSocket(request, payload, { access, families, attempt }),
    readJson: (bytes, counted) => readJson(bytes, { counted }),
    ids: systemIds,
    log,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  takeUpgrades(server, { app, sockets, drain }, options);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    server,
    sockets,
    seen,
    drain,
    stop: async (graceMs = 0) => {
      await Promise.all([sockets.close(graceMs), stopServer(server, drain, 1000)]);
    },
  };
}
