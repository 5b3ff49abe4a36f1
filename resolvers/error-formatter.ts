import type { ASTNode, DocumentNode, GraphQLError, GraphQLFormattedError, GraphQLSchema } from 'graphql';

import { errorText, StrataError } from '../src/errors.ts';
import type { Log } from '../src/log.ts';
import { OverBudget } from './budget.ts';
import { coercionProblem, endsFaults, faultyVariable } from './coercion.ts';
import { faultOf, formatGraphqlError } from './error.ts';

/** What an error is about. */
export interface ErrorContext {
  readonly call: { readonly requestId: string; readonly signal?: AbortSignal };
  /** The document; null when it was not read or is not valid. */
  readonly document: DocumentNode | null;
  readonly variables: unknown;
}

/** Says an error to the caller and, where it is a fault of the service, to the log. */
export type ErrorFormatter = (error: unknown, place: ErrorContext) => GraphQLFormattedError;

/** What was said of one call before. */
interface CallErrors {
  /** Refusals by the variable, which is looked through once. */
  readonly variables: Map<ASTNode, StrataError | null>;
  /** Causes that stand in the log: one link that fails does so at every record. */
  readonly logged: WeakSet<object>;
}

/** The one mapping of errors of all transports of a schema. */
export function errorFormatter(schema: GraphQLSchema, log: Log): ErrorFormatter {
  const calls = new WeakMap<object, CallErrors>();
  return (error, { call, document, variables }) => {
    const before = calls.get(call) ?? { variables: new Map(), logged: new WeakSet() };
    calls.set(call, before);
    const refusal = document === null ? null : refusalOf(error, { schema, document, variables, before });
    const fault = faultOf(refusal ?? error);
    // Who left is told nothing, and that work stopped for it is no fault.
    const isLeft = call.signal?.aborted === true && fault?.cause === call.signal.reason;
    if (fault !== null && !isLeft && isNews(fault.cause, before.logged)) {
      const { stack } = fault.cause as { stack?: string };
      log[fault.level]('graphql field failed', {
        request_id: call.requestId,
        error: fault.level === 'error' ? (stack ?? errorText(fault.cause)) : errorText(fault.cause),
      });
    }
    return formatGraphqlError(refusal ?? error, call);
  };
}

function refusalOf(
  error: unknown,
  of: { schema: GraphQLSchema; document: DocumentNode; variables: unknown; before: CallErrors },
): StrataError | null {
  const { before, ...executed } = of;
  if (endsFaults(error)) {
    const [first] = before.variables.values();
    return new StrataError(first?.code ?? 'INVALID_QUERY', 'the variables have more faults than are told');
  }
  const variable = faultyVariable(error);
  if (variable === null) return null;
  const known = before.variables.get(variable);
  if (known !== undefined) return known;
  const refusal = coercionProblem(error, executed);
  before.variables.set(variable, refusal);
  return refusal;
}

function isNews(cause: unknown, logged: WeakSet<object>): boolean {
  if (typeof cause !== 'object' || cause === null) return true;
  if (logged.has(cause)) return false;
  logged.add(cause);
  return true;
}

/** The errors of an answer without those that repeat another: one for each variable, one for an answer that is too large. */
export function withoutRepeats(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const seen = new Set<unknown>();
  return errors.filter((error) => {
    if (endsFaults(error)) return errors.length === 1;
    const subject = faultyVariable(error) ?? overBudget(error);
    if (subject === null) return true;
    if (seen.has(subject)) return false;
    seen.add(subject);
    return true;
  });
}

function overBudget(error: GraphQLError): OverBudget | null {
  return error.originalError instanceof OverBudget ? error.originalError : null;
}
