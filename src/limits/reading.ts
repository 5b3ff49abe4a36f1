// Bounds of the readings of what is derived.

/** Ids of events that a fact shows as its supports at most: a value that is repeated for years is supported by each event. */
export const MAX_SHOWN_SUPPORTS = 1_000;
/** Scopes in which an entity is looked for at most when no scope is named; bounds the time and memory of one statement. */
export const MAX_ENTITY_PLACES = 1_000;
/** Records of each relation that a record of GraphQL links to at most. */
export const MAX_LINKED_RECORDS = 100;
/** Graphs that a process exports at once: each holds a connection to the database, and some megabytes. */
export const MAX_GRAPH_EXPORTS = 8;
/** Of these those of one tenant: the rest is for others. */
export const MAX_GRAPH_EXPORTS_OF_TENANT = 6;
