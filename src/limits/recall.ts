/** The most where some are looked at again and left out; the search is widened up to it. */
export const RECALL_MOST_TURNS = 5_000;
/** By how much it is widened at a time. */
export const RECALL_WIDEN = 4;
/** The best events of which it is looked up what was derived from them; each costs a few reads. */
export const RECALL_SOURCES = 60;
/** Hits that are read to find those that are asked for, where the index cannot tell (times that content speaks of): a second's work at most. */
export const POST_FILTER_EVENTS = 2_000;
/** How long a pack is kept, milliseconds: the contract's. */
export const PACK_TTL_MS = 60_000;
/** Bytes of the events of one recall: what lies behind is left out. */
export const RECALL_EVENT_BYTES = 16 * 1024 * 1024;
/** Bytes of the events that are read for words of theirs which facts of a pack quote, beside those that it brings anyway. */
export const RECALL_QUOTED_BYTES = 4 * 1024 * 1024;
/** Code units of texts that are cut and counted for a pack before others have their turn: some tens of milliseconds at worst. */
export const PACK_TURN_UNITS = 16 * 1024;

/** Formulations of a query that call what it names by other names which a vocabulary knows, at most: each is searched as a variant is. */
export const RECALL_RENAMED_QUERIES = 2;
