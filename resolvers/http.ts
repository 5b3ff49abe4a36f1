import { AsyncLocalStorage } from 'node:async_hooks';

import {
  ApolloServer,
  HeaderMap,
  type ApolloServerPlugin,
  type GraphQLRequestListener,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import {
  getOperationAST,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';

import { errorText, StrataError } from '../src/errors.ts';
import type { Log } from '../src/log.ts';
import type { Call } from '../src/services/access.ts';
import type { RateState } from '../src/services/rate-limit.ts';
import type { Services } from '../src/services/operations.ts';
import { graphqlContext, type GraphqlContext } from './context.ts';
import type { Documents } from './document.ts';
import { formatGraphqlError } from './error.ts';
import { longListProblem } from './list-bounds.ts';
import { chooseMediaType, GRAPHQL_RESPONSE, JSON_RESPONSE, type MediaType } from './media-type.ts';
import { rateOf, type RateGate } from './rate.ts';
import { withoutRepeats, type ErrorFormatter, type ErrorContext } from './error-formatter.ts';
import { topField } from './top-field.ts';

/** A request as its transport read it. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** The header `Accept`. */
  readonly accept: string | undefined;
  /** The query string of a GET, with its question mark. */
  readonly search: string;
  /** The parsed body of a POST. */
  readonly body: unknown;
  /** SHA-256 (hex) of the body of a POST, else null. */
  readonly bodySha256: string | null;
  /** When the request came in, milliseconds of the process's own clock. */
  readonly began: number;
}

/** What is answered. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The name of the one top-level field, `several` for more; `null` where nothing was executed. */
  readonly operation: string | null;
}

/** What the execution over HTTP is made of. */
export interface GraphqlHttpParts {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly services: Services;
  readonly rates: RateGate;
  readonly tell: ErrorFormatter;
  readonly log: Log;
}

type Sending = NonNullable<GraphQLRequestListener<GraphqlContext>['willSendResponse']>;

interface Running extends ErrorContext {
  readonly call: Call;
  readonly mediaType: MediaType;
}

/** Executes GraphQL requests: documents are read here, the rest of the protocol is Apollo Server's. */
export class GraphqlHttp {
  private readonly parts: GraphqlHttpParts;
  private readonly server: ApolloServer<GraphqlContext>;
  private readonly running = new AsyncLocalStorage<Running>();

  constructor(parts: GraphqlHttpParts) {
    this.parts = parts;
    this.server = this.createServer();
  }

  /** Has to be awaited before the first request. */
  start(): Promise<void> {
    return this.server.start();
  }

  /** Ends the execution; requests in flight were drained before. */
  stop(): Promise<void> {
    return this.server.stop();
  }

  /** Answers one request of a recognised caller; never throws for what a caller sends. */
  async execute(
    request: HttpRequest,
    call: Call,
    tellRate: (state: RateState | null) => void,
  ): Promise<HttpAnswer> {
    const { query, operationName, variables } = sentBy(request);
    const read = typeof query === 'string' && query !== '' ? this.parts.documents.read(query) : null;
    const limited = await this.limited(call, rateOf(read?.document ?? null, operationName), tellRate);
    if (limited !== null) return limited;
    const mediaType = chooseMediaType(request.accept);
    if (mediaType === null) {
      const error = new StrataError('INVALID_HEADER', `accept ${JSON_RESPONSE} or ${GRAPHQL_RESPONSE}`, {
        details: { header: 'accept' },
      });
      return answerOf(406, JSON_RESPONSE, [formatGraphqlError(error, call)]);
    }
    if (read?.errors) return this.refuse(read.errors, mediaType, call);
    if (operationOf(read, operationName)?.operation === OperationTypeNode.SUBSCRIPTION) {
      return this.refuse([subscriptionHere()], mediaType, call);
    }
    const { schema } = this.parts;
    const document = read?.document ?? null;
    const long = document && longListProblem({ schema, document, variables }, operationName);
    if (long !== null) return this.refuse([long], mediaType, call);
    const running = {
      schema,
      document,
      variables,
      call,
      mediaType,
    };
    const answer = await this.running.run(running, () => this.run(request, running));
    return { ...answer, operation: read === null ? null : topField(read.document, operationName) };
  }

  /** The answer to who has sent too much: a 429 under either media type, since nothing was looked at. */
  private async limited(
    call: Call,
    { kind, requests }: ReturnType<typeof rateOf>,
    tellRate: (state: RateState | null) => void,
  ): Promise<HttpAnswer | null> {
    try {
      await this.parts.rates.take(call.principal, kind, tellRate, requests);
      return null;
    } catch (error) {
      if (!(error instanceof StrataError)) throw error;
      const { headers, ...answer } = answerOf(error.status, JSON_RESPONSE, [formatGraphqlError(error, call)]);
      return { ...answer, headers: { ...headers, 'retry-after': String(error.retryAfterSeconds) } };
    }
  }

