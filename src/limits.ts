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
/** Operations that requests are measured by, at most; further names count as `several`, so that series stay few. */
export const MAX_MEASURED_OPERATIONS = 200;

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
 * nobody else has a turn. The whole schema, as tools ask for it, costs 290,000.
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

/** Live frames that wait for one reader at most; beyond it they are dropped and read from the database later. */
export const STREAM_LIVE_FRAMES = 1000;
/** Least time between two readings of new frames, milliseconds: a trickle of commits is gathered, a lone one is not kept waiting. */
export const STREAM_GATHER_MS = 10;
/** Frames that the tailer reads at once for all readers. */
export const STREAM_TAIL_FRAMES = 1000;
/** Frames of the past that one reader reads at once: bounds what a reader that does not go on holds. */
export const STREAM_PAGE_FRAMES = 500;
/** Pages of the past read at once by all readers together: a thousand readers that return must not take every connection. */
export const STREAM_PAGES_AT_ONCE = 8;
/** Time between looks for frames that are kept long enough, milliseconds. */
export const FRAME_SWEEP_EVERY_MS = 3_600_000;
/** Frames removed in one transaction at most: keeps it short beside the captures. */
export const FRAME_SWEEP_BATCH = 500;
/** Rest between two such transactions, milliseconds: captures come between, and a sweep still removes thousands a second. */
export const FRAME_SWEEP_REST_MS = 25;
/** Longest pause between tries to read frames while the database is away, milliseconds. */
export const STREAM_MAX_PAUSE_MS = 2000;

/** Rows a sparse page may look at before it answers short with a cursor: bounds the time of a read. */
export const MAX_SCANNED_ROWS = 10_000;
/** Rows of the first walk of a listing: enough for most pages, quick when they are there. */
export const LISTING_FIRST_ROWS = 100;
/** Rows of one walk of a listing at most: bounds the time and memory of one statement. */
export const LISTING_MOST_ROWS = 1000;
/** Places of the log that one statement looks at to find how far it reached at an instant: of a million events four statements do. */
export const LOG_PLACE_PROBES = 32;
/** Such places that a process remembers, about: 32 bytes each. */
export const LOG_PLACE_POINTS = 4096;
/** An instant so many milliseconds ago is one of the past, for which it is worth asking how far the log reached then. */
export const LOG_PLACE_RECENT_MS = 1000;
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

/** Events joined into one capture transaction at most: keeps the lock on the offset counter short. */
export const MAX_COMMIT_EVENTS = 500;
/** Bytes of envelopes joined into one capture transaction at most: keeps transaction memory small. */
export const MAX_COMMIT_BYTES = 8 * MIB;
/** Tries of a capture transaction that fails for a passing reason. */
export const COMMIT_TRIES = 8;
/** First pause between those tries, milliseconds; it doubles each time. The driver's own starts at a second. */
export const COMMIT_FIRST_PAUSE_MS = 5;
/** Beyond the usual deadline for each statement of a batch that repeats its keys, milliseconds. */
export const COMMIT_SEGMENT_EXTRA_MS = 20;
/** Captures that became known within so many milliseconds count as one when the age of a backlog is told. */
export const LOG_AGE_GRAIN_MS = 250;
/** Such marks kept at most, about a quarter of an hour of steady writing; beyond it every other one is dropped. */
export const LOG_AGE_MARKS = 4096;

/** Wait budget of a bulk capture beside the single one, milliseconds for each item: its indexing takes longer. */
export const BULK_WAIT_PER_ITEM_MS = 1000;
/** Wait budget of a bulk capture at most, milliseconds: below the idle time-outs of common proxies' upper settings. */
export const MAX_BULK_WAIT_MS = 600_000;
/**
 * A connection on which nothing moves for so long is cut, milliseconds: longer than the longest wait, so that only a client
 * that no longer reads its answer meets it.
 */
