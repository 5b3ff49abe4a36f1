/** How long the first answer of a started server is waited for, in ms; a loaded machine has needed 70 s. */
export const START_PATIENCE_MS = 120_000;
/** Pause between two looks at something awaited, in ms. */
export const POLL_MS = 100;
/** How long a server may take to end after TERM before it is killed, in ms; closing is safe to cut short. */
export const STOP_PATIENCE_MS = 30_000;
/** The same for a server that nobody owns any more, in seconds (it is a shell that counts them). */
export const ORPHAN_PATIENCE_S = 10;
/** First pause before a server that died is started again, in ms; doubled each time. */
export const RESTART_FIRST_MS = 500;
/** Longest such pause, in ms. */
export const RESTART_LONGEST_MS = 30_000;
/** A server that lived this long, in ms, counts as sound: the pauses begin again at the first. */
export const RESTART_FORGIVEN_MS = 60_000;
/** Maven saying nothing for this long, in ms, counts as hanging. */
export const MAVEN_SILENCE_MS = 300_000;
/** How long a probing command (`java -version`, `docker info`) may take, in ms. */
export const PROBE_MS = 15_000;
/** Lines of a failed program's output that are repeated in the error. */
export const LAST_LINES = 15;
/** Attempts at a free port: another program may take it between our look and the server's bind. */
export const PORT_ATTEMPTS = 3;
