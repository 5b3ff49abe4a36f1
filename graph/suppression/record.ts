/** A suppression as it is stored: that contents of a scope are not captured again. Instants are epoch milliseconds. */
export interface StoredSuppression {
  /** `supp_` and 32 hex digits. */
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  /** Place among all suppressions, in the order in which they came. */
  readonly number: number;
  readonly created_at: number;
  /** Actor of the forget. */
  readonly actor: string;
  /** Different contents that it suppresses. */
  readonly contents: number;
  /** Captures that it refused. */
  readonly refused: number;
}

/** The fields of a suppression `s`. */
export const STORED_SUPPRESSION = `s {.id, .tenant, .scope, .number, .created_at, .actor, .contents, .refused}`;
