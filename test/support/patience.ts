// How long tests hope, milliseconds. They wait for conditions, so patience costs nothing where all is well and is no assertion: it only says
// when a test gives up. All of it is generous, for a machine of two cores that somebody else uses too.

/** Whatever a healthy service does at once; the patience of `eventually` where none is named. */
export const ANSWER_PATIENCE_MS = 90_000;

/** What is tried several times with growing pauses before it is given up, or needs a server that has just started to make its plans. */
export const RETRIES_PATIENCE_MS = 300_000;

/** Deriving all that a test has captured, or deriving it again. */
export const DERIVING_PATIENCE_MS = 600_000;

/** The start of a process: a first start of Neo4j on a loaded machine is slow. */
export const START_PATIENCE_MS = 180_000;

/** The end of a process: a server without owner has ten seconds, then it is killed. */
export const END_PATIENCE_MS = 60_000;

/**
 * What every process has to know within a second. Every day it is only waited for; a long run, which has the machine to itself, holds the
 * product to its promise, with time for the request that finds out.
 */
export const PROMISED_SECOND_MS = 3_000;

/** Settings of a service under test, for a machine that may hold every process up for as long as it likes, and plans statements slowly. */
export const BUSY_MACHINE = {
  STRATA_HTTP_MAX_EVENT_LOOP_DELAY_MS: '0',
  STRATA_CAPTURE_WAIT_BUDGET_MS: '110000',
  STRATA_NEO4J_STATEMENT_TIMEOUT_MS: '60000',
};
