import type { GraphQLError } from 'graphql';
import {
  createSourceEventStream,
  execute,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql';

import type { Call } from '../src/services/access.ts';
import type { GraphqlOrigin } from './context.ts';

/** A document that may be executed, or what is wrong with it. */
export type ReadDocument =
  | { readonly document: DocumentNode; readonly errors: null }
  | { readonly document: null; readonly errors: readonly GraphQLError[] };

/** What an error is about. */
export interface ErrorContext {
  readonly call: Call;
  /** The document; null when it was not read or is not valid. */
  readonly document: DocumentNode | null;
  readonly variables: unknown;
}

/** How documents are read, checked and executed; the same over HTTP. */
export interface DocumentRules {
  readonly schema: GraphQLSchema;
  /** Parses and checks within the limits; never throws for what a caller sends. */
  readonly read: (text: string) => ReadDocument;
  /** What resolvers are given; `cut` closes the connection of a reader who takes nothing. */
  readonly context: (call: Call, origin: GraphqlOrigin, cut: () => void) => unknown;
  /** The one mapping of errors; logs those that are faults of the service. */
  readonly tell: (error: GraphQLError, place: ErrorContext) => GraphQLFormattedError;
}

/** A subscription that did not begin, or that ended with errors. */
export class RefusedSubscription extends Error {
  readonly errors: readonly GraphQLError[];

  constructor(errors: readonly GraphQLError[]) {
    super('the subscription was refused');
    this.name = 'RefusedSubscription';
    this.errors = errors;
  }
}

/**
 * Begins a subscription; each event is executed with a context of its own from `freshContext`, so that what loaders keep
 * does not grow with the life of a socket. The answer ends its source when `return()` is called and when the service stops,
 * also while it waits.
 * Throws nothing: a refusal is thrown by the first `next()` as {@link RefusedSubscription}.
 */
export async function beginSubscription(
  args: ExecutionArgs,
  parts: {
    readonly freshContext: () => unknown;
    /** Fires when the subscription has ended. */
    readonly gone: AbortSignal;
    /** Fires when the service begins to stop. */
    readonly stopping: AbortSignal;
  },
): Promise<AsyncIterableIterator<ExecutionResult>> {
  const source = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in source)) return refused(source.errors ?? []);
  const events = source[Symbol.asyncIterator]();
  const { freshContext, gone, stopping } = parts;
  const end = (): void => void events.return?.();
  if (stopping.aborted) end();
  else stopping.addEventListener('abort', end, { once: true, signal: gone });
  return iterator(
    async () => {
      const event = await events.next();
      if (event.done === true) return { done: true, value: undefined };
      const contextValue = freshContext();
      return { done: false, value: await execute({ ...args, rootValue: event.value, contextValue }) };
    },
    async () => {
      await events.return?.();
    },
  );
}

function refused(errors: readonly GraphQLError[]): AsyncIterableIterator<ExecutionResult> {
  return iterator(
    () => Promise.reject(new RefusedSubscription(errors)),
    () => Promise.resolve(),
  );
}

/** Not a generator: the `return()` of a generator waits for its pending `next()`, which may wait for ever. */
function iterator(
  next: () => Promise<IteratorResult<ExecutionResult>>,
  end: () => Promise<void>,
): AsyncIterableIterator<ExecutionResult> {
  return {
    next,
    return: async () => {
      await end();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
