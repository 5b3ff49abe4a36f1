// Bounds of texts that models write from memory.

/** Sentences of a text whose citations are checked; what lies behind keeps the score of the match. */
export const VERIFIED_CLAIMS = 100;
/** Tokens of the pack that a document of standard depth rests on. */
export const COMPOSE_STANDARD_TOKENS = 8000;
/** The same of exhaustive depth. */
export const COMPOSE_EXHAUSTIVE_TOKENS = 32_000;
/** Records of each layer but events that an exhaustive document rests on at most. */
export const COMPOSE_EXHAUSTIVE_RECORDS = 200;
/** Events that it rests on at most. */
export const COMPOSE_EXHAUSTIVE_EVENTS = 1000;
/** Tokens of a brief document, about. */
export const COMPOSE_BRIEF_LENGTH = 600;
/** Tokens of a document of standard length, about. */
export const COMPOSE_STANDARD_LENGTH = 1500;
/** Tokens of a deep document, about. */
export const COMPOSE_DEEP_LENGTH = 4000;
