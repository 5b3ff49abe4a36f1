// Every bound of the service, with its unit and its reason. What a person may change stands in src/config/settings.ts;
// what belongs to the shape of a request (lengths of fields) stands beside its schema in schemas/. The table of fixed
// limits in docs/reference/limits.md is made of this file and those, and held equal by a test (`npm run tables` writes it).

const KIB = 1024;
const MIB = 1024 * KIB;

/** Body cap of single-event routes, bytes: a text of 1 MiB escaped as \uXXXX still fits. */
export const MAX_BODY_BYTES = 4 * MIB;
/** Body cap of bulk routes, bytes: one thousand events of ordinary size, one transaction of bearable memory. */
export const MAX_BULK_BODY_BYTES = 64 * MIB;
/** Body cap of the routes of tokens, bytes: names and capabilities; strangers may send to one of them. */
export const MAX_AUTH_BODY_BYTES = 64 * KIB;
/**
 * Body cap of GraphQL, bytes: a document and its variables. A body that holds the name of a field whose operation takes more
 * over REST may have as much as that.
 */
export const MAX_GRAPHQL_BODY_BYTES = 1 * MIB;
/** Nesting of JSON bodies, levels: deeper input only serves to exhaust a stack. */
export const MAX_JSON_DEPTH = 64;
/** Items of one bulk request: it is written in one transaction. */
export const MAX_BULK_ITEMS = 1000;

/** What one tenant may have of the places for streams, and strangers from one address of those for sockets: the rest is for others. */
export const TENANT_SHARE = 0.25;

/** Request line and headers together at most, bytes: a percent-encoded scope of 4,096 characters fits. */
export const HTTP_HEADER_BYTES = 32 * KIB;
/** Query parameters of a request: several times what any route takes. */
export const MAX_QUERY_PARAMETERS = 100;
/** Wait for connections that were cut at a stop to be gone, milliseconds. */
export const HTTP_CLOSE_MS = 5000;
/** How often connections are looked at for the time-outs of headers and requests, milliseconds. */
export const HTTP_CHECK_EVERY_MS = 5000;
/** How long a browser may remember what another origin is allowed, seconds. */
export const CORS_PREFLIGHT_S = 600;
/** Characters of the place that an error of a JSON body names; a longer one is cut. */
export const MAX_FIELD_PATH_LENGTH = 1000;

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
/** Time for a client to answer that its socket is being closed, milliseconds: neither a stop nor a place waits for the dead. */
export const SOCKET_CLOSE_MS = 1000;
/**
 * Nesting of GraphQL bodies, levels: variables stand two levels down, and each `@oneOf` of an input adds one. Values are
 * looked at again in the form that REST takes, where `MAX_JSON_DEPTH` holds.
 */
export const MAX_GRAPHQL_JSON_DEPTH = MAX_JSON_DEPTH + 4;
/** Text of a GraphQL document, bytes: what is large belongs into variables. */
export const MAX_GRAPHQL_DOCUMENT_BYTES = 128 * KIB;
/** Tokens of a GraphQL document: the rules of the language compare fields in pairs, 0.1 s at worst. */
export const MAX_GRAPHQL_TOKENS = 2000;
/** Errors told of one GraphQL document: the first is what has to be mended. */
export const MAX_GRAPHQL_ERRORS = 20;
/** Characters of the reason why a GraphQL variable is refused: the library quotes the value. */
export const MAX_REASON_LENGTH = 300;
/** Nesting of the fields of a GraphQL operation, levels: twice what the deepest useful query has. */
export const MAX_GRAPHQL_DEPTH = 16;
/** Aliases of a GraphQL operation: each can be a read of its own. */
export const MAX_GRAPHQL_ALIASES = 30;
/** Characters of an alias: every record of an answer repeats it. */
export const MAX_GRAPHQL_ALIAS_LENGTH = 64;
/** Directives of a GraphQL operation: each is evaluated at each place. */
export const MAX_GRAPHQL_DIRECTIVES = 50;
/**
 * Cost of a GraphQL operation: a field costs 1, one with fields of its own 2 and 1.2 times theirs, times the `first` of a
 * page: 1,000 where it is a variable, 50 where it is left out. A page of a thousand events with every field, as edges and as
 * nodes, costs 570,000.
 */
export const MAX_GRAPHQL_COST = 1_000_000;
/**
 * By how much each thing of the schema that an operation asks for counts towards that cost: it is answered at one stretch, while
 * nobody else has a turn. The whole schema, as tools ask for it, costs 270,000.
 */
