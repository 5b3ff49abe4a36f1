import { SingleBar } from 'cli-progress';

/** Without a terminal the progress of a start is told this often, milliseconds, and at each change of phase. */
const NEO4J_TELL_EVERY_MS = 5000;

/** What of how much is done on the way to a running server. */
export interface FetchProgress {
  /** resolve: which files are needed; download; copy: into the cache; start: until the first answer. */
  readonly phase: 'resolve' | 'download' | 'copy' | 'start';
  readonly done: number;
  readonly total: number;
  /** What is counted: files, or seconds (of patience) while starting. */
  readonly unit: 'files' | 's';
  /** The file at hand, or what is started. */
  readonly detail?: string;
}

/** Takes each step of a fetch. */
export type ProgressListener = (progress: FetchProgress) => void;

/** Shows progress to a person. */
export interface ProgressDisplay {
  readonly show: ProgressListener;
  /** Ends the open line; harmless when repeated. */
  close(): void;
}

/** Where a display writes, as standard error is. */
export interface ProgressStream extends NodeJS.WritableStream {
  readonly isTTY?: boolean | undefined;
}

const TITLES: Record<FetchProgress['phase'], string> = {
  resolve: 'Looking up what Neo4j needs',
  download: 'Downloading Neo4j',
  copy: 'Copying Neo4j into the cache',
  start: 'Starting Neo4j',
};

/** A bar on a terminal; elsewhere a plain line now and then. `now` is a steady clock in ms. */
export function createProgressDisplay(
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): ProgressDisplay {
  return stream.isTTY === true ? createBar(stream) : createLines(stream, now);
}

function createBar(stream: ProgressStream): ProgressDisplay {
  const bar = new SingleBar({
    stream,
    format: '{title} [{bar}] {value}/{total} {unit} {detail}',
    hideCursor: true,
    clearOnComplete: false,
    barsize: 24,
    // A terminal narrower than the line would scroll with every step.
    linewrap: false,
  });
  let open: FetchProgress['phase'] | null = null;
  const close = (): void => {
    if (open !== null) bar.stop();
    open = null;
  };
  const show = (progress: FetchProgress): void => {
    const { phase, done, total, unit, detail = '' } = progress;
    const shown = { title: TITLES[phase], unit, detail };
    if (open === phase) {
      bar.setTotal(total);
      bar.update(done, shown);
      return;
    }
    close();
    bar.start(total, done, shown);
    open = phase;
  };
  return { show, close };
}

function createLines(stream: ProgressStream, now: () => number): ProgressDisplay {
  let phase: FetchProgress['phase'] | null = null;
  let writtenAt = 0;
  const show = (progress: FetchProgress): void => {
    const finished = progress.done >= progress.total;
    if (progress.phase === phase && !finished && now() - writtenAt < NEO4J_TELL_EVERY_MS) return;
    phase = progress.phase;
    writtenAt = now();
    stream.write(`${TITLES[phase]}: ${amount(progress)}\n`);
  };
  return { show, close: () => undefined };
}

function amount({ phase, done, total, unit, detail }: FetchProgress): string {
  const subject = detail === undefined ? '' : ` (${detail})`;
  if (phase === 'start') return `${done} s${subject}`;
  return `${done} of ${total} ${unit}${subject}`;
}