export const HTTP_STALL_MS = MAX_BULK_WAIT_MS + 120_000;
/** How often the watermarks of other processes are looked at while somebody waits, milliseconds. */
export const WAIT_POLL_MS = 50;
/** How often an event that was queued again is looked at while somebody waits, milliseconds. */
export const WAIT_RETRY_POLL_MS = 100;
/** A cancel waits so long for what was derived from its event to be taken out, milliseconds; it is cancelled in any case. */
export const WAIT_TAKEN_OUT_MS = 5_000;

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
/** How much longer than it is waited for the server lets a transaction run, milliseconds: then its locks are free, whatever became of who sent it. */
export const DATABASE_GRACE_MS = 1000;
/** Bytes of a capture for which its statement gets one millisecond more: one second for each megabyte. */
export const DATABASE_EXTRA_MS_BYTES = 1000;
/** Tries of a repeatable statement that fails for a passing reason. */
export const DATABASE_TRIES = 6;
/** First pause between those tries, milliseconds; it doubles each time. */
export const DATABASE_FIRST_PAUSE_MS = 10;
/** Rows that the driver asks the server for at once. */
export const DATABASE_FETCH_ROWS = 2000;
/** Writes in a row that have to fail before the database counts as taking none: one may have been too large. */
export const DATABASE_FAILED_WRITES = 2;
/** No statement is tried again after so many milliseconds: whoever asked is better told to ask again. */
export const DATABASE_RETRY_MS = 2000;
/** Wait for the connections to the database to close, milliseconds: a network that swallows everything never says so. */
export const DATABASE_CLOSE_MS = 5000;
/** Wait for the database to answer a health question, milliseconds: a probe must not hang. */
export const DATABASE_PING_MS = 2000;
/** Transactions in which a batch is consolidated beside one another, each with shards of its own: one waits for the database while the other thinks. */
export const STAGE_PARTITIONS = 2;
/**
 * Least time between the starts of two batches of a stage, milliseconds: captures that trickle in are gathered, since a
 * transaction for each would take the lock on the frame counter, and the processor, from the captures.
 */
export const STAGE_GATHER_MS = 100;
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
/**
 * Wait for the committer, and then for the stages, to finish what they are doing at a stop, milliseconds: what they wait for
 * in turn is bounded by the deadlines of statements; nothing acknowledged is lost when it is cut short.
 */
export const STOP_WORK_MS = 60_000;
/** Work of a stage whose failures are remembered, at most; it is forgotten when it succeeds. */
export const MAX_STAGE_SUSPECTS = 1000;
/** First pause of a stage whose work fails, and between the tries for an event that fails by itself, milliseconds; they double. */
export const STAGE_FIRST_PAUSE_MS = 50;
/** Longest pause of a stage whose work fails, milliseconds. */
export const STAGE_LONGEST_PAUSE_MS = 2000;
/** Every so many polls all held shards are looked at, whether or not the head of the log moved. */
export const STAGE_POLLS_PER_FULL_LOOK = 30;
/** Time without a related event after which an episode is over, milliseconds: a week, the default of the contract. */
export const EPISODE_IDLE_MS = 7 * 24 * 3600 * 1000;
/** How often a process looks for episodes that have been idle for so long, milliseconds. */
export const EPISODE_SWEEP_MS = 60_000;
/** Events that are taken out of episodes one by one in a batch; of more, their scopes are replayed. */
export const EPISODE_REMOVALS = 16;
/** Events of its episode that are looked at around one that is taken out, on each side. */
export const EPISODE_NEIGHBOURS = 32;
/** Events behind it that are looked at for what depends on it, and behind each doubling of their number for the next one of the episode; where more lie between, the scope is replayed. */
export const EPISODE_REMOVAL_EVENTS = 256;
/** Rows of an episode that are corrected for it; of one with more the scope is replayed. */
export const EPISODE_REMOVAL_ROWS = 64;
/** Idle episodes that one transaction seals, about as many: it holds captures off. */
export const EPISODE_SEAL_BATCH = 500;
/** Records that a rebuild drops, and events that it derives again, in one transaction at most. */
export const REBUILD_BATCH = 200;
/** Rest of a job that cannot go on, because the database is away or another job is at its scope, milliseconds. */
export const JOB_REST_MS = 1000;
/** Time for which a job can be looked at after its end, milliseconds. */
export const JOB_KEPT_MS = 7 * 24 * 3600 * 1000;
/** Ended jobs that are removed at once, with the end of another. */
export const JOBS_SWEPT = 100;

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

