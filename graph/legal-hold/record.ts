/** A legal hold as it is stored. Instants are epoch milliseconds. */
export interface StoredHold {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  /** JSON text of the selector as it was sent; null where all events are held. */
  readonly selector: string | null;
  readonly reason: string;
  /** From then on it holds nothing; null for no end. */
  readonly until: number | null;
  /** Place among the holds of its tenant, in the order in which they were placed. */
  readonly number: number;
  readonly created_at: number;
  readonly created_by: string;
}

/** The fields of a hold `h`. */
export const STORED_HOLD = `h {.id, .tenant, .scope, .scope_ref, .selector, .reason, .until, .number, .created_at, .created_by}`;
