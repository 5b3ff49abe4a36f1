import type { ScopeKey } from '../derive/claim/change.ts';
import { isConcluded, needsFullReplay, type ClaimInput } from '../derive/claim/consolidate.ts';
import { MAX_CONCLUDED_STATEMENTS } from '../limits.ts';

/** New statements of a claim times all of it, where it has to be read as a whole: a batch with more is halved. */
const MAX_REPLAYED_AT_ONCE = 1_000_000;

/**
 * Statements of a claim that is replayed in one transaction: 1,000 take 3 s and 340 MB, 4,000 more than a process has.
 * The scope of a longer one is rebuilt when something is taken out of it or comes in front of what is known.
 */
export const MAX_REPLAYED_STATEMENTS = 1_000;

/** That a claim has to be told from its first statement on and has too many for that: its scope is to be rebuilt, which goes on with it step by step. */
export class LongClaim extends Error {
  readonly code = 'a claim is too long to be replayed';
  readonly place: ScopeKey;

  constructor(place: ScopeKey) {
    super('a claim is too long to be replayed');
    this.name = 'LongClaim';
    this.place = place;
  }
}

/** That what is stated of one claim is too much for one transaction; its code is the reason that an event is parked with that alone is too much. */
class TooMuch extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = 'TooMuch';
    this.code = code;
  }
}

/**
 * Whether a claim is too long to be replayed in one transaction: that takes time and memory that grow with the square of its statements.
 * Throws what halves the batch, or parks its event, where something new is too much: what is taken out never is.
 */
export function isTooLong(input: ClaimInput): boolean {
  const { stated, fresh, changed } = input;
  // Nothing is bounded below this; most claims are far from it.
  if (stated.length <= MAX_REPLAYED_STATEMENTS) return false;
  if (isConcluded(input)) {
    if (stated.length > MAX_CONCLUDED_STATEMENTS && fresh.length > 0 && !changed)
      throw new TooMuch(`a claim with conclusions has more than ${MAX_CONCLUDED_STATEMENTS} statements`);
    return false;
  }
  if (needsFullReplay(input)) return true;
  if (fresh.length > 1 && fresh.length * stated.length > MAX_REPLAYED_AT_ONCE)
    throw new TooMuch('more is stated about a long claim than is replayed at once');
  return false;
}
