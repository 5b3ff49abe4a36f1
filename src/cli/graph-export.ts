import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { PROVENANCE_EXPORT_FORMATS } from '../../schemas/graph-export.ts';
import { errorText } from '../errors.ts';
import { EXIT, UsageError, type CliProcess, type Command, type Flags } from './command.ts';
import { ADDRESS_HELP, ADDRESS_OPTIONS, textOf } from './service-address.ts';
import { askForFile, refusalMessage } from './service-request.ts';
import { optionLine, settingHelp, settingOptions } from './setting-flags.ts';

/** Flags that are parameters of the graph of a scope, of the graph around a record, and of both. */
const OF_SCOPE = ['scope', 'view', 'types', 'entity', 'q'] as const;
const OF_RECORD = ['direction', 'relation', 'depth'] as const;
const OF_BOTH = ['format', 'as-of', 'as-of-valid', 'as-of-recorded'] as const;

/** `strata graph export`: writes a graph of a running service to a file, or to standard output. */
export const graphExportCommand: Command = {
  name: 'graph export',
  arguments: [],
  summary:
    'Write the graph of a scope, or the graph around one record, in the format of another tool.\n' +
    'With --out the file is there when all of it has come, and not before.',
  options: {
    ...settingOptions(['data_dir']),
    ...ADDRESS_OPTIONS,
    tenant: { type: 'string' },
    record: { type: 'string' },
    'include-superseded': { type: 'boolean' },
    out: { type: 'string' },
    ...Object.fromEntries(
      [...OF_SCOPE, ...OF_RECORD, ...OF_BOTH].map((name) => [name, { type: 'string' }] as const),
    ),
  },
  optionHelp: [
    optionLine('--format FORMAT', `${PROVENANCE_EXPORT_FORMATS.join(', ')} (of a record).`),
    optionLine('--scope PATH', 'The graph of this scope.'),
    optionLine('--view VIEW', 'How much of the scope tree, such as descend; default local.'),
    optionLine('--types TYPES', 'Kinds of nodes, separated by commas; default all.'),
    optionLine('--entity NAME', 'Only what is said of this entity.'),
    optionLine('--q TEXT', 'Only nodes whose summary holds this text.'),
    optionLine('--include-superseded', 'Also facts and events that are not true at the valid instant.'),
    optionLine('--record ID', 'The graph around this record, in place of that of a scope.'),
    optionLine('--direction WAY', 'down: what the record rests on; up: what rests on it; both.'),
    optionLine('--relation RELATION', 'derivation, or supersession: what took the place of what.'),
    optionLine('--depth STEPS', 'Steps to go from the record; default 4.'),
    optionLine('--as-of INSTANT', 'Both axes at this instant.'),
    optionLine('--as-of-valid INSTANT', 'What is true at this instant.'),
    optionLine('--as-of-recorded INSTANT', 'What was known at this instant.'),
    optionLine('--out FILE', 'File to write; default standard output.'),
    optionLine('--tenant ID', 'Tenant to read in; default `default`.'),
    ...ADDRESS_HELP,
    ...settingHelp(['data_dir']),
  ],
  run: ({ flags }, host) => exportGraph(flags, host),
};

async function exportGraph(flags: Flags, host: CliProcess): Promise<number> {
  const answer = await askForFile(addressOf(flags), { flags, host });
  if (answer === null || 'text' in answer) return refusalMessage(answer, host);
  const out = textOf(flags.out);
  try {
    if (out === null) await pipeline(answer, host.stdout, { end: false });
    else await store(answer, resolve(host.directory, out));
    return EXIT.ok;
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Whoever reads standard output wants no more of it.
    if (code === 'EPIPE') return EXIT.ok;
    const ofService = code === 'ECONNRESET' || code === 'ETIMEDOUT' || code === 'ERR_STREAM_PREMATURE_CLOSE';
    const what = ofService ? 'the export was cut short' : `${out ?? 'the output'} cannot be written`;
    host.stderr.write(`strata: ${what}: ${errorText(error)}\n`);
    return ofService ? EXIT.unreachable : EXIT.usage;
  }
}

/** The path of what the flags ask for. */
function addressOf(flags: Flags): string {
  const record = textOf(flags.record);
  if (textOf(flags.format) === null) throw new UsageError('--format is missing');
  if ((record === null) === (textOf(flags.scope) === null))
    throw new UsageError('name a scope by --scope, or a record by --record');
  const strangers = record === null ? OF_RECORD : [...OF_SCOPE, 'include-superseded'];
  const stranger = strangers.find((name) => flags[name] !== undefined);
  if (stranger !== undefined)
    throw new UsageError(`--${stranger} is not for ${record === null ? '--scope' : '--record'}`);
  const query = new URLSearchParams();
  for (const name of [...OF_SCOPE, ...OF_RECORD, ...OF_BOTH]) {
    const value = textOf(flags[name]);
    if (value !== null) query.set(name.replaceAll('-', '_'), value);
  }
  if (flags['include-superseded'] === true) query.set('include_superseded', 'true');
  const path = record === null ? '/v1/graph/export' : `/v1/provenance/${encodeURIComponent(record)}/export`;
  return `${path}?${query.toString()}`;
}

/** Writes a file so that it is there in whole, or not at all. */
async function store(answer: IncomingMessage, path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await pipeline(answer, createWriteStream(draft, { flags: 'wx', mode: 0o600 }));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
