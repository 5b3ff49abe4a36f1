import type { DocumentNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';

import { errorText } from '../src/errors.ts';
import type { Log } from '../src/log.ts';
import { coercionProblem } from './coercion.ts';
import { faultOf, formatGraphqlError } from './error.ts';

/** What an error is about. */
export interface ToldOf {
  readonly call: { readonly requestId: string };
  /** The document; null when it was not read or is not valid. */
  readonly document: DocumentNode | null;
  readonly variables: unknown;
}

/** Says an error to the caller and, where it is a fault of the service, to the log. */
export type Tell = (error: unknown, place: ToldOf) => GraphQLFormattedError;

/** The one mapping of errors of all transports of a schema. */
export function telling(schema: GraphQLSchema, log: Log): Tell {
  return (error, { call, document, variables }) => {
    const refusal = document === null ? null : coercionProblem(error, { schema, document, variables });
    const fault = faultOf(refusal ?? error);
    if (fault !== null) {
      const { stack } = fault.cause as { stack?: string };
      log[fault.level]('graphql field failed', {
        request_id: call.requestId,
        error: fault.level === 'error' ? (stack ?? errorText(fault.cause)) : errorText(fault.cause),
      });
    }
    return formatGraphqlError(refusal ?? error, call);
  };
}
