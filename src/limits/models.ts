// Bounds of the calls of language models and of extraction; what a person may change stands in src/config/model-settings.ts.

const KIB = 1024;

/** Bytes of one answer of a model endpoint that are read: a thousand statements; what is longer is garbage, and is cut off. */
export const MODEL_ANSWER_BYTES = 128 * KIB;
/** Bytes of an answer around its text. */
export const MODEL_ENVELOPE_BYTES = 64 * KIB;
/** Bytes of a text that comes piece by piece that are read: each token stands in some 300 bytes of its own. The text has the bound above. */
export const MODEL_STREAM_BYTES = 16 * 1024 * KIB;
/** The longest rest of a lane, milliseconds: a call each five minutes finds out that an endpoint is back. */
export const CALL_SITE_LONGEST_PAUSE_MS = 300_000;
/** Failures in a row from which on the endpoint is at fault and not what it was asked: where events are read, of whatever sort; where callers ask, of those that lie at the endpoint. */
export const CALL_SITE_FAILURES = 5;
/** Bytes of such a list that are read: some thousand models with their descriptions. */
export const MODEL_LIST_BYTES = 4096 * KIB;
/** Entities that one synthesis behind enrichment names; where more were named it is about all of the scope. */
export const MAX_ENRICHED_TOPICS = 1000;

/** Characters of a text that an endpoint makes a vector of; what is beyond is left out. Of most languages it fits 8,191 tokens; where an endpoint takes less, half of it is asked for, and so on. */
export const EMBEDDING_TEXT_CHARACTERS = 8000;
/** Bytes of envelopes that are read for them; one passage is read however large it is. */
export const EMBEDDING_BATCH_BYTES = 8 * 1024 * KIB;
/** Events whose vectors are dropped together when another model is pinned. */
export const EMBEDDING_MARK_EVENTS = 1000;
/** Bytes of such an answer beside its numbers that are read: what is longer is garbage, and is cut off. */
export const EMBEDDING_ANSWER_BYTES = 64 * KIB;
