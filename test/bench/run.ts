// Measures the service against the raw driver: npm run bench -- [--only ack,bulk] [--quick] [--seconds N] [--events N] [--out FILE]
// One JSON line a figure goes into test/bench/results/, a table to the terminal. Everything that was started is ended.
import { appendFileSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import type { DatabaseAddress } from '../../src/context.ts';
import { readArguments, type Group } from './arguments.ts';
import { Bench } from './bench.ts';
import { audit } from './figure/audit.ts';
import { acknowledgement, bulk, throughput, warmUp } from './figure/capture.ts';
import { derivation } from './figure/derivation.ts';
import { forget } from './figure/forget.ts';
import { graphql } from './figure/graphql.ts';
import { listing } from './figure/listing.ts';
import { recall } from './figure/recall.ts';
import { atFirst, atLast } from './figure/start.ts';
import { stream } from './figure/stream.ts';
import { visible } from './figure/visible.ts';
import { table } from './table.ts';

const FIGURES: Readonly<Record<Exclude<Group, 'start'>, (bench: Bench) => Promise<void>>> = {
  ack: acknowledgement,
  throughput,
  bulk,
  audit,
  visible,
  stream,
  listing,
  recall,
  graphql,
  derivation,
  forget,
};

/** An existing database named by the environment; it has to be empty. */
function addressIn(prefix: string): DatabaseAddress | null {
  const given = (name: string): string | undefined => process.env[`${prefix}NEO4J_${name}`];
  const uri = given('URI');
  if (uri === undefined) return null;
  return {
    uri,
    user: given('USER') ?? 'neo4j',
    password: given('PASSWORD') ?? '',
    database: given('DATABASE') ?? 'neo4j',
  };
}

const options = readArguments(process.argv.slice(2));
const results = fileURLToPath(new URL('./results/', import.meta.url));
mkdirSync(results, { recursive: true });
const out = options.out ?? `${results}${new Date().toISOString().slice(0, 10)}.jsonl`;
const began = performance.now();
const bench = new Bench({
  options,
  databases: { ours: addressIn(''), raw: addressIn('STRATA_BENCH_RAW_') },
  say: (text) =>
    process.stderr.write(
      `${String(Math.round((performance.now() - began) / 1000)).padStart(4)} s  ${text}\n`,
    ),
  keep: (line) => {
    appendFileSync(out, `${JSON.stringify(line)}\n`);
  },
});
let ending: Promise<void> | null = null;
const end = (): Promise<void> => (ending ??= bench.end());
const interrupted = (): void => {
  void end().finally(() => process.exit(130));
};
process.once('SIGINT', interrupted);
process.once('SIGTERM', interrupted);
/** Measures a group; what fails is told, and the others are measured all the same. */
async function attempt(name: string, figures: (bench: Bench) => Promise<void>): Promise<void> {
  try {
    await figures(bench);
  } catch (error) {
    if (ending !== null) throw error;
    process.exitCode = 1;
    bench.say(`! ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
}

try {
  bench.say('starting the service');
  await bench.startService();
  bench.say('starting the raw driver');
  await bench.startRaw();
  const starts = options.groups.includes('start');
  if (starts) await attempt('start', atFirst);
  await warmUp(bench);
  for (const group of options.groups) if (group !== 'start') await attempt(group, FIGURES[group]);
  if (starts) await attempt('start', atLast);
} finally {
  await end();
  process.stdout.write(`${table(bench.lines)}\n\nkept in ${out}\n`);
}
