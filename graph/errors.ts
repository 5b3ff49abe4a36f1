import { StrataError } from '../src/errors.ts';

/** What a failed statement means for whoever sent it. */
export type Failure =
  /** Nothing was written; the same work may succeed at once (deadlock, lock time-out, leader change, a record deleted meanwhile). */
  | 'transient'
  /** The database cannot be reached or refuses work; whether a write happened is unknown. */
  | 'unavailable'
  /** No answer came in time; whether a write happened is unknown, and asking again would wait as long again. */
  | 'overdue'
  /** A uniqueness constraint refused the work; nothing was written. */
  | 'constraint'
  /** The work itself is at fault; repeating it fails again; nothing was written. */
  | 'permanent';

const UNAVAILABLE_CODES = ['ServiceUnavailable', 'SessionExpired', 'N/A'];
const UNAVAILABLE_PREFIXES = [
  'Neo.TransientError.Database.',
  'Neo.TransientError.General.DatabaseUnavailable',
  'Neo.ClientError.Database.DatabaseNotFound',
  'Neo.ClientError.General.WriteOnReadOnlyAccessDbMode',
  'Neo.ClientError.General.ForbiddenOnReadOnlyDatabase',
  'Neo.ClientError.Cluster.',
  'Neo.DatabaseError.Transaction.',
  'Neo.DatabaseError.General.',
  'Neo.DatabaseError.Database.',
];

// The driver turns these into client errors, but they say that a transaction was stopped from outside and left nothing.
const STOPPED = [
  'Neo.ClientError.Transaction.Terminated',
  'Neo.ClientError.Transaction.LockClientStopped',
  'Neo.ClientError.Transaction.TransactionTimedOut',
  'Neo.ClientError.Security.AuthorizationExpired',
  'Neo.ClientError.Security.TokenExpired',
];

// A record that the statement had found was deleted by another transaction before it was read or written. Tried again, it is not found.
const OVERTAKEN = 'Neo.ClientError.Statement.EntityNotFound';

// Transient by name, but the same work asks for the same memory again: only less work helps.
const TOO_LARGE = [
  'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
  'Neo.TransientError.General.TransactionOutOfMemoryError',
  'Neo.TransientError.General.OutOfMemoryError',
];

// Of these, what may be for want of what others use.
const SHARED_MEMORY = [
  'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
  'Neo.TransientError.General.OutOfMemoryError',
];

/** The code of an error for an answer that did not come in time. */
export const OVERDUE = 'OVERDUE';

/** Whether a failure says that the database is away, whatever the work was. */
export function isAway(failure: Failure): boolean {
  return failure === 'unavailable' || failure === 'transient' || failure === 'overdue';
}

/** Whether work failed for what others hold at the same time (locks that it waits for, transactions that are too many), which passes. */
export function isCollision(error: unknown): boolean {
  return causeCode(error)?.startsWith('Neo.TransientError.Transaction.') === true;
}

/** Whether the memory that all transactions share was used up: by the work, or by what else the database does. */
export function lacksMemory(error: unknown): boolean {
  const code = causeCode(error);
  return code !== undefined && SHARED_MEMORY.includes(code);
}

/** Classifies anything that the driver throws, by its code; wrapped by {@link asStrataError} or not. */
export function failureOf(error: unknown): Failure {
  if (error instanceof StrataError && error.code === 'DATABASE_UNAVAILABLE')
    return error.cause === undefined ? 'unavailable' : failureOf(error.cause);
  const code = codeOf(error);
  if (code === undefined) return 'permanent';
  if (code === OVERDUE) return 'overdue';
  if (TOO_LARGE.includes(code)) return 'permanent';
  if (code === OVERTAKEN) return 'transient';
  if (STOPPED.some((stopped) => code.startsWith(stopped))) return 'transient';
  if (UNAVAILABLE_CODES.includes(code)) return 'unavailable';
  if (UNAVAILABLE_PREFIXES.some((prefix) => code.startsWith(prefix))) return 'unavailable';
  if (code === 'Neo.ClientError.Schema.ConstraintValidationFailed') return 'constraint';
  if (code.startsWith('Neo.TransientError.')) return 'transient';
  return 'permanent';
}

/** The error that crosses the room's door: an unreachable database, or one without memory to spare, becomes `DATABASE_UNAVAILABLE`, the rest stays. */
export function asStrataError(error: unknown): unknown {
  if (error instanceof StrataError) return error;
  if (isAway(failureOf(error)) || lacksMemory(error)) {
    return new StrataError('DATABASE_UNAVAILABLE', 'The database is not available; try again.', {
      cause: error,
    });
  }
  return error;
}

/** Whether the database does not let its user do this. */
export function isForbidden(error: unknown): boolean {
  return causeCode(error) === 'Neo.ClientError.Security.Forbidden';
}

/** The code of a failure, for logs: the message of a database may quote what was to be written. */
export function failureCode(error: unknown): string {
  return codeOf(error) ?? 'unexpected failure';
}

/** The code of what the driver threw, wrapped by {@link asStrataError} or not. */
function causeCode(error: unknown): string | undefined {
  return codeOf(error instanceof StrataError && error.cause !== undefined ? error.cause : error);
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
