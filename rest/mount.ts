import { Router, type Request, type RequestHandler, type Response } from 'express';

import { MAX_PATH_ID_LENGTH, type Operation } from '../schemas/operation/definition.ts';
import {
  capabilitiesOf,
  OPERATION_IDS,
  operationOf,
  rateOf,
  SERVED_IDS,
  successOf,
  type OperationId,
} from '../schemas/operation.ts';
import type { Clock } from '../src/clock.ts';
import { StrataError } from '../src/errors.ts';
import type { Call } from '../src/services/access.ts';
import type { BodyBudget, BodyRoom } from '../src/services/body-budget.ts';
import type { LoadShedder } from '../src/services/load-shedder.ts';
import type { RateLimits } from '../src/services/rate-limit.ts';
import { sendAnswer } from './send-answer.ts';
import { readBody, requireJsonLabel, type BodyLimits } from './body.ts';
import { incomingBytes } from './bytes.ts';
import { recognise } from './credentials.ts';
import type { StreamOptions } from './event-stream.ts';
import { exchangeOf, type Exchange } from './exchange.ts';
import type { Answer, Routes } from './handler.ts';
import { headerText, sendCallerHeaders, sendRate, type HeaderFamilies } from './headers.ts';
import { readQuery, requireNoQuery, type Query } from './query.ts';
import type { JsonReader } from '../src/validation/json-reading.ts';
import type { Authenticator } from '../src/services/authenticator.ts';
import type { IncomingBytes } from '../src/services/blob-operations.ts';
import type { AuditingOperations, RequestOrigin } from '../src/services/operations.ts';

/** What the routes share. */
export interface MountOptions {
  readonly access: Authenticator;
  /** Counts what callers send; throws `RATE_LIMITED`. */
  readonly rates: Pick<RateLimits, 'take' | 'signupGate'>;
  readonly auditing: AuditingOperations;
  readonly families: HeaderFamilies;
  readonly clock: Clock;
  readonly readJson: JsonReader;
  /** Bytes of a body at most, by the cap that the operation names. */
  readonly bodyLimits: BodyLimits;
  /** Bounds the bytes of all bodies together. */
  readonly bodies: Pick<BodyBudget, 'enter'>;
  readonly streams: StreamOptions;
  /** Refuses new work while the process is overloaded. */
  readonly shedder: Pick<LoadShedder, 'admit'>;
}

type AnyHandler = (request: {
  call: Call | null;
  params: Record<string, string>;
  query: Query;
  body: unknown;
  bytes: IncomingBytes;
  key: string | null;
  lastEventId: string | null;
}) => Answer | Promise<Answer>;

/** What an operation does for whoever passes the gate: its handler, or the refusal of one that is off. */
type Work = AnyHandler | NonNullable<Operation['off']>;

/**
 * The router of every operation of the table, each path with 405 for the methods it does not have. Throws when the table
 * and the routes do not name the same operations.
 */
export function mountRoutes(routes: Routes, options: MountOptions): Router {
  const handlers = new Map(Object.entries(routes)) as Map<string, AnyHandler>;
  requireSameOperations(handlers);
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, ids] of operationsByPath()) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const id of ids) {
      const { method, off } = operationOf(id);
      const work = handlers.get(id) ?? off;
      const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
      if (work !== undefined) route[verb](answering(id, work, options));
    }
    route.all(refuseMethod(ids.map((id) => operationOf(id).method)));
  }
  return router;
}

function requireSameOperations(handlers: ReadonlyMap<string, unknown>): void {
  const table = new Set<string>(SERVED_IDS);
  const unhandled = SERVED_IDS.filter((id) => !handlers.has(id));
  const unknown = [...handlers.keys()].filter((id) => !table.has(id));
  if (unhandled.length + unknown.length === 0) return;
  throw new Error(
    `operations without a handler: ${unhandled.join(', ') || 'none'}; handlers without an operation: ${unknown.join(', ') || 'none'}`,
  );
}

/** Paths in the order in which they must be tried: a literal segment before a parameter. */
function operationsByPath(): [string, OperationId[]][] {
  const paths = new Map<string, OperationId[]>();
  for (const id of OPERATION_IDS) {
    const { path, alias } = operationOf(id);
    for (const one of alias === undefined ? [path] : [path, alias])
      paths.set(one, [...(paths.get(one) ?? []), id]);
  }
  const rank = (path: string) => path.replaceAll('{', '\uffff');
  return [...paths].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}

function refuseMethod(methods: readonly string[]): RequestHandler {
  const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
  return (_request, response) => {
    response.setHeader('Allow', allowed);
    throw new StrataError('METHOD_NOT_ALLOWED', `this path answers ${allowed}`);
  };
}