/** Wait for the first answer of a managed database, milliseconds: a loaded machine has needed 70 seconds. */
export const NEO4J_START_MS = 120_000;
/** Pause between two looks at something awaited of a managed database, milliseconds. */
export const NEO4J_POLL_MS = 100;
/** Wait for a connection with which a fresh managed database is asked first, milliseconds: its first query is slow. */
export const NEO4J_LOGIN_MS = 30_000;
/** Refusals of both passwords in a row that count as an answer; one may be of a server that is still opening. */
export const NEO4J_LOGIN_REFUSALS = 2;
/** Wait for a managed database to end after TERM before it is killed, milliseconds: closing is safe to cut short. */
export const NEO4J_STOP_MS = 30_000;
/** The same for one that nobody owns any more, seconds (it is a shell that counts them). */
export const NEO4J_ORPHAN_STOP_S = 10;
/** First pause before a managed database that died is started again, milliseconds; it doubles each time. */
export const NEO4J_RESTART_FIRST_MS = 500;
/** Longest such pause, milliseconds. */
export const NEO4J_RESTART_LONGEST_MS = 30_000;
/** A managed database that lived so many milliseconds counts as sound: the pauses begin again at the first. */
export const NEO4J_RESTART_FORGIVEN_MS = 60_000;
/** Tries of a free port: another program may take it between our look and the server's bind. */
export const NEO4J_PORT_TRIES = 3;
/** Without a terminal the progress of a start is told this often, milliseconds, and at each change of phase. */
export const NEO4J_TELL_EVERY_MS = 5000;
/** Silence of a program that fetches (Maven, npm) that counts as hanging, milliseconds. */
export const PROGRAM_SILENCE_MS = 300_000;
/** How often a process looks whether another one has filled a cache, milliseconds. */
export const CACHE_POLL_MS = 100;
/** Wait for a probing command (`java -version`, `docker info`), milliseconds. */
export const PROBE_MS = 15_000;
/** Lines of a failed program's output that are repeated in the error. */
export const FAILED_PROGRAM_LINES = 15;

/** How often a process looks for changes of rosters, policies and tokens by others, milliseconds. */
export const ACCESS_POLL_MS = 250;
/** A decision rests on nothing older, milliseconds: when the looks are late, the next request looks itself. */
export const ACCESS_STALE_MS = 1_000;
/** Members of rosters and scopes without one that a process remembers at most, in entries. */
export const ACCESS_REMEMBERED = 200_000;
/** Scopes below another that a reading decides about one by one beforehand; beyond, every row is looked at. */
export const MAX_SUBTREE_SCOPES = 2_000;
/** Readable scopes that are walked side by side, however many are withheld; each costs a walk of a page. */
export const MAX_MERGED_SCOPES = 64;

/** Bytes of one blob: it is held in memory while it is uploaded. */
export const MAX_BLOB_BYTES = 32 * MIB;
/** Characters of the media type of a blob, parameters included: it goes into a header. */
export const MAX_MEDIA_TYPE_LENGTH = 512;
/** Bytes of a blob that are written or read at once: larger pieces would hold up everything else of the process. */
export const BLOB_CHUNK_BYTES = 256 * KIB;
/** Steps in which an upload takes of that as its bytes come: the smallest one has buffers and a connection too. */
export const BLOB_UPLOAD_STEP_BYTES = 64 * KIB;
/** Bytes of an upload that did not come to an end are removed after so long, milliseconds; the longest takes minutes. */
export const BLOB_ABANDONED_MS = 3_600_000;
/** Time between looks for bytes that no blob owns, milliseconds; a deletion starts one at once. */
export const BLOB_REMOVAL_EVERY_MS = 60_000;
/** Chunks removed in one transaction: keeps its memory small. */
export const BLOB_REMOVAL_CHUNKS = 8;
/** Scopes of live events through which one blob is looked for; one that is used in more can be read through some of them only. */
export const MAX_BLOB_SCOPES = 1000;

