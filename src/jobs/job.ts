/** What a run came to: nothing more for now, more to do at once, or nothing ever again. */
export type RunOutcome = 'idle' | 'more' | 'over';

/** What a run is given. */
export interface JobTurn<Held = undefined> {
  /** What the lease of the job gave; undefined for a job without one. */
  readonly held: Held;
  /** Aborted when the job is stopped: the run ends after the transaction that it is at. */
  readonly signal: AbortSignal;
  /** Says how many more items are done. */
  readonly did: (items: number) => void;
}

/** Pauses after failures, milliseconds: the first, then twice the one before, up to the longest. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Background work that is done again and again, one run at a time. The first run begins with the start. */
export interface Job<Held = undefined> {
  /** Name in metrics and in the log; no two jobs of a process share it. */
  readonly name: string;
  /** Time from the end of a run to the next one, milliseconds; default: until somebody wakes the job. */
  readonly everyMs?: number;
  /** Gathers what comes together: time between a wake-up and the run, milliseconds; default 0. */
  readonly gatherMs?: number;
  /** Least time from the end of a run to the next one, by how long the run took, milliseconds; default none. Not kept while there is more. */
  readonly leastRestMs?: (tookMs: number) => number;
  /** Time before the next run while there is more to do, milliseconds; default 0. */
  readonly betweenMs?: number;
  /** Pauses after failures, in which nothing wakes the job; default: it waits as after any run. */
  readonly backoff?: Backoff;
  /** What a run needs to hold, such as shards; null while this process has none, and then nothing is run. Default: nothing. */
  readonly lease?: () => Held | null | Promise<Held | null>;
  /** Does a batch. Throws what failed; it is told, and tried again. */
  readonly run: (turn: JobTurn<Held>) => Promise<RunOutcome>;
  /** Told how many items were done since it was idle last, when it is idle again. */
  readonly onIdle?: (items: number) => void;
  /** What the log says of a failure. */
  readonly failure: {
    readonly message: string;
    /** Whether it is said of the first of several failures in a row only; default false. */
    readonly once?: boolean;
  };
}

/** A job that was started. */
export interface JobHandle {
  readonly name: string;
  /** Whether the last run failed. */
  readonly failing: boolean;
  /** Has it run at once, or once more after the run that is under way. */
  wake(): void;
  /** Ends it; resolves when the run that is under way has ended. */
  stop(): Promise<void>;
}
