/** A stretch of a text in code units, half open. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
