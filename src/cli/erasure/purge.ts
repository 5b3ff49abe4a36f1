import { createInterface } from 'node:readline';

import type { CopyProgress } from '../../../graph/copy/copy.ts';
import { loadConfig } from '../../config.ts';
import { StartupError } from '../../errors.ts';
import { INGEST_TELL_EVERY_MS } from '../../limits.ts';
import type { PurgeReport } from '../../main/purge.ts';
import { EXIT, type CliProcess, type Command, type Flags } from '../command.ts';
import { configInput, optionLine, settingHelp, settingOptions } from '../setting-flags.ts';
import { FOREIGN_STEPS } from './foreign.ts';

const TITLES: Record<CopyProgress['phase'], string> = {
  nodes: 'Copying nodes',
  edges: 'Copying edges',
  indexes: 'Filling indexes',
  check: 'Comparing records',
};

/** `strata erasure purge`: copies the live records of the managed database into a new store, and deletes the old one with its logs. */
export const purgeCommand: Command = {
  name: 'erasure purge',
  arguments: [],
  summary:
    'Copy the live records of the managed database into a new store, and delete the old one with its logs.\n' +
    'The service has to be stopped. Of a database of your own it says what its operator has to do, and ends with 1.',
  options: {
    ...settingOptions(),
    yes: { type: 'boolean' },
    json: { type: 'boolean' },
    throwaway: { type: 'boolean' },
  },
  optionHelp: [
    ...settingHelp(),
    optionLine('--yes', 'Do not ask on a terminal.'),
    optionLine('--json', 'Print the summary as one JSON object.'),
    optionLine('--throwaway', 'Run both Neo4js with settings for trials: quick to start, slower to work.'),
  ],
  run: ({ flags }, host) => purge(flags, host),
};

async function purge(flags: Flags, host: CliProcess): Promise<number> {
  const config = loadConfig(configInput(flags, host));
  // Loaded here, so that the other commands do not pay for it.
  const { isManaged, purgeDatabase } = await import('../../main/purge.ts');
  if (!isManaged(config)) {
    host.stdout.write(foreignText(config.database.kind === 'external' ? config.database.uri : '', flags));
    return EXIT.refused;
  }
  if (flags.yes !== true && !(await isWanted(config.dataDir, host))) return EXIT.refused;
  const stopped = new AbortController();
  const interrupt = (): void => {
    stopped.abort(
      new StartupError('The purge was cut short: the database is as it was.', { exitCode: EXIT.interrupted }),
    );
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    const report = await purgeDatabase(config, {
      environment: host.environment,
      profile: flags.throwaway === true ? 'throwaway' : 'production',
      signal: stopped.signal,
      tell: teller(host),
    });
    host.stdout.write(flags.json === true ? jsonText(report) : summaryText(report));
    return EXIT.ok;
  } finally {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  }
}

/** Asks where a person sits at a terminal; elsewhere who started it meant it. */
async function isWanted(dataDir: string, { stdin, stderr }: CliProcess): Promise<boolean> {
  if (stdin.isTTY !== true) return true;
  stderr.write(`The database in ${dataDir} is copied, and the old files are deleted. Go on? [y/N] `);
  const asked = createInterface({ input: stdin });
  try {
    for await (const answer of asked) return /^y(?:es)?$/i.test(answer.trim());
    return false;
  } finally {
    asked.close();
  }
}

/** Takes the progress, and tells of it now and then and at the end of each phase. */
function teller({ stderr }: CliProcess): (progress: CopyProgress) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return ({ phase, done, total }) => {
    const now = performance.now();
    if (now - toldAt < INGEST_TELL_EVERY_MS && done < total) return;
    toldAt = now;
    stderr.write(`${TITLES[phase]}: ${done} of ${total}\n`);
  };
}

function summaryText({ bytesBefore, bytesAfter, nodes, edges, seconds }: PurgeReport): string {
  return `${bytesBefore} bytes before, ${bytesAfter} bytes after, ${nodes} nodes, ${edges} edges, ${seconds} s\n`;
}

function jsonText({ bytesBefore, bytesAfter, nodes, edges, seconds }: PurgeReport): string {
  const report = { bytes_before: bytesBefore, bytes_after: bytesAfter, nodes, edges, seconds };
  return `${JSON.stringify(report)}\n`;
}

function foreignText(uri: string, flags: Flags): string {
  if (flags.json === true)
    return `${JSON.stringify({ managed: false, uri, steps: FOREIGN_STEPS.map(({ what, how }) => ({ what, how })) })}\n`;
  const steps = FOREIGN_STEPS.map(
    ({ what, how }, at) => `${at + 1}. ${what}\n   ${how.replaceAll('\n', '\n   ')}\n`,
  );
  return `The database at ${uri} is not run by Strata: nothing was done. To be done by its operator, on each server:\n\n${steps.join('')}`;
}
