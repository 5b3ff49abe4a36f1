/** Bounds of the committer. */
export interface CommitterLimits {
  /** Single events joined into one transaction at most. */
  readonly groupEvents: number;
  /** Bytes of envelopes joined into one transaction at most; one larger event goes alone. */
  readonly groupBytes: number;
  /** Events that may wait; more are refused with `SERVER_BUSY`. */
  readonly queueEvents: number;
  /** Bytes of envelopes that may wait; more are refused with `SERVER_BUSY`. */
  readonly queueBytes: number;
}
