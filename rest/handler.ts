import type { OpenOperationId, OperationId, PathParameters } from '../schemas/operation.ts';
import type { Call } from '../src/services/access.ts';
import type { Query } from './query.ts';

/** What a handler is given: the request as parsed, not yet validated. */
export interface OperationRequest<Id extends OperationId> {
  /** The caller; `null` on open operations where nobody is recognised. */
  readonly call: Id extends OpenOperationId ? Call | null : Call;
  readonly params: PathParameters<Id>;
  readonly query: Query;
  /** Parsed JSON; `{}` for an empty body where none is required; `undefined` on operations without a body. */
  readonly body: unknown;
}

/** What a handler answers; `body` becomes JSON. */
export interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Calls one service method and shapes its answer. */
export type Handler<Id extends OperationId> = (request: OperationRequest<Id>) => Answer | Promise<Answer>;

/** The handler of every operation. */
export type Routes = { readonly [Id in OperationId]: Handler<Id> };
