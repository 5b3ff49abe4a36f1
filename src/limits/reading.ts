// Bounds of the readings of what is derived.

/** Ids of events that a fact shows as its supports at most: a value that is repeated for years is supported by each event. */
export const MAX_SHOWN_SUPPORTS = 1_000;
/** Facts looked at in one step for predicates that nothing knows: the next step begins behind the predicates that were found. */
export const ASSUMED_SCAN = 1_000;
/** Steps of such a search at most: a scope of many facts with many such predicates is counted in part. */
export const ASSUMED_STEPS = 20;
/** Predicates that nothing knows which are told by name at most. */
export const MAX_SHOWN_ASSUMED = 100;
/** Rows of a claim that a look-up at two instants looks at first; nearly always the first or second one is it. Of a claim that keeps several values, so many of them. */
export const CLAIM_WALK_ROWS = 500;
/** By how much that is widened where it decides nothing; of a claim that keeps several values, so many times as many facts are looked at. */
export const CLAIM_WALK_FACTOR = 10;
/** Scopes in which an entity is looked for at most when no scope is named; bounds the time and memory of one statement. */
export const MAX_ENTITY_PLACES = 1_000;
/** Names of an entity of one scope that are shown at most, the newest ones: more are found by, but nobody reads them. */
export const MAX_SHOWN_NAMES = 100;
/** Records that a graph shows at most: keeps an answer below a few hundred kilobytes. */
export const MAX_WHY_NODES = 500;
/** Records of one relation and direction of a record among them, such as the events of a fact: the oldest. */
export const MAX_WHY_LINKS = 50;
/** Records of all graphs of one answer together; of many graphs each gets less. */
export const MAX_WALKED_NODES = 10_000;
/** Records of each relation that a record of GraphQL links to at most. */
export const MAX_LINKED_RECORDS = 100;
