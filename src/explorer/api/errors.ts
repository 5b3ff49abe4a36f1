/** What the service, or the way to it, says of a request that brought nothing. */
export interface Refusal {
  /** Code of the service's closed list; `AWAY` where there was no answer at all. */
  readonly code: string;
  /** What is wrong, for a person. */
  readonly message: string;
  /** The field that is wrong, as it was written. */
  readonly field: string | null;
  /** Under which the service's log has more. */
  readonly requestId: string | null;
  /** Whether the same request may succeed later. */
  readonly retriable: boolean;
  /** When to try again at the earliest, where the service says so. */
  readonly retryAfterSeconds: number | null;
}

/** A request that was refused. */
export class ServiceError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.name = 'ServiceError';
    this.refusal = refusal;
  }
}

/** What to show of anything thrown. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ServiceError) return error.refusal;
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: 'PAGE_FAILED',
    message: `The page failed: ${message}`,
    field: null,
    requestId: null,
    retriable: false,
    retryAfterSeconds: null,
  };
}

/** Whether something ended because nobody waits for it any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** No answer came. */
export function away(message: string, retryAfterSeconds: number | null = null): Refusal {
  return { code: 'AWAY', message, field: null, requestId: null, retriable: true, retryAfterSeconds };
}

interface ErrorExtensions {
  readonly code?: string;
  readonly retriable?: boolean;
  readonly request_id?: string;
  readonly retry_after_seconds?: number;
  readonly details?: { readonly field_path?: unknown };
}

/** An error of GraphQL. */
export interface GraphqlError {
  readonly message: string;
  readonly extensions?: ErrorExtensions;
}

/** What an error of GraphQL says. */
export function refusalOfGraphql({ message, extensions = {} }: GraphqlError): Refusal {
  return {
    code: extensions.code ?? 'INTERNAL',
    message,
    field: fieldOf(extensions.details),
    requestId: extensions.request_id ?? null,
    retriable: extensions.retriable ?? false,
    retryAfterSeconds: extensions.retry_after_seconds ?? null,
  };
}

/** The body of an answer that is no answer of GraphQL. */
export interface Problem {
  readonly error_code: string;
  readonly message: string;
  readonly retriable: boolean;
  readonly request_id: string;
  readonly details?: { readonly field_path?: unknown };
}

/** What the body of a refused request says. */
export function refusalOfProblem(problem: Problem, retryAfterSeconds: number | null): Refusal {
  return {
    code: problem.error_code,
    message: problem.message,
    field: fieldOf(problem.details),
    requestId: problem.request_id,
    retriable: problem.retriable,
    retryAfterSeconds,
  };
}

function fieldOf(details: { readonly field_path?: unknown } | undefined): string | null {
  return typeof details?.field_path === 'string' ? details.field_path : null;
}