/** Characters of the operator key at least: one that can be tried out in a lifetime is none. */
export const MIN_OPERATOR_KEY_LENGTH = 24;
/** Addresses whose wrong keys are counted at once: as many as a flood from a network has in a minute, some ten megabytes. */
export const WRONG_KEY_ADDRESSES = 50_000;
/** Rows of the audit log about wrong keys that a process writes in a minute: a flood from many addresses is told by the metric. */
export const WRONG_KEY_ROWS = 100;
/** Keys with the addresses that they were good from, remembered as hashes so that wrong ones from there do not shut them out. */
export const GOOD_KEYS_REMEMBERED = 10_000;
/** Longest token that is looked at, characters: it has to fit into the headers of a request beside others. */
export const MAX_TOKEN_LENGTH = 16 * KIB;
/** Longest authorization that is looked at, characters: the longest token, its scheme and some blanks. */
export const MAX_AUTHORIZATION_LENGTH = MAX_TOKEN_LENGTH + 64;
/** Tokens that one may have been minted from, each from the one before: enough for agents of agents, and short to look through. */
export const MAX_TOKEN_LINEAGE = 8;
/** How far the clocks of issuers and of processes may differ, seconds: tokens are taken so much before and after. */
export const TOKEN_SKEW_S = 30;
/** Life of the token that a sign-up answers, seconds: a week, the longest that is signed here. */
export const SIGNUP_TOKEN_S = 604_800;
/** Longest life of a token of a trusted issuer, seconds: so long its revocation has to be remembered. */
export const MAX_FOREIGN_TOKEN_S = 31_622_400;
/** Characters of tokens whose signature is remembered to be good; checking one takes 0.15 ms. */
export const TOKENS_REMEMBERED_CHARS = 16 * MIB;
/** Signing keys that the data directory keeps; a rotation beyond drops the oldest. */
export const MAX_TOKEN_KEYS = 16;
/** How often open streams and sockets are looked at for tokens that have expired, milliseconds: they end within five seconds. */
export const TOKEN_WATCH_MS = 1000;
/** Time between looks for revocations of tokens that could not be good any more, milliseconds. */
export const REVOCATION_SWEEP_EVERY_MS = 3_600_000;
/** Revocations removed in one transaction at most: keeps it short beside the captures. */
export const REVOCATION_SWEEP_BATCH = 500;
/** Tenants that a process remembers to be there; others are asked for. */
export const TENANTS_REMEMBERED = 10_000;
/** Wait for the answer of the service to a command of the command line, milliseconds. */
export const CLI_ANSWER_MS = 30_000;
/** Time between looks of the command line at a job, milliseconds. */
export const CLI_JOB_POLL_MS = 500;
/** Time for a reader to take the end of its stream after its token has ended, milliseconds; then its connection is cut. */
export const TOKEN_END_GRACE_MS = 2_000;
/** Scopes looked at by one statement of a list of scopes, or of a clearing away of empty ones: bounds its time. */
export const SCOPE_WALK_ROWS = 1_000;
/** Events redacted in one transaction when a scope is deleted: keeps it short beside the captures. */
export const DELETION_BATCH_EVENTS = 250;
/** Bytes of their envelopes, one event at least: the server grants a transaction only so much memory. */
export const DELETION_BATCH_BYTES = MAX_COMMIT_BYTES;
/** Tries for an event that the database refuses to redact, before a deletion passes over it. */
export const DELETION_TRIES = 3;
/** Events that one run of a deletion passes over at most, and names; then it ends, to be asked for again. */
export const DELETION_LEFT_EVENTS = 100;
/** Rest between two such transactions, milliseconds: captures come between. */
export const DELETION_REST_MS = 10;
/** How often a process looks for deletions that were cut short, milliseconds. */
export const DELETION_SWEEP_EVERY_MS = 60_000;
/** Cursors of a list of scopes hold a multiple of so many characters, so that their length tells little of the path in them. */
export const SCOPE_CURSOR_STEP = 512;
/** Statements of the end of a claim that are read to go on with it; a longer history is not. Most claims have fewer and are read whole. */
export const CLAIM_END = 40;

/**
 * Statements of a claim that is told from its first one on in one transaction: 1,000 take 3 s and 340 MB, 4,000 more than a process has.
 * The scope of a longer one is rebuilt when something is taken out of it or comes in front of what is known.
 */
export const MAX_REPLAYED_STATEMENTS = 1_000;
/** Statements of a claim with conclusions, which is always told so; the event of one more is parked, and a link that would bring more together is refused. */
export const MAX_CONCLUDED_STATEMENTS = 2_000;
/** New statements of a claim times all of it, where it has to be read as a whole: a batch with more is halved. */
export const MAX_REPLAYED_AT_ONCE = 1_000_000;

