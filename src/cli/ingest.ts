import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { scopeFault } from '../../schemas/scope.ts';
import { loadConfig, type Config } from '../config.ts';
import { errorText } from '../errors.ts';
import { MAX_BULK_ITEMS } from '../limits.ts';
import { EXIT, UsageError, type CliProcess, type Command, type Flags } from './command.ts';
import { createIngestDisplay } from './ingest/progress.ts';
import { Ingest } from './ingest/run.ts';
import { BulkSender, type Destination } from './ingest/sender.ts';
import { ADDRESS_HELP, ADDRESS_OPTIONS, keyFor, textOf, urlOf } from './service-address.ts';
import { configInput, optionLine, settingHelp, settingOptions } from './setting-flags.ts';

/** Envelopes that `strata ingest` sends at once unless told otherwise: one transaction of the service. */
const INGEST_BATCH_EVENTS = 500;

const STAGES = ['captured', 'indexed', 'consolidated'];

/** `strata ingest`: sends JSON lines of envelopes to a running service. */
export const ingestCommand: Command = {
  name: 'ingest',
  arguments: ['FILE'],
  summary:
    'Capture the envelopes of a file of JSON lines (- for standard input) in a running service.\n' +
    'Repeating it writes nothing twice, so an ingest that broke off is continued by starting it again.',
  options: {
    ...settingOptions(['data_dir']),
    ...ADDRESS_OPTIONS,
    tenant: { type: 'string' },
    scope: { type: 'string' },
    wait: { type: 'string' },
    batch: { type: 'string' },
  },
  optionHelp: [
    ...ADDRESS_HELP,
    optionLine('--tenant ID', 'Tenant to write into; default `default`.'),
    optionLine('--scope PATH', 'Scope of envelopes that name none.'),
    optionLine('--wait STAGE', `Wait for each batch to be ${STAGES.join(', ')}; default captured.`),
    optionLine(
      '--batch N',
      `Envelopes sent at once, 1 to ${MAX_BULK_ITEMS}; default ${INGEST_BATCH_EVENTS}.`,
    ),
    ...settingHelp(['data_dir']),
  ],
  run: ({ flags, positionals }, host) => ingest(positionals[0] ?? '-', flags, host),
};

async function ingest(file: string, flags: Flags, host: CliProcess): Promise<number> {
  const batchEvents = batchOf(flags);
  const config = loadConfig(configInput(flags, host));
  const sender = new BulkSender(destinationOf(flags, config));
  const { input, totalBytes } = openInput(file, host);
  const display = createIngestDisplay(host.stderr, totalBytes);
  const work = new Ingest({ input, sender, display, batchEvents });
  let failure: unknown = null;
  try {
    await work.run();
  } catch (error) {
    failure = error;
  } finally {
    display.close();
  }
  const { captured, replayed, refused } = work.state;
  host.stdout.write(`captured ${captured}, replayed ${replayed}, refused ${refused}\n`);
  if (failure !== null) return brokenOff(failure, host);
  return refused === 0 && work.unsettled === 0 ? EXIT.ok : EXIT.refused;
}

function brokenOff(failure: unknown, host: CliProcess): number {
  const { name, code } = failure as { name?: unknown; code?: unknown };
  const ofFile = typeof code === 'string' && /^E[A-Z0-9]+$/.test(code);
  if (name !== 'UnreachableError' && !ofFile) throw failure;
  const reason = ofFile ? `the input cannot be read: ${errorText(failure)}` : errorText(failure);
  host.stderr.write(
    `strata: ${reason}\nStart the same command again to continue; nothing is captured twice.\n`,
  );
  return ofFile ? EXIT.usage : EXIT.unreachable;
}

function openInput(
  file: string,
  host: CliProcess,
): { input: AsyncIterable<unknown>; totalBytes: number | null } {
  if (file === '-') return { input: host.stdin, totalBytes: null };
  const path = resolve(host.directory, file);
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw new UsageError(`${file} is a directory`);
    return {
      input: createReadStream(path, { highWaterMark: 1 << 18 }),
      totalBytes: found.isFile() ? found.size : null,
    };
  } catch (error) {
    if ((error as { name?: unknown }).name === 'UsageError') throw error;
    throw new UsageError(`${file} cannot be read: ${errorText(error)}`);
  }
}

function batchOf(flags: Flags): number {
  if (flags.batch === undefined) return INGEST_BATCH_EVENTS;
  const value = Number(flags.batch);
  if (Number.isInteger(value) && value >= 1 && value <= MAX_BULK_ITEMS) return value;
  throw new UsageError(`--batch must be an integer from 1 to ${MAX_BULK_ITEMS}`);
}

function destinationOf(flags: Flags, config: Config): Destination {
  const scope = textOf(flags.scope);
  const fault = scope === null ? null : scopeFault(scope);
  if (fault !== null) throw new UsageError(`--scope: ${fault}`);
  const url = urlOf(flags, config);
  return {
    url,
    key: keyFor(url, flags, config),
    tenant: textOf(flags.tenant),
    actor: textOf(flags.actor),
    scope,
    wait: waitOf(textOf(flags.wait)),
  };
}

function waitOf(wait: string | null): string | null {
  if (wait === null || wait === 'captured') return null;
  if (STAGES.includes(wait)) return wait;
  throw new UsageError(`--wait must be ${STAGES.join(', ')}`);
}
