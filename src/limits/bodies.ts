// How large a body may be once it is taken apart, how slowly it may come, and how much of the memory of a process the
// bodies of one caller may take. The caps of bodies in bytes stand in src/limits.ts.

const KIB = 1024;
const MIB = 1024 * KIB;
/** Bytes of JSON that are looked through, or taken apart, before others may have their turn; less than a millisecond. */
export const JSON_STEP_BYTES = 64 * KIB;

/** Bytes that a packed body may unpack to however small it is: what is short may well repeat itself. */
export const GZIP_FREE_BYTES = 1 * MIB;
/**
 * Times its packed bytes that a body may unpack to beyond them: logs of one program pack to a thirtieth, lines that repeat a
 * trace of the stack to a hundredth, one event sent a thousand times to a two-hundredth, and a bomb to a thousandth. Then 413.
 */
export const MAX_GZIP_RATIO = 200;

/** Bodies are gathered in blocks of so many bytes, whatever the pieces are in which they come. */
export const BODY_BLOCK_BYTES = 64 * KIB;
/** Bytes of a packed body that wait to be unpacked, above which nothing more is read of it: about one reading of a connection. */
export const GZIP_WAITING_BYTES = 64 * KIB;

/** A body is looked at so often, milliseconds: it may come as slowly as it likes for so long. */
export const BODY_PACE_MS = 10_000;
/** Bytes that have to come in each second between two looks: a slow telephone sends more. Then 408, and the connection is closed. */
export const BODY_LEAST_BYTES_A_SECOND = 4 * KIB;
/** And is given up, the slowest first, when fewer bytes than so many came in each second of that time: 408. */
export const BODY_CROWDED_BYTES_A_SECOND = 64 * KIB;

/** Bytes of JSON bodies, unpacked, with what their values take, that a process reads or works on at once; then 503 `SERVER_BUSY`. */
export const BODIES_BYTES = 384 * MIB;
/** Bytes of one actor among them: the largest body with as many values as it may have. */
export const BODIES_OF_ACTOR_BYTES = 96 * MIB;
/** Bytes of one tenant among them: a third. */
export const BODIES_OF_TENANT_BYTES = 128 * MIB;
/** Bytes of all tenants together that signed themselves up: half, for whoever signs up once may do so again. */
export const BODIES_OF_SIGNED_UP_BYTES = 192 * MIB;
/** Bytes of strangers from one address among them: sixty-four sign-ups. */
export const BODIES_OF_ADDRESS_BYTES = 4 * MIB;
/** Bytes of all strangers together. */
export const BODIES_OF_STRANGERS_BYTES = 32 * MIB;
/** A body of up to so many bytes is small: it finds room where large ones find none. */
export const SMALL_BODY_BYTES = 256 * KIB;
/** Room beyond that of many callers together that only small bodies take, bytes: some hundred of them. */
export const SMALL_BODIES_BYTES = 32 * MIB;

/** Bytes of uploads that a process has in memory at once; beyond it 503 `SERVER_BUSY`. */
export const BLOB_UPLOADS_BYTES = 256 * MIB;
/** Bytes of one actor among them: the largest blob and half of it more. */
export const BLOB_UPLOADS_OF_ACTOR_BYTES = 48 * MIB;
/** Bytes of one tenant among them: a quarter, so that it does not take the room of the others. */
export const BLOB_UPLOADS_OF_TENANT_BYTES = 64 * MIB;
/** Bytes of all tenants together that signed themselves up: half. */
export const BLOB_UPLOADS_OF_SIGNED_UP_BYTES = 128 * MIB;
