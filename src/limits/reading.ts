// Bounds of the readings of what is derived.

/** Ids of events that a fact shows as its supports at most: a value that is repeated for years is supported by each event. */
export const MAX_SHOWN_SUPPORTS = 1_000;
/** Facts that one fact is shown to have superseded at most: one value may take the place of many. */
export const MAX_SUPERSEDED_SHOWN = 100;
/** Rows of a claim that a look-up at two instants looks at first; nearly always the first or second one is it. */
export const CLAIM_WALK_ROWS = 500;
/** By how much that is widened where it decides nothing. */
export const CLAIM_WALK_FACTOR = 10;
/** Scopes in which an entity is looked for at most when no scope is named; bounds the time and memory of one statement. */
export const MAX_ENTITY_PLACES = 1_000;
/** Events that a fact of GraphQL links to at most; the ids of more stand beside them. */
export const MAX_LINKED_EVENTS = 100;
/** Records that a support graph shows at most: keeps an answer below a few hundred kilobytes. */
export const MAX_WHY_NODES = 500;
/** Events of one fact among them, the oldest. */
export const MAX_WHY_EVENTS = 20;
