// Bounds of what the search index holds of events; src/limits.ts says what a bound is.

/** Letters of the longest word that is stemmed: no English word is longer, and what is no word need not be looked through. */
export const MAX_STEMMED_LETTERS = 64;
/** Turns on each side that the narrow window of a turn holds beside its own: a question and its answer. */
export const NARROW_WINDOW_TURNS = 1;
/** The same of the wide window: what a turn refers to is seldom further away. */
export const WIDE_WINDOW_TURNS = 3;
/** Consecutive turns of a thread that a session passage holds: about a sitting; each new turn has it written again. */
export const SESSION_PASSAGE_TURNS = 32;
/** Characters of its words that a turn gives to the windows of others and to its session: a long document must not be stored seven times. */
export const MAX_EXCERPT_LENGTH = 2000;
/** Parts of one query to the index at most, words in each text, scopes and values of filters alike: its parser refuses more than 1,024. */
export const MAX_QUERY_CLAUSES = 1_000;
/** Scopes that one query to the index names at most; of more, as many queries are asked beside one another. */
export const MAX_QUERY_SCOPES = 256;
