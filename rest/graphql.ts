import { GRAPHQL_PATH } from './graphql-path.ts';
import { Router, type Request, type RequestHandler, type Response } from 'express';

import { capabilitiesOf, OPERATION_IDS, operationOf } from '../schemas/operation.ts';
import type { Capability } from '../schemas/policy.ts';
import { StrataError } from '../src/errors.ts';
import { MAX_GRAPHQL_JSON_DEPTH } from '../src/limits.ts';
import type { Call } from '../src/services/access.ts';
import type { BodyRoom } from '../src/services/body-budget.ts';
import type { RateState } from '../src/services/rate-limit.ts';
import { announcesAtMost, readBody, requireJsonLabel } from './body.ts';
import { recognise } from './credentials.ts';
import { exchangeOf } from './exchange.ts';
import { sendCallerHeaders, sendRate } from './headers.ts';
import type { MountOptions } from './mount.ts';
import { readParameters } from './query.ts';
import { tooLarge } from './too-large.ts';

/** A GraphQL request as HTTP carried it. */
export interface GraphqlHttpRequest {
  readonly method: 'GET' | 'POST';
  /** The header `Accept`. */
  readonly accept: string | undefined;
  /** The query string of a GET, with its question mark; empty for none. */
  readonly search: string;
  /** The parsed body of a POST. */
  readonly body: unknown;
  /** SHA-256 (hex) of the body of a POST, else null. */
  readonly bodySha256: string | null;
  /** When the request came in, milliseconds of the process's own clock. */
  readonly began: number;
}

type Sent = Omit<GraphqlHttpRequest, 'bodySha256' | 'began'>;

/** What is answered to it. */
export interface GraphqlHttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What was asked for, to count it by: the name of the one top-level field, `several`, or `null` for nothing known. */
  readonly operation: string | null;
}

/** GraphQL as the HTTP adapter needs it. */
export interface GraphqlEndpoint {
  /** `tell` is told what is left of the rate of the caller, null where it is not limited. */
  execute(
    request: GraphqlHttpRequest,
    call: Call,
    tell: (state: RateState | null) => void,
  ): Promise<GraphqlHttpAnswer>;
  /** A file of the IDE by its path, which starts with `/graphql`; open to everybody. `null` when there is none. */
  ide(path: string): IdeFile | null;
}

/** A file of the IDE; `headers` go before those that every answer has. */
export interface IdeFile {
  readonly contentType: string;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the routes of GraphQL need beside what every route needs. */
export type GraphqlMountOptions = Pick<
  MountOptions,
  'access' | 'rates' | 'families' | 'clock' | 'bodyLimits' | 'bodies' | 'readJson' | 'shedder'
>;

/** One request on its way: who sent it, and the room of its body. */
interface Reading {
  readonly call: Call;
  readonly room: BodyRoom;
}

/** The routes of GraphQL: `POST` and `GET /graphql`, and the files of the IDE. */
export function graphqlRoutes(graphql: GraphqlEndpoint, options: GraphqlMountOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(ideFiles(graphql));
  const route = router.route(GRAPHQL_PATH);
  route.get(answering(graphql, options, getRequest));
  route.post(answering(graphql, options, postRequest));
  route.all((_request, response) => {
    response.setHeader('Allow', 'GET, HEAD, POST');
    throw new StrataError('METHOD_NOT_ALLOWED', 'this path answers GET, HEAD, POST');
  });
  return router;
}

function answering(
  graphql: GraphqlEndpoint,
  options: GraphqlMountOptions,
  read: (request: Request, options: GraphqlMountOptions, reading: Reading) => Promise<Sent>,
): RequestHandler {
  return async (request, response) => {
    const exchange = exchangeOf(request);
    exchange.route = GRAPHQL_PATH;
    exchange.transport = 'graphql';
    options.shedder.admit('graphql');
    exchange.principal = await recognise(request, options.access);
    sendCallerHeaders(options.families, request, response, options.clock);
    const { principal, requestId, signal } = exchange;
    const call = { principal, requestId, signal };
    const tell = (state: RateState | null): void => {
      sendRate(response, state);
    };
    const room = options.bodies.enter(principal, request.ip ?? '');
    const answer = await executed(room, async () => {
      const sent = await readCounted(
        () => read(request, options, { call, room }),
        () => options.rates.take(principal, 'read', tell),
      );
      const { bodySha256, began } = exchange;
      return graphql.execute({ ...sent, bodySha256, began }, call, tell);
    });
    exchange.operation = answer.operation;
    response.status(answer.status);
    for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
    response.setHeader('Content-Length', Buffer.byteLength(answer.body));
    response.end(answer.body);
  };
}

async function executed<T>(room: BodyRoom, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    room.leave();
  }
}

/** What cannot be read counts as a request too; what can is counted by what it asks for. */
async function readCounted<T>(read: () => Promise<T>, count: () => Promise<void>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StrataError) await count();
    throw error;
  }
}

async function postRequest(request: Request, options: GraphqlMountOptions, reading: Reading): Promise<Sent> {
  if (!requireJsonLabel(request)) {
    throw new StrataError('UNSUPPORTED_MEDIA_TYPE', 'label the body as application/json');
  }
  const { bodyLimits } = options;
  const { call, room } = reading;
  const isSmall = announcesAtMost(request, bodyLimits.graphql);
  const large = isSmall ? [] : await largeFields(call, options);
  const most = Math.max(bodyLimits.graphql, ...large.map(({ limit }) => limit));
  const bytes = await readBody(request, most, room);
  if (bytes.length > bodyLimits.graphql) requireNamed(bytes, large, bodyLimits.graphql);
  return {
    method: 'POST',
    accept: request.headers.accept,
    search: '',
    body: await parse(bytes, options, room),
  };
}

