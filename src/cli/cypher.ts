import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';

import type { OperatorRows } from '../../graph/operator-query.ts';
import { loadConfig, type Config } from '../config.ts';
import { errorText, StartupError } from '../errors.ts';
import { managedAddress, type ManagedAddress } from '../local-neo4j/address.ts';
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
    'Run a Cypher statement that reads (- for standard input) on the database, and print its rows.\n' +
    'The database refuses whatever would write. It knows nothing of scopes and tokens: whoever has its password sees all of it.',
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
  // Loaded here, so that the other commands do not pay for the driver.
  const { readForOperator } = await import('../../graph/operator-query.ts');
  let answer: OperatorRows;
  try {
    answer = await readForOperator(server, { text, params, timeoutMs: seconds * 1000, rows });
  } catch (error) {
    throw refusal(error, { uri: server.uri, seconds });
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
  return Object.fromEntries(
    all.map((one) => {
      const at = one.indexOf('=');
      if (at < 1) throw new UsageError(`--param: ${one} is not NAME=VALUE`);
      return [one.slice(0, at), valueOf(one.slice(at + 1))];
    }),
  );
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

async function addressOf({ database, dataDir }: Config): Promise<ManagedAddress> {
  if (database.kind === 'external') return database;
  const address = await managedAddress(resolve(dataDir));
  if (address !== null) return address;
  throw new StartupError(
    `No database was started in ${dataDir} yet: start the service, or name another database by NEO4J_URI.`,
    { exitCode: EXIT.unreachable },
  );
}

/** What a failure is told as: the server's own words where it refuses the statement. */
function refusal(error: unknown, { uri, seconds }: { uri: string; seconds: number }): Error {
  const code = String((error as { code?: unknown }).code);
  if (code === 'Neo.ClientError.Statement.AccessMode')
    return new StartupError('The statement would write, and this only reads.', { exitCode: EXIT.refused });
  if (code.startsWith('Neo.ClientError.Transaction.TransactionTimedOut'))
    return new StartupError(`The statement took longer than ${seconds} s; --timeout gives it more.`, {
      exitCode: EXIT.refused,
    });
  if (code.startsWith('Neo.ClientError.Security.'))
    return new StartupError(`The database at ${uri} refuses its user: ${errorText(error)}`, {
      exitCode: EXIT.unreachable,
    });
  if (code.startsWith('Neo.')) return new StartupError(errorText(error), { exitCode: EXIT.refused });
  return new StartupError(
    `The database at ${uri} does not answer (${errorText(error)}). The one that Strata runs itself is there while the service is.`,
    { exitCode: EXIT.unreachable },
  );
}

function jsonLines({ columns, rows }: OperatorRows): string[] {
  return rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((name, i) => [name, row[i]]))));
}
