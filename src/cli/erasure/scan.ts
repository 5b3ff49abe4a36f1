import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { loadConfig } from '../../config.ts';
import { errorText, StartupError } from '../../errors.ts';
import { INGEST_TELL_EVERY_MS } from '../../limits.ts';
import { MIN_TEXT_BYTES } from '../../local-neo4j/scan/needles.ts';
import { PLACES, type PlaceClass } from '../../local-neo4j/scan/places.ts';
import { scanDirectory, type Find, type ScanReport } from '../../local-neo4j/scan/scan.ts';
import { EXIT, UsageError, type CliProcess, type Command, type Flags } from '../command.ts';
import { configInput, optionLine, settingHelp, settingOptions } from '../setting-flags.ts';

/** Texts of one scan at most. */
const MAX_TEXTS = 1000;

/** Finds that are listed one by one; beyond them they are counted. */
const LISTED_FINDS = 10_000;

/** `strata erasure scan`: looks for texts in every file of the data directory, and says what kind of place each find lies in. */
export const scanCommand: Command = {
  name: 'erasure scan',
  arguments: ['FILE'],
  summary:
    'Look for texts, one a line of FILE (- for standard input), in every file of the data directory; ends with 1 when one is found.\n' +
    'It names them by their line, and prints nothing of what stands around them. Stop the service before: a running database keeps pages in memory.',
  options: { ...settingOptions(['data_dir']), json: { type: 'boolean' } },
  optionHelp: [
    optionLine('--json', 'Print each find as one line of JSON, and the summary as the last one.'),
    ...settingHelp(['data_dir']),
  ],
  run: ({ flags, positionals }, host) => scan(positionals[0] ?? '-', flags, host),
};

async function scan(file: string, flags: Flags, host: CliProcess): Promise<number> {
  const { dataDir, database } = loadConfig(configInput(flags, host));
  if (database.kind !== 'managed')
    host.stderr.write(
      `The database at ${database.uri} keeps its files elsewhere: this looks at the data directory alone. That nothing is found there proves nothing.\n`,
    );
  const lines = textsOf(await read(file, host));
  const printer = flags.json === true ? new JsonLines(host, lines) : new Lines(host, lines);
  const stopped = new AbortController();
  const interrupt = (): void => {
    stopped.abort(new StartupError('The scan was cut short.', { exitCode: EXIT.interrupted }));
  };
  process.once('SIGINT', interrupt);
  try {
    const report = await scanDirectory(
      resolve(dataDir),
      lines.map(({ text }) => text),
      {
        onFind: (find) => {
          printer.find(find);
        },
        tell: teller(host),
        signal: stopped.signal,
      },
    );
    printer.end(report);
    return report.finds + report.unread.length === 0 ? EXIT.ok : EXIT.refused;
  } finally {
    process.off('SIGINT', interrupt);
  }
}

/** A text that is looked for, and its line, from 1. */
interface TextLine {
  readonly line: number;
  readonly text: string;
}

async function read(file: string, { stdin, directory }: CliProcess): Promise<Buffer> {
  if (file === '-') return buffer(stdin);
  try {
    return await readFile(resolve(directory, file));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${errorText(error)}`);
  }
}

/** The texts of a file; empty lines are passed over. */
function textsOf(bytes: Buffer): TextLine[] {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let all: string;
  try {
    all = decoder.decode(bytes);
  } catch (error) {
    throw new UsageError(`the texts are not UTF-8: ${errorText(error)}`);
  }
  const lines = all
    .split('\n')
    .map((text, at): TextLine => ({ line: at + 1, text: text.replace(/\r$/, '') }))
    .filter(({ text }) => text !== '');
  const short = lines.find(({ text }) => Buffer.byteLength(text) < MIN_TEXT_BYTES);
  if (short !== undefined) throw new UsageError(`line ${short.line} has less than ${MIN_TEXT_BYTES} bytes`);
  if (lines.length === 0 || lines.length > MAX_TEXTS)
    throw new UsageError(`1 to ${MAX_TEXTS} texts can be looked for, one a line; there are ${lines.length}`);
  return lines;
}

function teller({ stderr }: CliProcess): (done: { files: number; bytes: number }) => void {
  let toldAt = performance.now();
  return ({ files, bytes }) => {
    const now = performance.now();
    if (now - toldAt < INGEST_TELL_EVERY_MS) return;
    toldAt = now;
    stderr.write(`${files} files, ${bytes} bytes\n`);
  };
}

/** Prints finds as they come. */
abstract class Printer {
  protected readonly host: CliProcess;
  protected readonly lines: readonly TextLine[];
  protected readonly counts = new Map<PlaceClass, number>();
  private listed = 0;

  constructor(host: CliProcess, lines: readonly TextLine[]) {
    this.host = host;
    this.lines = lines;
  }

  find(find: Find): void {
    this.counts.set(find.place, (this.counts.get(find.place) ?? 0) + 1);
    this.listed += 1;
    if (this.listed <= LISTED_FINDS) this.print(find, this.lines[find.text]?.line ?? 0);
  }

  abstract end(report: ScanReport): void;

  protected abstract print(find: Find, line: number): void;
}

class Lines extends Printer {
  end({ files, bytes, finds, unread, excluded, partly }: ScanReport): void {
    const { stdout, stderr } = this.host;
    for (const [place, count] of this.counts)
      stdout.write(`${count} × ${PLACES[place].title}: purged by ${PLACES[place].purgedBy}\n`);
    for (const file of unread) stdout.write(`${file} cannot be read\n`);
    stdout.write(`${finds} finds in ${files} files, ${bytes} bytes\n`);
    if (excluded.length > 0) stderr.write(`Caches that were passed over: ${excluded.join(', ')}\n`);
    if (partly > 0)
      stderr.write(
        `${partly} files of full-text indexes do not hold every word whole; a purge makes them anew.\n`,
      );
  }

  protected print({ file, offset, form, place }: Find, line: number): void {
    this.host.stdout.write(`${file}:${offset} line ${line} ${form} ${place}\n`);
  }
}

class JsonLines extends Printer {
  end({ files, bytes, finds, unread, excluded, partly }: ScanReport): void {
    const places = [...this.counts].map(([place, count]) => ({
      class: place,
      finds: count,
      purged_by: PLACES[place].purgedBy,
    }));
    this.write({ finds, files, bytes, places, unread, excluded, partly_searchable_files: partly });
  }

  protected print({ file, offset, form, place }: Find, line: number): void {
    this.write({ file, offset, line, form, class: place, purged_by: PLACES[place].purgedBy });
  }

  private write(row: object): void {
    this.host.stdout.write(`${JSON.stringify(row)}\n`);
  }
}
