import type { StrataError } from '../errors.ts';

/** Room in memory for bytes that are read. */
export interface ReadingRoom {
  /** Takes room for bytes that are about to be held, unpacked; what it throws ends the reading. */
  grow(bytes: number): void;
  /** Gives some of it back. */
  shrink(bytes: number): void;
  /** Is told of bytes that came over the wire: what comes slowly may lose its room to others. */
  came(bytes: number): void;
  /** Names who is told, with the refusal, when the room is given to others. */
  whenLost(end: (refusal: StrataError) => void): void;
  /** Says that all has come: from now on the room stays. */
  arrived(): void;
}
