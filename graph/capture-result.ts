/** What became of one record of a group. */
export type CaptureOutcome =
  /** A new event. */
  | 'captured'
  /** A new event that took the key over from `replaces`. */
  | 'replaced'
  /** The key is held by an event with the same body: that event is the answer. */
  | 'replayed'
  /** The key is held by an event with another body. */
  | 'conflict'
  /** The scope is being deleted: what was written now would be lost with it. */
  | 'deleting'
  /** Its content is suppressed in its scope. */
  | 'suppressed';

/** Whether nothing was written for a record, and no event answers for it. */
export function isRefused({ outcome }: Pick<CaptureResult, 'outcome'>): boolean {
  return outcome === 'conflict' || outcome === 'deleting' || outcome === 'suppressed';
}

/** The answer to one record, in the order of the group. */
export interface CaptureResult {
  readonly outcome: CaptureOutcome;
  /** The event that now answers for the record; for a conflict the one that holds the key; of what is refused otherwise it means nothing. */
  readonly event_id: string;
  readonly wal_offset: number;
  /** Epoch milliseconds. */
  readonly recorded_at: number;
  /** True when a replay carried other hints (language, scripts, timezone) than the first capture. */
  readonly hints_differ: boolean;
  /** The event whose key was taken over, else null. */
  readonly replaces: string | null;
  /** What suppresses its content; left out of all else. */
  readonly suppression_id?: string;
}

/** What became of a group. */
export interface CapturedGroup {
  /** One result for each record, in order. */
  readonly results: CaptureResult[];
  /** Number of the newest lifecycle frame when the group was written: settled once the group is committed. */
  readonly newestFrame: number;
  /** Number of the newest batch of the audit log when the group was written; 0 when it wrote none. */
  readonly newestAudit: number;
}

/** That a group came without the hashes of its contents, and the store suppresses some; nothing was written. */
export class ContentsNotHashed extends Error {
  constructor() {
    super('the store suppresses contents, and a group came without hashes of its own');
  }
}
