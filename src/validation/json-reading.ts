/** How JSON is to be read; what is left out is as src/limits has it. */
export interface JsonReading {
  /** Nesting at most, levels; default 64. */
  readonly maxDepth?: number;
  /**
   * How many objects stand around lists whose items are taken apart one by one, so that there may be more values: 1 for the
   * fields of the outermost object, and so on. Default: of none.
   */
  readonly listDepths?: readonly number[];
  /** Told of the number of values before any is taken apart; what it throws ends the reading. */
  readonly counted?: (values: number) => void;
}

/** Reads JSON while others have their turn in between; throws `INVALID_BODY`, and `PAYLOAD_TOO_LARGE` for too many values. */
export type JsonReader = (bytes: Uint8Array, reading?: JsonReading) => Promise<unknown>;
