import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type RequestOptions,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Express } from 'express';

import { Documents } from '../../resolvers/document.ts';
import { GraphqlHttp } from '../../resolvers/http.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { errorFormatter } from '../../resolvers/error-formatter.ts';
import { createApp, type AppDependencies, type AppOptions } from '../../rest/app.ts';
import { Drain } from '../../rest/drain.ts';
import type { GraphqlEndpoint } from '../../rest/graphql.ts';
import { createHttpServer, stopServer, type ServerOptions } from '../../rest/server.ts';
import type { OutgoingBytes } from '../../src/services/blob-operations.ts';
import type { Services } from '../../src/services/operations.ts';
import { MAX_BLOB_BYTES } from '../../src/limits.ts';
import type { Whoami } from '../../schemas/token.ts';
import type { Log, LogFields } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { readInTurns } from '../../src/services/json-reader.ts';
import { UploadBudget } from '../../src/services/upload-budget.ts';
import { BodyBudget } from '../../src/services/body-budget.ts';
import type { LoadShedder } from '../../src/services/load-shedder.ts';
import { RateLimits, type RateSettings } from '../../src/services/rate-limit.ts';
import { AccessService, type Call, type Posture } from '../../src/services/access.ts';
import { systemIds } from '../../src/ids.ts';
import { NO_AUDIT } from '../support/auditing.ts';
import { atEase } from '../support/load.ts';
import { NO_RULES } from '../support/principals.ts';
import { echoFrames } from './echo-frames.ts';
import { echoRecords } from './echo-records.ts';

/** The operator key of servers under test. */
export const KEY = 'key-of-the-test';
/** The instant at which servers under test live, epoch milliseconds. */
export const NOW = 1_800_000_000_500;

/** No limits of requests. */
export const UNLIMITED: RateSettings = { read: 0, write: 0, signup: 0 };

const VERSION = {
  version: '0.0.0',
  crate_version: '0.0.0',
  git_sha: 'unknown',
  built_at: 'unknown',
  capabilities: [],
  stability: {},
};

const WHOAMI = (actor: string): Whoami => ({
  caller: actor,
  tenant_id: 'default',
  deployment_preset: 'dev_local',
  token: { jti: null, iss: 'static-api-key', exp: 0 },
  effective_capabilities: [],
  actor,
  tier: 'operator',
  expires_at: '1970-01-01T00:00:00.000Z',
});

/** What a service was asked, as the stand-ins report it. */
export interface Asked {
  method: string;
  call: Call | null;
  input: unknown[];
}

type Stand = (method: string) => (call: Call | null, ...input: unknown[]) => Promise<any>;

function echoLifecycle(stand: Stand): Services['lifecycle'] {
  const answered = echo(stand, 'lifecycle', 'list', 'get', 'memoryEvent', 'memoryEvents');
  return { ...answered, subscribe: echoFrames(stand, 'lifecycle') };
}

/** Services that answer with what they were asked; `answers` replaces single ones by `noun.method`. */
export function echoServices(
  asked: Asked[],
  answers: Record<string, (...input: never[]) => unknown> = {},
): Services {
  const stand =
    (method: string) =>
    (call: Call | null, ...input: unknown[]): Promise<any> => {
      asked.push({ method, call, input });
      const answer = answers[method] as ((...given: unknown[]) => unknown) | undefined;
      return Promise.resolve().then(() => (answer ? answer(call, ...input) : { method, input }));
    };
  return {
    access: { admit: () => Promise.resolve() },
    experience: echo(stand, 'experience', 'capture', 'captureBulk', 'status'),
    ...echoRecords(stand),
    lifecycle: echoLifecycle(stand),
    blob: echoBlobs(stand, answers),
    keyedBlob: echo(stand, 'keyedBlob', 'status', 'upload', 'retire'),
    derivation: { status: stand('derivation.status'), layerStats: stand('derivation.layerStats') },
    usage: { usage: stand('usage.usage') },
    rebuild: echo(stand, 'rebuild', 'rederive', 'job', 'buildBeliefs', 'buildEpisodes'),
    claim: echo(stand, 'claim', 'list', 'history'),
    conflict: echo(stand, 'conflict', 'list', 'get', 'resolve'),
    token: {
      signup: (body) => stand('token.signup')(null, body),
      mint: stand('token.mint'),
      whoami: (call) => WHOAMI(call.principal.actor),
      revoke: stand('token.revoke'),
    },
    temporalPhrase: echoPhrases(stand),
    vocabulary: {
      ...echo(stand, 'vocabulary', 'list', 'get', 'update', 'remove'),
      cursorOf: () => 'cursor',
    },
    scope: echoScopes(stand),
    policy: { effective: stand('policy.effective'), deployment: stand('policy.deployment') },
    audit: auditStandIn(stand),
    auditing: NO_AUDIT,
    health: {
      health: () => ({ status: 'ok', version: '0.0.0' }),
      ready: () =>
        Promise.resolve().then(
          () => (answers['health.ready'] as (() => { ready: boolean }) | undefined)?.() ?? { ready: true },
        ),
      adminHealth: () => ({ status: 'ok', version: '0.0.0' }),
      adminReady: stand('health.adminReady'),
      version: () => ({ ...VERSION }),
      metrics: async (call, query) => ({ body: await stand('health.metrics')(call, query) }),
    },
  };
}