export const GRAPHQL_INTROSPECTION_WEIGHT = 5;
/** Pages (connections) of one GraphQL operation: each may hold 16 MiB of envelopes. */
export const MAX_GRAPHQL_PAGES = 10;
/** Fields that write in one GraphQL operation: they run one after the other, each with a wait of its own. */
export const MAX_GRAPHQL_MUTATIONS = 10;
/** Bulks among them: one may write 64 MiB, and wait as long as a connection lives. */
export const MAX_GRAPHQL_BULKS = 1;
/** Answer of one GraphQL operation, bytes about; of a subscription, of each frame. Aliases print large values many times. */
export const MAX_GRAPHQL_ANSWER_BYTES = 64 * MIB;
/** Checked documents that are kept, so that a repeated query is not parsed and validated again. */
export const GRAPHQL_CACHED_DOCUMENTS = 500;
/** Text of the documents that are kept, bytes; their parsed form takes about twenty times as much. */
export const GRAPHQL_CACHED_BYTES = 2 * MIB;
/** Events read at once by their ids, bytes of envelopes: a page of a thousand large ones would be too much at once. */
export const MAX_EVENTS_BY_ID_BYTES = 64 * MIB;
/** Frames of the past that one reader reads at once: bounds what a reader that does not go on holds. */
export const STREAM_PAGE_FRAMES = 500;

/** Rows a sparse page may look at before it answers short with a cursor: bounds the time of a read. */
export const MAX_SCANNED_ROWS = 10_000;
/** Rows of the first walk of a listing: enough for most pages, quick when they are there. */
export const LISTING_FIRST_ROWS = 100;
/** Rows of one walk of a listing at most: bounds the time and memory of one statement. */
export const LISTING_MOST_ROWS = 1000;
/** Bytes of envelopes in one page, about: a page of large events ends early. */
export const LISTING_PAGE_BYTES = 16 * MIB;
/** Envelopes up to so many bytes come with the rows of a walk; a thousand larger ones would be too much at once. */
export const LISTING_INLINE_BYTES = 16 * KIB;
/** Items that a decimal cursor may skip: each is walked over. */
export const MAX_SKIPPED_ITEMS = 10_000;
/** Words that one search may hold; fewer where much else stands in the query to the index (`MAX_QUERY_CLAUSES`). */
export const MAX_SEARCH_WORDS = 256;
/** Events counted at most where a stage lags: a count must not walk a long backlog. */
export const MAX_COUNTED_LAG = 10_000;
/** Scopes looked at when a key is asked for without naming one. */
export const MAX_KEY_HOLDERS = 100;
/** Bytes of envelopes joined into one capture transaction at most: keeps transaction memory small. */
export const MAX_COMMIT_BYTES = 8 * MIB;
/** Wait budget of a bulk capture at most, milliseconds: below the idle time-outs of common proxies' upper settings. */
export const MAX_BULK_WAIT_MS = 600_000;
/**
 * A connection on which nothing moves for so long is cut, milliseconds: longer than the longest wait, so that only a client
 * that no longer reads its answer meets it.
 */
export const HTTP_STALL_MS = MAX_BULK_WAIT_MS + 120_000;
/** How often an event that was queued again is looked at while somebody waits, milliseconds. */
export const WAIT_RETRY_POLL_MS = 100;

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
/** Tries of a repeatable statement that fails for a passing reason. */
export const DATABASE_TRIES = 6;
/** Rows that the driver asks the server for at once. */
export const DATABASE_FETCH_ROWS = 2000;
/** No statement is tried again after so many milliseconds: whoever asked is better told to ask again. */
export const DATABASE_RETRY_MS = 2000;
/** Bytes of envelopes among them at most. */
export const RECENT_EVENT_BYTES = 32 * MIB;
/** Tries for an event that a stage fails at by itself, before it is given up with its reason. */
export const STAGE_TRIES = 3;

/**
 * Times that a batch of a stage may fail as if the database were away while an empty transaction of the stage succeeds;
 * from then on the batch itself is at fault, and is halved until the event that causes it is given up.
 */
export const STAGE_AWAY_TRIES = 5;
/** First pause of a stage whose work fails, and between the tries for an event that fails by itself, milliseconds; they double. */
export const STAGE_FIRST_PAUSE_MS = 50;
/** Time without a related event after which an episode is over, milliseconds: a week, the default of the contract. */
export const EPISODE_IDLE_MS = 7 * 24 * 3600 * 1000;
/** Events behind it that are looked at for what depends on it, and behind each doubling of their number for the next one of the episode; where more lie between, the scope is replayed. */
export const EPISODE_REMOVAL_EVENTS = 256;
/** Rows of an episode that are corrected for it; of one with more the scope is replayed. */
export const EPISODE_REMOVAL_ROWS = 64;
/** Records that a rebuild drops, and events that it derives again, in one transaction at most. */
export const REBUILD_BATCH = 200;
/** Bytes of envelopes that `strata ingest` sends at once, unless one line alone is longer: bounds its memory. */
export const INGEST_BATCH_BYTES = 16 * MIB;
/** Longest line that `strata ingest` sends, bytes: what a bulk body can carry beside its frame. */
export const INGEST_LINE_BYTES = MAX_BULK_BODY_BYTES - 64 * KIB;
/** Patience for one answer, milliseconds: the longest wait of a bulk and some more. */
export const INGEST_ANSWER_MS = MAX_BULK_WAIT_MS + 60_000;
/** Without a terminal `strata ingest` tells its progress this often, milliseconds. */
export const INGEST_TELL_EVERY_MS = 5000;
/** Pause between two looks at something awaited of a managed database, milliseconds. */
export const NEO4J_POLL_MS = 100;
/** Wait for a managed database to end after TERM before it is killed, milliseconds: closing is safe to cut short. */
export const NEO4J_STOP_MS = 30_000;
/** The same for one that nobody owns any more, seconds (it is a shell that counts them). */
export const NEO4J_ORPHAN_STOP_S = 10;
/** Wait for a probing command (`java -version`, `docker info`), milliseconds. */
export const PROBE_MS = 15_000;
/** Lines of a failed program's output that are repeated in the error. */
export const FAILED_PROGRAM_LINES = 15;

