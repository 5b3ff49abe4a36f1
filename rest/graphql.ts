import { Router, type Request, type RequestHandler, type Response } from 'express';

import { OPERATION_IDS, operationOf } from '../schemas/operation.ts';
import { StrataError } from '../src/errors.ts';
import type { Call } from '../src/services/access.ts';
import type { BodyRoom } from '../src/services/body-budget.ts';
import type { RateState } from '../src/services/rate-limit.ts';
import { readBody, requireJsonLabel, tooLarge, type BodyLimits } from './body.ts';
import { recognise } from './credentials.ts';
import { exchangeOf } from './exchange.ts';
import { sendCallerHeaders, sendRate } from './headers.ts';
import type { MountOptions } from './mount.ts';
import { readParameters } from './query.ts';

/** The path of GraphQL over HTTP and of the IDE. */
export const GRAPHQL_PATH = '/graphql';

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
export interface GraphqlMountOptions extends Pick<
  MountOptions,
  'access' | 'rates' | 'families' | 'clock' | 'bodyLimits' | 'bodies'
> {
  /** Reads JSON some levels deeper than other bodies, because values stand deeper; throws `INVALID_BODY`. */
  readonly readGraphqlJson: (bytes: Uint8Array) => unknown;
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
  read: (request: Request, options: GraphqlMountOptions, room: BodyRoom) => Promise<Sent> | Sent,
): RequestHandler {
  return async (request, response) => {
    const exchange = exchangeOf(request);
    exchange.route = GRAPHQL_PATH;
    exchange.transport = 'graphql';
    exchange.principal = await recognise(request, options.access);
    sendCallerHeaders(options.families, request, response, options.clock);
    const { principal, requestId, signal } = exchange;
    const call = { principal, requestId, signal };
    const tell = (state: RateState | null): void => {
      sendRate(response, state);
    };
    const room = options.bodies.enter(principal.tenant);
    const answer = await executed(room, async () => {
      const sent = await readCounted(
        () => read(request, options, room),
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
async function readCounted<T>(read: () => Promise<T> | T, count: () => Promise<void>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof StrataError) await count();
    throw error;
  }
}

async function postRequest(request: Request, options: GraphqlMountOptions, room: BodyRoom): Promise<Sent> {
  if (!requireJsonLabel(request)) {
    throw new StrataError('UNSUPPORTED_MEDIA_TYPE', 'label the body as application/json');
  }
  const { bodyLimits } = options;
  const bytes = await readBody(request, bodyLimits.bulk, room.grow);
  const limit = bytes.length > bodyLimits.graphql ? limitOf(bytes, bodyLimits) : bodyLimits.graphql;
  if (bytes.length > limit) throw tooLarge(limit);
  return { method: 'POST', accept: request.headers.accept, search: '', body: parse(bytes, options) };
}

/** Fields by the cap of the body that their operation takes over REST. */
const FIELDS_BY_CAP = (['bulk', 'single'] as const).map((cap) => {
  const fields = OPERATION_IDS.map(operationOf).flatMap(({ body, graphql }) =>
    body?.cap === cap && 'field' in graphql ? [graphql.field] : [],
  );
  return { cap, fields };
});

/** Looked for in the bytes as they are, so that what is too large is not taken apart first. */
function limitOf(bytes: Buffer, limits: BodyLimits): number {
  const named = FIELDS_BY_CAP.find(({ fields }) => fields.some((field) => bytes.includes(field)));
  return named === undefined ? limits.graphql : Math.max(limits.graphql, limits[named.cap]);
}

function parse(bytes: Buffer, options: GraphqlMountOptions): unknown {
  if (bytes.length === 0) throw malformed('the body is empty; send a JSON object with a query');
  try {
    return options.readGraphqlJson(bytes);
  } catch (error) {
    throw error instanceof StrataError ? malformed(error.message, error.details) : error;
  }
}

/** The protocol has 400 for a body that is no request, where REST has 422. */
function malformed(message: string, details?: StrataError['details']): StrataError {
  return new StrataError('INVALID_BODY', message, { status: 400, ...(details ? { details } : {}) });
}

function getRequest(request: Request, options: GraphqlMountOptions): Sent {
  // Handed on as it was read, so that no other reader of JSON can disagree.
  const read = readParameters(request.url).map(([name, value]): [string, string] =>
    name === 'variables' || name === 'extensions' ? [name, rewritten(name, value, options)] : [name, value],
  );
  const search = read.length === 0 ? '' : `?${new URLSearchParams(read).toString()}`;
  return { method: 'GET', accept: request.headers.accept, search, body: undefined };
}

function rewritten(name: string, value: string, options: GraphqlMountOptions): string {
  try {
    return JSON.stringify(options.readGraphqlJson(Buffer.from(value)));
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