/** Echoing methods of one service. */
function echo<Name extends string>(
  stand: (method: string) => (call: Call | null, ...input: unknown[]) => Promise<any>,
  noun: string,
  ...names: Name[]
): Record<Name, (call: Call | null, ...input: unknown[]) => Promise<any>> {
  return Object.fromEntries(names.map((name) => [name, stand(`${noun}.${name}`)])) as ReturnType<
    typeof echo<Name>
  >;
}

/** Echoing time phrases, of which each is new. */
function echoPhrases(stand: Stand): Services['temporalPhrase'] {
  return {
    ...echo(stand, 'temporalPhrase', 'list', 'remove'),
    define: async (call, body) => ({
      created: true,
      phrase: await stand('temporalPhrase.define')(call, body),
    }),
    cursorOf: () => 'cursor',
  };
}

/** Echoing scopes. */
function echoScopes(
  stand: (method: string) => (call: Call | null, ...input: unknown[]) => Promise<any>,
): Services['scope'] {
  return {
    register: stand('scope.register'),
    get: stand('scope.get'),
    setPolicies: stand('scope.setPolicies'),
    setMembers: stand('scope.setMembers'),
    delete: stand('scope.delete'),
    list: stand('scope.list'),
    cursorOf: () => 'cursor',
    prune: stand('scope.prune'),
  };
}

/** Echoing blobs; `blob.bytes` among the answers replaces the bytes, `blob.came` is told of pieces of an upload. */
function echoBlobs(
  stand: (method: string) => (call: Call | null, ...input: unknown[]) => Promise<any>,
  answers: Record<string, (...input: never[]) => unknown>,
): Services['blob'] {
  return {
    upload: async (call, bytes) => {
      const came = answers['blob.came'] as ((pieceBytes: number) => void) | undefined;
      const room = { ...new UploadBudget().enter(call.principal, null), ...(came ? { grow: came } : {}) };
      const content = await bytes.read(MAX_BLOB_BYTES, room);
      return stand('blob.upload')(
        call,
        bytes.contentType,
        bytes.length,
        Buffer.from(content).toString('latin1'),
      );
    },
    open: async (call, id) => {
      await stand('blob.open')(call, id);
      return answers['blob.bytes'] === undefined
        ? bytesOf('0123456789')
        : (answers['blob.bytes'] as () => OutgoingBytes)();
    },
    get: stand('blob.get'),
    delete: stand('blob.delete'),
  };
}

/** Stored bytes, one byte at a time. */
export function bytesOf(text: string): OutgoingBytes {
  return {
    contentType: 'text/html; charset=utf-8',
    sizeBytes: text.length,
    sha256: 'f'.repeat(64),
    // oxlint-disable-next-line typescript/require-await -- what a database is waited for is here at once
    async *read(from, to) {
      for (const letter of text.slice(from, to)) yield Buffer.from(letter);
    },
  };
}

function auditStandIn(stand: (method: string) => (...input: any[]) => Promise<any>): Services['audit'] {
  return {
    list: stand('audit.list'),
    get: stand('audit.get'),
    verify: stand('audit.verify'),
    chain: stand('audit.chain'),
    verifyChain: stand('audit.verifyChain'),
    cursorOf: () => 'cursor',
  };
}