/** Fields whose operation takes a larger body over REST than GraphQL does, with the capabilities of which it asks for one. */
const LARGE_FIELDS = OPERATION_IDS.map(operationOf).flatMap((operation) => {
  const { body, graphql } = operation;
  return body !== undefined && 'field' in graphql && body.cap !== 'auth'
    ? [{ field: graphql.field, cap: body.cap, capabilities: capabilitiesOf(operation) }]
    : [];
});

/** A field that the caller may use somewhere, and the bytes that its operation takes. */
interface LargeField {
  readonly field: string;
  readonly limit: number;
}

/** Decided by the headers alone: a caller who may use none of them is read no more of than any query needs. */
async function largeFields(call: Call, { access, bodyLimits }: GraphqlMountOptions): Promise<LargeField[]> {
  const mayUse = new Map<Capability, boolean>();
  for (const capability of LARGE_FIELDS.flatMap(({ capabilities }) => capabilities)) {
    if (mayUse.has(capability)) continue;
    mayUse.set(capability, await isAdmitted(call, capability, access));
  }
  return LARGE_FIELDS.filter(
    ({ capabilities }) => capabilities.length === 0 || capabilities.some((one) => mayUse.get(one) === true),
  ).map(({ field, cap }) => ({ field, limit: bodyLimits[cap] }));
}

async function isAdmitted(
  call: Call,
  capability: Capability,
  access: MountOptions['access'],
): Promise<boolean> {
  try {
    await access.admit(call, capability);
    return true;
  } catch (error) {
    if (error instanceof StrataError && error.status === 403) return false;
    throw error;
  }
}

/** Looked for in the bytes as they are, so that what is too large is not taken apart first. */
function requireNamed(bytes: Buffer, large: readonly LargeField[], otherwise: number): void {
  if (large.some(({ limit, field }) => limit >= bytes.length && bytes.includes(field))) return;
  const beginning = bytes.subarray(0, otherwise);
  const named = large.filter(({ field }) => beginning.includes(field));
  throw tooLarge(Math.max(otherwise, ...named.map(({ limit }) => limit)));
}

/** Where the items of a bulk stand: in a variable, or in the list of the input that a variable is. */
const LIST_DEPTHS = [2, 3];

/** Values stand some levels deeper than in other bodies. */
async function parse(bytes: Buffer, options: GraphqlMountOptions, room: BodyRoom): Promise<unknown> {
  if (bytes.length === 0) throw malformed('the body is empty; send a JSON object with a query');
  try {
    return await options.readJson(bytes, {
      maxDepth: MAX_GRAPHQL_JSON_DEPTH,
      listDepths: LIST_DEPTHS,
      counted: room.growByValues,
    });
  } catch (error) {
    if (!(error instanceof StrataError) || error.code !== 'INVALID_BODY') throw error;
    throw malformed(error.message, error.details);
  }
}

/** The protocol has 400 for a body that is no request, where REST has 422. */
function malformed(message: string, details?: StrataError['details']): StrataError {
  return new StrataError('INVALID_BODY', message, { status: 400, ...(details ? { details } : {}) });
}

async function getRequest(request: Request, options: GraphqlMountOptions): Promise<Sent> {
  // Handed on as it was read, so that no other reader of JSON can disagree.
  const read: [string, string][] = [];
  for (const [name, value] of readParameters(request.url)) {
    const isJson = name === 'variables' || name === 'extensions';
    read.push([name, isJson ? await rewritten(name, value, options) : value]);
  }
  const search = read.length === 0 ? '' : `?${new URLSearchParams(read).toString()}`;
  return { method: 'GET', accept: request.headers.accept, search, body: undefined };
}

async function rewritten(name: string, value: string, options: GraphqlMountOptions): Promise<string> {
  try {
    return JSON.stringify(await options.readJson(Buffer.from(value), { maxDepth: MAX_GRAPHQL_JSON_DEPTH }));
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    const { reason = error.message } = error.details ?? {};
    throw new StrataError('INVALID_QUERY', `${name}: ${error.message}`, {
      details: { field_path: name, reason },
    });
  }
}

function searchOf(request: Request): string {
  const mark = request.url.indexOf('?');
  return mark < 0 ? '' : request.url.slice(mark);
}

/** The IDE is for browsers: `/graphql` is its page only for who accepts HTML and asks nothing. */
function ideFiles(graphql: GraphqlEndpoint): RequestHandler {
  return (request, response, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isBelow = request.path.startsWith(`${GRAPHQL_PATH}/`);
    const isPage = request.path === GRAPHQL_PATH && acceptsHtml(request) && searchOf(request) === '';
    const file = isRead && (isBelow || isPage) ? graphql.ide(request.path) : null;
    if (file === null) {
      next();
      return;
    }
    exchangeOf(request).route = GRAPHQL_PATH;
    sendFile(response, file);
  };
}

function acceptsHtml(request: Request): boolean {
  return (request.headers.accept ?? '').includes('text/html');
}

function sendFile(response: Response, file: IdeFile): void {
  for (const [name, value] of Object.entries(file.headers ?? {})) response.setHeader(name, value);
  response.setHeader('Content-Type', file.contentType);
  response.setHeader('Content-Length', Buffer.byteLength(file.body));
  response.end(file.body);
}
