import type {
  OpenOperationId,
  OperationId,
  PathParameters,
  ServedOperationId,
} from '../schemas/operation.ts';
import type { Call } from '../src/services/access.ts';
import type { WrittenFrame } from '../src/services/written-frames.ts';
import type { IncomingBytes, OutgoingBytes } from '../src/services/blob-operations.ts';
import type { ExportedFile, LifecycleSubscription } from '../src/services/operations.ts';
import type { Query } from './query.ts';

/** What a handler is given: the request as parsed, not yet validated. */
export interface OperationRequest<Id extends OperationId> {
  /** The caller; `null` on open operations where nobody is recognised. */
  readonly call: Id extends OpenOperationId ? Call | null : Call;
  readonly params: PathParameters<Id>;
  readonly query: Query;
  /** Parsed JSON; `{}` for an empty body where none is required; `undefined` on operations without a body. */
  readonly body: unknown;
  /** The body as bytes, for operations that take it as it is. */
  readonly bytes: IncomingBytes;
  /** Value of `X-Strata-Idempotency-Key`; `null` when it is not sent. */
  readonly key: string | null;
  /** Value of `Last-Event-ID`; `null` when it is not sent or empty. */
  readonly lastEventId: string | null;
}

/** An answer whose `body` becomes JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: object;
}

/** An answer without a body. */
export interface EmptyAnswer {
  readonly status: 204;
  readonly empty: true;
}

/** An answer in a format of its own. */
export interface TextAnswer {
  readonly status: number;
  /** Value of `Content-Type`, charset included. */
  readonly contentType: string;
  readonly text: string;
}

/** An answer that goes on: server-sent events, until the frames end, the client goes or the server stops. */
export interface StreamAnswer {
  readonly status: 200;
  readonly frames: LifecycleSubscription;
}

/** An answer that is sent while it is made: server-sent events, the last of which holds the whole. */
export interface WrittenAnswer {
  readonly status: 200;
  readonly written: AsyncGenerator<WrittenFrame<object, object>>;
}

/** An answer of stored bytes, or of the range of them that the request asks for. */
export interface BytesAnswer {
  readonly status: 200;
  readonly bytes: OutgoingBytes;
}

/** An answer of objects, one a line, some at a time. */
export interface LinesAnswer {
  readonly status: 200;
  readonly lines: AsyncIterable<readonly object[]>;
}

/** An answer of a file that is sent while it is made. */
export interface FileAnswer {
  readonly status: 200;
  readonly file: ExportedFile;
}

/** What a handler answers. */
export type Answer =
  | JsonAnswer
  | EmptyAnswer
  | TextAnswer
  | StreamAnswer
  | WrittenAnswer
  | BytesAnswer
  | LinesAnswer
  | FileAnswer;

/** Calls one service method and shapes its answer. */
export type Handler<Id extends OperationId> = (request: OperationRequest<Id>) => Answer | Promise<Answer>;

/** The handler of every operation that this release has. */
export type Routes = { readonly [Id in ServedOperationId]: Handler<Id> };
