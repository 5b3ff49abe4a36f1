import type { ClaimPlace } from '../derive/claim-change.ts';
import { isConcluded, isToldAnew, type ClaimInput } from '../derive/consolidate.ts';
import { MAX_CONCLUDED_STATEMENTS, MAX_RETOLD_STATEMENTS } from '../limits.ts';

/** That a claim has to be told from its first statement on and has too many for that: its scope is to be rebuilt, which goes on with it step by step. */
export class LongClaim extends Error {
  readonly code = 'a claim is too long to be told anew';
  readonly place: ClaimPlace;

  constructor(place: ClaimPlace) {
    super('a claim is too long to be told anew');
    this.name = 'LongClaim';
    this.place = place;
  }
}

/** That so much was concluded about one claim that it cannot be told; its code is the reason that the event is parked with. */
class LongConclusion extends Error {
  readonly code = `a claim with conclusions has more than ${MAX_CONCLUDED_STATEMENTS} statements`;

  constructor() {
    super(`a claim with conclusions has more than ${MAX_CONCLUDED_STATEMENTS} statements`);
    this.name = 'LongConclusion';
  }
}

/**
 * A claim as it is to be told, within bounds: to tell one anew takes time and memory that grow with the square of its statements.
 * `erasing`: its events are being erased, all of them one batch after the other; then nothing of it is told until they are gone.
 * Throws {@link LongClaim}, and where it has conclusions what parks the event.
 */
export function tellable(input: ClaimInput, place: ClaimPlace, erasing: boolean): ClaimInput {
  const statements = input.said.length;
  if (statements > MAX_CONCLUDED_STATEMENTS && isConcluded(input)) throw new LongConclusion();
  if (statements <= MAX_RETOLD_STATEMENTS || isConcluded(input) || !isToldAnew(input)) return input;
  if (erasing) return { ...input, said: [], fresh: [], changed: true };
  throw new LongClaim(place);
}
