// Bounds of what is said about time.

/** Own time phrases of one tenant: all of them are read with every question that names a time, and nobody remembers more. */
export const MAX_TEMPORAL_PHRASES = 1_000;
