import type { SocketOptions } from './socket-options.ts';
import {
  getOperationAST,
  GraphQLError,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLFormattedError,
} from 'graphql';
import { CloseCode, type Context, type ServerOptions, type SubscribePayload } from 'graphql-ws';

import { StrataError } from '../src/errors.ts';
import type { Call } from '../src/services/access.ts';
import type { Operation, SocketConnection } from './socket-connection.ts';
import {
  beginSubscription,
  RefusedSubscription,
  type DocumentRules,
  type ErrorContext,
  type ReadDocument,
} from './socket-execution.ts';
import { longListProblem } from './list-bounds.ts';
import { rateOf } from './rate.ts';
import { withoutRepeats } from './error-formatter.ts';
import { topField } from './top-field.ts';

type Payload = Record<string, unknown> | undefined;
type SocketContext = Context<Payload, SocketConnection>;

interface OperationArgs extends ExecutionArgs {
  /** A further context of the same call. */
  readonly freshContext: () => unknown;
  /** Counts the operation as a subscription until it ends. */
  readonly follow: () => void;
  /** Fires when the operation has ended. */
  readonly gone: AbortSignal;
  /** When it began, milliseconds of the process's own clock. */
  readonly began: number;
}

/** How the protocol recognises callers, reads documents, runs them and tells errors. */
export function protocolOptions(
  options: Pick<
    SocketOptions,
    'rules' | 'rates' | 'recognise' | 'callers' | 'shedder' | 'ids' | 'onAnswered'
  > & {
    readonly initMs: number;
    /** Fires when a stop begins: subscriptions end then, and nothing new is begun. */
    readonly stopping: AbortSignal;
  },
): ServerOptions<Payload, SocketConnection> {
  const { rules, stopping } = options;
  const places = new WeakMap<SubscribePayload, ErrorContext>();
  const tell = (errors: readonly GraphQLError[], payload: SubscribePayload): GraphQLFormattedError[] => {
    const place = places.get(payload);
    if (place === undefined) throw new Error('an error of an operation that was not begun');
    return withoutRepeats(errors.flatMap(refusals)).map((error) => rules.tell(error, place));
  };
  return {
    connectionInitWaitTimeout: options.initMs,
    onConnect: ({ extra, connectionParams }) => connect(extra, connectionParams, options),
    onSubscribe: async ({ extra }: SocketContext, id, payload) => {
      const began = performance.now();
      const operation = extra.operations.get(id);
      if (operation === undefined || extra.principal === null) throw new Error('an operation without caller');
      const signal = operation.gone.signal;
      const call: Call = { principal: extra.principal, requestId: options.ids.request(), signal };
      const ended = options.callers?.refusalOf(extra.principal) ?? null;
      const refusal = stopping.aborted
        ? shuttingDown()
        : (ended ?? options.shedder?.refusalOf('websocket') ?? operation.refusal);
      const read = refusal === null ? await readWithin(options, call, payload) : refusedBy(refusal);
      places.set(payload, { call, document: read.document, variables: payload.variables });
      if (read.errors !== null) {
        options.onAnswered?.({ operation: 'unmatched', status: 400, seconds: secondsSince(began) });
        return read.errors;
      }
      const { document } = read;
      return prepare(payload, document, { began, rules, call, connection: extra, operation });
    },
    subscribe: (args) => {
      const { follow, freshContext, gone } = args as OperationArgs;
      follow();
      return beginSubscription(args, { freshContext, gone, stopping });
    },
    onOperation: (_context, _id, { operationName }, args) => {
      options.onAnswered?.({
        operation: topField(args.document, operationName) ?? 'unmatched',
        status: 200,
        seconds: secondsSince((args as OperationArgs).began),
      });
    },
    onNext: (_context, _id, payload, _args, result) => {
      const { errors, data } = result;
      if (errors === undefined) return undefined;
      return { ...(data === undefined ? {} : { data }), errors: tell(errors, payload) };
    },
    onError: ({ extra }, _id, payload, errors) => (extra.open ? tell(errors, payload) : undefined),
  };
}

function prepare(
  payload: SubscribePayload,
  document: DocumentNode,
  parts: {
    began: number;
    rules: DocumentRules;
    call: Call;
    connection: SocketConnection;
    operation: Operation;
  },
): OperationArgs {
  const { began, rules, call, connection, operation } = parts;
  const follow = (): void => {
    operation.subscription = true;
    connection.subscriptions += 1;
    call.signal.addEventListener('abort', () => (connection.subscriptions -= 1), { once: true });
  };
  const freshContext = (): unknown =>
    rules.context(call, { bodySha256: operation.sha256, began }, () => {
      connection.terminate();
    });
  return {
    schema: rules.schema,
    document,
    operationName: payload.operationName,
    variableValues: payload.variables,
    contextValue: freshContext(),
    freshContext,
    follow,
    gone: call.signal,
    began,
  };
}

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000;
}

async function connect(
  connection: SocketConnection,
  payload: Payload,
  { recognise, callers, ids }: Pick<SocketOptions, 'recognise' | 'callers' | 'ids'>,
): Promise<boolean> {
  const forbid = ({ code }: StrataError): void => {
    connection.close(CloseCode.Forbidden, `Forbidden: ${code}`);
  };
  try {
    const { request, address, opened: began } = connection;
    const principal = await recognise(request, payload, { address, requestId: ids.request(), began });
    if (!connection.open) return false;
    connection.principal = principal;
    connection.release = callers?.watch(principal, forbid) ?? connection.release;
    return true;
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    forbid(error);
    return false;
  }
}

function shuttingDown(): StrataError {
  return new StrataError('SERVER_SHUTTING_DOWN', 'the server is stopping; connect again');
}

/** A document in which the operation can be told from the others. */
function readOperation(
  rules: DocumentRules,
  { query, operationName, variables }: SubscribePayload,
): ReadDocument {
  const read = rules.read(query);
  if (read.errors !== null) return read;
  const { document } = read;
  if (getOperationAST(document, operationName) !== null) {
    const long = longListProblem({ schema: rules.schema, document, variables }, operationName);
    return long === null ? read : refusedBy(long);
  }
  const message =
    operationName === undefined || operationName === null
      ? 'the document has several operations, and operationName names none'
      : 'the document has no operation of the name that operationName gives';
  return refusedBy(new StrataError('INVALID_QUERY', message, { details: { field_path: 'operationName' } }));
}

/** The same, refused when the caller has sent too much. */
async function readWithin(
  { rules, rates }: Pick<SocketOptions, 'rules' | 'rates'>,
  { principal }: Call,
  payload: SubscribePayload,
): Promise<ReadDocument> {
  const read = readOperation(rules, payload);
  const { kind, requests } = rateOf(read.document, payload.operationName);
  try {
    await rates.take(principal, kind, () => undefined, requests);
    return read;
  } catch (error) {
    if (error instanceof StrataError) return refusedBy(error);
    throw error;
  }
}

/** The protocol lets through errors of GraphQL only; the mapping finds what is behind them. */
function refusedBy(error: StrataError): ReadDocument {
  return { document: null, errors: [new GraphQLError(error.message, { originalError: error })] };
}

/** A subscription that did not begin is told by the errors that it was refused with. */
function refusals(error: GraphQLError): readonly GraphQLError[] {
  return error.originalError instanceof RefusedSubscription ? error.originalError.errors : [error];
}
