import type { AsOfQuery } from '../../schemas/as-of.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { StrataError } from '../errors.ts';
import type { Instants } from './bitemporal-range.ts';

/**
 * The recorded instant of whoever asks for what is known now: later than whatever is stored, so that what another process with
 * a faster clock has just recorded is known too.
 */
export const KNOWN_NOW = OPEN_END - 1;

/** The instants that a caller names, epoch milliseconds; null where he names none. */
export interface NamedInstants {
  readonly valid: number | null;
  readonly recorded: number | null;
}

/** The instants that a query names, epoch milliseconds. Throws `INVALID_QUERY` for `as_of` together with one of the others. */
export function namedInstants(query: AsOfQuery): NamedInstants {
  const { as_of: both, as_of_valid: valid = both, as_of_recorded: recorded = both } = query;
  if (both !== undefined && (query.as_of_valid !== undefined || query.as_of_recorded !== undefined)) {
    const reason = 'names both axes and does not go with as_of_valid or as_of_recorded';
    throw new StrataError('INVALID_QUERY', `as_of: ${reason}`, { details: { field_path: 'as_of', reason } });
  }
  return {
    valid: valid === undefined ? null : toEpochMs(valid),
    recorded: recorded === undefined ? null : Math.min(toEpochMs(recorded), KNOWN_NOW),
  };
}

/**
 * The instants of a reading that asks for what is known now unless a query says otherwise, whenever it is true: a valid instant that
 * is null leaves nothing out. Throws as {@link namedInstants}.
 */
export function knownInstants(query: AsOfQuery): {
  readonly valid: number | null;
  readonly recorded: number;
} {
  return knownAt(namedInstants(query));
}

/** {@link knownInstants} of instants that are known already. */
export function knownAt({ valid, recorded }: NamedInstants): ReturnType<typeof knownInstants> {
  return { valid, recorded: recorded ?? KNOWN_NOW };
}

/** The pair of instants that a reading is asked at: where a query names none, what is true now as known now. */
export function readingInstants(query: AsOfQuery, now: number): Instants {
  return readingAt(namedInstants(query), now);
}

/** {@link readingInstants} of instants that are known already. */
export function readingAt({ valid, recorded }: NamedInstants, now: number): Instants {
  return { valid: valid ?? now, recorded: recorded ?? KNOWN_NOW };
}