/** How often a process looks for changes of rosters, policies and tokens by others, milliseconds. */
export const ACCESS_POLL_MS = 250;

/** Bytes of one blob: it is held in memory while it is uploaded. */
export const MAX_BLOB_BYTES = 32 * MIB;
/** Characters of the key of an upload, each one byte of visible ASCII: it goes into a header. */
export const MAX_BLOB_KEY_LENGTH = 64;
/** Characters of the media type of a blob, parameters included: it goes into a header. */
export const MAX_MEDIA_TYPE_LENGTH = 512;
/** Bytes of a blob that are written or read at once: larger pieces would hold up everything else of the process. */
export const BLOB_CHUNK_BYTES = 256 * KIB;
/** Steps in which an upload takes of that as its bytes come: the smallest one has buffers and a connection too. */
export const BLOB_UPLOAD_STEP_BYTES = 64 * KIB;
/** Scopes of live events through which one blob is looked for; one that is used in more can be read through some of them only. */
export const MAX_BLOB_SCOPES = 1000;

/** Characters of the operator key at least: one that can be tried out in a lifetime is none. */
export const MIN_OPERATOR_KEY_LENGTH = 24;
/** Longest token that is looked at, characters: it has to fit into the headers of a request beside others. */
export const MAX_TOKEN_LENGTH = 16 * KIB;
/** Longest authorization that is looked at, characters: the longest token, its scheme and some blanks. */
export const MAX_AUTHORIZATION_LENGTH = MAX_TOKEN_LENGTH + 64;
/** Tokens that one may have been minted from, each from the one before: enough for agents of agents, and short to look through. */
export const MAX_TOKEN_LINEAGE = 8;
/** How far the clocks of issuers and of processes may differ, seconds: tokens are taken so much before and after. */
export const TOKEN_SKEW_S = 30;
/** Longest life of a token of a trusted issuer, seconds: so long its revocation has to be remembered. */
export const MAX_FOREIGN_TOKEN_S = 31_622_400;
/** Characters of tokens whose signature is remembered to be good; checking one takes 0.15 ms. */
export const TOKENS_REMEMBERED_CHARS = 16 * MIB;
/** Signing keys that the data directory keeps; a rotation beyond drops the oldest. */
export const MAX_TOKEN_KEYS = 16;
/** Scopes looked at by one statement of a list of scopes, or of a clearing away of empty ones: bounds its time. */
export const SCOPE_WALK_ROWS = 1_000;
/** Bytes of their envelopes, one event at least: the server grants a transaction only so much memory. */
export const DELETION_BATCH_BYTES = MAX_COMMIT_BYTES;
/** Statements of a claim with conclusions, which is always told so; the event of one more is parked, and a link that would bring more together is refused. */
export const MAX_CONCLUDED_STATEMENTS = 2_000;

/** Entities of a scope that are looked at for a name, and listed where it may stand for several, at most: those that had it first. */
export const MAX_AMBIGUOUS_IDS = 16;

/** Steps from a statement to what was concluded from it, from that to what was concluded from it, and so on, in one consolidation. */
export const MAX_CASCADE_ROUNDS = 256;
/** Records of a conflict that are looked at to settle it; what is beyond is left out of the decision. */
export const MAX_RESOLVED_RECORDS = 10_000;
/** Claims that are looked at, from a claim to what was concluded from it and on, to find out whether a conclusion rests on itself. */
export const MAX_PREMISE_WALK = 10_000;
/** Deletions that were cut short and are taken up at once; the others follow. */
export const MAX_UNFINISHED_DELETIONS = 100;
/** Batches of the audit log that one statement looks at. */
export const AUDIT_SCAN_BATCHES = 1_000;
/** Rows that one statement reads, or that are sealed in one transaction, unless a single batch has more. */
export const AUDIT_READ_ROWS = 2_000;
/** Episodes that are read by id for one answer, bytes together: as the events of one answer. */
export const MAX_EPISODES_BY_ID_BYTES = 16 * MIB;
/** Events that an episode of GraphQL links to at most; the ids of more stand beside them. */
export const MAX_EPISODE_LINKS = 100;
/** Time after which events of a scope that is consolidated periodically are, milliseconds: five minutes, where nothing else is set. */
export const CONSOLIDATION_INTERVAL_MS = 300_000;

/** Events that wait to be derived with which stages do not rest beside captures that are no bulk: the more there are, the shorter are the rests. */
export const STAGE_BACKLOG_EVENTS = 1_000;
