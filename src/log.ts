import { pino } from 'pino';

/** Fields of a log line: ids, counts, durations and codes; never a secret, never content of a memory. */
export type LogFields = Record<string, unknown>;

/** Structured log, one JSON object a line. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The levels a log may be set to. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** A log that writes JSON lines to standard error, so that standard output stays for the person. */
export function createLog(level: LogLevel): Log {
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    // Lines are written beside the requests that they tell of; at the end of the process what waits is written at once.
    pino.destination({ fd: 2, sync: false }),
  );
  return {
    debug: (message, fields) => {
      logger.debug(fields ?? {}, message);
    },
    info: (message, fields) => {
      logger.info(fields ?? {}, message);
    },
    warn: (message, fields) => {
      logger.warn(fields ?? {}, message);
    },
    error: (message, fields) => {
      logger.error(fields ?? {}, message);
    },
  };
}

/** A log that says nothing. */
export const silentLog: Log = createLog('silent');