/** Entities of a scope that are looked at for a name, and listed where it may stand for several, at most: those that had it first. */
export const MAX_AMBIGUOUS_IDS = 16;
/** Names of an event that are reported as ambiguous at most: what a model finds in a text may name a thousand. */
export const MAX_AMBIGUOUS_NAMES = 32;

/** Steps from a statement to what was concluded from it, from that to what was concluded from it, and so on, in one consolidation. */
export const MAX_CASCADE_ROUNDS = 256;
/** Records of a conflict that are looked at to settle it; what is beyond is left out of the decision. */
export const MAX_RESOLVED_RECORDS = 10_000;
/** Claims that are looked at, from a claim to what was concluded from it and on, to find out whether a conclusion rests on itself. */
export const MAX_PREMISE_WALK = 10_000;
/** A deletion waits so long for what was derived from its events to be taken out, milliseconds; it is taken out in any case. */
export const DELETION_TAKE_OUT_MS = 60_000;
/** Deletions that were cut short and are taken up at once; the others follow. */
export const MAX_UNFINISHED_DELETIONS = 100;
/** Rows of the audit log that wait to be written beside captures, at most: a flood of refusals must not fill memory. */
export const AUDIT_QUEUE_ROWS = 10_000;
/** Those of one tenant among them, at most: it must not take the room of the others. */
export const AUDIT_QUEUE_ROWS_OF_TENANT = 2_500;
/** Such rows that are written at once. */
export const AUDIT_APPEND_ROWS = 500;
/** A refusal waits so long for its row, milliseconds, and leaves without it then: the caller may not write in any case. */
export const AUDIT_DENIAL_WAIT_MS = 3_000;
/** Rows are sealed so long after a commit, milliseconds: those of a burst together, and soon. */
export const AUDIT_SEAL_DELAY_MS = 200;
/**
 * Length of the rest after a round of sealing, in lengths of the round: while captures come it takes at most a tenth of the time
 * from them.
 */
export const AUDIT_SEAL_RESTS = 10;
/** Longest such rest, milliseconds: the chain is never further behind than this and a round. */
export const AUDIT_SEAL_LONGEST_REST_MS = 3_000;
/** How often rows are looked for that a process has left unsealed, milliseconds. */
export const AUDIT_SEAL_POLL_MS = 10_000;
/** Batches of the audit log that one statement looks at. */
export const AUDIT_SCAN_BATCHES = 1_000;
/** Rows that one statement reads, or that are sealed in one transaction, unless a single batch has more. */
export const AUDIT_READ_ROWS = 2_000;
/** Tenants whose rows are sealed before others are looked for. */
export const AUDIT_SEAL_TENANTS = 100;
/** Verifications of whole chains at once in one process, of one tenant one: each reads every row of a tenant. */
export const AUDIT_VERIFICATIONS = 2;

/** Bytes that an event of an episode takes in an answer, about: its id. */
export const EPISODE_EVENT_BYTES = 64;
/** The same with what the event is in the causal chain and what it says, bytes. */
export const EPISODE_LINK_BYTES = 512;
/** Episodes that are read by id for one answer, bytes together: as the events of one answer. */
export const MAX_EPISODES_BY_ID_BYTES = 16 * MIB;
/** Events that an episode of GraphQL links to at most; the ids of more stand beside them. */
export const MAX_EPISODE_LINKS = 100;

/** Facts that a version of a concept cites at most, the newest; its coverage tells how many there are. */
export const MAX_CITED_FACTS = 50;
/** Time after which events of a scope that is consolidated periodically are, milliseconds: five minutes, where nothing else is set. */
export const CONSOLIDATION_INTERVAL_MS = 300_000;
/** How often a process looks for scopes whose waiting is over because of another process, or of their policies, milliseconds. */
export const DEFERRAL_POLL_MS = 1_000;
/** Scopes of one shard whose policies are looked at together. */
export const DEFERRALS_LOOKED_AT = 100;
/** Scopes whose waiting events are looked up together; they are consolidated one after the other. */
export const DEFERRALS_OPEN = 4;
/** Concepts that a synthesis brings up to date in one transaction: keeps it short beside the captures. */
export const SYNTHESIS_BATCH_CONCEPTS = 200;
/** How often a process looks for syntheses of others, milliseconds. */
export const SYNTHESIS_POLL_MS = 1_000;
/** Other concepts that a version of a concept names at most, the weightiest. */
export const MAX_CONCEPT_EDGES = 16;
