import type { Principal } from './principal.ts';
import type { RequestRecord } from './request-record.ts';

/** One authenticated use of the service, over whatever transport. */
export interface Call {
  readonly principal: Principal;
  /** `req_…`, the id that answers, log lines and error bodies carry. */
  readonly requestId: string;
  /** Fires when the caller has gone away; work that only serves the answer may stop. */
  readonly signal: AbortSignal;
  /** What the audit log is to say of the request; without it the use leaves no row. */
  readonly request?: RequestRecord;
}
