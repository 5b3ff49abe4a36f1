import { StrataError } from '../src/errors.ts';

/** What a failed statement means for whoever sent it. */
export type Failure =
  /** Nothing was written; the same work may succeed at once (deadlock, lock time-out, leader change). */
  | 'transient'
  /** The database cannot be reached or refuses work; whether a write happened is unknown. */
  | 'unavailable'
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

/** Classifies anything that the driver throws, by its code. */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  if (code === undefined) return 'permanent';
  if (UNAVAILABLE_CODES.includes(code)) return 'unavailable';
  if (UNAVAILABLE_PREFIXES.some((prefix) => code.startsWith(prefix))) return 'unavailable';
  if (code === 'Neo.ClientError.Schema.ConstraintValidationFailed') return 'constraint';
  if (code.startsWith('Neo.TransientError.')) return 'transient';
  return 'permanent';
}

/** The error that crosses the room's door: an unreachable database becomes `DATABASE_UNAVAILABLE`, the rest stays. */
export function asStrataError(error: unknown): unknown {
  const failure = failureOf(error);
  if (failure === 'unavailable' || failure === 'transient') {
    return new StrataError('DATABASE_UNAVAILABLE', 'The database is not available; try again.', {
      cause: error,
    });
  }
  return error;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
