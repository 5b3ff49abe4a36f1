import { asOf } from '../../app/location.ts';
import type { Recorded } from './queries.ts';

/** The recorded instant that is looked at, for what has no valid time. */
export function recordedOnly(): Recorded | null {
  const recorded = asOf.value?.recorded;
  return recorded === undefined ? null : { recorded };
}
