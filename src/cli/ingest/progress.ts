import { MultiBar } from 'cli-progress';

import { INGEST_TELL_EVERY_MS } from '../../limits.ts';
import type { CliProcess } from '../command.ts';

/** How far an ingest is. */
export interface IngestState {
  readonly readBytes: number;
  readonly captured: number;
  readonly replayed: number;
  readonly refused: number;
}

/** Shows an ingest to a person. */
export interface IngestDisplay {
  show(state: IngestState): void;
  /** Writes a line of its own, above a bar. */
  tell(line: string): void;
  /** Ends the bar; harmless when repeated. */
  close(): void;
}

/**
 * A bar on a terminal when the size of the input is known; else a line now and then.
 * `now` is a steady clock in milliseconds.
 */
export function createIngestDisplay(
  stream: CliProcess['stderr'],
  totalBytes: number | null,
  now: () => number = () => performance.now(),
): IngestDisplay {
  return stream.isTTY === true && totalBytes !== null
    ? createBar(stream, totalBytes)
    : createLines(stream, totalBytes, now);
}

function counts({ captured, replayed, refused }: IngestState): string {
  return `captured ${captured}, replayed ${replayed}, refused ${refused}`;
}

function createBar(stream: NodeJS.WritableStream, totalBytes: number): IngestDisplay {
  const bars = new MultiBar({
    stream,
    format: '[{bar}] {percentage}% {counts}',
    hideCursor: true,
    barsize: 24,
    linewrap: false,
    clearOnComplete: false,
  });
  const bar = bars.create(totalBytes, 0, { counts: '' });
  return {
    show: (state) => {
      bar.update(Math.min(state.readBytes, totalBytes), { counts: counts(state) });
    },
    tell: (line) => {
      bars.log(`${line}\n`);
    },
    close: () => {
      // Lines that were told since the last frame are written with a frame only.
      bars.update();
      bars.stop();
    },
  };
}

function createLines(
  stream: NodeJS.WritableStream,
  totalBytes: number | null,
  now: () => number,
): IngestDisplay {
  let reportedAt = now();
  const percent = ({ readBytes }: IngestState): string =>
    totalBytes === null || totalBytes === 0
      ? ''
      : `${Math.min(100, Math.floor((100 * readBytes) / totalBytes))}%: `;
  return {
    show: (state) => {
      if (now() - reportedAt < INGEST_TELL_EVERY_MS) return;
      reportedAt = now();
      stream.write(`${percent(state)}${counts(state)}\n`);
    },
    tell: (line) => {
      stream.write(`${line}\n`);
    },
    close: () => undefined,
  };
}