  private async run(request: HttpRequest, { call, mediaType }: Running): Promise<HttpAnswer> {
    const headers = new HeaderMap([['accept', mediaType]]);
    if (request.method === 'POST') headers.set('content-type', 'application/json');
    const {
      status,
      headers: answered,
      body,
    } = await this.server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method, headers, search: request.search, body: request.body },
      context: () => Promise.resolve(graphqlContext(call, this.parts.services, request)),
    });
    if (body.kind !== 'complete') throw new Error('an answer in parts, which the schema has no use for');
    return {
      status: status ?? 200,
      headers: Object.fromEntries(answered),
      body: body.string,
      operation: null,
    };
  }

  /** A document that is not executed: 400, or 200 where the media type is that of JSON, as the protocol has it. */
  private refuse(errors: readonly Error[], mediaType: MediaType, call: Call): HttpAnswer {
    const formatted = errors.map((error) => formatGraphqlError(error, call));
    return answerOf(mediaType === GRAPHQL_RESPONSE ? 400 : 200, mediaType, formatted);
  }

  private createServer(): ApolloServer<GraphqlContext> {
    const { schema, documents, log } = this.parts;
    return new ApolloServer<GraphqlContext>({
      schema,
      nodeEnv: 'production',
      introspection: true, // The documents were judged before, this included.
      includeStacktraceInErrorResponses: false,
      stopOnTerminationSignals: false,
      allowBatchedHttpRequests: false,
      persistedQueries: false,
      // A page of another origin can neither attach the bearer nor send the JSON label without being asked for by CORS.
      csrfPrevention: false,
      documentStore: {
        // The key is that of the schema and the hash of the text.
        get: (key) => Promise.resolve(documents.get(key.slice(key.lastIndexOf(':') + 1))),
        set: () => Promise.resolve(),
        delete: () => Promise.resolve(),
      },
      formatError: (_formatted, error) => this.tell(error),
      logger: logger(log),
      plugins: [
        ApolloServerPluginLandingPageDisabled(),
        ApolloServerPluginUsageReportingDisabled(),
        ApolloServerPluginSchemaReportingDisabled(),
        ApolloServerPluginInlineTraceDisabled(),
        ApolloServerPluginCacheControlDisabled(),
        this.answerPlugin(),
      ],
    });
  }

  /**
   * Leaves out errors that repeat others. An operation that was not begun (a variable did not fit) is 400 under the media
   * type that has statuses.
   */
  private answerPlugin(): ApolloServerPlugin<GraphqlContext> {
    const willSendResponse: Sending = ({ response, errors = [] }) => {
      if (response.body.kind !== 'single') return Promise.resolve();
      const { singleResult } = response.body;
      const formatted = singleResult.errors;
      if (formatted?.length === errors.length) {
        const kept = new Set<GraphQLError | undefined>(withoutRepeats(errors));
        singleResult.errors = formatted.filter((_, i) => kept.has(errors[i]));
      }
      const refused = singleResult.data === undefined && formatted !== undefined;
      if (refused && this.running.getStore()?.mediaType === GRAPHQL_RESPONSE) response.http.status ??= 400;
      return Promise.resolve();
    };
    return { requestDidStart: () => Promise.resolve({ willSendResponse }) };
  }

  private tell(error: unknown): GraphQLFormattedError {
    const running = this.running.getStore();
    return running === undefined ? formatGraphqlError(error, null) : this.parts.tell(error, running);
  }
}

interface Sent {
  readonly query?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** The operation that a request means; nothing where that is not clear, which Apollo then says. */
function operationOf(
  read: { readonly document: DocumentNode } | null,
  operationName: unknown,
): OperationDefinitionNode | null | undefined {
  const name = typeof operationName === 'string' ? operationName : null;
  return read && getOperationAST(read.document, name);
}

function subscriptionHere(): StrataError {
  return new StrataError(
    'INVALID_QUERY',
    'an answer over HTTP cannot go on: subscribe over WebSocket, or follow GET /v1/lifecycle/stream',
    { details: { reason: 'subscription' } },
  );
}

function sentBy({ method, search, body }: HttpRequest): Sent {
  if (method === 'POST') return typeof body === 'object' && body !== null ? body : {};
  const parameters = new URLSearchParams(search);
  const variables = parameters.get('variables');
  return {
    query: parameters.get('query'),
    operationName: parameters.get('operationName'),
    variables: variables === null ? null : JSON.parse(variables),
  };
}

function answerOf(
  status: number,
  mediaType: MediaType,
  errors: readonly GraphQLFormattedError[],
): HttpAnswer {
  return {
    status,
    headers: { 'content-type': `${mediaType}; charset=utf-8` },
    body: JSON.stringify({ errors }),
    operation: null,
  };
}

function logger(log: Log): Record<'debug' | 'info' | 'warn' | 'error', (message: unknown) => void> {
  const write = (level: 'debug' | 'warn' | 'error') => (message: unknown) => {
    log[level]('graphql', { error: errorText(message) });
  };
  return { debug: write('debug'), info: write('debug'), warn: write('warn'), error: write('error') };
}
