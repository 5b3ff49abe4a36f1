// Every bound of the service, with its unit and its reason. What a person may change stands in src/config/settings.ts;
// what belongs to the shape of a request (lengths of fields) stands beside its schema in schemas/.

const KIB = 1024;
const MIB = 1024 * KIB;

/** Body cap of single-event routes, bytes: a text of 1 MiB escaped as \uXXXX still fits. */
export const MAX_BODY_BYTES = 4 * MIB;
/** Body cap of bulk routes, bytes: one thousand events of ordinary size, one transaction of bearable memory. */
export const MAX_BULK_BODY_BYTES = 64 * MIB;
/** Nesting of JSON bodies, levels: deeper input only serves to exhaust a stack. */
export const MAX_JSON_DEPTH = 64;
/** Items of one bulk request: it is written in one transaction. */
export const MAX_BULK_ITEMS = 1000;

/** Time between the comments that keep a quiet stream open, milliseconds: below the idle time-outs of common proxies. */
export const STREAM_HEARTBEAT_MS = 15_000;
/** Time after which a client of a broken stream is asked to come back, milliseconds. */
export const STREAM_RETRY_MS = 2000;
/** Sockets open in one process: each has buffers and timers; beyond it an upgrade is answered 503 `SERVER_BUSY`. */
export const MAX_SOCKETS = 2000;
/** Wait for the `connection_init` of a socket, milliseconds: what says nothing must not stay. Then 4408. */
export const SOCKET_INIT_MS = 10_000;
/** Bytes that a socket may send before it is recognised: a key and names; strangers must not fill memory. */
export const SOCKET_INIT_BYTES = 64 * KIB;
/** Bytes of one message of a socket: as the body of a single-event route. Then 1009. */
export const MAX_SOCKET_MESSAGE_BYTES = MAX_BODY_BYTES;
/**
 * Operations (queries, mutations, subscriptions) that one socket may have running, each with at most one unsent answer.
 * One more is refused; a client that goes on until twice as many wait is cut off (4400).
 */
export const MAX_SOCKET_OPERATIONS = 100;
/** Characters of the id of an operation: the answers repeat it; libraries send a UUID. Then 4400. */
export const MAX_SOCKET_ID_LENGTH = 128;
/** Bytes that wait to be taken by a client, above which nothing more is read from it: who does not listen may not ask. */
export const SOCKET_SEND_BUFFER_BYTES = 1 * MIB;
/** How often an idle socket is pinged, milliseconds: below the idle time-outs of common proxies, 60 s. */
export const SOCKET_PING_MS = 15_000;
/** A socket from which nothing came, and which took nothing, for so many pings is dead and cut: a minute. */
export const SOCKET_DEAD_PINGS = 4;
/** Time for a client to answer that its socket is being closed, milliseconds: a stop must not wait for the dead. */
export const SOCKET_CLOSE_MS = 1000;

/** Rows a sparse page may look at before it answers short with a cursor: bounds the time of a read. */
export const MAX_SCANNED_ROWS = 10_000;

/** Events joined into one capture transaction at most: keeps the lock on the offset counter short. */
export const MAX_COMMIT_EVENTS = 500;
/** Bytes of envelopes joined into one capture transaction at most: keeps transaction memory small. */
export const MAX_COMMIT_BYTES = 8 * MIB;
/** Tries of a capture transaction that fails for a passing reason. */
export const COMMIT_TRIES = 5;
/** First pause between those tries, milliseconds; it doubles each time. The driver's own starts at a second. */
export const COMMIT_FIRST_PAUSE_MS = 5;

/** Wait budget of a bulk capture beside the single one, milliseconds for each item: its indexing takes longer. */
export const BULK_WAIT_PER_ITEM_MS = 1000;
/** Wait budget of a bulk capture at most, milliseconds: below the idle time-outs of common proxies' upper settings. */
export const MAX_BULK_WAIT_MS = 600_000;

/** Connections to the database kept at most by one process. */
export const DATABASE_CONNECTIONS = 100;
/**
 * Connections of the committer and the stages, kept apart: readers who use up theirs must not make a capture wait. One for
 * the committer, one for each loop of the stages, and some to spare.
 */
export const DATABASE_WORK_CONNECTIONS = 12;
/** Wait for a free connection, milliseconds: a request must not hang when the pool is used up. */
export const DATABASE_ACQUISITION_MS = 10_000;
/** Wait for a new connection, milliseconds. */
export const DATABASE_CONNECT_MS = 5000;
/**
 * Wait for the answer to one statement, milliseconds: a database that takes a connection and then says nothing must not
 * hold a request. Large captures get more, by their bytes.
 */
export const DATABASE_STATEMENT_MS = 10_000;
/** No statement is tried again after so many milliseconds: whoever asked is better told to ask again. */
export const DATABASE_RETRY_MS = 2000;
/** Wait for the database to answer a health question, milliseconds: a probe must not hang. */
export const DATABASE_PING_MS = 2000;
/**
 * Least time between the starts of two batches of a stage, milliseconds: captures that trickle in are gathered, since a
 * transaction for each would take the lock on the frame counter, and the processor, from the captures.
 */
export const STAGE_GATHER_MS = 25;
/** Newest captures that a process keeps for its own stages, so that they need not be read back. */
export const RECENT_EVENTS = 20_000;
/** Bytes of envelopes among them at most. */
export const RECENT_EVENT_BYTES = 32 * MIB;
/** Tries for an event that a stage fails at by itself, before it is given up with its reason. */
export const STAGE_TRIES = 3;

/**
 * Times that a batch of a stage may fail as if the database were away while an empty transaction of the stage succeeds;
 * from then on the batch itself is at fault, and is halved until the event that causes it is given up.
 */
export const STAGE_AWAY_TRIES = 5;

/** Envelopes that `strata ingest` sends at once unless told otherwise: one transaction of the service. */
export const INGEST_BATCH_EVENTS = 500;
/** Bytes of envelopes that `strata ingest` sends at once, unless one line alone is longer: bounds its memory. */
export const INGEST_BATCH_BYTES = 16 * MIB;
/** Longest line that `strata ingest` sends, bytes: what a bulk body can carry beside its frame. */
export const INGEST_LINE_BYTES = MAX_BULK_BODY_BYTES - 64 * KIB;
/** Tries of the first request of an ingest: a service that is not there should be told of at once. */
export const INGEST_FIRST_TRIES = 3;
/** Tries of later requests: with doubling pauses about a minute and a half, enough for a restart of the database. */
export const INGEST_TRIES = 9;
/** First pause between tries, milliseconds; it doubles each time. */
export const INGEST_FIRST_PAUSE_MS = 500;
/** Longest pause between tries, milliseconds; a longer `Retry-After` is cut to it. */
export const INGEST_MAX_PAUSE_MS = 30_000;
/** Patience for one answer, milliseconds: the longest wait of a bulk and some more. */
export const INGEST_ANSWER_MS = MAX_BULK_WAIT_MS + 60_000;
/** Without a terminal `strata ingest` tells its progress this often, milliseconds. */
export const INGEST_TELL_EVERY_MS = 5000;
