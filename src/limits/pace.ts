/** Captures count as being written for so long after a commit, milliseconds: stages then rest between their batches. */
export const STAGE_CAPTURE_QUIET_MS = 50;
/** Captured events a second up to which captures are a trickle: stages go on as if there were none. */
export const STAGE_TRICKLE_RATE = 20;
/** Captured events a second from which on captures are a bulk: they need the processors, and derivation catches up behind it. What a burst begins with counts as one. */
export const STAGE_BULK_RATE = 1_000;
/** Length of a rest beside captures, in lengths of the batch before it: stages take at most a third of one processor from them. */
export const STAGE_RESTS = 2;
/** The same where a burst or a bulk begins: at most a seventeenth. */
export const STAGE_BURST_RESTS = 16;
/** A burst, or a bulk, begins for so long, milliseconds. */
export const STAGE_BURST_MS = 5_000;
/** A bulk that lasts for so long, milliseconds, is no burst that ends by itself: derivation takes its share of the processors. */
export const STAGE_STEADY_MS = 20_000;
/** Captures that pause for so long, milliseconds, begin a burst anew. */
export const STAGE_BURST_GAP_MS = 1_000;
/** Events that wait to be derived with which stages do not rest beside captures that are no bulk: the more there are, the shorter are the rests. */
export const STAGE_BACKLOG_EVENTS = 1_000;
/** Events in a batch of a stage, at most, beside captures of the same process that have the way: its commit holds the lock on the frame counter, and they wait for that. */
export const STAGE_EVENTS_BESIDE_CAPTURES = 200;
/** Captures that pause for so long, milliseconds, let stages take batches as large as they may be: larger ones cost less an event. */
export const STAGE_CAPTURE_PAUSE_MS = 500;
/** Longest rest, milliseconds: a slow batch must not hold up derivation for as long again. */
export const STAGE_LONGEST_REST_MS = 1_000;
