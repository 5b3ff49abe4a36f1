// Bounds of recall.

/** Turns that one formulation of a query brings from the index: those behind rank 200 come into the first fifty hardly ever. */
export const RECALL_TURNS = 200;
/** Turns that are asked for beyond these where some may be left out: a search that finds too few is made again, wider. */
export const RECALL_SPARE_TURNS = 100;
/** The most where some are looked at again and left out; the search is widened up to it. */
export const RECALL_MOST_TURNS = 5_000;
/** By how much it is widened at a time. */
export const RECALL_WIDEN = 4;
/** Dates of a query without other words of which everything is brought that was observed then; of more what names them. */
export const RECALL_DATES = 4;
/** Turns of which the vectors are compared one by one where a search is narrowed: some 50 ms; of more the index is asked. */
export const RECALL_EXACT_VECTORS = 2_000;
/** Turns that each vector of a query brings from the index. */
export const RECALL_NEAREST = 200;
/** Time for finding by vectors, that of the query and the search, milliseconds: beyond it events are found by their words alone, which take a tenth of it. */
export const RECALL_VECTORS_MS = 2_000;
/** Sessions that one formulation of a query brings: more count for the turns of nobody. */
export const RECALL_SESSIONS = 100;
/** Events that a recall brings where no number is asked for. */
export const RECALL_EVENTS = 200;
/** Tokens of the budget for each of the events that are read at first: of a short utterance, the head of whose line takes some 25. */
export const RECALL_EVENT_TOKENS = 40;
/** Records of each other layer that a recall brings where no number is asked for. */
export const RECALL_RECORDS = 30;
/** The best events of which it is looked up what was derived from them; each costs a few reads. */
export const RECALL_SOURCES = 60;
/** Events that an episode of a recall names: it is brought for what it says, and by its id all of them can be read. */
export const SHORT_EPISODE_EVENTS = 50;
/** Ids of one derived layer that are read for one recall. */
export const RECALL_CANDIDATES = 300;
/** Entities that a query names, of which what is stated of them is read. */
export const RECALL_ENTITIES = 4;
/** Scopes in which something is looked for under one name: those that are read for themselves go before those below them. */
export const RECALL_ENTITY_PLACES = 64;
/** Entities of one name in the tenant that are looked at to find those below a scope: beyond them it is everybody's word. */
export const RECALL_NAME_ROWS = 2_000;
/** Facts that are looked at for them, shared by the places of all: those that do not hold any more are passed over. */
export const RECALL_STATED_ROWS = 4_000;
/** Facts about each of them. */
export const RECALL_ENTITY_FACTS = 50;
/** Beliefs about all of them. */
export const RECALL_ENTITY_BELIEFS = 100;
/** Events that are looked at to know whether a filter wants what is stated of named entities: five for each of 200 facts. */
export const RECALL_SUPPORTS = 1_000;
/** Newest events of a selection, of those that the index may not know yet, that a search by words looks through: behind a backlog no more. */
export const UNINDEXED_ROWS = 500;
/** Bytes of an envelope that is read with its row; larger ones are read by themselves. */
export const UNINDEXED_INLINE_BYTES = 4 * 1024;
/** Bytes of the envelopes of such events that one search takes apart, the newest first and one at least. */
export const UNINDEXED_BYTES = 2 * 1024 * 1024;
/** Bytes that are taken apart before others have their turn: some milliseconds. */
export const UNINDEXED_TURN_BYTES = 64 * 1024;
/** How long what was indexed may stay away from searches, milliseconds, twenty times what it takes: what is older is left to the index, which ranks it better. */
export const UNINDEXED_REFRESHED_MS = 10_000;
/** Pages of the newest events that a recall without words looks through before it asks the index: as many events as are wanted at most. */
export const RECALL_NEWEST_PAGES = 10;
/** Hits that are read to find those that are asked for, where the index cannot tell (times that content speaks of): a second's work at most. */
export const POST_FILTER_EVENTS = 2_000;
/** Such hits that are read at once. */
export const POST_FILTER_EVENTS_AT_ONCE = 200;
/** Events of such a page. */
export const RECALL_NEWEST_PAGE = 100;
/** Candidates that full diagnostics tell of. */
export const RECALL_DIAGNOSED = 500;
/** Scopes that diagnostics name. */
export const RECALL_NAMED_SCOPES = 100;
/** How long a pack is kept, milliseconds: the contract's. */
export const PACK_TTL_MS = 60_000;
/** Bytes of the events of one recall: what lies behind is left out. */
export const RECALL_EVENT_BYTES = 16 * 1024 * 1024;
/** Code units of texts that are cut and counted for a pack before others have their turn: some tens of milliseconds at worst. */
export const PACK_TURN_UNITS = 16 * 1024;
/** Packs removed in one transaction at most: some megabytes, and short beside the captures. */
export const PACK_SWEEP_BATCH = 100;
/** Bytes of packs that wait to be written. Beyond it they are answered, and not kept: a slow database must not fill memory. */
export const MAX_WAITING_PACK_BYTES = 64 * 1024 * 1024;
/** Bytes of the JSON of packs that are written in one transaction, one of them at least: a small part of what a server grants one. */
export const PACK_BATCH_BYTES = 4 * 1024 * 1024;
/** Bytes of the JSON of a pack that is kept: a larger one is answered, and not kept. */
export const MAX_PACK_BYTES = 8 * 1024 * 1024;
