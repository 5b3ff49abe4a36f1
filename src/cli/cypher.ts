import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';

import type { OperatorFailure, OperatorRows } from '../../graph/operator-query.ts';
import { loadConfig, type Config } from '../config.ts';
import type { DatabaseAddress } from '../context.ts';
import { errorText, StartupError } from '../errors.ts';
import { managedAddress } from '../local-neo4j/address.ts';
import { EXIT, UsageError, type CliProcess, type Command, type Flags } from './command.ts';
import { textOf } from './service-address.ts';
import { configInput, optionLine, settingHelp, settingOptions } from './setting-flags.ts';
import { tableLines } from './table.ts';

/** Rows that are shown when it is not said how many, and at most. */
const DEFAULT_ROWS = 1000;
const MAX_ROWS = 100_000;

/** Seconds that a statement may take when it is not said, and at most. */
const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 3600;

/** `strata cypher`: a statement of the operator's own, which reads. */
export const cypherCommand: Command = {
  name: 'cypher',
  arguments: ['STATEMENT'],
  summary:
    'Run one read-only Cypher statement (- reads it from standard input) on the database, and print its rows.\n' +
    'The database refuses whatever would write to the graph. It knows nothing of scopes and tokens: whoever has its password sees all of it.',
  options: {
    ...settingOptions(['data_dir']),
    param: { type: 'string', multiple: true },
    rows: { type: 'string' },
    timeout: { type: 'string' },
    json: { type: 'boolean' },
  },
  optionHelp: [
    optionLine('--param NAME=VALUE', 'A parameter ($NAME); JSON, else text. May be repeated.'),
    optionLine('--rows N', `Rows to print at most, default ${DEFAULT_ROWS}, at most ${MAX_ROWS}.`),
    optionLine(
      '--timeout SECONDS',
      `Seconds that the statement may take, default ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}.`,
    ),
    optionLine('--json', 'Print each row as one line of JSON.'),
    ...settingHelp(['data_dir']),
  ],
  run: ({ flags, positionals }, host) => runCypher(positionals[0] ?? '-', flags, host),
};

async function runCypher(given: string, flags: Flags, host: CliProcess): Promise<number> {
  const rows = countOf(flags, { name: 'rows', fallback: DEFAULT_ROWS, most: MAX_ROWS });
  const seconds = countOf(flags, { name: 'timeout', fallback: DEFAULT_SECONDS, most: MAX_SECONDS });
  const params = paramsOf(flags.param);
  const server = await addressOf(loadConfig(configInput(flags, host)));
  const text = given === '-' ? await readText(host.stdin) : given;
  if (text.trim() === '') throw new UsageError('STATEMENT is empty');
  // Loaded here, so that the other commands do not pay for the driver.
  const { operatorFailure, readForOperator } = await import('../../graph/operator-query.ts');
  let answer: OperatorRows;
  try {
    answer = await readForOperator(server, { text, params, timeoutMs: seconds * 1000, rows });
  } catch (error) {
    const failure = operatorFailure(error);
    if (failure === null) throw error;
    throw refusal(error, failure, { server, seconds });
  }
  for (const line of flags.json === true ? jsonLines(answer) : tableLines(answer.columns, answer.rows))
    host.stdout.write(`${line}\n`);
  if (answer.more) host.stderr.write(`There are more than ${rows} rows; --rows shows more.\n`);
  return EXIT.ok;
}

function countOf(
  flags: Flags,
  { name, fallback, most }: { name: 'rows' | 'timeout'; fallback: number; most: number },
): number {
  const given = textOf(flags[name]);
  if (given === null) return fallback;
  const count = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (count < 1 || count > most) throw new UsageError(`--${name}: a number from 1 to ${most}`);
  return count;
}

function paramsOf(given: Flags[string]): Record<string, unknown> {
  const all = Array.isArray(given) ? (given as readonly string[]) : [];
  const params = new Map<string, unknown>();
  for (const one of all) {
    const at = one.indexOf('=');
    const name = one.slice(0, at);
    if (at < 1) throw new UsageError(`--param: ${one} is not NAME=VALUE`);
    if (params.has(name)) throw new UsageError(`--param: ${name} is given twice`);
    params.set(name, valueOf(name, one.slice(at + 1)));
  }
  return Object.fromEntries(params);
}

function valueOf(name: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
  if (!isExact(value))
    throw new UsageError(
      `--param: ${name} has a number beyond 2^53; give it as a text (${name}='"…"') and use toInteger($${name})`,
    );
  return value;
}

/** Whether all whole numbers of a value are as they were written. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) || !Number.isInteger(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact);
}

async function addressOf({ database, dataDir }: Config): Promise<DatabaseAddress> {
  if (database.kind === 'external') return database;
  let address: DatabaseAddress | null;
  try {
    address = await managedAddress(resolve(dataDir));
  } catch (error) {
    throw new StartupError(`The address and the password in ${dataDir} cannot be read: ${errorText(error)}`, {
      exitCode: EXIT.unreachable,
    });
  }
  if (address !== null) return address;
  throw new StartupError(
    `No database runs in ${dataDir}: start the service, or name another database by NEO4J_URI.`,
    { exitCode: EXIT.unreachable },
  );
}

/** What a failure is told as: the server's own words where it refuses the statement. */
function refusal(
  error: unknown,
  failure: OperatorFailure,
  { server: { uri, database }, seconds }: { server: DatabaseAddress; seconds: number },
): StartupError {
  const refused = { exitCode: EXIT.refused };
  const unreachable = { exitCode: EXIT.unreachable };
  switch (failure) {
    case 'writes':
      return new StartupError('The statement would write, and this only reads.', refused);
    case 'overdue':
      return new StartupError(
        `The statement took longer than ${seconds} s; --timeout gives it more.`,
        refused,
      );
    case 'refused':
      return new StartupError(errorText(error), refused);
    case 'user':
      return new StartupError(`The database at ${uri} refuses its user: ${errorText(error)}`, unreachable);
    case 'away':
      return new StartupError(
        `The database ${database} at ${uri} does not answer: ${errorText(error)}`,
        unreachable,
      );
  }
}

function jsonLines({ columns, rows }: OperatorRows): string[] {
  return rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, row[i]]))));
}