function answering(id: OperationId, work: Work, options: MountOptions): RequestHandler {
  const operation = operationOf(id);
  return async (request, response) => {
    const exchange = exchangeOf(request);
    exchange.operation = id;
    exchange.route = operation.path;
    if (operation.probe !== true) options.shedder.admit('rest');
    const call = await callOf(operation, request, response, options);
    const answer = await options.auditing.around(
      call,
      originOf(operation, exchange),
      (noted) => answerOf({ operation, work, options }, request, noted),
      ({ status }) => status,
    );
    await sendAnswer(request, response, answer, options.streams);
  };
}

/** Passes the gate, reads what is asked for, and has it done. */
async function answerOf(
  mounted: { operation: Operation; work: Work; options: MountOptions },
  request: Request,
  call: Call | null,
): Promise<Answer> {
  const { operation, work, options } = mounted;
  const { named, noun, missing = 'NOT_FOUND' } = operation;
  const [capability, ...others] = capabilitiesOf(operation);
  if (call !== null && capability !== undefined) await options.access.admit(call, capability, ...others);
  // Of one that is off nothing else of the request is looked at.
  if (typeof work !== 'function') throw new StrataError(work.code, work.why);
  const params = request.params as Record<string, string>;
  if (Object.values(params).some((value) => value.length > MAX_PATH_ID_LENGTH)) {
    throw new StrataError(missing, `${named ?? noun} not found`);
  }
  const room = options.bodies.enter(call?.principal ?? null, request.ip ?? '');
  try {
    const body = await bodyOf(operation, request, options, room);
    const query = readQuery(request.url);
    if (operation.query === undefined) requireNoQuery(query);
    const bytes = incomingBytes(request);
    const key = exchangeOf(request).familyHeaders.get('idempotency-key') ?? null;
    const lastEventId = lastEventIdOf(request);
    return await work({ call, params, query, body, bytes, key, lastEventId });
  } finally {
    room.leave();
  }
}

/** What the audit log is to say of the request. */
function originOf(operation: Operation, exchange: Exchange): RequestOrigin {
  const { method, path, access, audited = false } = operation;
  return {
    endpoint: `${method} ${path}`,
    capability: 'capability' in access ? access.capability : null,
    audited,
    status: successOf(operation),
    // A hash of a file is proof for whoever guesses which file it was; rows outlive the file.
    bodySha256: () => (operation.bytes === true ? null : exchange.bodySha256),
    began: exchange.began,
  };
}

/** What a client that comes back has seen last; its own header, which browsers send empty when there is nothing. */
function lastEventIdOf(request: Request): string | null {
  const value = request.headers['last-event-id'];
  return typeof value !== 'string' || value === '' ? null : headerText(value);
}

/** Recognises the caller, and says so in the headers of the answer, where the operation asks or looks for one. */
async function callOf(
  operation: Operation,
  request: Request,
  response: Response,
  options: MountOptions,
): Promise<Call | null> {
  const exchange = exchangeOf(request);
  if (operation.signsUp === true) await options.rates.signupGate(request.ip ?? '');
  if ('open' in operation.access && operation.access.identifies !== true) return null;
  try {
    exchange.principal = await recognise(request, options.access);
  } catch (error) {
    if ('open' in operation.access && error instanceof StrataError) return null;
    throw error;
  }
  if ('capability' in operation.access) exchange.capability = operation.access.capability;
  sendCallerHeaders(options.families, request, response, options.clock);
  if (!('open' in operation.access)) {
    await options.rates.take(exchange.principal, rateOf(operation), (state) => {
      sendRate(response, state);
    });
  }
  return { principal: exchange.principal, requestId: exchange.requestId, signal: exchange.signal };
}

/** The parsed body; `undefined`, and nothing read, where the operation takes none, whatever the request is labelled. */
async function bodyOf(
  operation: Operation,
  request: Request,
  options: MountOptions,
  room: BodyRoom,
): Promise<unknown> {
  const { body } = operation;
  if (body === undefined) return undefined;
  const labelled = requireJsonLabel(request);
  const bytes = await readBody(request, options.bodyLimits[body.cap], room);
  if (bytes.length > 0) {
    const listDepths = body.itemwise === true ? [1] : [];
    return options.readJson(bytes, { listDepths, counted: room.growByValues });
  }
  if (body.required) throw new StrataError('INVALID_BODY', 'the body is empty; send a JSON object');
  if (labelled && body.refusesEmptyJson === true) {
    throw new StrataError('INVALID_BODY', 'the body is labelled JSON and is empty; send {} or no label', {
      status: 400,
    });
  }
  return {};
}
