/** Longest pause of a stage whose work fails, milliseconds. */
export const STAGE_LONGEST_PAUSE_MS = 2000;

/** Every so many polls all held shards are looked at, whether or not the head of the log moved. */
export const STAGE_POLLS_PER_FULL_LOOK = 30;

/** How often a process looks for episodes that have been idle for so long, milliseconds. */
export const EPISODE_SWEEP_MS = 60_000;

/** How often a process looks for scopes whose waiting is over because of another process, or of their policies, milliseconds. */
export const DEFERRAL_POLL_MS = 1_000;

/** How often a process looks for syntheses of others, milliseconds. */
export const SYNTHESIS_POLL_MS = 1_000;

/** How often scopes are looked for whose episodes are to be told anew, milliseconds. */
export const EPISODE_REPLAY_POLL_MS = 1_000;

/** How often events that are due again are looked for, milliseconds. */
export const EXTRACTION_DUE_POLL_MS = 1000;

/** Events that are due again and taken on at once: some calls' worth. */
export const EXTRACTION_DUE_EVENTS = 32;

/** How often enrichment looks whether something is to be tried again, milliseconds; new events are looked for at their own interval. */
export const ENRICHMENT_POLL_MS = 1000;

/** How often it is looked for passages whose vectors are due, milliseconds; what this process indexed is looked for at once. */
export const EMBEDDING_POLL_MS = 1000;

/** The longest pause of embedding whose reads or writes fail, milliseconds; the first is twice the interval of the looks, and they double. */
export const EMBEDDING_LONGEST_PAUSE_MS = 30_000;
