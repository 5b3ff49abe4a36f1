// Bounds of erasures.

/** Events of an erasure that is finished before its answer, at most: some seconds. */
export const ERASURE_AT_ONCE = 500;
/** How long the list of what an erasure concerns is kept, milliseconds: the contract's. */
export const ERASURE_MANIFEST_TTL_MS = 86_400_000;
