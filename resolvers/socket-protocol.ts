import { GraphQLError, type ExecutionArgs, type GraphQLFormattedError } from 'graphql';
import { CloseCode, type Context, type ServerOptions, type SubscribePayload } from 'graphql-ws';

import { StrataError } from '../src/errors.ts';
import type { Call } from '../src/services/access.ts';
import type { SocketConnection } from './socket-connection.ts';
import { beginSubscription, RefusedSubscription, type ErrorPlace } from './socket-execution.ts';
import type { SocketOptions } from './socket.ts';

type Payload = Record<string, unknown> | undefined;
type SocketContext = Context<Payload, SocketConnection>;

interface OperationArgs extends ExecutionArgs {
  /** A further context of the same call. */
  readonly freshContext: () => unknown;
}

/** How the protocol recognises callers, reads documents, runs them and tells errors. */
export function protocolOptions(
  options: Pick<SocketOptions, 'rules' | 'recognise' | 'ids'> & { readonly initMs: number },
): ServerOptions<Payload, SocketConnection> {
  const { rules } = options;
  const places = new WeakMap<SubscribePayload, ErrorPlace>();
  const tell = (errors: readonly GraphQLError[], payload: SubscribePayload): GraphQLFormattedError[] => {
    const place = places.get(payload);
    if (place === undefined) throw new Error('an error of an operation that was not begun');
    return errors.flatMap(refusals).map((error) => rules.tell(error, place));
  };
  return {
    connectionInitWaitTimeout: options.initMs,
    onConnect: ({ extra, connectionParams }) => connect(extra, connectionParams, options.recognise),
    onSubscribe: ({ extra }: SocketContext, id, payload) => {
      const operation = extra.operations.get(id);
      if (operation === undefined || extra.principal === null) throw new Error('an operation without caller');
      const call: Call = {
        principal: extra.principal,
        requestId: options.ids.request(),
        signal: operation.gone.signal,
      };
      const read =
        operation.refusal === null
          ? rules.read(payload.query)
          : { document: null, errors: [asGraphqlError(operation.refusal)] };
      places.set(payload, { call, document: read.document, variables: payload.variables });
      if (read.errors !== null) return read.errors;
      const freshContext = (): unknown =>
        rules.context(call, () => {
          extra.terminate();
        });
      const args: OperationArgs = {
        schema: rules.schema,
        document: read.document,
        operationName: payload.operationName,
        variableValues: payload.variables,
        contextValue: freshContext(),
        freshContext,
      };
      return args;
    },
    subscribe: (args) => beginSubscription(args, (args as OperationArgs).freshContext),
    onNext: (_context, _id, payload, _args, result) => {
      const { errors, data } = result;
      if (errors === undefined) return undefined;
      return { ...(data === undefined ? {} : { data }), errors: tell(errors, payload) };
    },
    onError: (context, _id, payload, errors) => (context.extra.open ? tell(errors, payload) : []),
  };
}

function connect(
  connection: SocketConnection,
  payload: Payload,
  recognise: SocketOptions['recognise'],
): boolean {
  try {
    connection.principal = recognise(connection.request, payload);
    return true;
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    connection.close(CloseCode.Forbidden, `Forbidden: ${error.code}`);
    return false;
  }
}

/** The protocol lets through errors of GraphQL only; the mapping finds what is behind them. */
function asGraphqlError(error: Error): GraphQLError {
  return new GraphQLError(error.message, { originalError: error });
}

/** A subscription that did not begin is told by the errors that it was refused with. */
function refusals(error: GraphQLError): readonly GraphQLError[] {
  return error.originalError instanceof RefusedSubscription ? error.originalError.errors : [error];
}
