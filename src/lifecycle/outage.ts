import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';

/** Longest pause between tries to read frames while the database is away, milliseconds. */
const STREAM_MAX_PAUSE_MS = 2000;

const FIRST_PAUSE_MS = 50;

/** Remembers whether frames can be read, so that the log says it once when they cannot, and once when they can again. */
export class Outage {
  private readonly log: Log;
  private away = false;

  constructor(log: Log) {
    this.log = log;
  }

  /** Says that frames could not be read. */
  began(error: unknown): void {
    if (!this.away) this.log.warn('lifecycle streams wait for the database', { error: errorText(error) });
    this.away = true;
  }

  /** Says that frames were read. */
  over(): void {
    if (this.away) this.log.info('lifecycle streams go on');
    this.away = false;
  }
}

/** The pause after the one before, milliseconds: doubling, bounded. */
export function nextPause(pauseMs: number): number {
  return Math.min(Math.max(FIRST_PAUSE_MS, pauseMs * 2), STREAM_MAX_PAUSE_MS);
}
