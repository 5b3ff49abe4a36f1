import { errorDefinition, type ErrorCode, type ErrorDefinition } from '../schemas/error.ts';

/** What an error says to the caller beside its message; keys are those of the contract (`field_path`, `reason`, …). */
export type ErrorDetails = Record<string, unknown>;

/** Options of a {@link StrataError}. */
export interface StrataErrorOptions {
  /** Shown to the caller. */
  readonly details?: ErrorDetails;
  /** Logged, never shown. */
  readonly cause?: unknown;
  /** Seconds for `Retry-After`; the code's own when left out. */
  readonly retryAfterSeconds?: number;
  /** Whether the same request may succeed later, where the code leaves that to the cause; the code's own when left out. */
  readonly retriable?: boolean;
  /** Status over REST where the contract departs from that of the code; the code's own when left out. */
  readonly status?: number;
  /** Answered over REST as the bare message in plain text: a missing required or a repeated query parameter. */
  readonly plainText?: boolean;
  /** Name of the protocol in whose shape the error is answered over REST: with `protocol`, without `request_id` and details. */
  readonly protocol?: string;
}

/**
 * The one error that crosses a room's door: a code of the closed list and a message that the caller may read.
 * Anything else that is thrown is a fault of the service and reaches the caller as `INTERNAL` without its text.
 */
export class StrataError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly status: number;
  readonly plainText: boolean;
  readonly protocol: string | undefined;
  readonly retriable: boolean;

  constructor(code: ErrorCode, message: string, options: StrataErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StrataError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds ?? this.definition.retryAfterSeconds;
    this.status = options.status ?? this.definition.status;
    this.plainText = options.plainText ?? false;
    this.protocol = options.protocol;
    this.retriable = options.retriable ?? this.definition.retriable;
  }

  /** Status, retriability and meaning of the code. */
  get definition(): ErrorDefinition {
    return errorDefinition(this.code);
  }
}

/** The refusal of an event that does not exist, or that the caller may not read: which of the two is not told. */
export function eventNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'event not found');
}

/** A refusal to start, with the exit code of the process (78: configuration) and text that says what to do. */
export class StartupError extends Error {
  readonly exitCode: number;

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StartupError';
    this.exitCode = options.exitCode ?? 78;
  }
}

/** The text of anything thrown, for logs. */
export function errorText(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}
