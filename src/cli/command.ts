import type { ParseArgsConfig } from 'node:util';

/** What the command line touches of its process; tests hand in their own. */
export interface CliProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Working directory, absolute. */
  readonly directory: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean | undefined };
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean | undefined };
}

/** Values of flags by name without dashes; a list for those that may be repeated. */
export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Exit codes of the command line; those of sysexits.h where there is one. */
export const EXIT = {
  ok: 0,
  /** The work is done, and some of it was refused; or what was looked for was found. */
  refused: 1,
  /** The service cannot be reached or does not take the key. */
  unreachable: 2,
  /** Unknown command, flag or argument. */
  usage: 64,
  /** A fault of the program. */
  fault: 70,
  /** Ended by Ctrl-C: 128 and the number of the signal. */
  interrupted: 130,
} as const;

/** One command. */
export interface Command {
  /** One word, or two: a group and what is done in it. */
  readonly name: string;
  /** Names of positional arguments, as the help shows them. */
  readonly arguments: readonly string[];
  /** One line for the help. */
  readonly summary: string;
  /** Flags in the form of `util.parseArgs`. */
  readonly options: NonNullable<ParseArgsConfig['options']>;
  /** Lines of help for the flags. */
  readonly optionHelp: readonly string[];
  /** Does the work and answers the exit code. */
  run(given: { flags: Flags; positionals: readonly string[] }, host: CliProcess): Promise<number>;
}

/** A command line that cannot be understood; ends with exit code 64 and the help. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
