// When a process counts as overloaded.

/** The delay of the event loop is measured so often, milliseconds: a timer that does nothing, some four times a second. */
export const EVENT_LOOP_SAMPLE_MS = 250;
/** Measurements in a row beyond the bound that make an overload: one long stretch of work is one measurement, however long. */
export const EVENT_LOOP_LATE_SAMPLES = 3;
/** An overload ends with the first measurement at or below so much of the bound: at the bound itself it would begin again at once. */
export const EVENT_LOOP_RECOVERED_SHARE = 0.5;
/** Measurements of which the longest is published: ten seconds of a process that is not held up. */
export const EVENT_LOOP_RECENT_SAMPLES = 40;
