/** Turns on each side that the narrow window of a turn holds beside its own: a question and its answer. */
export const NARROW_WINDOW_TURNS = 1;
/** The same of the wide window: what a turn refers to is seldom further away. */
export const WIDE_WINDOW_TURNS = 3;
/** Parts of one query to the index at most, words in each text, scopes and values of filters alike: its parser refuses more than 1,024. */
export const MAX_QUERY_CLAUSES = 1_000;
