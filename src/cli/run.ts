import { parseArgs } from 'node:util';

import { errorText } from '../errors.ts';
import { EXIT, UsageError, type CliProcess, type Command, type Flags } from './command.ts';
import { configCommand } from './config.ts';
import { cypherCommand } from './cypher.ts';
import { ERASURE_COMMANDS } from './erasure.ts';
import { graphExportCommand } from './graph-export.ts';
import { ingestCommand } from './ingest.ts';
import { keyCommand } from './key.ts';
import { rebuildCommand } from './rebuild.ts';
import { reindexCommand } from './reindex.ts';
import { startCommand } from './start.ts';
import { tokenKeysCommand } from './token-keys.ts';
import { tokenMintCommand, tokenRevokeCommand } from './token.ts';
import { versionCommand } from './version.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  startCommand,
  configCommand,
  keyCommand,
  tokenMintCommand,
  tokenRevokeCommand,
  tokenKeysCommand,
  ingestCommand,
  rebuildCommand,
  reindexCommand,
  ...ERASURE_COMMANDS,
  graphExportCommand,
  cypherCommand,
  versionCommand,
];

/**
 * Runs one command line (without `node` and the script) and answers the exit code. Never throws: what goes wrong is
 * told on standard error, with help when the line cannot be understood (64) and in one sentence when the service
 * refuses to start (78).
 */
export async function runCli(line: readonly string[], host: CliProcess): Promise<number> {
  const { name, rest } = nameOf(line);
  const command = commandNamed(name === '--version' ? 'version' : name);
  try {
    if (isHelp(name)) {
      host.stdout.write(helpAbout(rest));
      return EXIT.ok;
    }
    if (command === null) throw noCommand(name);
    if (rest.includes('--help') || rest.includes('-h')) {
      host.stdout.write(helpOf(command));
      return EXIT.ok;
    }
    return await command.run(parseLine(command, rest), host);
  } catch (error) {
    return failure(error, command, host);
  }
}

/** The name of the command, of one word or two, and what stands behind it. */
function nameOf([first = 'help', second = '', ...more]: readonly string[]): { name: string; rest: string[] } {
  const both = `${first} ${second}`;
  const isGroup = COMMANDS.some(({ name }) => name.startsWith(`${first} `));
  if (isGroup && !second.startsWith('-')) return { name: both.trim(), rest: more };
  return { name: first, rest: second === '' && more.length === 0 ? [] : [second, ...more] };
}

function isHelp(word: string): boolean {
  return ['help', '--help', '-h'].includes(word);
}

function helpAbout(words: readonly string[]): string {
  if (words.length === 0 || isHelp(words[0] ?? '')) return overview();
  const { name, rest: more } = nameOf(words);
  const command = commandNamed(name);
  if (command === null) throw noCommand(name);
  if (more.length > 0) throw new UsageError(`${more.join(' ')} is too much`);
  return helpOf(command);
}

function noCommand(name: string): UsageError {
  return new UsageError(`there is no command ${name}`);
}

function commandNamed(name: string): Command | null {
  return COMMANDS.find((command) => command.name === name) ?? null;
}

function parseLine(
  command: Command,
  args: readonly string[],
): { flags: Flags; positionals: readonly string[] } {
  const { values, positionals } = parse(command, args);
  const wanted = command.arguments.length;
  if (positionals.length < wanted)
    throw new UsageError(`${command.arguments.slice(positionals.length).join(' ')} is missing`);
  if (positionals.length > wanted) throw new UsageError(`${positionals.slice(wanted).join(' ')} is too much`);
  return { flags: values, positionals };
}

function parse(command: Command, args: readonly string[]): { values: Flags; positionals: string[] } {
  try {
    const parsed = parseArgs({
      args: [...args],
      options: command.options,
      allowPositionals: true,
      strict: true,
    });
    return { values: parsed.values as Flags, positionals: parsed.positionals };
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS_')) throw error;
    throw new UsageError(errorText(error));
  }
}

function failure(error: unknown, command: Command | null, host: CliProcess): number {
  const name = (error as { name?: unknown }).name;
  if (name === 'UsageError') {
    host.stderr.write(`strata: ${errorText(error)}\n\n${helpOf(command)}`);
    return EXIT.usage;
  }
  if (name === 'StartupError') {
    host.stderr.write(`strata: ${errorText(error)}\n`);
    return (error as { exitCode: number }).exitCode;
  }
  const stack = (error as { stack?: unknown }).stack;
  host.stderr.write(`strata: ${typeof stack === 'string' ? stack : errorText(error)}\n`);
  return EXIT.fault;
}

function helpOf(command: Command | null): string {
  if (command === null) return overview();
  const placeholders = command.arguments.map((argument) => ` ${argument}`).join('');
  const flags = command.optionHelp.length === 0 ? '' : `\n${command.optionHelp.join('\n')}\n`;
  return `Usage: strata ${command.name}${placeholders} [flags]\n\n${command.summary}\n${flags}`;
}

function overview(): string {
  const rows = COMMANDS.map(
    ({ name, arguments: names, summary }) =>
      `  ${[name, ...names].join(' ').padEnd(18)} ${summary.split('\n', 1)[0] ?? ''}`,
  );
  return `Usage: strata COMMAND [flags]\n\n${rows.join('\n')}\n  help [COMMAND]   Print this, or the flags of a command.\n`;
}