/** One answer, body included. */
export interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: any;
}

/** A running server under test. */
export interface Rig {
  asked: Asked[];
  logged: { message: string; fields: LogFields }[];
  drain: Drain;
  app: Express;
  server: Server;
  port: number;
  /** Sends a request with the operator key unless `headers` says otherwise. */
  send(method: string, path: string, options?: SendOptions): Promise<Answered>;
  stop(graceMs?: number, extended?: Promise<unknown>): Promise<boolean>;
}

/** What a request carries beside method and path. */
export interface SendOptions {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  anonymous?: boolean;
  agent?: RequestOptions['agent'];
}

/** What a rig is made of; the defaults are a keyed server with echoing services. */
export interface RigOptions {
  answers?: Record<string, (...input: never[]) => unknown>;
  posture?: Posture;
  tenants?: string[];
  app?: AppOptions;
  http?: ServerOptions;
  introspection?: boolean;
  /** Files of the IDE, and of the explorer; none when left out. */
  ide?: GraphqlEndpoint['ide'];
  explorer?: AppDependencies['explorer'];
  /** Limits of requests; none when left out. */
  rates?: Partial<RateSettings>;
  /** Room for bodies; that of a deployment when left out. */
  bodies?: BodyBudget;
  /** Refuses new work; one that never does when left out. */
  shedder?: LoadShedder;
  /** The gate of capabilities; that of the policy when left out. */
  admit?: AccessService['admit'];
}

async function startGraphql(
  services: Services,
  rates: RateLimits,
  log: Log,
  introspection: boolean,
): Promise<GraphqlHttp> {
  const schema = executableSchema();
  const documents = new Documents(schema, { introspection });
  const graphql = new GraphqlHttp({
    schema,
    documents,
    services,
    rates,
    tell: errorFormatter(schema, log),
    log,
  });
  await graphql.start();
  return graphql;
}

/** Starts a server on a free port. */
export async function startRig(options: RigOptions = {}): Promise<Rig> {
  const asked: Asked[] = [];
  const logged: Rig['logged'] = [];
  const note = (message: string, fields: LogFields = {}) => {
    logged.push({ message, fields });
  };
  const drain = new Drain();
  const log = { debug: note, info: note, warn: note, error: note };
  const services = echoServices(asked, options.answers);
  const metrics = new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' });
  const rates = new RateLimits({ ...UNLIMITED, ...options.rates }, metrics);
  const graphql = await startGraphql(services, rates, log, options.introspection ?? true);
  const access = new AccessService({
    posture: options.posture ?? { kind: 'keyed', key: KEY },
    preset: 'dev_local',
    tenants: options.tenants ?? ['acme'],
    rules: NO_RULES,
  });
  const app = createApp({
    services,
    access: {
      authenticate: (credentials) => access.authenticate(credentials),
      admit: options.admit ?? ((...asked) => access.admit(...asked)),
    },
    rates,
    bodies: options.bodies ?? new BodyBudget(),
    shedder: options.shedder ?? atEase(),
    metrics,
    log,
    ids: systemIds,
    clock: { now: () => NOW },
    readJson: readInTurns,
    drain,
    version: '0.0.0',
    graphql: { execute: (...sent) => graphql.execute(...sent), ide: options.ide ?? (() => null) },
    ...{ explorer: options.explorer, options: options.app ?? {} },
  });
  const server = createHttpServer(app, systemIds, options.http);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    logged,
    drain,
    app,
    server,
    port,
    send: (method, path, given) => send(port, method, path, given),
    stop: (graceMs = 1000, extended: Promise<unknown> = Promise.resolve()) =>
      stopServer(server, drain, graceMs, extended),
  };
}

function send(port: number, method: string, path: string, options: SendOptions = {}): Promise<Answered> {
  const headers = { ...(options.anonymous ? {} : { Authorization: `Bearer ${KEY}` }), ...options.headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: options.agent ?? false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = String(response.headers['content-type']).startsWith('application/json');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson && text !== '' ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(options.body);
  });
}

/** Waits until `condition` holds; a test that waits in vain fails by its own time-out. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
